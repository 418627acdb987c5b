// Sentences about what the app told its user, and about what it did unasked.
// Pure; any thread.

import Simulation

extension Narrator {
    func request(_ violation: Violation) -> String {
        guard let request = violation.request else { return "a request" }
        switch request.kind {
        case .fetch: return "request \(request.number), to see the products,"
        case .purchase: return "request \(request.number), to buy \(name(violation.product)),"
        case .restore: return "request \(request.number), to restore,"
        }
    }

    func wrongAnswer(_ violation: Violation) -> String {
        "\(request(violation)) was answered at \(clock(violation.at)) with \(answered(violation)), "
            + contradiction(violation)
    }

    private func answered(_ violation: Violation) -> String {
        switch violation.finding {
        case .answered(let answer, _), .answeredUnasked(let answer), .fetched(let answer, _),
            .restored(let answer, _):
            return answer == .nothingToRestore ? "\"nothing to restore\"" : "\"\(answer)\""
        default: return "an answer"
        }
    }

    private func contradiction(_ violation: Violation) -> String {
        switch violation.finding {
        case .answeredUnasked(.cancelled): return "and nobody had been asked, so that nobody can have cancelled"
        case .answeredUnasked:
            return "and the store had not been asked, although it sells the product, payments are allowed, nothing was "
                + "under way and the user does not have it" + earlierFailure(violation)
        case .fetched(_, let mistake): return contradiction(mistake)
        case .restored(let answer, let mistake): return contradiction(answer, mistake, violation)
        case .answered(let answer, let attempt): return contradiction(answer, attempt, violation)
        default: return "and StoreKit had not told the app so"
        }
    }

    /// A products request of the launch that had failed, after which the app began no other.
    private func earlierFailure(_ violation: Violation) -> String {
        guard let answer = answers(violation).first?.place else { return "" }
        let launch = input.history[..<answer].filter { Int($0.process) == violation.process }
        let last = launch.last { $0.event.products != nil || $0.event.isProductsStart }
        guard let last, case .failure(let failure)? = last.event.products?.result else { return "" }
        return "; its last products request had failed at \(clock(last.at)), \(words(for: failure)), and the app had "
            + "begun no other"
    }

    private func contradiction(_ mistake: Violation.FetchMistake) -> String {
        switch mistake {
        case .showedUnsold(let count):
            return count == 1
                ? "and one of the products shown is not sold by the store"
                : "and \(count) of the products shown are not sold by the store"
        case .showedNothing(let found): return "without any, and StoreKit had told the app of \(found)"
        case .failureAsSuccess: return "without any, and StoreKit had told the app that the request failed"
        case .successAsFailure(let found): return "and StoreKit had told the app of \(found) products"
        }
    }

    private func contradiction(
        _ answer: AnswerCode, _ mistake: Violation.RestoreMistake, _ violation: Violation
    ) -> String {
        switch mistake {
        case .nothingTold: return untoldRestore(violation)
        case .failed(let failure):
            return "and StoreKit had told the app that it failed" + (failure.map { ": \(words(for: $0))" } ?? "")
        case .finished(let restored, let shown):
            let told = "and StoreKit had told the app of \(count(restored, "restored purchase"))"
            return answer == .restored ? "\(shown) in number, \(told)" : told
        }
    }

    /// Answered while the restore ran, or without one.
    private func untoldRestore(_ violation: Violation) -> String {
        guard let answer = answers(violation).first?.place, let asked = question(violation) else {
            return "and StoreKit had not told the app so"
        }
        let process = input.history[answer].process
        let before = input.history[..<answer].filter { $0.process == process }
        // One that was asked for earlier may be still under way.
        let called = before.last { $0.event == .restoreCalled }
        let isOver = before.contains {
            $0.event.restoreEnded != nil && $0.at >= called?.at ?? .never && $0.at >= input.history[asked].at
        }
        guard called != nil, !isOver else {
            return before.contains { $0.event.refreshEnded == true && $0.at >= input.history[asked].at }
                ? "and the receipt that had come says otherwise" : "and StoreKit had not told the app so"
        }
        let end = input.history[answer...].first { $0.process == process && $0.event.restoreEnded != nil }
        let told = end.map { "it \($0.event.restoreEnded == true ? "did" : "told of a failure") at \(clock($0.at))" }
        return "before StoreKit had told the app that the restore was over (\(told ?? "it never did"))"
    }

