// The one sentence that tells a violation.
// Pure; any thread.

package import Judgement
import Simulation

extension Narrator {
    /// What happened, in plain English.
    package func sentence(_ violation: Violation) -> String {
        switch violation.rule {
        case .lostPurchase, .wrongProduct, .finishedBeforeDelivery, .stuckTransaction: transaction(violation)
        case .duplicateDelivery, .unpaidDelivery, .restoreOverreach: surplus(violation)
        case .unansweredRequest: unanswered(violation)
        case .answeredTwice: repeatedAnswers(violation)
        case .wrongAnswer, .cancelAsError: wrongAnswer(violation)
        case .unaskedCharge: unaskedCharge(violation)
        case .askedAgain: askedAgain(violation)
        case .ignoredPromotion: ignoredPromotion(violation)
        case .unaskedRestore:
            "the app requested earlier purchases at \(clock(violation.at)), in \(launch(violation)), although its user "
                + "had asked for nothing: the user sees a password prompt out of the blue"
        case .deafAfterBackground:
            "the app entered the foreground at \(clock(violation.at)), in \(launch(violation)), but a second later it had "
                + "no observer on the queue"
        case .deafListener: deafListener(violation)
        case .withheldEntitlement: withheld(violation)
        case .restoreIncomplete: restoreIncomplete(violation)
        case .restoreUnreported: unreportedRestore(violation)
        case .staleEntitlement: staleEntitlement(violation)
        case .unobservedLaunch:
            "\(launch(violation)) returned at \(clock(violation.at)) without an observer on the queue"
                + (input.usesStoreKit2 ? " or a loop over Transaction.updates" : "")
                + (violation.finding == .owed ? ", although a charged purchase was unfinished" : "")
        case .illegalFinish: illegalFinish(violation)
        case .unverifiedDelivery, .finishedUnverified: unverified(violation)
        case .clientCrash, .clientExit, .clientMemory: crash(violation)
        case .observerLeak, .observerLeft, .mainQueueBlocked, .clientHang, .clientLivelock: measured(violation)
        case .leftItsQueue:
            "the client called StoreKit at \(clock(violation.at)) from outside its device's queue"
        }
    }

    private func askedAgain(_ violation: Violation) -> String {
        guard let request = violation.request, let token = violation.payment,
            let first = request.payment.flatMap({ story.requests.track(ofPayment: $0) }),
            let second = story.requests.track(ofPayment: token)
        else { return violation.rule.breach }
        let isDeferred = first.deferredAt.map { $0 <= violation.at } ?? false
        return "the app added payment \(token) for \(name(violation.product)) at \(clock(violation.at)), in "
            + "\(launch(violation))\(when(second.added)), although payment \(first.token), added at \(clock(first.added.at)), "
            + (isDeferred ? "was waiting for approval" : "was still purchasing")
            + "; the user had asked only once (request \(request.number)); " + charged(first.token, token)
    }

    private func charged(_ first: Int32, _ second: Int32) -> String {
        let charged: [Int32] = [first, second].filter { payment in
            input.statement.transactions.contains { $0.isCharged && $0.payment.map { Int32($0.number) } == payment }
        }
        return switch charged.count {
        case 2: "both were charged"
        case 1: "payment \(charged[0]) was charged"
        default: "neither was charged"
        }
    }

    private func unverified(_ violation: Violation) -> String {
        let product = name(violation.product)
        let which = violation.transaction.map { "transaction \($0.text) (\(product))" } ?? product
        let told = violation.rule == .unverifiedDelivery ? "granted the goods of" : "finished"
        let forged = violation.transaction?.isForged == true ? "; the store had never made it" : ""
        return "in \(launch(violation)), the app \(told) \(which) at \(clock(violation.at)), although StoreKit "
            + "could not verify it\(forged)"
    }

    private func deafListener(_ violation: Violation) -> String {
        let launch = launch(violation)
        guard violation.payment != nil else {
            return "in \(launch), the app was in the foreground at \(clock(violation.at)) and had no loop over "
                + "Transaction.updates left; a second later it still had none"
        }
        return "in \(launch), the app began to buy \(name(violation.product)) at \(clock(violation.at)) without a loop "
            + "over Transaction.updates: it does not hear of an approval or of a lost answer"
    }

