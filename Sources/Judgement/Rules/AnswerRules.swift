// wrong-answer, cancel-as-error, answered-twice: what the app told its user, against what StoreKit had told it.

package import Simulation

extension UserStory {
    func judgeAnswers(into violations: inout [Violation]) {
        for request in requests.all where request.answers > 0 {
            if request.answers > 1 {
                report(.answeredTwice, request, finding: .answers(request.answers), into: &violations)
            }
            judgeAnswer(request, into: &violations)
        }
    }

    private func judgeAnswer(_ request: RequestTrack, into violations: inout [Violation]) {
        guard let answer = request.answer else { return }
        switch request.kind {
        case .fetch: judgeFetch(request, answer, into: &violations)
        case .restore: judgeRestore(request, answer, into: &violations)
        case .purchase: judgePurchase(request, answer, into: &violations)
        }
    }

    private func judgeFetch(_ request: RequestTrack, _ answer: AnswerCode, into violations: inout [Violation]) {
        let mistake: Violation.FetchMistake
        let unsold = request.unsold - withdrawnUnnoticed(request)
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
        // Of questions that were open together, which products belong to which is undecidable.
        if case .showedUnsold = mistake {} else if hasCompany(request) { return }
        report(.wrongAnswer, request, finding: .fetched(answer, mistake), into: &violations)
    }

    /// Counts products that the store had stopped selling without the app's being able to know: StoreKit had not
    /// reported it, and it was recent. StoreKit's answer only counts the products that are gone; they are assumed to be
    /// the products that went first. A product that went while the answer was on its way is not among them.
    private func withdrawnUnnoticed(_ request: RequestTrack) -> Int {
        guard let answeredAt = request.answered?.at, !input.withdrawn.isEmpty else { return 0 }
        let ends = input.withdrawn.values.filter { $0 <= answeredAt }.sorted()
        let told = request.toldUnsold.map { told in min(Int(told.count), ends.count { $0 <= told.at }) } ?? 0
        return ends.dropFirst(told).count { answeredAt - $0 < .hours(1) && $0 >= request.launchedAt }
    }

    private func hasCompany(_ request: RequestTrack) -> Bool {
        requests.all.contains {
            $0.number != request.number && $0.kind != .restore && $0.overlaps(request)
        }
    }

    private func judgeRestore(_ request: RequestTrack, _ answer: AnswerCode, into violations: inout [Violation]) {
        if !isRight(answer, request) {
            // Asked before the app had come to the end of another: one answer may be for both.
            let isOfAnother = requests.all.contains {
                $0.number != request.number && $0.kind == .restore && $0.overlaps(request) && isRight(answer, $0)
            }
            if isOfAnother { return }
            report(.wrongAnswer, request, finding: .restored(answer, Self.mistake(request)), into: &violations)
        } else if answer == .failed, request.answerEnding == .restoreFailed, request.wasCancelled {
            report(.cancelAsError, request, finding: .answered(answer, attempt: nil), into: &violations)
        }
    }

    private static func mistake(_ request: RequestTrack) -> Violation.RestoreMistake {
        switch request.answerEnding {
        case .restoreFailed: return .failed(request.failure)
        case .restoreFinished: return .finished(restored: request.restoredCount, shown: request.shown)
        default: return .nothingTold
        }
    }

    private func isRight(_ answer: AnswerCode, _ request: RequestTrack) -> Bool {
        let ending = request.answerEnding
        switch answer {
        case .restored:
            if ending == .restoreFailed { return false }
            // Before StoreKit had told how it ended the answer was early, and wrong if anything was still to come.
            if ending == nil, request.hasCalledRestore, !request.hadAllRestored { return false }
            let known = max(request.restoredCount, listedPurchases)
            return known > 0 && request.shown <= known
        case .nothingToRestore:
            if ending == .restoreFailed { return false }
            if ending == .restoreFinished, request.restoredCount == request.repeatedCount { return true }
            return receiptEntitlesToNothing(request)
        case .cancelled:
            return ending == .restoreFailed ? request.mayBeCancel : ending == nil && request.hasCalledStoreKit
        default: return ending != .restoreFinished
        }
    }

    /// How many purchases the receipt lists. Everything but consumables, for ever: also what has run out, and what no
    /// restore brings.
    private var listedPurchases: Int {
        let catalog = input.catalog
        return input.boughtElsewhere.count { catalog[$0].kind.isEntitlement }
            + input.statement.transactions.count { catalog[$0.product].kind.isEntitlement }
    }

