// The store's capacity: so many workers, a queue before them, refusal beyond.
// Confined to the store's lane.

/// Runs jobs on a fixed number of simulated workers.
struct StoreQueue {
    private let capacity: StoreCapacity
    private var busy = 0
    private var waiting: [Job] = []
    private var firstWaiting = 0

    /// A request that has arrived and been given its service time.
    struct Job {
        let serviceTime: Span
        let arrivedAt: Instant
        let begin: () -> Void
    }

    init(capacity: StoreCapacity) {
        precondition(capacity.workers > 0, "a store with \(capacity.workers) workers")
        self.capacity = capacity
    }

    var depth: Int { waiting.count - firstWaiting }

    enum Admission {
        case start(Job)
        case wait
        case refuse
    }

    mutating func admit(_ job: Job) -> Admission {
        if busy < capacity.workers {
            busy += 1
            return .start(job)
        }
        if depth >= capacity.queueLimit { return .refuse }
        waiting.append(job)
        return .wait
    }

    /// A worker has come free: the job it takes up next, if one waits.
    mutating func finishOne() -> Job? {
        precondition(busy > 0, "a worker finished, and none was busy")
        guard depth > 0 else {
            busy -= 1
            return nil
        }
        let job = waiting[firstWaiting]
        firstWaiting += 1
        // Amortised constant: the front is dropped once it is half of the array.
        if firstWaiting > 64, firstWaiting * 2 > waiting.count {
            waiting.removeFirst(firstWaiting)
            firstWaiting = 0
        }
        return job
    }
}
