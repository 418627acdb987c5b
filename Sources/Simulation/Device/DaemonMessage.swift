// What crosses between an app process and the payment daemon: values only, and `Codable`,
// so that the two could sit in different operating-system processes.

package import Foundation

/// A payment as the daemon keeps it.
package struct PaymentValue: Sendable, Equatable, Codable {
    package var productIdentifier: String
    package var quantity: Int
    package var applicationUsername: String?
    package var requestData: [UInt8]?
    /// R38: the payment asks for an approval that never comes.
    package var simulatesAskToBuyInSandbox: Bool
    package var discount: PaymentDiscountValue?

    package init(
        productIdentifier: String, quantity: Int, applicationUsername: String? = nil, requestData: [UInt8]? = nil,
        simulatesAskToBuyInSandbox: Bool = false, discount: PaymentDiscountValue? = nil
    ) {
        self.productIdentifier = productIdentifier
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.requestData = requestData
        self.simulatesAskToBuyInSandbox = simulatesAskToBuyInSandbox
        self.discount = discount
    }
}

/// The signed promotional offer of a payment (R60). A class, because few payments have one, and the others are
/// not to be larger for it.
package final class PaymentDiscountValue: Sendable, Codable {
    package let identifier: String
    package let keyIdentifier: String
    package let nonce: UUID
    package let signature: String
    /// Milliseconds since 1970.
    package let timestamp: Int64

    package init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: Int64) {
        self.identifier = identifier
        self.keyIdentifier = keyIdentifier
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }
}

extension PaymentDiscountValue: Equatable {
    package static func == (left: PaymentDiscountValue, right: PaymentDiscountValue) -> Bool {
        left.identifier == right.identifier && left.keyIdentifier == right.keyIdentifier && left.nonce == right.nonce
            && left.signature == right.signature && left.timestamp == right.timestamp
    }
}

/// A transaction as the process sees it (R14 says which fields are set in which state).
package struct TransactionValue: Sendable, Equatable, Codable {
    /// The daemon's own number for it: unique on the device, kept over launches.
    package let handle: Int
    package var state: TransactionState
    /// Of the purchase it stands for: a payment that is answered with an earlier purchase takes on that one's quantity.
    package var payment: PaymentValue
    /// The payment of this device that it answers; nil for what came from the store by itself.
    package let token: PaymentToken?
    package var product: ProductIndex?
    package var id: TransactionID?
    package var date: Instant?
    package var originalID: TransactionID?
    package var originalDate: Instant?
    package var failure: StoreFailure?
}

/// From a process to the daemon.
package enum DaemonRequest: Sendable, Equatable, Codable {
    /// The first observer was added: synchronise, and deliver what is unfinished (R4).
    case observe
    /// The last observer was removed (R9).
    case unobserve
    case add(PaymentValue, token: PaymentToken)
    case finish(handle: Int)
    case restore(applicationUsername: String?)
    case products(request: Int, identifiers: [String])
}

/// From the daemon to a process.
package enum DaemonEvent: Sendable, Equatable, Codable {
    case updated([TransactionValue])
    case removed(handles: [Int])
    case restoreFinished
    case restoreFailed(StoreFailure)
    case products(request: Int, found: [ProductIndex], invalid: [String])
    case productsFailed(request: Int, StoreFailure)
}

/// The receiving end in a process: StoreKit's in-process state.
package protocol DaemonEventReceiver: AnyObject {
    /// Called on the device's lane, while the process is alive.
    func receive(_ event: DaemonEvent)
    /// The process is over: let go of whatever refers back to it.
    func processEnded()
}
