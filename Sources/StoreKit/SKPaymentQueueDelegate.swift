// What the payment queue asks the app.
// Called on the device's main queue.

public import Foundation

/// Decides for the payment queue. Both methods may be left out.
///
/// On Linux an optional method is a requirement with a default: StoreKit does not call what only a subclass of the
/// conforming class has. Implement it in the conforming class, and `override` it in the subclass.
public protocol SKPaymentQueueDelegate: NSObjectProtocol {
    /// Whether a payment goes on although the user now shops in another country. True unless implemented; false
    /// fails it as not available there (R51).
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool
    /// Whether the sheet about a raised price may be shown now. True unless implemented; who says false calls
    /// `showPriceConsentIfNeeded()` later (R52).
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool
}

extension SKPaymentQueueDelegate {
    public func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }
    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}
