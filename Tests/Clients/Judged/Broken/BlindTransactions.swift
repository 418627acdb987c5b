// Blind clients that go wrong in the switch over a transaction's state.
// Confined to the device's main queue.

import Foundation
import Stampede
import StoreKit

/// A purchase that comes back as restored, because the product is owned already, is delivered and finished, but its
/// buyer gets no answer: the branch belongs to restores. The spinner stays.
///
/// https://github.com/bizz84/SwiftyStoreKit/pull/105
public final class OwnedUnansweredShop: BlindShop {
    override public class var name: String { "blind-owned-unanswered" }
    override public class var summary: String { "Treats every restored transaction as part of a restore." }

    override func restored(_ told: Delivery) {
        deliverRestored(told)
        restored.insert(told.product)
        finish(told)
    }
}

/// Turns every transaction into the app's own record at once, deferred ones too, and takes the identifier for granted,
/// which only a completed transaction has. A child who asks a parent to buy sees the app crash.
///
/// https://github.com/expo/expo/issues/13420
public final class DeferredUnwrapShop: BlindShop {
    override public class var name: String { "blind-deferred-unwrap" }
    override public class var summary: String { "Takes for granted that a deferred transaction has an identifier." }

    override func deferred(_ told: Delivery) {
        // In the app: PendingPurchase(id: transaction.transactionIdentifier!, …)
        guard told.identifier != nil else { return environment.assertionFailed() }
        super.deferred(told)
    }
}

/// A transaction that nobody waits for is finished at once, so that it does not come back at every launch. It is what an
/// earlier launch paid for: approved by a parent, interrupted, or bought just before a crash. The money is gone.
///
/// "If there's no payment that corresponds the transaction, complete this transaction instantly":
/// https://github.com/dashdevs/PurchaseController/pull/10
public final class NobodyWaitsShop: BlindShop {
    override public class var name: String { "blind-nobody-waits" }
    override public class var summary: String { "Finishes purchases that no caller waits for." }

    override func purchased(_ told: Delivery) {
        guard waits.contains(where: { $0.transaction === told.transaction }) else { return finish(told) }
        super.purchased(told)
    }
}

/// The library finishes, and then hands the purchase on to the app on the main queue. If the app ends in between, the
/// purchase is neither delivered nor told again.
///
/// https://github.com/hyochan/react-native-iap/issues/581
public final class FinishFirstShop: BlindShop {
    override public class var name: String { "blind-finish-first" }
    override public class var summary: String { "Finishes a purchase, and hands it to the app in the next turn." }

    override func purchased(_ told: Delivery) {
        finish(told)
        onMain { [self] in
            let isNew = deliver(told)
            if isNew { reviewEntitlements(of: told.product) }
            settle(told, isNew ? .purchased : .failed(message: "You had this before, and were not charged."))
        }
    }
}

/// Before each purchase whatever stands on the queue is finished, to get rid of "this has already been bought". Among
/// it may be something that was paid for and not delivered yet, or that waits for a parent.
///
/// https://github.com/hyochan/react-native-iap/issues/463
public final class ClearQueueShop: BlindShop {
    override public class var name: String { "blind-clear-queue" }
    override public class var summary: String { "Finishes everything on the queue before it buys." }

    override func pay(_ product: SKProduct, _ quantity: Int, _ answer: @escaping (PurchaseOutcome) -> Void) {
        for transaction in queue.transactions where transaction.transactionState != .purchasing {
            queue.finishTransaction(transaction)
        }
        super.pay(product, quantity, answer)
    }
}

/// Needs the product, for its name and price, to deliver a purchase, and leaves those alone whose product is not loaded.
/// What was left over from an earlier launch is told before the shop has been opened, and waits for another launch, in
/// which it is the same. The user has paid, and sees nothing.
///
/// "The observer needs product access in updatedTransactions": https://github.com/libgdx/gdx-pay/issues/192
public final class NeedsProductShop: BlindShop {
    override public class var name: String { "blind-needs-product" }
    override public class var summary: String { "Delivers a purchase only if its product has been loaded." }

    override func purchased(_ told: Delivery) {
        guard products[told.product] != nil else { return }
        super.purchased(told)
    }
}

/// The balance is read where StoreKit calls, and written a turn later on the main queue, after what was read. Two
/// purchases told together both start from the same balance: one of them is overwritten and finished.
///
/// Unguarded state between StoreKit's callbacks and a queue: https://github.com/hyochan/react-native-iap/issues/1696
public final class BalanceRaceShop: BlindShop {
    override public class var name: String { "blind-balance-race" }
    override public class var summary: String { "Reads the balance in the callback, and writes it on the main queue." }

    private var read: (product: String, balance: Int)?

    override func updated(_ batch: [Delivery]) {
        for told in batch {
            let held = super.balance(of: told.product)
            onMain { [self] in
                if isConsumable(told.product) { read = (told.product, held) }
                handle(told)
                read = nil
            }
        }
    }

    override func balance(of product: String) -> Int {
        if let read, read.product == product { return read.balance }
        return super.balance(of: product)
    }
}
