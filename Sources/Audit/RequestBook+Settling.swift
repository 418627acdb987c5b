// Requests of the user against answers of the app and what StoreKit told it meanwhile: judging.

import Simulation

extension RequestBook {
    func settle(_ input: borrowing AuditInput, at end: Instant, into findings: inout AuditFindings) {
        for request in requests {
            if request.answers == 0 {
                judgeSilence(request, input, into: &findings)
            } else {
                if request.answers > 1 {
                    report(.answeredTwice, request, finding: .answers(request.answers), into: &findings)
                }
                judgeAnswer(request, input, into: &findings)
            }
        }
        judgeCharges(input.statement, into: &findings)
    }

    // MARK: Silence

    /// What StoreKit never answered is not the client's fault, nor what died with its process before the user could
    /// expect an answer.
    private func judgeSilence(
        _ request: RequestTrack, _ input: borrowing AuditInput, into findings: inout AuditFindings
    ) {
        if request.ending == nil && (request.hasCalledStoreKit || request.joined != nil) { return }
        let since = request.endedAt ?? request.askedAt
        if let end = request.end, !end.showedNothing(since: since, patience: input.patience) { return }
        if isAnsweredByTwin(request, input.statement) || isInLine(request) || mayHang(request) { return }
        let rule: AuditRule =
            request.kind == .restore && request.ending != nil ? .restoreUnreported : .unansweredRequest
        report(rule, request, finding: request.ending == nil ? .neverAsked : .none, into: &findings)
    }

    /// Whether the app had yet to ask StoreKit, because it pays for one thing after the other and StoreKit had not said
    /// how an earlier one ended.
    private func isInLine(_ request: RequestTrack) -> Bool {
        guard request.kind == .purchase, request.payment == nil, request.ending == nil else { return false }
        return requests.contains {
            $0.kind == .purchase && $0.number < request.number && $0.overlaps(request) && $0.payment != nil
                && $0.ending == nil
        }
    }

    /// Whether its own request for products may be one that StoreKit never answered: begun outside the user's calls, two
    /// of them cannot be told apart.
    private func mayHang(_ request: RequestTrack) -> Bool {
        if request.payment != nil { return false }
        // The payment that its products led to may have been taken for an alike one's, whose own never came.
        let isTakenForTwin = requests.contains {
            $0.isProductsRequestGuessed && $0.payment != nil && $0.ending == nil && $0.overlaps(request)
                && $0.product == request.product && $0.quantity == request.quantity
        }
        guard request.isProductsRequestGuessed else { return isTakenForTwin }
        return requests.contains {
            $0.number != request.number && $0.overlaps(request) && $0.isProductsRequestGuessed
                && ($0.awaitsProducts || $0.answerEnding == .productsFailed)
        }
    }

    // MARK: Answers

    private func judgeAnswer(
        _ request: RequestTrack, _ input: borrowing AuditInput, into findings: inout AuditFindings
    ) {
        guard let answer = request.answer else { return }
        switch request.kind {
        case .fetch: judgeFetch(request, answer, input, into: &findings)
        case .restore: judgeRestore(request, answer, input, into: &findings)
        case .purchase: judgePurchase(request, answer, input.statement, into: &findings)
        }
    }

    private func judgeFetch(
        _ request: RequestTrack, _ answer: AnswerCode, _ input: borrowing AuditInput,
        into findings: inout AuditFindings
    ) {
        let mistake: Violation.FetchMistake
        let unsold = request.unsold - Self.withdrawnUnnoticed(request, input)
        if answer == .fetched, unsold > 0 {
            mistake = .showedUnsold(unsold)
        } else if answer == .fetched, request.shown == 0, request.answerEnding == .products, request.found > 0 {
            mistake = .showedNothing(found: request.found)
        } else if answer == .fetched, request.shown == 0, request.answerEnding == .productsFailed {
            mistake = .failureAsSuccess
        } else if answer == .failed, request.answerEnding == .products, request.found > 0 {
            mistake = .successAsFailure(found: request.found)
        } else {
            return
        }
        // Whose products are whose nobody can tell of questions that were open together.
        if case .showedUnsold = mistake {} else if hasCompany(request) { return }
        report(.wrongAnswer, request, finding: .fetched(answer, mistake), into: &findings)
    }

