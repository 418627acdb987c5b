// A story as operations that begin and end: in Jepsen's shape.
// Pure; any thread.

import Simulation

/// The operations of one device, from its story.
struct OperationReader {
    private let story: UserStory
    private let device: Int
    private var events: [OperationEvent] = []
    /// Under way: which request, and its beginning.
    private var open: [(request: Int, event: OperationEvent)] = []
    private var retired: Set<Int> = []

    private enum Mark {
        case asked(Int)
        case answered(Int)
        /// Whatever is under way is over.
        case ended(error: String)
    }

    /// In the order of time.
    static func events(_ story: UserStory, device: Int) -> [OperationEvent] {
        var reader = OperationReader(story: story, device: device)
        for mark in reader.marks { reader.read(mark.mark, at: mark.moment.at) }
        reader.leaveOpen(at: story.end, error: "unanswered")
        return reader.events
    }

    private init(story: UserStory, device: Int) {
        self.story = story
        self.device = device
    }

    private var marks: [(moment: Moment, mark: Mark)] {
        var marks: [(moment: Moment, mark: Mark)] = []
        for (place, request) in story.requests.all.enumerated() {
            marks.append((request.asked, .asked(place)))
            if let answered = request.answered { marks.append((answered, .answered(place))) }
        }
        for end in story.launches.ends {
            marks.append((end.moment, .ended(error: end.isCrash ? "crashed" : "terminated")))
        }
        return marks.sorted { $0.moment < $1.moment }
    }

    private mutating func read(_ mark: Mark, at instant: Instant) {
        switch mark {
        case .asked(let request): begin(request, at: instant)
        case .answered(let request): end(request, at: instant)
        case .ended(let error): leaveOpen(at: instant, error: error)
        }
    }

    private mutating func begin(_ place: Int, at instant: Instant) {
        let taken = retired.union(open.map(\.event.thread))
        let thread = (0...taken.count).first { !taken.contains($0) } ?? taken.count
        let request = story.requests.all[place]
        let isPurchase = request.kind == .purchase
        let event = OperationEvent(
            at: instant, device: device, thread: thread, outcome: .invoke, kind: request.kind,
            product: isPurchase ? request.product : nil, quantity: isPurchase ? Int(request.quantity) : nil)
        open.append((place, event))
        events.append(event)
    }

    /// The first answer counts; a second one is the audit's business.
    private mutating func end(_ request: Int, at instant: Instant) {
        guard let place = open.firstIndex(where: { $0.request == request }),
            let answer = story.requests.all[request].answer
        else { return }
        var event = open.remove(at: place).event
        event.at = instant
        switch answer {
        case .purchased, .fetched: event.outcome = .ok
        case .restored, .nothingToRestore:
            event.outcome = .ok
            event.restored = story.requests.all[request].shown
        case .cancelled: (event.outcome, event.error) = (.fail, "cancelled")
        case .failed: (event.outcome, event.error) = (.fail, "failed")
        case .refused: (event.outcome, event.error) = (.fail, "refused")
        // The approver decides, later or never.
        case .deferred: (event.outcome, event.error) = (.info, "deferred")
        }
        if event.outcome == .fail {
            let given = story.requests.answers.first { $0.moment == story.requests.all[request].answered }
            event.message = story.input.names.messages[given?.note.message]
        }
        if event.outcome == .info { retired.insert(event.thread) }
        events.append(event)
    }

    private mutating func leaveOpen(at instant: Instant, error: String) {
        for item in open {
            var event = item.event
            event.at = instant
            (event.outcome, event.error) = (.info, error)
            retired.insert(event.thread)
            events.append(event)
        }
        open = []
    }
}
