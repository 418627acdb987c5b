// What a device asks the App Store, and what it is told.
// Values only: they cross from the device's lane to the store's and back.

package enum StoreRequest: Sendable, Equatable {
    case products(identifiers: [String])
    case purchase(PaymentOrder)
    case restore(applicationUsername: String?)
    /// Which transactions of this account are unfinished?
    case sync
    case finish(TransactionID)
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
    case restored([StoreTransaction])
    /// Some were restored, then the store failed (R28).
    case partlyRestored([StoreTransaction], StoreFailure)
    /// The unfinished purchases of the account, as of this instant at the store.
    case unfinished([StoreTransaction], asOf: Instant)
    case finished
    case failed(StoreFailure)
    /// The store does not answer at all: the device gives up after its request timeout.
    case silence
    /// The store took the payment for something already bought and says nothing of it (R24).
    case nothing
}

/// Why a request failed, in StoreKit's domain or in the URL loading system's (R16).
package enum StoreFailure: Sendable, Hashable, Codable {
    case store(StoreErrorCode)
    /// A code of NSURLErrorDomain.
    case network(code: Int)
    /// R25: an unknown error with a cause of the store's own domain.
    case alreadySubscribed

    package static let alreadySubscribedCode = 3532
    package static let timedOut = StoreFailure.network(code: -1001)
    package static let offline = StoreFailure.network(code: -1009)

    /// Whether the failure leaves open what happened at the store: only an answer that never came does.
    package var isIndefinite: Bool { self == .timedOut }
}
