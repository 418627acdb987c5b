// Sentences about what the app did unasked, left undone, or crashed in.
// Pure; any thread.

import Simulation

extension Narrator {
    // MARK: Answers that are missing or too many

    func unanswered(_ violation: Violation) -> String {
        "\(request(violation)) of \(clock(violation.at)) was never answered, "
            + (violation.finding == .neverAsked
                ? "although the app went on running, and never even asked StoreKit" : untold(violation))
    }

    /// What the app made nothing of.
    private func untold(_ violation: Violation) -> String {
        let unknown = "although StoreKit told the app how it ended"
        guard let request = violation.request else { return unknown }
        if let payment = request.payment {
            let last = input.history.indices.last {
                let record = input.history[$0]
                return record.kind == .told && Int64(record.payment) == payment
                    && record.code != TransactionState.purchasing.rawValue
            }
            guard let last else { return unknown }
            let record = input.history[last]
            return "although StoreKit told the app at \(clock(record.at)) that payment \(payment) is \(state(record))"
                + deaf(at: last)
        }
        let answer = input.history.first {
            ($0.kind == .productsTold || $0.kind == .productsFailedTold) && $0.number == request.productsRequest
                && Int($0.process) == violation.process
        }
        guard let answer else { return unknown }
        if answer.other != 0 {
            return "because the app let go of its products request before the answer came at \(clock(answer.at))"
        }
        let found =
            answer.kind == .productsTold
            ? "of \(count(Int64(answer.code), "product"))"
            : "that the products request failed: \(failure(Int(answer.code)))"
        return "although StoreKit told the app at \(clock(answer.at)) \(found)"
    }

    func unreportedRestore(_ violation: Violation) -> String {
        let start = "the restore asked for at \(clock(violation.at))"
        let asked = place(.restoreAsked, violation) ?? 0
        func first(_ kinds: [HistoryRecord.Kind]) -> Int? {
            input.history.indices[asked...].first {
                Int(input.history[$0].process) == violation.process && kinds.contains(input.history[$0].kind)
            }
        }
        let end =
            first([.restoreFinishedTold, .restoreFailedTold])
            ?? first([.receiptRefreshTold, .receiptRefreshFailedTold])
        guard let end else { return "\(start) ended, and the user was never told" }
        let record = input.history[end]
        let isWell = record.kind == .restoreFinishedTold || record.kind == .receiptRefreshTold
        let ended = isWell ? "ended" : "failed"
        return "\(start) \(ended) at \(clock(record.at))\(deaf(at: end)), and the user was never told"
    }

    /// Whether the app could not hear what happened at a place in the history.
    private func deaf(at place: Int) -> String {
        var observers = 0
        for record in input.history[..<place] {
            switch record.kind {
            case .launched: observers = 0
            case .observerAdded: observers += 1
            case .observerRemoved: observers = Int(record.code)
            default: break
            }
        }
        return observers == 0 ? ", when no observer was on the queue" : ""
    }

    func repeatedAnswers(_ violation: Violation) -> String {
        let given = answers(violation).map { place in
            let record = input.history[place]
            return "\"\(answer(record))\" at \(clock(record.at))"
        }
        return "\(request(violation)) was answered \(given.count) times: \(list(given))"
    }

    // MARK: Crashes

    func crash(_ violation: Violation) -> String {
        guard case .raised(let exception) = violation.finding else { return violation.rule.breach }
        let occasion = occasion(of: violation).map { ", \($0)" } ?? ""
        return
            "the client raised \(exception) at \(clock(violation.at))\(occasion); on a phone the app would have crashed"
    }

    /// What the app was called for in the very instant, or called itself.
    private func occasion(of violation: Violation) -> String? {
        let raised = input.history.lastIndex { $0.kind == .raised && $0.at == violation.at }
        guard let raised else { return nil }
        let instant = input.history[..<raised].reversed().prefix {
            $0.at == violation.at && Int($0.process) == violation.process
        }
        if let call = instant.first, call.kind == .finishCalled {
            return "when it finished \(transaction(call)), which is \(state(call))"
        }
        guard let cause = instant.first(where: { Self.isCall($0.kind) }) else { return nil }
        switch cause.kind {
        case .told:
            let batch = instant.drop { $0.kind != .told }.prefix { $0.kind == .told || $0.kind == .failureTold }
                .filter { $0.kind == .told }
            let what = "\(transaction(cause)) is \(state(cause))"
            return batch.count == 1
                ? "while it was told that \(what)"
                : "while it was told of \(batch.count) transactions, the last of them that \(what)"
        case .launched: return "as launch \(cause.process) began"
        default:
            if let told = told(cause) { return "while it was told: \(told)" }
            return text(cause).map { "when \($0)" }
        }
    }

    /// Whether somebody else makes the app run by it.
    private static func isCall(_ kind: HistoryRecord.Kind) -> Bool {
        switch kind {
        case .failureTold: return false
        case .launched: return true
        default:
            let parties = parties(kind)
            return parties.to == .app && parties.from != .app && kind != .used
        }
    }

    // MARK: Unasked

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