    private func withheld(_ violation: Violation) -> String {
        let bought = story.transaction(violation.transaction).map {
            "; \(name(violation.product)), bought at \(clock($0.at)) (transaction \($0.id.text)), had neither expired nor been "
                + "refunded"
        }
        let change = story.goods.changes.first {
            $0.product == violation.product && $0.moment.at == violation.at && $0.after == 0
        }
        return "in \(launch(violation)), the app took \(name(violation.product)) away at \(clock(violation.at))"
            + when(change?.moment) + (bought ?? "") + "; the app did not grant it again before the launch ended"
    }

    private func launch(_ violation: Violation) -> String { "launch \(violation.process ?? 0)" }

    private func transaction(_ violation: Violation) -> String {
        if let told = violation.transaction.flatMap({ story(of: $0) }) { return told + ending(violation) }
        let tellings = story.queue.tellings.filter { telling in
            guard case .state(telling.note.state) = violation.finding else { return false }
            return violation.payment == nil
                ? telling.note.id == violation.transaction : telling.note.payment == violation.payment
        }
        guard let first = tellings.first else { return "\(violation.rule.breach): \(name(violation.product))" }
        let why = story.queue.failures.first { $0.moment.place == first.moment.place + 1 }
        let reason = why.map { " (\(words(for: $0.reason)))" } ?? ""
        let last = tellings.last.flatMap { $0.moment.process == first.moment.process ? nil : $0 }
        let again = last.map { ", again in launch \($0.moment.process) at \(clock($0.moment.at))" } ?? ""
        return
            "StoreKit delivered \(name(first.note)) as \(first.note.state.words)\(reason) in launch "
            + "\(first.moment.process) at \(clock(first.moment.at))\(again); the app never finished it"
    }

    /// What most of its calls were in the second before. Nothing where they differ.
    private func mostRepeated(of asked: Int, _ violation: Violation) -> String {
        var times: [String: Int] = [:]
        for record in input.events
        where record.event.effect != nil && Int(record.process) == violation.process && record.at <= violation.at
            && violation.at - record.at <= .seconds(1)
        {
            times[words(for: record).text, default: 0] += 1
        }
        let most = times.first { $0.value * 2 > asked }
        return most.map { ", most often this: \($0.key)" } ?? ""
    }

    /// What is wrong by its number.
    private func measured(_ violation: Violation) -> String {
        let time = clock(violation.at)
        switch violation.finding {
        case .observers(let number):
            let still = "\(count(number, "observer")) \(number == 1 ? "was" : "were") still on the queue"
            return violation.rule == .observerLeak
                ? "in \(launch(violation)), the app added the same observer for the \(ordinal(number)) time at \(time)"
                    + when(
                        story.launches.observers.last {
                            $0.moment.at == violation.at && Int($0.moment.process) == violation.process
                        }?.moment)
                    + ", without removing it first"
                : "in \(launch(violation)), \(still) when the system terminated the app at \(time)"
        case .held(let held, let limit, let call):
            return "\(call.words) held the main queue for \(duration(held)) before \(time); the limit is "
                + "\(duration(limit))"
        case .waited(_, let call, let wait) where wait != .unknown:
            return
                "at \(time) the client waited in \(call.words) for \(words(for: wait)), and nothing under way could "
                + "end the wait"
        case .waited(let waited, let call, _):
            return "the client did not return from \(call.words), which began at \(time), within \(duration(waited)) "
                + "of real time"
        case .overworked(let asked, let done):
            return
                "in the second before \(time), without user input, the app performed \(done) operations (\(asked) StoreKit "
                + "or server calls)\(mostRepeated(of: asked, violation)); the system terminated it"
        case .none, .owed, .intentsUnread, .goods, .mixedUp, .state, .answers, .answered, .answeredUnasked, .fetched,
            .restored,
            .promoted,
            .raised, .died, .neverAsked:
            return violation.rule.breach
        }
    }
}
