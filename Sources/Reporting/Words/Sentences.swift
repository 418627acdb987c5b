// The one sentence that tells a violation.
// Pure; any thread.

package import Audit

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
        case .ignoredPromotion: ignoredPromotion(violation)
        case .unaskedRestore:
            "the app asked for earlier purchases at \(clock(violation.at)), in \(launch(violation)), while its user was "
                + "asking for nothing: a password prompt out of the blue"
        case .deafAfterBackground:
            "the app came to the foreground at \(clock(violation.at)), in \(launch(violation)), and no observer was on "
                + "the queue a second later"
        case .restoreIncomplete: restoreIncomplete(violation)
        case .restoreUnreported: unreportedRestore(violation)
        case .staleEntitlement: staleEntitlement(violation)
        case .unobservedLaunch:
            "\(launch(violation)) returned at \(clock(violation.at)) without an observer on the queue"
        case .illegalFinish: illegalFinish(violation)
        case .clientCrash: crash(violation)
        case .observerLeak, .mainQueueBlocked, .clientHang, .clientLivelock: measured(violation)
        case .leftItsQueue:
            "the client called StoreKit from outside its device's queue at \(clock(violation.at))"
        }
    }

    private func launch(_ violation: Violation) -> String { "launch \(violation.process ?? 0)" }

    private func transaction(_ violation: Violation) -> String {
        if let story = violation.transaction.flatMap({ story(of: $0) }) { return story + ending(violation) }
        var state = ""
        if case .state(let told) = violation.finding { state = ", told as \(told)" }
        return "\(violation.rule.breach): \(name(violation.product))\(state), at \(clock(violation.at))"
    }

    /// What is wrong by its number.
    private func measured(_ violation: Violation) -> String {
        let time = clock(violation.at)
        switch violation.finding {
        case .observers(let number):
            return
                "in \(launch(violation)) \(count(number, "observer")) stood on the queue at \(time): one may be there "
                + "while the app runs, and none when it ends"
        case .held(let held, let limit, let call):
            return "\(words(for: call)) held the main queue for \(duration(held)) before \(time), where "
                + "\(duration(limit)) are allowed"
        case .waited(let waited, let call):
            return "the client had not come back from \(words(for: call)), begun at \(time), after \(duration(waited)) "
                + "of real time"
        case .overworked(let asked, let done):
            return
                "within a second before \(time), and with nobody touching it, the app did \(done) things, \(asked) of "
                + "them calls of StoreKit or of a server: the system ended it"
        case .none, .goods, .mixedUp, .state, .answers, .answered, .answeredUnasked, .fetched, .restored, .promoted,
            .raised, .neverAsked:
            return violation.rule.breach
        }
    }
}
