// Blind clients that go wrong between the buyer and the payment queue.
// Confined to the device's main queue.

import Foundation
import Stampede
import StoreKit

/// Answers are kept under the product's identifier, and the first transaction of a product answers all of them. Two
/// purchases of the same product that are open together share one outcome: a user is told "purchased" of the one that
/// is cancelled afterwards, or hears "cancelled" of one that is paid for.
///
/// The dictionary of promises in https://github.com/hyochan/react-native-iap/issues/2550 is emptied in this way.
public final class KeyByProductShop: BlindShop {
    override public class var name: String { "blind-key-by-product" }
    override public class var summary: String { "Keeps the answers of a product together, and gives them together." }

    private var answers: [String: [(PurchaseOutcome) -> Void]] = [:]

    override func expect(_ wait: Wait) { answers[wait.product, default: []].append(wait.answer) }
    override func began(_ told: Delivery) {}

    override func settle(_ told: Delivery, _ outcome: PurchaseOutcome) {
        for answer in answers.removeValue(forKey: told.product) ?? [] { answer(outcome) }
    }
}

/// One property holds the completion of the latest purchase. It is emptied after success, but stays after a
/// cancellation: the next transaction of whatever product calls it again. And a purchase that is started while another
/// is open takes the other's place, whose buyer looks at a spinner for ever.
///
/// https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/28
public final class LastHandlerShop: BlindShop {
    override public class var name: String { "blind-last-handler" }
    override public class var summary: String { "Has one property for the completion of the latest purchase." }

    private var onComplete: ((PurchaseOutcome) -> Void)?

    override func expect(_ wait: Wait) { onComplete = wait.answer }
    override func began(_ told: Delivery) {}

    override func settle(_ told: Delivery, _ outcome: PurchaseOutcome) {
        let answer = onComplete
        if outcome != .cancelled { onComplete = nil }
        answer?(outcome)
    }
}

/// Gives up on a purchase after half a minute, and tells the user that it failed. The payment stays on the queue: who
/// took long to type the password is charged after having read that nothing happened, and may have bought again.
///
/// The approach that is recommended in https://github.com/robotmedia/RMStore/issues/171
public final class PatienceShop: BlindShop {
    override public class var name: String { "blind-patience" }
    override public class var summary: String { "Tells the user after thirty seconds that the purchase failed." }

    override func pay(_ product: SKProduct, _ quantity: Int, _ answer: @escaping (PurchaseOutcome) -> Void) {
        var isAnswered = false
        let once = { (outcome: PurchaseOutcome) in
            if isAnswered { return }
            isAnswered = true
            answer(outcome)
        }
        super.pay(product, quantity, once)
        environment.main.asyncAfter(seconds: 30) { once(.failed(message: "The App Store does not answer.")) }
    }
}

/// Tries a failed purchase again by itself, up to three times, without asking. Where the first attempt only needed the
/// user's attention in the App Store, and goes through there, the second one is paid for too.
///
/// Two charges after an error: https://github.com/RevenueCat/react-native-purchases/issues/319
public final class RetryShop: BlindShop {
    override public class var name: String { "blind-retry" }
    override public class var summary: String { "Adds the payment again when a purchase fails with an error." }

    private var retries = 0

    override func failed(_ told: Delivery) {
        guard let error = told.error, !Self.isCancel(error), retries < 3,
            let place = waits.firstIndex(where: { $0.transaction === told.transaction })
        else {
            retries = 0
            return super.failed(told)
        }
        retries += 1
        finish(told)
        waits[place].transaction = nil
        queue.add(told.payment)
    }
}

/// Keeps a promoted purchase for when the shop is open and its prices are there, as Apple allows, but has one place for
/// it, in memory, and nothing that opens the shop. Who taps a product in the App Store sees the app start and nothing
/// else; a second tap takes the place of the first, and the end of the process takes both.
///
/// "Return false and serve the payment for later": https://github.com/libgdx/gdx-pay/issues/192
public final class PromotionKeptShop: BlindShop {
    override public class var name: String { "blind-promotion-kept" }
    override public class var summary: String { "Adds a promoted payment when the shop is opened the next time." }

    private var later: SKPayment?

    override func promoted(_ payment: SKPayment, _ product: SKProduct) -> Bool {
        onMain { [self] in later = payment }
        return false
    }

    override public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        super.fetchProducts(identifiers) { [self] outcome in
            completion(outcome)
            guard let payment = later, products[payment.productIdentifier] != nil else { return }
            later = nil
            expect(Wait(product: payment.productIdentifier, quantity: payment.quantity, transaction: nil) { _ in })
            queue.add(payment)
        }
    }
}

/// A flag keeps purchases and restores apart, and is put down where they end; not where a restore fails. Whoever
/// cancels the password once while restoring is told "already purchasing" until the app is started anew.
///
/// https://github.com/BlueRiverInteractive/robovm-ios-bindings/issues/51
public final class BusyFlagShop: BlindShop {
    override public class var name: String { "blind-busy-flag" }
    override public class var summary: String { "Does one thing at a time, and forgets that a failed restore is over." }

    private var isBusy = false

    override public func purchase(
        _ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        if isBusy { return completion(.refused(reason: "Already purchasing a product.")) }
        isBusy = true
        super.purchase(identifier, quantity: quantity) { [self] outcome in
            isBusy = false
            completion(outcome)
        }
    }

    override public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        if isBusy { return completion(.failed(message: "Already purchasing a product.")) }
        isBusy = true
        super.restore(completion: completion)
    }

    override func restoreFinished() {
        isBusy = false
        super.restoreFinished()
    }
}

/// One property holds the request for products with its completion: a second request takes the place of the first,
/// which is freed. If the shop is opened twice, or while a purchase looks its product up, the first never hears.
///
/// The variant that is turned down in https://github.com/robotmedia/RMStore/pull/183
public final class OneRequestShop: BlindShop {
    override public class var name: String { "blind-one-request" }
    override public class var summary: String { "Holds one request for products at a time." }

    override func hold(_ fetch: Fetch) { fetches = [fetch] }
}

/// Marks payments with the app's own user, and leaves transactions of other users alone until those are back. The store
/// does not promise to keep the mark: what comes back without it waits for a user who does not exist, is never
/// delivered and never finished.
///
/// https://github.com/flutter/flutter/issues/129203
public final class UsernameShop: BlindShop {
    override public class var name: String { "blind-username" }
    override public class var summary: String { "Delivers only what carries the name of the app's current user." }

    private let user = "player-7"

    override func payment(for product: SKProduct, _ quantity: Int) -> SKPayment {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        payment.applicationUsername = user
        return payment
    }

    override func purchased(_ told: Delivery) {
        guard told.payment.applicationUsername == user else { return }
        super.purchased(told)
    }
}
