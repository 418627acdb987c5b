// Which findings rest on an optional method of the app that StoreKit could not call.
// Pure; any thread.

import Simulation

extension Violation {
    /// Whether the app might have avoided it in one of these methods, which StoreKit would have called on Apple's systems.
    func rests(on missed: OptionalMethods) -> Bool {
        OptionalMethod.allCases.contains { missed.contains($0) && rests(on: $0) }
    }

    private func rests(on method: OptionalMethod) -> Bool {
        switch method {
        case .removedTransactions:
            // An app may deliver, or answer its user, once a transaction has left the queue.
            isOfAnswer || [.lostPurchase, .restoreIncomplete].contains(rule)
        case .restoreFinished:
            // It may collect what is restored, and grant and finish it at the end.
            isOfRestoreAnswer || rule == .restoreIncomplete || rule == .stuckTransaction && finding == .state(.restored)
        case .restoreFailed: isOfRestoreAnswer
        case .shouldAddStorePayment: rule == .ignoredPromotion
        case .storefrontChanged:
            // It may ask for its products again.
            rule == .wrongAnswer && request?.kind == .fetch
        case .entitlementsRevoked: rule == .staleEntitlement
        // Without an answer of the app's, StoreKit continues and shows the sheet: no rule asks for either.
        case .shouldContinue, .shouldShowPriceConsent: false
        case .requestFinished:
            // It may read the refreshed receipt there, and grant, take back, finish or answer by what it says.
            isOfAnswer
                || [.lostPurchase, .restoreIncomplete, .staleEntitlement, .stuckTransaction].contains(rule)
        case .requestFailed: isOfAnswer
        }
    }

    private var isOfAnswer: Bool {
        [.unansweredRequest, .restoreUnreported, .wrongAnswer].contains(rule)
    }

    private var isOfRestoreAnswer: Bool { isOfAnswer && request?.kind == .restore }
}
