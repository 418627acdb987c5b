// Known clients that go wrong between the buyer and the payment queue.
// Confined to the device's main queue; each cites its thread.

import Foundation
import Stampede
import StoreKit

/// A second payment for a product is refused while a transaction of it is on the queue, whatever its state. A request
/// to a parent that is never answered, or a purchase whose finish is late, keeps the product from being bought.
///
/// "This seems to prevent that": https://github.com/flutter-team-archive/plugins/pull/2646
public final class PendingRefusedShop: BlindShop {
    override public class var name: String { "known-pending-refused" }
    override public class var summary: String { "Refuses to sell a product that is on the queue already." }

    override func pay(_ product: SKProduct, _ quantity: Int, _ answer: @escaping (PurchaseOutcome) -> Void) {
        if queue.transactions.contains(where: { $0.payment.productIdentifier == product.productIdentifier }) {
            return answer(.refused(reason: "There is a pending transaction for the same product identifier."))
        }
        super.pay(product, quantity, answer)
    }
}

/// Every failed transaction is taken for a cancelled one: the failure callback has no argument. Whose card is declined
/// sees the sheet close without a word, and tries again and again.
///
/// The log in https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/98
public final class ErrorIsCancelShop: BlindShop {
    override public class var name: String { "known-error-is-cancel" }
    override public class var summary: String { "Takes every failed transaction for a cancelled one." }

    override func failed(_ told: Delivery) {
        finish(told)
        settle(told, .cancelled)
    }
}

/// The error of a failed transaction is shown, whatever its code. Who taps "Cancel" reads that the app cannot connect
/// to the iTunes Store.
///
/// https://github.com/robotmedia/RMStore/issues/39
public final class CancelShownShop: BlindShop {
    override public class var name: String { "known-cancel-shown" }
    override public class var summary: String { "Shows the error of a failed transaction, a cancellation too." }

    override func failed(_ told: Delivery) {
        finish(told)
        settle(told, .failed(message: told.error?.localizedDescription ?? "Cannot connect to iTunes Store"))
    }
}

/// A deferred transaction is reported through the error that the completion has room for. A child reads that the
/// purchase failed, and the parents pay a week later for what nobody expects any more.
///
/// https://github.com/qonversion/qonversion-ios-sdk/issues/392
public final class DeferredFailedShop: BlindShop {
    override public class var name: String { "known-deferred-failed" }
    override public class var summary: String { "Tells of a deferred purchase as of a failed one." }

    override func deferred(_ told: Delivery) { settle(told, .failed(message: "The payment is deferred.")) }
}

/// Nothing is done for a deferred transaction. The caller waits behind a spinner for the parents' answer, for ever if
/// they decline or forget it.
///
/// https://github.com/RevenueCat/purchases-ios/issues/273
public final class DeferredSilentShop: BlindShop {
    override public class var name: String { "known-deferred-silent" }
    override public class var summary: String { "Answers a purchase when the parents have decided, and not before." }

    override func deferred(_ told: Delivery) {}
}

/// A deferred purchase is answered, and its caller kept for the final state, as Apple's text seems to ask. The
/// completion runs twice: a promise is resolved twice, a screen closed twice.
///
/// The question in https://github.com/bizz84/SwiftyStoreKit/issues/663 asks for this.
public final class DeferredTwiceShop: BlindShop {
    override public class var name: String { "known-deferred-twice" }
    override public class var summary: String { "Answers a deferred purchase, and once more when it is decided." }

    override func deferred(_ told: Delivery) {
        waits.first { $0.transaction === told.transaction }?.answer(.deferred)
    }
}

/// If a purchase has no answer after ten seconds it is unlocked, to be on the safe side. Who opens the sheet and leaves
/// it open, or is asked for a password, gets the goods without paying; who pays later gets them twice.
///
/// "After that time expires, unlock": https://github.com/AlexDisler/cordova-plugin-inapppurchase/issues/113
public final class PatienceUnlocksShop: BlindShop {
    override public class var name: String { "known-patience-unlocks" }
    override public class var summary: String { "Delivers a purchase that has no answer after ten seconds." }