    /// Products that the store has stopped selling, and of which the app could not know when it answered: StoreKit had
    /// not said so since, and it was not long ago.
    private static func withdrawnUnnoticed(_ request: RequestTrack, _ input: borrowing AuditInput) -> Int {
        guard let answeredAt = request.answeredAt, !input.withdrawn.isEmpty else { return 0 }
        return input.withdrawn.values.count { end in
            end <= answeredAt && answeredAt - end < cacheMax && end >= request.launchedAt
                && (request.toldUnsoldAt.map { $0 < end } ?? true)
        }
    }

    /// How long an app may show what it has found.
    private static let cacheMax = Span.hours(1)

    private func hasCompany(_ request: RequestTrack) -> Bool {
        requests.contains {
            $0.number != request.number && $0.kind != .restore && $0.overlaps(request)
        }
    }

    private func judgeRestore(
        _ request: RequestTrack, _ answer: AnswerCode, _ input: borrowing AuditInput,
        into findings: inout AuditFindings
    ) {
        if !isRight(answer, request, input) {
            // Asked before the app had come to the end of another: one answer may be for both.
            let isOfAnother = requests.contains {
                $0.number != request.number && $0.kind == .restore && $0.overlaps(request) && isRight(answer, $0, input)
            }
            if isOfAnother { return }
            report(.wrongAnswer, request, finding: .restored(answer, Self.mistake(request)), into: &findings)
        } else if answer == .failed, request.answerEnding == .restoreFailed, request.wasCancelled {
            report(.cancelAsError, request, finding: .answered(answer, attempt: nil), into: &findings)
        }
    }

    private static func mistake(_ request: RequestTrack) -> Violation.RestoreMistake {
        switch request.answerEnding {
        case .restoreFailed: return .failed(request.failure)
        case .restoreFinished: return .finished(restored: request.restoredCount, shown: request.shown)
        default: return .nothingTold
        }
    }

    private func isRight(_ answer: AnswerCode, _ request: RequestTrack, _ input: borrowing AuditInput) -> Bool {
        let ending = request.answerEnding
        switch answer {
        case .restored:
            // Before StoreKit had told how it ended, nobody could know.
            if ending == .restoreFailed || ending == nil && request.hasCalledRestore { return false }
            let known = max(request.restoredCount, Self.listedPurchases(input))
            return known > 0 && request.shown <= known
        case .nothingToRestore:
            if ending == .restoreFailed { return false }
            if ending == .restoreFinished, request.restoredCount == request.repeatedCount { return true }
            return Self.receiptEntitlesToNothing(request, input)
        case .cancelled:
            return ending == .restoreFailed ? request.mayBeCancel : ending == nil && request.hasCalledStoreKit
        default: return ending != .restoreFinished
        }
    }

    /// How many purchases the receipt lists. Everything but consumables, for ever: also what has run out, and what no
    /// restore brings.
    private static func listedPurchases(_ input: borrowing AuditInput) -> Int {
        let catalog = input.catalog
        return input.boughtElsewhere.count { catalog[$0].kind.isEntitlement }
            + input.statement.transactions.count { catalog[$0.product].kind.isEntitlement }
    }

    /// Whether an app that goes by the receipt on the device may find nothing in it that counts.
    private static func receiptEntitlesToNothing(_ request: RequestTrack, _ input: borrowing AuditInput) -> Bool {
        // Each account has a receipt of its own, and lists what the other bought nowhere.
        guard let asOf = request.receiptAsOf, !input.statement.isOfTwoAccounts else { return true }
        let catalog = input.catalog
        return input.statement.transactions.allSatisfy {
            // Of the very instant in which the user asked nobody can tell.
            !catalog[$0.product].kind.isRestorable || $0.at >= min(asOf, request.askedAt)
                || $0.isOver(at: request.answeredAt ?? .never)
        }
    }

