// The one sentence that tells a violation.
// Pure; any thread.

import Simulation

extension Narrator {
    /// What happened, in plain English.
    package func sentence(_ violation: Violation) -> String {
        let product = name(violation.product)
        switch violation.rule {
        case .lostPurchase, .wrongProduct, .finishedBeforeDelivery, .stuckTransaction:
            guard let id = violation.transaction, let story = story(of: id) else {
                var state = ""
                if case .state(let told) = violation.finding { state = ", told as \(told)" }
                return "\(violation.rule.breach): \(product)\(state), \(at(violation))"
            }
            return story + ending(violation)
        case .duplicateDelivery, .unpaidDelivery, .restoreOverreach:
            return surplus(violation)
        case .unansweredRequest: return unanswered(violation)
        case .answeredTwice: return repeatedAnswers(violation)
        case .wrongAnswer, .cancelAsError: return wrongAnswer(violation)
        case .unaskedCharge: return unaskedCharge(violation)
        case .ignoredPromotion: return ignoredPromotion(violation)
        case .unaskedRestore:
            return "the app asked for earlier purchases at \(clock(violation.at)), in launch "
                + "\(violation.process ?? 0), while its user was asking for nothing: a password prompt out of the blue"
        case .deafAfterBackground:
            return "the app came to the foreground at \(clock(violation.at)), in launch \(violation.process ?? 0), "
                + "and no observer was on the queue a second later"
        case .clientLivelock:
            guard case .overworked(let asked, let done) = violation.finding else { return violation.rule.breach }
            return "within a second before \(clock(violation.at)), and with nobody touching it, the app did "
                + "\(done) things, \(asked) of them calls of StoreKit or of a server: the system ended it"
        case .restoreIncomplete:
            return restoreIncomplete(violation)
        case .restoreUnreported: return unreportedRestore(violation)
        case .staleEntitlement: return staleEntitlement(violation)
        case .unobservedLaunch:
            return
                "launch \(violation.process ?? 0) returned at \(clock(violation.at)) without an observer on the queue"
        case .observerLeak:
            guard case .observers(let count) = violation.finding else { return violation.rule.breach }
            return "in launch \(violation.process ?? 0) \(self.count(count, "observer")) stood on the queue at "
                + "\(clock(violation.at)): one may be there while the app runs, and none when it ends"
        case .illegalFinish:
            return illegalFinish(violation)
        case .clientCrash: return crash(violation)
        case .mainQueueBlocked:
            guard case .held(let time, let limit, let call) = violation.finding else { return violation.rule.breach }
            return "\(words(for: call)) held the main queue for \(duration(time)) before "
                + "\(clock(violation.at)), where \(duration(limit)) are allowed"
        case .clientHang:
            guard case .waited(let time, let call) = violation.finding else { return violation.rule.breach }
            return "the client had not come back from \(words(for: call)), begun at \(clock(violation.at)), after "
                + "\(duration(time)) of real time"
        case .leftItsQueue:
            return "the client called StoreKit from outside its device's queue at \(clock(violation.at))"
        }
    }

    private func at(_ violation: Violation) -> String { "at \(clock(violation.at))" }
}
