// Sentences about what the app told its user, and about what it did unasked.
// Pure; any thread.

import Judgement
import Simulation

extension Narrator {
    func request(_ violation: Violation) -> String {
        guard let request = violation.request else { return "a request" }
        switch request.kind {
        case .fetch: return "request \(request.number) to see the products"
        case .purchase: return "request \(request.number) to buy \(name(violation.product))"
        case .restore: return "request \(request.number) to restore"
        }
    }

    func wrongAnswer(_ violation: Violation) -> String {
        "the app answered \(request(violation)) with \(answered(violation)) at "
            + "\(clock(violation.at))\(occasion(violation)), \(contradiction(violation))"
    }

    /// What made the app answer, where the rest of the sentence does not say it.
    private func occasion(_ violation: Violation) -> String {
        switch violation.finding {
        case .answered, .restored(_, .nothingTold):
            when(story.answers(to: violation.request).first { $0.moment.at == violation.at }?.moment)
        default: ""
        }
    }

    private func answered(_ violation: Violation) -> String {
        switch violation.finding {
        case .answered(let answer, _), .answeredUnasked(let answer), .fetched(let answer, _),
            .restored(let answer, _):
            return "\"\(answer.words)\""
        default: return "an answer"
        }
    }

    private func contradiction(_ violation: Violation) -> String {
        switch violation.finding {
        case .answeredUnasked(.cancelled):
            return "although no payment sheet was shown, so the user cannot have cancelled"
        case .answeredUnasked:
            return "without asking the store, although it sells the product, payments are allowed, nothing was in "
                + "progress and the user does not own it" + earlierFailure(violation)
        case .fetched(_, let mistake): return contradiction(mistake)
        case .restored(let answer, let mistake): return contradiction(answer, mistake, violation)
        case .answered(let answer, let attempt): return contradiction(answer, attempt, violation)
        default: return "although StoreKit had not reported that"
        }
    }

    /// A products request of the launch that had failed, after which the app began no other.
    private func earlierFailure(_ violation: Violation) -> String {
        guard let answer = story.answers(to: violation.request).first?.moment else { return "" }
        // One that was begun later may have ended earlier.
        let last = story.requests.fetches.filter { Int($0.began.process) == violation.process && $0.began < answer }
            .max { ($0.end?.moment ?? $0.began) < ($1.end?.moment ?? $1.began) }
        guard let end = last?.end, end.moment < answer, case .failure(let failure) = end.result else { return "" }
        return
            "; its last products request had failed at \(clock(end.moment.at)) (\(words(for: failure))), and the app "
            + "had started no other"
    }

    private func contradiction(_ mistake: Violation.FetchMistake) -> String {
        switch mistake {
        case .showedUnsold(let count):
            return count == 1
                ? "but the store does not sell one of the products shown"
                : "but the store does not sell \(count) of the products shown"
        case .showedNothing(let found): return "without any product, although StoreKit had returned \(found)"
        case .failureAsSuccess: return "without any product, although StoreKit had reported that the request failed"
        case .successAsFailure(let found): return "although StoreKit had returned \(found) products"
        }
    }

    private func contradiction(
        _ answer: AnswerCode, _ mistake: Violation.RestoreMistake, _ violation: Violation
    ) -> String {
        switch mistake {
        case .nothingTold: return untoldRestore(violation)
        case .failed(let failure):
            return "although StoreKit had reported that the restore failed"
                + (failure.map { ": \(words(for: $0))" } ?? "")
        case .finished(let restored, let shown):
            let told = "although StoreKit had delivered \(count(restored, "restored purchase"))"
            return answer == .restored ? "which shows \(shown), \(told)" : told
        }
    }

    /// Answered while the restore ran, or without one.
    private func untoldRestore(_ violation: Violation) -> String {
        let untold = "although StoreKit had not reported that"
        guard let answer = story.answers(to: violation.request).first?.moment,
            let asked = story.request(violation.request)?.asked
        else { return untold }
        func isOfLaunch(_ restore: Restore) -> Bool {
            restore.called.process == answer.process && restore.called < answer
        }
        // One that was asked for earlier may be still under way.
        if let called = story.requests.restores.last(where: isOfLaunch),
            called.end.map({ answer < $0.moment || $0.moment.at < asked.at }) ?? true
        {
            let end = called.end.map {
                "it \($0.failure == nil ? "did" : "reported a failure") at \(clock($0.moment.at))"
            }
            return "before StoreKit had reported the end of the restore (\(end ?? "it never did"))"
        }
        let isFresh = story.requests.refreshes.contains { refresh in
            isOfLaunch(refresh)
                && refresh.end.map { $0.failure == nil && $0.moment < answer && $0.moment.at >= asked.at } ?? false
        }
        return isFresh ? "although the receipt that had arrived says otherwise" : untold
    }

