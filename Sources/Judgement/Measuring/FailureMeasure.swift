// How and where purchases ended, and which answers the store had no part in.
// Pure; any thread.

import Metrics
import Simulation

extension FailureStage {
    /// Reads the stage from the store's books.
    ///
    /// - Parameters:
    ///   - failure: the failure that the app received.
    ///   - attempts: attempts of the account, in the order of their arrival; attempts of other payments are skipped.
    init(
        of payment: Int32, from added: Instant, to told: Instant, _ failure: StoreFailure?,
        _ attempts: ArraySlice<PurchaseAttempt>
    ) {
        // What came to the store once the app had given up is no part of the failure.
        let isOfIt = { (attempt: PurchaseAttempt) in
            attempt.payment.number == Int(payment) && attempt.receivedAt < told
        }
        guard let attempt = attempts.last(where: isOfIt) else {
            self = told == added ? .instant : .sending
            return
        }
        if let failure, case .network = failure, attempt.outcome != .refused(failure) {
            // The network failed, and not the store: on the way back, unless the store was still at it.
            self = attempt.outcome == .undecided ? Self(askingIn: attempt, before: told) : .receiving
        } else {
            self = Self(askingIn: attempt, before: told)
        }
    }

    private init(askingIn attempt: PurchaseAttempt, before told: Instant) {
        self = attempt.sheetAt.map { $0 < told } ?? false ? .deciding : .processing
    }
}

extension PaymentOutcome {
    /// From the first report of how a payment ended; nil if there was none.
    init?(_ ending: RequestTrack.Ending?) {
        switch ending {
        case .purchased, .restored: self = .success
        case .failed: self = .failure
        case .deferred: self = .deferred
        case .restoreFinished, .restoreFailed, .products, .productsFailed, .receiptRefreshed, nil: return nil
        }
    }
}

extension RequestTrack {
    /// Answered at the very instant at which it was to be asked, and not with anything that the store had said: out of what
    /// the app had, or because StoreKit turned it away on the device.
    ///
    /// A failure that the store sends takes time, but for a network without any; then it makes no difference which it was.
    var isInstant: Bool {
        guard answered?.at == plannedAt else { return false }
        guard decided != nil else { return true }
        return answerEnding == .productsFailed || answerEnding == .restoreFailed
    }
}