    override func pay(_ product: SKProduct, _ quantity: Int, _ answer: @escaping (PurchaseOutcome) -> Void) {
        var isOpen = true
        super.pay(product, quantity) { outcome in
            if isOpen { answer(outcome) }
            isOpen = false
        }
        environment.main.asyncAfter(seconds: 10) { [self] in
            if !isOpen { return }
            isOpen = false
            let identifier = product.productIdentifier
            let held = isConsumable(identifier) ? balance(of: identifier) + quantity : 1
            store([(Keys.balance(identifier), .integer(held))])
            answer(.purchased)
        }
    }
}

/// Delivers the product that was tapped last, whichever transaction arrives. With one purchase at a time it is the
/// same; with two, or when one of an earlier launch arrives, the user gets something that was not paid for.
///
/// Every request handled every transaction before https://github.com/bizz84/SwiftyStoreKit/pull/24
public final class LastProductShop: BlindShop {
    override public class var name: String { "known-last-product" }
    override public class var summary: String { "Delivers the product of the latest tap, not the transaction's." }

    private var tapped: String?

    override public func purchase(
        _ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        tapped = identifier
        super.purchase(identifier, quantity: quantity, completion: completion)
    }

    override func deliver(_ told: Delivery) -> Bool {
        guard let tapped, tapped != told.product else { return super.deliver(told) }
        guard let key = recordKey(told), !isRecorded(key) else { return false }
        let held = isConsumable(tapped) ? balance(of: tapped) + units(told) : 1
        store([(Keys.balance(tapped), .integer(held)), (key, .flag(true))])
        return true
    }
}

/// A promoted purchase is turned down while another one is open, and not kept for later. Who taps a product in the App
/// Store during Ask to Buy, or while a sheet hangs, sees the app come forward and nothing happen.
///
/// The part that says "cache it" is left out: https://github.com/RevenueCat/react-native-purchases/pull/98
public final class PromotionBusyShop: BlindShop {
    override public class var name: String { "known-promotion-busy" }
    override public class var summary: String { "Turns a promoted purchase down while another is open." }

    override func promoted(_ payment: SKPayment, _ product: SKProduct) -> Bool {
        waits.isEmpty && queue.transactions.isEmpty && super.promoted(payment, product)
    }
}

/// Forgets who waits when the app leaves the screen, because the screen that would show the answer is gone. The App
/// Store's own sheets, and the settings for a payment method, send it there in the middle of a purchase: the goods
/// arrive, the spinner stays.
///
/// The symptom: https://github.com/hyochan/react-native-iap/issues/1253
public final class BackgroundForgetsShop: BlindShop {
    override public class var name: String { "known-background-forgets" }
    override public class var summary: String { "Drops the callers of open purchases when it enters the background." }

    override public func didEnterBackground() { waits = [] }
}

/// An answer counts only if its transaction is younger than the tap, to keep old transactions from answering new
/// purchases; the time of the tap is kept for each product. Two purchases of a product share the later time, and a
/// purchase for which the store returns the unfinished one before it is never answered.
///
/// "When would this callback get removed?": https://github.com/RevenueCat/purchases-ios/pull/2890
public final class DatedShop: BlindShop {
    override public class var name: String { "known-dated" }
    override public class var summary: String { "Gives no answer for a transaction that is older than the tap." }

    private var tapped: [String: Date] = [:]

    override func expect(_ wait: Wait) {
        tapped[wait.product] = environment.now
        super.expect(wait)
    }

    override func settle(_ told: Delivery, _ outcome: PurchaseOutcome) {
        if let made = told.date, let tap = tapped[told.product], made < tap { return }
        super.settle(told, outcome)
    }
}