    /// Whether an app that goes by the receipt on the device may find nothing in it that counts.
    private func receiptEntitlesToNothing(_ request: RequestTrack) -> Bool {
        // Each account has a receipt of its own, and lists what the other bought nowhere.
        guard let asOf = request.receiptAsOf, !input.statement.isOfTwoAccounts else { return true }
        let catalog = input.catalog
        return input.statement.transactions.allSatisfy {
            // Within the instant in which the user asked the order is unknown.
            !catalog[$0.product].kind.isRestorable || $0.at >= min(asOf, request.asked.at)
                || $0.isOver(at: request.answered?.at ?? .never)
        }
    }

    private func judgePurchase(_ request: RequestTrack, _ answer: AnswerCode, into violations: inout [Violation]) {
        let attempt = outcome(of: request)
        if answer == .purchased, case .existing(let purchase) = attempt, broughtNothing(request, purchase),
            !twins(of: request).contains(where: {
                $0.answer == .failed && $0.answerEnding != .failed && outcome(of: $0)?.isCharge == true
            })
        {
            return report(.wrongAnswer, request, finding: .answered(answer, attempt: attempt), into: &violations)
        }
        if contradicts(answer, request, attempt),
            !twins(of: request).contains(where: {
                !contradicts(answer, $0, outcome(of: $0), isTwin: true) || fitsEarlierPayment(answer, $0)
            }), !fitsPromotion(answer, request)
        {
            let isUnasked = request.payment == nil && request.answerEnding == nil
            let finding: Violation.Finding =
                isUnasked ? .answeredUnasked(answer) : .answered(answer, attempt: attempt)
            return report(.wrongAnswer, request, finding: finding, into: &violations)
        }
        // An alike purchase may have failed, and this be its answer.
        let isOfTwin = { twins(of: request).contains { $0.ending == .failed && !$0.wasCancelled } }
        if answer == .failed, request.wasCancelled, !isOfTwin() {
            report(.cancelAsError, request, finding: .answered(answer, attempt: attempt), into: &violations)
        }
    }

    /// Whether a payment that charged nothing, because the store answered it with an earlier purchase (R22), gave the user
    /// nothing either: the goods of that purchase were there before they asked, or are what another of their requests was
    /// answered with. What an app had before it was deleted is gone, and may come again.
    private func broughtNothing(_ request: RequestTrack, _ purchase: TransactionID) -> Bool {
        guard let product = request.product, input.catalog[product].kind == .consumable else { return false }
        let installed = launches.reinstalls.last { $0 < request.asked }
        func isOfThisInstallation(_ moment: Moment) -> Bool { installed.map { $0 < moment } ?? true }
        let isOfAnother = requests.all.contains { other in
            other.number != request.number && other.answer == .purchased && isOfThisInstallation(other.asked)
                && outcome(of: other) == .charged(purchase)
        }
        if isOfAnother { return true }
        guard let place = goods.place(of: purchase) else { return false }
        return goods.arrivals.contains {
            $0.purchase == place && $0.moment < request.asked && isOfThisInstallation($0.moment)
        }
    }

    func outcome(of request: RequestTrack) -> PurchaseAttempt.Outcome? {
        request.payment.flatMap { outcome(ofPayment: $0) }
    }

    private func outcome(ofPayment payment: Int32) -> PurchaseAttempt.Outcome? {
        requests.attempts(ofPayment: payment).last.map { input.statement.attempts[$0].outcome }
    }

    func contradicts(
        _ answer: AnswerCode, _ request: RequestTrack, _ attempt: PurchaseAttempt.Outcome?, isTwin: Bool = false
    ) -> Bool {
        if request.wasUnverified { return false }
        // What it had been told when it answered; a twin may hear of it later.
        let told = isTwin ? request.ending : request.answerEnding
        switch answer {
        case .purchased: return told != .purchased && told != .restored && !request.isCompleted
        case .deferred:
            switch told {
            case .deferred, .restored: return false
            // Paid and on its way: unless the app itself is done with it.
            case .purchased:
                // Approved soon after it was put off: one may be told while the other is handled.
                return !isTwin && request.answerWasFinished && !mayCrossApproval(request) && !hadWaited(request)
            case nil: return request.payment == nil
            // Declined, or failed, and the app has not come to that yet.
            default:
                return request.answerWasFinished && !mayCrossApproval(request)
                    || !request.wasDeferred && (isTwin || !isHandledLater(request))
            }
        case .failed, .cancelled, .refused:
            // StoreKit itself may have told of a failure after a charge: an answer was lost on the way.
            let isCharged = attempt?.isCharge == true
            if isCharged, told != .failed, !isTakenBack(attempt, before: request.answered) { return true }
            if request.payment == nil { return answer == .cancelled || !request.hadReason }
            switch told {
            case .deferred: return true
            case .failed: return answer == .cancelled && !request.mayBeCancel
            // Nothing new was bought, and the app may say so; but it was not cancelled.
            case .purchased, .restored: return answer == .cancelled
            default: return false
            }
        default: return false
        }
    }

