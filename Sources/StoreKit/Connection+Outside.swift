// Events that reach the app from outside it, and the app's requests that are not purchases.
// Called on the device's lane; each concern has one method.

import Foundation
import Simulation

extension Connection {
    // MARK: The app's requests

    /// R52.
    func showPriceConsent() {
        guard process.passes(.storeKitCall) else { return }
        process.request(.showPriceConsent)
    }

    /// R42. The redeemed product arrives on the queue like any purchase outside the app.
    func presentCodeRedemption() {
        guard process.passes(.storeKitCall) else { return }
        process.request(.showRedemptionSheet)
    }

    // MARK: Observers to call

    /// R9.
    var deliversAfterRemoval: Bool { process.device.rules.callbackAfterRemoval == .delivered }

    /// Every observer, queue after queue. The R6 knob decides for an observer that was added twice.
    var audience: [(SKPaymentQueue, any SKPaymentTransactionObserver)] {
        let rule = process.device.rules.duplicateObserver
        return liveQueues.flatMap { queue in queue.audience(rule).map { (queue, $0) } }
    }

    // MARK: Questions to the app

    /// R43: the user wants a promoted product. StoreKit asks every observer and adds the payment once if any says yes.
    func offer(_ payment: SKPayment, for product: SKProduct) {
        var isWanted = false
        promotionsUnheard = 0
        var asked = 0
        // A question that waits for its answer: always on the main queue.
        let audience = audience
        enter(.promotion) {
            for (queue, observer) in audience where process.isAlive {
                asked += 1
                callsOptional(.shouldAddStorePayment, of: observer)
                if observer.paymentQueue(queue, shouldAddStorePayment: payment, for: product) { isWanted = true }
            }
        }
        guard process.isAlive else { return }
        let answer: PromotionAnswer = isWanted ? .added : asked == promotionsUnheard ? .unheard : .notNow
        let index = process.device.catalog.index(of: payment.productIdentifier)
        process.record(.promotionAsked(index, answer))
        if isWanted { add(payment.snapshot, isPromoted: true) }
    }

    /// R51: whether a payment continues in another country. Without a delegate it does.
    func mayContinue(_ transaction: SKPaymentTransaction, in storefront: SKStorefront) -> Bool {
        askDelegate(.shouldContinue) { $0.paymentQueue($1, shouldContinue: transaction, in: storefront) }
    }

    /// R52: whether the sheet about a price may be shown now. Without a delegate it may.
    func mayShowPriceConsent() -> Bool {
        askDelegate(.shouldShowPriceConsent) { $0.paymentQueueShouldShowPriceConsent($1) }
    }

    private func askDelegate(
        _ method: OptionalMethod, _ ask: (any SKPaymentQueueDelegate, SKPaymentQueue) -> Bool
    ) -> Bool {
        for queue in liveQueues {
            guard let delegate = queue.delegate else { continue }
            callsOptional(method, of: delegate)
            var answer = true
            enter(.queueDelegate) { answer = ask(delegate, queue) }
            return answer
        }
        return true
    }
}

// MARK: - Promotions

extension Connection {
    /// Reads or changes the promotions on this device; the answer comes later, on the device's main queue.
    func promote(_ body: @escaping (inout StorePromotions) -> Void, then answer: @escaping (Connection) -> Void) {
        guard isOnLane else { return hop { $0.promote(body, then: answer) } }
        guard process.passes(.storeKitCall) else { return }
        body(&process.device.promotions)
        process.device.schedule { [self] in
            process.enter(.promotion) { answer(self) }
        }
    }

    /// The products with these identifiers; identifiers that the catalog does not know are left out.
    func products(named identifiers: [String]) -> [SKProduct] {
        let catalog = process.device.catalog
        return identifiers.compactMap(catalog.index(of:)).map {
            SKProduct(product: catalog[$0], storefront: storefront, locale: catalog.locale)
        }
    }
}
