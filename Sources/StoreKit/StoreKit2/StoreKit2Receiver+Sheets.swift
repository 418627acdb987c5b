// Sheets of the App Store that a call waits for: refunds, and offer codes.
// Any task.

import Simulation

extension Transaction {
    /// Asks for a refund on the App Store's sheet (S77).
    ///
    /// Throws a `RefundRequestError`, or what a test session says.
    ///
    /// - Returns: whether the user has sent the request off; false: they have cancelled.
    package static func requestRefund(of id: UInt64) async throws -> Bool {
        if let error = SimulatedErrors.now.refundRequest { throw error }
        let receiver = StoreKit2Receiver.current(for: "Transaction.beginRefundRequest(in:)")
        let id = TransactionID(number: Int64(clamping: id))
        guard let event = await receiver.ask({ _, call in .refund(call: call.number, id) }) else {
            throw CancellationError()
        }
        switch event {
        case .refund(_, .requested): return true
        case .refund(_, .cancelled): return false
        case .refund(_, .requestedBefore): throw RefundRequestError.duplicateRequest
        default: throw RefundRequestError.failed
        }
    }
}

extension AppStore {
    /// Shows the sheet for offer codes, and returns once the user has closed it (R42). What is redeemed comes by
    /// `Transaction.updates`. Throws a `StoreKitError`, or what a test session says.
    package static func redeemOfferCode() async throws {
        if let error = SimulatedErrors.now.offerCodeRedeem { throw error }
        let receiver = StoreKit2Receiver.current(for: "AppStore.presentOfferCodeRedeemSheet(in:)")
        guard let event = await receiver.ask({ _, call in .redeem(call: call.number) }) else {
            throw CancellationError()
        }
        if case .failed(_, let failure) = event { throw failure.storeKit2Error }
    }
}