    /// The purchase had been taken back, as StoreKit or the app's server may have said: then nothing was bought, either.
    private func isTakenBack(_ attempt: PurchaseAttempt.Outcome?, before answered: Moment?) -> Bool {
        guard let revokedAt = transaction(attempt?.purchase)?.revokedAt, let answered else { return false }
        return revokedAt <= answered.at
    }

    /// Whether the app's answer about a deferral may still have been on its way when StoreKit delivered what was decided.
    private func mayCrossApproval(_ request: RequestTrack) -> Bool {
        guard request.wasDeferred, let answered = request.answered?.at else { return false }
        let deferred = request.payment.flatMap { requests.track(ofPayment: $0) }?.deferredAt
        return answered == request.endedAt || deferred.map { answered - $0 <= Self.hopMax } ?? false
    }

    /// Whether the app had the purchase for long, and came to its end only in the instant in which it gave up waiting.
    private func hadWaited(_ request: RequestTrack) -> Bool {
        guard let answered = request.answered, let ended = request.endedAt else { return false }
        return answered.at - ended > Self.hopMax && request.finished?.isWith(answered) == true
    }

    /// How long a busy app may take, over its queues, from a delivery to its answer: where orders of events are
    /// explored, each hop takes a while.
    private static let hopMax = Span.seconds(5)

    /// Whether the app handled a delivery only after it had answered:
    /// one hop may be under way while another one answers.
    /// An answer and a finish in one instant count as one handling.
    private func isHandledLater(_ request: RequestTrack) -> Bool {
        guard let answered = request.answered, let finished = request.finished else { return false }
        return answered < finished && !answered.isWith(finished)
    }

    /// A promoted purchase of the same product in the same app: its payment looks as the request's own does, and the store
    /// may answer both with the same purchase (R22).
    private func fitsPromotion(_ answer: AnswerCode, _ request: RequestTrack) -> Bool {
        guard request.payment != nil, let product = request.product else { return false }
        let purchase = outcome(of: request)?.purchase
        return requests.payments.contains {
            $0.isPromoted && $0.process == request.process && $0.product == product
                && $0.quantity == request.quantity
                && (Self.fits(answer, $0.ending)
                    || answer == .failed && purchase != nil && outcome(ofPayment: $0.token)?.purchase == purchase)
        }
    }

    /// An answer to the request's earlier payment: which of several alike requests an app paid for is a guess.
    private func fitsEarlierPayment(_ answer: AnswerCode, _ request: RequestTrack) -> Bool {
        requests.payments.contains { payment in
            payment.token != request.payment && payment.request.map { requests.all[$0].number } == request.number
                && Self.fits(answer, payment.ending)
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

    /// Alike purchases that were under way in the same app at the same time: their answers are indistinguishable.
    /// Nor of two that the store answered with the same purchase (R22).
    func twins(of request: RequestTrack) -> [RequestTrack] {
        let purchase = outcome(of: request)?.purchase
        return requests.all.filter { other in
            other.number != request.number && other.kind == .purchase && other.overlaps(request)
                && (other.product == request.product && other.quantity == request.quantity
                    || purchase != nil && outcome(of: other)?.purchase == purchase)
        }
    }

    func report(
        _ rule: AuditRule, _ request: RequestTrack, finding: Violation.Finding, into violations: inout [Violation]
    ) {
        violations.append(
            Violation(
                rule: rule, at: request.answered?.at ?? request.asked.at, process: Int(request.process),
                product: request.product,
                request: Violation.Request(
                    kind: request.kind, number: request.number, payment: request.payment,
                    productsRequest: request.productsRequest),
                finding: finding))
    }
}

extension PurchaseAttempt.Outcome {
    /// Whether the store charged for the payment.
    fileprivate var isCharge: Bool { if case .charged = self { true } else { false } }

    /// The purchase that a payment led to or was answered with.
    package var purchase: TransactionID? {
        switch self {
        case .charged(let id), .repeated(let id), .existing(let id): return id
        default: return nil
        }
    }
}
