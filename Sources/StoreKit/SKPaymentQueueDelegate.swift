// Questions that the payment queue asks the app.
// Called on the device's main queue.

public import Foundation

/// Answers questions of the payment queue. Both methods are optional.
///
/// On Linux an optional method is a protocol requirement with a default. StoreKit does not call a method that only a
/// subclass of the conforming class has. Implement it in the conforming class, and `override` it in the subclass.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment continues although the user now shops in another country (R51). True by default.
    /// False makes the payment fail as not available there.
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool
    /// Whether StoreKit may show the sheet about a raised price now (R52). True by default.
    /// An app that returns false calls `showPriceConsentIfNeeded()` later.
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}