    private func contradiction(
        _ answer: AnswerCode, _ attempt: PurchaseAttempt.Outcome?, _ violation: Violation
    ) -> String {
        if violation.request?.kind == .restore { return "and StoreKit had told the app that the user cancelled it" }
        guard let payment = violation.request?.payment, let answered = answers(violation).first?.place else {
            return "and StoreKit had not told the app so"
        }
        // The store may have had something else in mind than what StoreKit told.
        let isToldAsCancel = violation.rule == .cancelAsError && attempt != .cancelled
        let fact =
            isToldAsCancel ? "StoreKit told the app that the buyer cancelled it" : attempt.map { self.fact($0, answer) }
        if input.history[..<answered].contains(where: { ending($0, of: payment) != nil }) {
            return "and " + (fact ?? "StoreKit had not told the app so")
        }
        let other = other(payment, answer, answered)
        if let early = attempt.flatMap({ chargedLater($0, than: violation.at) }) { return early + other }
        let told = input.history[answered...].first { ending($0, of: payment) != nil }
        let isToldAsFailed = told.flatMap { ending($0, of: payment) }?.state == .failed
        let when = told.map { "told at \(clock($0.at))" + (isToldAsFailed ? " as failed" : "") } ?? "it never did"
        if answer == .purchased, case .charged(let id) = attempt {
            return "before StoreKit had told the app of its own transaction, \(id.text) (\(when))" + other
        }
        let outcome = fact.map { ": \($0)" } ?? ""
        return "before StoreKit had told the app how it ended (\(when)\(outcome))" + other
    }

    /// "2.103 s before the store charged it".
    private func chargedLater(_ attempt: PurchaseAttempt.Outcome, than answer: Instant) -> String? {
        guard case .charged(let id) = attempt, let charge = transaction(id)?.at, charge > answer else { return nil }
        let milliseconds = (charge - answer).nanoseconds / 1_000_000
        let fraction = milliseconds % 1_000
        let padding = fraction < 10 ? "00" : fraction < 100 ? "0" : ""
        return "\(milliseconds / 1_000).\(padding)\(fraction) s before the store charged it (transaction \(id.text))"
    }

    private func fact(_ attempt: PurchaseAttempt.Outcome, _ answer: AnswerCode) -> String {
        switch attempt {
        case .charged(let id): return "the store had charged it (transaction \(id.text))"
        case .cancelled:
            return answer == .cancelled
                ? "StoreKit had told the app of another failure" : "the buyer had cancelled it"
        case .refused(let failure): return "the store had refused it: \(words(for: failure))"
        case .awaitsApproval: return "it still waits to be approved"
        case .declined: return "it was not approved"
        case .interrupted: return "the purchase was interrupted: it failed, and is charged once the account is mended"
        case .undecided: return "the store had not decided"
        case .repeated, .existing: return "the store had charged nothing"
        }
    }

    // MARK: What StoreKit had told

    /// The answers to a request, by their places.
    func answers(_ violation: Violation) -> [(place: Int, answer: DeviceEvent.Answer)] {
        input.history.enumerated().compactMap { place, record in
            guard let answer = record.event.answer, answer.kind == violation.request?.kind,
                answer.number == violation.request?.number
            else { return nil }
            return (place, answer)
        }
    }

    /// The place at which a request was made.
    func question(_ violation: Violation) -> Int? {
        input.history.firstIndex {
            guard let question = $0.event.question else { return false }
            return question.kind == violation.request?.kind && question.number == violation.request?.number
        }
    }

    /// What a telling says of how a payment ended; nil where it says nothing.
    private func ending(_ record: HistoryRecord, of payment: Int32) -> DeviceEvent.TransactionNote? {
        guard let told = record.event.telling, told.payment == payment, told.state != .purchasing,
            told.state != .deferred
        else { return nil }
        return told
    }

    /// Another payment that had ended, a moment before, in just the way that the app answered.
    private func other(_ payment: Int32, _ answer: AnswerCode, _ answered: Int) -> String {
        let record = input.history[answered]
        let before = input.history[..<answered]
        let last = before.last { earlier in
            guard let other = earlier.event.telling?.payment, other != payment else { return false }
            return earlier.process == record.process && record.at - earlier.at <= .seconds(1)
                && ending(earlier, of: other) != nil
        }
        guard let last = last?.event.telling, let other = last.payment else { return "" }
        let outcome: (answer: AnswerCode, word: String)
        switch last.state {
        case .purchased, .restored: outcome = (.purchased, "purchased")
        default:
            let isCancelled = before.contains { $0.event == .failureTold(payment: other, .store(.paymentCancelled)) }
            outcome = isCancelled ? (.cancelled, "cancelled") : (.failed, "told as failed")
        }
        if outcome.answer != answer { return "" }
        let asked = added(payment).flatMap { input.history[$0].event.payment }
        let what = asked?.product == last.product ? "of the same product" : "for \(name(last.product))"
        return "; payment \(other), \(what), had just been \(outcome.word)"
    }
}
