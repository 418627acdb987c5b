// What made the app act: what reached it in the instant in which it did.
// Pure; any thread.

import Simulation

extension Narrator {
    /// What reached the app last in the very instant of a place in the history, and before it: `when the user asked to
    /// restore (request 7)`. Nil: nothing did.
    func trigger(at place: Int) -> String? {
        let act = input.history[place]
        let instant = input.history[..<place].reversed().prefix { $0.at == act.at && $0.process == act.process }
        guard let cause = instant.first(where: { Self.isCall($0.event) }) else { return nil }
        switch cause.event {
        case .told(let last): return trigger(last, in: Array(instant))
        case .launched: return "as launch \(cause.process) began"
        case .foregrounded: return "as the app came to the foreground"
        case .backgrounded: return "as the app went to the background"
        case .willTerminate: return "as the app was told that it would be terminated"
        case .asked(let question): return "when the user \(wish(question))"
        case .postAnswered(_, .status(200)): return "just after the validator answered"
        case .postAnswered(_, .status(let status)):
            return "just after the validator answered with HTTP status \(status)"
        case .postAnswered(_, .failed(let code)):
            return "just after the validator had not answered: \(words(for: .network(code: Int(code))))"
        case .promotionTold(let product, _):
            return "when StoreKit asked about the promoted purchase of \(name(product))"
        case .promotionTapped(let product): return "when the user tapped \(name(product)) in the App Store"
        case .receiptArrived: return "just after a receipt came"
        case .removedTold, .receiptRefreshTold, .receiptRefreshFailedTold, .revokedTold, .restoreFinishedTold,
            .restoreFailedTold, .productsTold, .productsFailedTold:
            return told(cause.event).map { "while it was told: \($0)" }
        case .launchReturned, .terminated, .crashed, .reinstalled, .settlingBegan, .accountSwitched, .settled,
            .answered, .used, .observerAdded, .observerRemoved, .paymentAdded, .finishCalled, .failureTold,
            .restoreCalled, .receiptRefreshStarted, .productsStarted, .admitted, .requestLost, .answerLost, .posted,
            .goods, .stored, .mainQueueHeld, .hung, .overworked, .calledOffLane, .raised, .foreignFinish:
            return nil
        }
    }

    /// - Parameter instant: what came before, the latest first.
    private func trigger(_ last: DeviceEvent.TransactionNote, in instant: [HistoryRecord]) -> String {
        let batch = instant.drop { $0.event.telling == nil }.prefix { $0.event.isOfTelling }
            .count { $0.event.telling != nil }
        let what = "\(name(last)) is \(last.state)"
        return batch == 1
            ? "while it was told that \(what)"
            : "while it was told of \(batch) transactions, the last of them that \(what)"
    }

    private func wish(_ question: DeviceEvent.Question) -> String {
        switch question.kind {
        case .fetch: "opened the shop"
        case .purchase:
            "asked to buy \(question.quantity) × \(name(question.product)) (request \(question.number))"
        case .restore: "asked to restore (request \(question.number))"
        }
    }

    /// Whether somebody else makes the app run by it.
    private static func isCall(_ event: DeviceEvent) -> Bool {
        if case .failureTold = event { return false }
        if case .used = event { return false }
        if case .reinstalled = event { return false }
        let parties = parties(event)
        return parties.to == .app && parties.from != .app
    }

    /// A place at which something happened in an instant of a launch.
    func place(at instant: Instant, _ process: Int?, _ isMeant: (DeviceEvent) -> Bool) -> Int? {
        input.history.indices.last {
            let record = input.history[$0]
            return record.at == instant && (process == nil || Int(record.process) == process) && isMeant(record.event)
        }
    }
}
