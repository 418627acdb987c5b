// Clients that put promoted purchases off, or ask before they go on.
// Belongs to the main queue; StoreKit's questions may come on any.

import Foundation
import Stampede
import StoreKit

// MARK: Later

/// Says no to a promoted payment, and adds that same payment later.
///
/// Habit: the app shows its introduction first. Two seconds after the tap, or back in the foreground, it adds what it
/// kept.
final class PutOffShop: UnusualShop {
    override class var name: String { "unusual-put-off-promotion" }
    override class var summary: String {
        "Keeps a promoted payment and adds it after two seconds or in the foreground."
    }

    private var kept: [SKPayment] = []

    override func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        onHome { [self] in
            kept.append(payment)
            environment.main.asyncAfter(seconds: 2) { [weak self] in self?.addKept() }
        }
        return false
    }

    private func addKept() {
        let all = kept
        kept = []
        for payment in all {
            let order = Order(payment.productIdentifier, payment.quantity) { _ in }
            order.began = environment.now
            orders.append(order)
            queue.add(payment)
        }
    }

    override func willEnterForeground() {
        super.willEnterForeground()
        addKept()
    }
}

// MARK: A delegate of the queue

/// Has a delegate of the payment queue, and goes on in every country.
///
/// Habit: `shouldContinue` is answered by an object of its own, set before the observer; sheets about prices are left
/// to StoreKit.
final class DelegateShop: UnusualShop {
    override class var name: String { "unusual-queue-delegate" }
    override class var summary: String { "Has a delegate of the queue that lets payments go on in a new country." }

    private let delegate = QueueDelegate()

    override func launch() {
        queue.delegate = delegate
        super.launch()
    }
}

/// Lets every payment go on.
final class QueueDelegate: NSObject, SKPaymentQueueDelegate {
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool { true }

    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { true }
}
