// What users asked their apps for, as operations that begin and end: the shape in which Jepsen keeps histories.
// Pure; any thread.

import Simulation

/// The beginning or the end of an operation.
struct OperationEvent: Equatable {
    enum Outcome: String {
        case invoke, ok, fail
        /// Nobody knows whether it took effect.
        case info
    }

    enum Function: String {
        case productsFetch = "products_fetch"
        case purchase, restore

        init(_ kind: RequestKind) {
            switch kind {
            case .fetch: self = .productsFetch
            case .purchase: self = .purchase
            case .restore: self = .restore
            }
        }
    }

    var at: Instant
    /// From 1.
    var device: Int
    /// Which of the operations that the device had under way at once, from 0. One whose outcome is unknown may take
    /// effect at any time, and its number is not used again.
    var thread: Int
    var outcome: Outcome
    var function: Function
    var product: ProductIndex?
    var quantity: Int?
    /// Purchases that a restore brought.
    var restored: Int?
    var error: String?
}

/// The operations of one device, from its history.
struct OperationReader {
    private let device: Int
    private var events: [OperationEvent] = []
    /// By the number of the request: its beginning.
    private var open: [(number: Int32, event: OperationEvent)] = []
    private var retired: Set<Int> = []

    /// In the order of time.
    static func events(_ history: [HistoryRecord], device: Int) -> [OperationEvent] {
        var reader = OperationReader(device: device)
        for record in history { reader.read(record) }
        if let last = history.last { reader.leaveOpen(at: last.at, error: "unanswered") }
        return reader.events
    }

    private init(device: Int) { self.device = device }

    private mutating func read(_ record: HistoryRecord) {
        switch record.event {
        case .asked(let question): begin(question, at: record.at)
        case .answered(let answer): end(answer, at: record.at)
        case .crashed: leaveOpen(at: record.at, error: "crashed")
        case .terminated, .reinstalled: leaveOpen(at: record.at, error: "terminated")
        case .launched, .launchReturned, .willTerminate, .backgrounded, .foregrounded, .settlingBegan, .accountSwitched,
            .settled, .used, .observerAdded, .observerRemoved, .paymentAdded, .told, .finishCalled, .removedTold,
            .failureTold, .restoreCalled, .restoreFinishedTold, .restoreFailedTold, .receiptRefreshStarted,
            .receiptRefreshTold, .receiptRefreshFailedTold, .receiptArrived, .revokedTold, .promotionTapped,
            .promotionTold, .productsStarted, .productsTold, .productsFailedTold, .admitted, .requestLost, .answerLost,
            .posted, .postAnswered, .goods, .stored, .mainQueueHeld, .hung, .overworked, .calledOffLane, .raised,
            .foreignFinish:
            break
        }
    }

    private mutating func begin(_ question: DeviceEvent.Question, at instant: Instant) {
        let taken = retired.union(open.map(\.event.thread))
        let thread = (0...taken.count).first { !taken.contains($0) } ?? taken.count
        let isPurchase = question.kind == .purchase
        let event = OperationEvent(
            at: instant, device: device, thread: thread, outcome: .invoke, function: .init(question.kind),
            product: isPurchase ? question.product : nil, quantity: isPurchase ? Int(question.quantity) : nil)
        open.append((question.number, event))
        events.append(event)
    }

    /// The first answer counts; a second one is the audit's business.
    private mutating func end(_ answer: DeviceEvent.Answer, at instant: Instant) {
        guard let place = open.firstIndex(where: { $0.number == answer.number }) else { return }
        var event = open.remove(at: place).event
        event.at = instant
        switch answer.code {
        case .purchased, .fetched: event.outcome = .ok
        case .restored, .nothingToRestore:
            event.outcome = .ok
            event.restored = Int(answer.count)
        case .cancelled: (event.outcome, event.error) = (.fail, "cancelled")
        case .failed: (event.outcome, event.error) = (.fail, "failed")
        case .refused: (event.outcome, event.error) = (.fail, "refused")
        // Somebody else decides, later or never.
        case .deferred: (event.outcome, event.error) = (.info, "deferred")
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
