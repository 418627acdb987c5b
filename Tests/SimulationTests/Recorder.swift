// Stands in StoreKit's place in a process, and writes down what it is told.
// Confined to the test that made it.

import Simulation

/// What a process was told, and when.
final class Recorder: Receiver {
    private let timeline: VirtualClock
    private(set) var events: [(at: Instant, event: DaemonEvent)] = []
    /// Called with every event, as a client would be.
    var onEvent: ((DaemonEvent) -> Void)?

    init(_ timeline: VirtualClock) { self.timeline = timeline }

    func receive(_ event: DaemonEvent) {
        events.append((timeline.now, event))
        onEvent?(event)
    }

    private(set) var hasEnded = false

    func processEnded() { hasEnded = true }

    /// Every transaction that was told, in order, batches taken apart.
    var told: [TransactionValue] {
        events.flatMap { entry -> [TransactionValue] in
            if case .updated(let batch) = entry.event { return batch }
            return []
        }
    }

    func told(_ state: TransactionState) -> [TransactionValue] { told.filter { $0.state == state } }

    var restoreEnds: [DaemonEvent] {
        events.map(\.event).filter {
            switch $0 {
            case .restoreFinished, .restoreFailed: true
            default: false
            }
        }
    }

    var removed: [Int] {
        events.flatMap { entry -> [Int] in
            if case .removed(let handles) = entry.event { return handles }
            return []
        }
    }
}