    private func judgePurchase(
        _ request: RequestTrack, _ answer: AnswerCode, _ statement: AccountStatement,
        into findings: inout AuditFindings
    ) {
        let attempt = outcome(of: request, statement)
        if contradicts(answer, request, attempt),
            !twins(of: request, statement).contains(where: {
                !contradicts(answer, $0, outcome(of: $0, statement), isTwin: true)
            }), !fitsPromotion(answer, request)
        {
            let isUnasked = request.payment == nil && request.answerEnding == nil
            let finding: Violation.Finding =
                isUnasked ? .answeredUnasked(answer) : .answered(answer, attempt: attempt)
            return report(.wrongAnswer, request, finding: finding, into: &findings)
        }
        // An alike purchase may have failed, and this be its answer.
        let isOfTwin = { twins(of: request, statement).contains { $0.ending == .failed && !$0.wasCancelled } }
        if answer == .failed, request.wasCancelled, !isOfTwin() {
            report(.cancelAsError, request, finding: .answered(answer, attempt: attempt), into: &findings)
        }
    }

    private func outcome(of request: RequestTrack, _ statement: AccountStatement) -> PurchaseAttempt.Outcome? {
        guard let payment = request.payment, let last = attempts(ofPayment: payment).last else { return nil }
        return statement.attempts[last].outcome
    }

    private func contradicts(
        _ answer: AnswerCode, _ request: RequestTrack, _ attempt: PurchaseAttempt.Outcome?, isTwin: Bool = false
    ) -> Bool {
        // What it had been told when it answered; a twin may hear of it later.
        let told = isTwin ? request.ending : request.answerEnding
        var isCharged = false
        if case .charged = attempt { isCharged = true }
        switch answer {
        case .purchased: return told != .purchased && told != .restored && !request.isCompleted
        case .deferred:
            switch told {
            case .deferred, .restored: return false
            // Paid and on its way: unless the app itself is done with it.
            case .purchased:
                // Approved in the instant in which it was put off: one may be told while the other is handled.
                let isOfOneInstant = request.wasDeferred && request.answeredAt == request.endedAt
                return !isTwin && request.answerWasFinished && !isOfOneInstant
            case nil: return request.payment == nil
            // Declined, and the app has not come to that yet.
            default: return !request.wasDeferred || request.answerWasFinished
            }
        case .failed, .cancelled, .refused:
            // StoreKit itself may have told of a failure after a charge: an answer was lost on the way.
            if isCharged, told != .failed { return true }
            if request.payment == nil { return answer == .cancelled || !request.hadReason }
            switch told {
            case .deferred: return true
            case .failed: return answer == .cancelled && !request.mayBeCancel
            // Nothing new was bought, and the app may say so; but nobody cancelled it.
            case .purchased, .restored: return answer == .cancelled
            default: return false
            }
        default: return false
        }
    }

    /// A promoted purchase of the same product in the same app: its payment looks as the request's own does.
    private func fitsPromotion(_ answer: AnswerCode, _ request: RequestTrack) -> Bool {
        guard request.payment != nil, let product = request.product else { return false }
        return payments.contains {
            $0.isPromoted && Int($0.process) == request.process && $0.product == product
                && $0.quantity == request.quantity && Self.fits(answer, $0.ending)
        }
    }

    private static func fits(_ answer: AnswerCode, _ ending: RequestTrack.Ending?) -> Bool {
        switch ending {
        case .purchased, .restored: return answer == .purchased
        case .deferred: return answer == .deferred
        case .failed: return answer == .failed || answer == .cancelled || answer == .refused
        default: return false
        }
    }

