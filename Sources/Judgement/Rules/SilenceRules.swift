// unanswered-request, restore-unreported: requests that the app never answered.

import Simulation

extension UserStory {
    /// What StoreKit never answered is not the client's fault, nor what died with its process before the user could
    /// expect an answer.
    func judgeSilence(into violations: inout [Violation]) {
        for request in requests.all where request.answers == 0 && isNeglected(request) {
            let rule: AuditRule =
                request.kind == .restore && request.ending != nil ? .restoreUnreported : .unansweredRequest
            report(rule, request, finding: request.ending == nil ? .neverAsked : .none, into: &violations)
        }
    }

    private func isNeglected(_ request: RequestTrack) -> Bool {
        if request.ending == nil && (request.hasCalledStoreKit || request.joined != nil) { return false }
        let since = request.endedAt ?? request.asked.at
        if let end = request.end, !end.showedNothing(since: since, patience: input.patience) { return false }
        return !(isAnsweredByTwin(request) || isInLine(request) || mayHang(request))
    }

    /// Whether the app had yet to ask StoreKit, because it pays for one thing after the other and StoreKit had not said
    /// how an earlier one ended.
    private func isInLine(_ request: RequestTrack) -> Bool {
        guard request.kind == .purchase, request.payment == nil, request.ending == nil else { return false }
        return requests.all.contains {
            $0.kind == .purchase && $0.number < request.number && $0.overlaps(request) && $0.payment != nil
                && $0.ending == nil
        }
    }

    /// Whether StoreKit may never have answered the products request of `request`: two products requests, begun outside
    /// the user's calls, are indistinguishable.
    private func mayHang(_ request: RequestTrack) -> Bool {
        if request.payment != nil { return false }
        // The payment that its products led to may have been taken for an alike one's, whose own never came.
        let isTakenForTwin = requests.all.contains {
            $0.isProductsRequestGuessed && $0.payment != nil && $0.ending == nil && $0.overlaps(request)
                && $0.product == request.product && $0.quantity == request.quantity
        }
        if isTakenForTwin { return true }
        guard request.isProductsRequestGuessed else { return false }
        return requests.all.contains {
            $0.number != request.number && $0.overlaps(request) && $0.isProductsRequestGuessed
                && ($0.awaitsProducts || $0.answerEnding == .productsFailed)
        }
    }

    /// Whether an answer to an alike purchase may belong to this one, if StoreKit has delivered nothing for that
    /// purchase's own payment. Each such answer stands for a missing one.
    private func isAnsweredByTwin(_ request: RequestTrack) -> Bool {
        guard request.kind == .purchase, request.ending != nil else { return false }
        let twins = twins(of: request)
        let attempt = outcome(of: request)
        let answers = twins.count { twin in
            guard let answer = twin.answer, twin.ending == nil || twin.payment == nil else { return false }
            return !contradicts(answer, request, attempt, isTwin: true)
        }
        let missingBefore = twins.count { $0.answers == 0 && $0.ending != nil && $0.number < request.number }
        return missingBefore < answers
    }
}
