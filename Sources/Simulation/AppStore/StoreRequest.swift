// What a device asks the App Store, and what it is told.
// Values only: they cross from the device's lane to the store's and back.

package enum StoreRequest: Sendable, Equatable {
    case products(identifiers: [String])
    case purchase(PaymentOrder)
    case restore(applicationUsername: String?)
    /// Which transactions of this account are unfinished?
    case sync
    case finish(TransactionID)
    /// The run is over: whatever the store would still do by itself for this account happens now, and nothing later.
    case settleAccount
}

package struct PaymentOrder: Sendable, Equatable {
    package let token: PaymentToken
    package let productIdentifier: String
    package let quantity: Int
    package let applicationUsername: String?
}

package enum StoreAnswer: Sendable, Equatable {
    case products(found: [ProductIndex], invalid: [String])
    case purchased(StoreTransaction)
    /// Somebody has to approve the purchase first (R35).
    case deferred
    case restored([StoreTransaction])
    /// Some were restored, then the store failed (R28).
    case partlyRestored([StoreTransaction], StoreFailure)
    /// The unfinished purchases of the account, as of this instant at the store, and the payments that waited for an
    /// approval and will never be purchases.
    case unfinished([StoreTransaction], asOf: Instant, closed: [ClosedRequest])
    case finished
    case accountSettled
    case failed(StoreFailure)
    /// The store does not answer at all: the device gives up after its request timeout.
    case silence
    /// The store took the payment for something already bought and says nothing of it (R24).
    case nothing
}

/// An Ask to Buy request that ended without a purchase.
package struct ClosedRequest: Sendable, Equatable {
    package let payment: PaymentToken
    /// Declined (R37), or dropped because nobody ever answered (R36).
    package let isDeclined: Bool
}

/// Why a request failed, in StoreKit's domain or in the URL loading system's (R16).
package enum StoreFailure: Sendable, Hashable, Codable {
    case store(StoreErrorCode)
    /// A code of NSURLErrorDomain.
    case network(code: Int)
    /// R25: an unknown error with a cause of the store's own domain.
    case alreadySubscribed
    /// R40: the same, with the cause that an interrupted purchase has been seen to give.
    case interrupted
    /// R16: a cancel that arrives under a code nobody has documented.
    case undocumentedCancel
    /// R14: a failed transaction without an error.
    case noError

    package static let alreadySubscribedCode = 3532
    package static let interruptedCode = 2024
    package static let undocumentedCancelCode = 907
    package static let timedOut = StoreFailure.network(code: -1001)
    package static let offline = StoreFailure.network(code: -1009)

    /// Whether the failure leaves open what happened at the store: only an answer that never came does.
    package var isIndefinite: Bool { self == .timedOut }
}