    /// Alike purchases that were under way in the same app at the same time: nobody can tell whose answer is whose.
    /// Nor of two that the store answered with the same purchase (R22).
    private func twins(of request: RequestTrack, _ statement: AccountStatement) -> [RequestTrack] {
        let purchase = outcome(of: request, statement)?.purchase
        return requests.filter { other in
            other.number != request.number && other.kind == .purchase && other.overlaps(request)
                && (other.product == request.product && other.quantity == request.quantity
                    || purchase != nil && outcome(of: other, statement)?.purchase == purchase)
        }
    }

    /// Whether an answer to an alike purchase, of whose own payment StoreKit has told nothing, may be this one's: each
    /// such answer stands for one that is missing.
    private func isAnsweredByTwin(_ request: RequestTrack, _ statement: AccountStatement) -> Bool {
        guard request.kind == .purchase, request.ending != nil else { return false }
        let twins = twins(of: request, statement)
        let attempt = outcome(of: request, statement)
        let answers = twins.count { twin in
            guard let answer = twin.answer, twin.ending == nil || twin.payment == nil else { return false }
            return !contradicts(answer, request, attempt, isTwin: true)
        }
        let missingBefore = twins.count { $0.answers == 0 && $0.ending != nil && $0.number < request.number }
        return missingBefore < answers
    }

    // MARK: Charges

    /// A charge is explained by a request of the user, once; by a promotion; or by something outside the app.
    private func judgeCharges(_ statement: AccountStatement, into findings: inout AuditFindings) {
        if payments.isEmpty { return }
        var isCharged = [Bool](repeating: false, count: requests.count)
        // By place: a copy of each would count its references.
        for index in statement.transactions.indices where statement.transactions[index].isCharged {
            guard let token = statement.transactions[index].payment,
                let payment = track(ofPayment: Int32(token.number)), !payment.isExplained
            else { continue }
            let product = statement.transactions[index].product
            let asked: Violation.Request?
            if let place = payment.request {
                var isRepeated = isCharged[place]
                isCharged[place] = true
                // Of alike purchases, which payment is whose is a guess.
                if isRepeated, let twin = unpaidTwin(of: place, isCharged) {
                    isCharged[twin] = true
                    isRepeated = false
                }
                let isOther = requests[place].product != product
                if !isRepeated, !isOther { continue }
                asked = Violation.Request(kind: .purchase, number: requests[place].number)
            } else {
                asked = nil
            }
            let transaction = statement.transactions[index]
            findings.violations.append(
                Violation(
                    rule: .unaskedCharge, at: transaction.at, process: Int(payment.process),
                    product: product, transaction: transaction.id, request: asked))
        }
    }

    /// An alike purchase that was open beside it, and that the app has not given up.
    private func unpaidTwin(of place: Int, _ isCharged: [Bool]) -> Int? {
        requests.indices.first {
            $0 != place && !isCharged[$0] && requests[$0].kind == .purchase && requests[$0].payment == nil
                && [nil, .purchased, .deferred].contains(requests[$0].answer)
                && requests[$0].product == requests[place].product && requests[$0].quantity == requests[place].quantity
                && requests[$0].overlaps(requests[place])
        }
    }

    private func report(
        _ rule: AuditRule, _ request: RequestTrack, finding: Violation.Finding, into findings: inout AuditFindings
    ) {
        findings.violations.append(
            Violation(
                rule: rule, at: request.answeredAt ?? request.askedAt, process: request.process,
                product: request.product,
                request: Violation.Request(
                    kind: request.kind, number: request.number, payment: request.payment,
                    productsRequest: request.productsRequest),
                finding: finding))
    }
}

extension PurchaseAttempt.Outcome {
    /// The purchase that a payment led to or was answered with.
    var purchase: TransactionID? {
        switch self {
        case .charged(let id), .repeated(let id), .existing(let id): return id
        default: return nil
        }
    }
}
