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
                + "under way and the user does not have it"
        case .fetched(_, let mistake): return contradiction(mistake)
        case .restored(let answer, let mistake): return contradiction(answer, mistake)
        case .answered(let answer, let attempt):
            return contradiction(answer, attempt, violation.request?.kind)
        default: return "and StoreKit had not told the app so"
        }
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

    private func contradiction(_ answer: AnswerCode, _ mistake: Violation.RestoreMistake) -> String {
        switch mistake {
        case .nothingTold: return "and StoreKit had not told the app so"
        case .failed(let failure):
            return "and StoreKit had told the app that it failed" + (failure.map { ": \(words(for: $0))" } ?? "")
        case .finished(let restored, let shown):
            let told = "and StoreKit had told the app of \(count(Int64(restored), "restored purchase"))"
            return answer == .restored ? "\(shown) in number, \(told)" : told
        }
    }

    private func contradiction(
        _ answer: AnswerCode, _ attempt: PurchaseAttempt.Outcome?, _ kind: RequestKind?
    ) -> String {
        if kind == .restore { return "and StoreKit had told the app that the user cancelled it" }
        guard let attempt else { return "and StoreKit had not told the app so" }
        switch attempt {
        case .charged(let id):
            return answer == .purchased
                ? "before StoreKit had told the app of its own transaction, \(id.text)"
                : "and the store had charged it (transaction \(id.text))"
        case .cancelled:
            return answer == .cancelled
                ? "and StoreKit had told the app of another failure" : "and the buyer had cancelled it"
        case .refused(let failure): return "and the store had refused it: \(words(for: failure))"
        case .awaitsApproval: return "and it still waits to be approved"
        case .declined: return "and it was not approved"
        case .interrupted: return "and the account had to be mended first"
        case .undecided: return "and the store had not decided"
        case .repeated, .existing: return "and the store had charged nothing"
        }
    }

    func unaskedCharge(_ violation: Violation) -> String {
        guard let id = violation.transaction,
            let transaction = input.statement.transactions.first(where: { $0.id == id }),
            let token = transaction.payment
        else { return violation.rule.breach }
        let added = input.history.first { $0.kind == .paymentAdded && $0.number == Int64(token.number) }
        let when = added.map { ", added by the app at \(clock($0.at)) in launch \($0.process)" } ?? ""
        let charge =
            "charged \(price(transaction.product, quantity: transaction.quantity)) for \(name(transaction.product)) at "
            + "\(clock(transaction.at)) by payment \(token.number)\(when)"
        guard let request = violation.request else { return "\(charge), and no user had asked for it" }
        let asked = input.history.first { $0.kind == .purchaseAsked && $0.number == Int64(request.number) }
        if let asked, asked.productIndex != transaction.product {
            return "\(charge), where request \(request.number) was to buy \(name(asked.productIndex))"
        }
        return "\(charge), for request \(request.number), which had been paid for already"
    }

    func ignoredPromotion(_ violation: Violation) -> String {
        let tap = "the user tapped \(name(violation.product)) in the App Store at \(clock(violation.at))"
        guard case .promoted(let answer) = violation.finding else { return violation.rule.breach }
        switch answer {
        case .unheard: return "\(tap), and no observer of the app implements shouldAddStorePayment: nothing was bought"
        case .notNow: return "\(tap), the app returned false from shouldAddStorePayment, and never added the payment"
        case .added, nil: return "\(tap), and the app had no observer on the queue that could be asked about it"
        }
    }

    func staleEntitlement(_ violation: Violation) -> String {
        let product = name(violation.product)
        let transaction = input.statement.transactions.first { $0.id == violation.transaction }
        if let transaction, transaction.revokedAt == nil, let end = transaction.expiresAt {
            return
                "\(product) ran out at \(clock(end)) and was not renewed, the app was launched once more after that, "
                + "and it is still held at the end"
        }
        return "\(product) was taken back, the app was told at \(clock(violation.at)), and it is still held at the end"
    }
}