    private func contradiction(
        _ answer: AnswerCode, _ attempt: PurchaseAttempt.Outcome?, _ violation: Violation
    ) -> String {
        if violation.request?.kind == .restore {
            return "although StoreKit had reported that the user cancelled it"
        }
        guard let payment = violation.request?.payment,
            let answered = story.answers(to: violation.request).first?.moment
        else {
            return "although StoreKit had not reported that"
        }
        let failure = story.request(violation.request)?.failure
        // The store may have had something else in mind than what StoreKit told.
        let isToldAsCancel = violation.rule == .cancelAsError && attempt != .cancelled
        let fact =
            isToldAsCancel
            ? "StoreKit had reported that the buyer cancelled this request"
            : attempt.map { self.fact($0, answer, failure) }
        let endings = story.endings(of: payment)
        if endings.contains(where: { $0.moment < answered }) {
            return "although " + (fact ?? "StoreKit had not reported that")
        }
        let other = other(payment, answer, answered)
        if let early = attempt.flatMap({ chargedLater($0, than: violation.at) }) { return early + other }
        let isToldAsFailed = endings.first?.note.state == .failed
        let when = endings.first.map { "it did at \(clock($0.moment.at))" } ?? "it never did"
        if answer == .purchased, case .charged(let id) = attempt {
            return "before StoreKit had delivered its own transaction, \(id.text) (\(when))" + other
        }
        let outcome = fact.map { (isToldAsFailed ? ", although " : "; ") + $0 } ?? ""
        return
            "before StoreKit had reported the outcome of this request (\(when)\(isToldAsFailed ? ", as failed" : ""))\(outcome)"
            + other
    }

    /// "2.103 s before the store charged it".
    private func chargedLater(_ attempt: PurchaseAttempt.Outcome, than answer: Instant) -> String? {
        guard case .charged(let id) = attempt, let charge = story.transaction(id)?.at, charge > answer else {
            return nil
        }
        return "\(seconds(charge - answer)) before the store charged this request (transaction \(id.text))"
    }

    private func fact(
        _ attempt: PurchaseAttempt.Outcome, _ answer: AnswerCode, _ failure: StoreFailure?
    ) -> String {
        switch attempt {
        case .charged(let id): return "the store had charged this request (transaction \(id.text))"
        case .cancelled:
            return answer == .cancelled
                ? "StoreKit had reported \(failure.map { words(for: $0) } ?? "another failure")"
                : "the buyer had cancelled this request"
        case .refused(let failure): return "the store had refused this request: \(words(for: failure))"
        case .awaitsApproval: return "it still waits for approval"
        case .declined: return "its approval was refused"
        case .interrupted:
            return "the purchase was interrupted: it failed, and is charged after the account problem is resolved"
        case .undecided: return "the store had not decided"
        case .repeated: return "the store had charged nothing"
        case .existing(let id):
            let charge = story.transaction(id).map { ", charged at \(clock($0.at))," } ?? ""
            return
                "the store had charged nothing for this request: it answered with the earlier transaction \(id.text)\(charge) "
                + "whose finish had not reached the store"
        }
    }

    /// Another payment that had ended, a moment before, in just the way that the app answered.
    private func other(_ payment: Int32, _ answer: AnswerCode, _ answered: Moment) -> String {
        let last = story.queue.tellings.last {
            $0.moment < answered && $0.moment.process == answered.process && answered.at - $0.moment.at <= .seconds(1)
                && $0.note.payment != nil && $0.note.payment != payment && $0.isEnding
        }
        guard let last, let other = last.note.payment else { return "" }
        let outcome: (answer: AnswerCode, word: String)
        if last.isDelivery {
            outcome = (.purchased, "purchased")
        } else {
            let isCancelled = story.queue.failures.contains {
                $0.moment < answered && $0.payment == other && $0.reason == .store(.paymentCancelled)
            }
            outcome = isCancelled ? (.cancelled, "cancelled") : (.failed, "delivered as failed")
        }
        if outcome.answer != answer { return "" }
        let asked = story.requests.track(ofPayment: payment)
        let what = asked?.product == last.note.product ? "of the same product" : "for \(name(last.note.product))"
        return "; payment \(other), \(what), had just been \(outcome.word)"
    }
}
