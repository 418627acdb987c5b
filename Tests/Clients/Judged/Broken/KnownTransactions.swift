// Known clients that deliver or finish a transaction in the wrong way.
// Confined to the device's main queue; each cites its thread.

import Foundation
import Stampede
import StoreKit

/// Failed transactions are reported and not finished: there is nothing to deliver. They come back at every launch, and
/// may stand in the way of the next purchase of the product.
///
/// https://github.com/bizz84/SwiftyStoreKit/pull/322
public final class FailedUnfinishedShop: BlindShop {
    override public class var name: String { "known-failed-unfinished" }
    override public class var summary: String { "Does not finish failed transactions." }

    override func failed(_ told: Delivery) { settle(told, Self.outcome(of: told.error)) }
}

/// Before a restore everything on the queue is finished, for stuck transactions to come anew. Nothing looks at their
/// state: a purchase that is being made raises an exception, and one that is not delivered yet is gone.
///
/// https://github.com/flutter/flutter/issues/154763
public final class ClearAllShop: BlindShop {
    override public class var name: String { "known-clear-all" }
    override public class var summary: String { "Finishes all transactions before a restore, in whatever state." }

    override func beginRestore() {
        for transaction in queue.transactions { queue.finishTransaction(transaction) }
        super.beginRestore()
    }
}

/// Looks through the queue for purchases that were left over whenever the app comes forward, and grants them, although
/// the observer has. A finish that is late, or failed, leaves them there: the user gets the coins twice.
///
/// The advice to look at the pending purchases: https://github.com/hyochan/react-native-iap/issues/1172
public final class PendingAgainShop: BlindShop {
    override public class var name: String { "known-pending-again" }
    override public class var summary: String { "Grants what is on the queue again when the app comes forward." }

    override public func willEnterForeground() {
        super.willEnterForeground()
        for transaction in queue.transactions where transaction.transactionState == .purchased {
            let told = Delivery(transaction)
            if isConsumable(told.product) {
                store([(Keys.balance(told.product), .integer(balance(of: told.product) + units(told)))])
            }
            finish(told)
        }
    }
}

/// Asks the validator before it delivers. If that does not confirm the receipt, or cannot be reached, the purchase is
/// finished without delivery. Who buys while the server is down has paid for nothing.
///
/// "The user will not get what he just bought": https://github.com/soomla/ios-store/issues/69
public final class ValidatorDropsShop: BlindShop {
    override public class var name: String { "known-validator-drops" }
    override public class var summary: String { "Finishes a purchase undelivered if its receipt is not confirmed." }

    override func purchased(_ told: Delivery) {
        let receipt = environment.receipt?.encoded() ?? Data()
        let question: [String: Any] = [
            "id": environment.bundleIdentifier, "type": "application",
            "device": ["model": "iPhone", "systemName": "iOS"],
            "transaction": ["type": "ios-appstore", "appStoreReceipt": receipt.base64EncodedString()],
            "additionalData": ["applicationUsername": ""],
        ]
        let body = (try? JSONSerialization.data(withJSONObject: question)) ?? Data()
        environment.http.post(environment.validatorURL, body) { [self] result in
            if case .success(let response) = result, response.status == 200 { return confirmed(told) }
            finish(told)
            settle(told, .failed(message: "The purchase could not be verified."))
        }
    }

    private func confirmed(_ told: Delivery) { super.purchased(told) }
}

/// `restored` is part of a restore, and there is none: when a product that is owned already is bought again on a new
/// device and comes back like this, it is finished and not unlocked. The user is told that all went well, and has to
/// find the button "Restore".
///
/// https://github.com/64characters/Telephone/issues/285
public final class RepurchaseRestoredShop: BlindShop {
    override public class var name: String { "known-repurchase-restored" }
    override public class var summary: String { "Unlocks a restored transaction only during a restore." }

    override func restored(_ told: Delivery) {
        if !restores.isEmpty { return super.restored(told) }
        finish(told)
        settle(told, .purchased)
    }
}

/// The balance is part of the app's state, which is saved when the app leaves the screen or ends. If it crashes before
/// that, what was bought since is gone, and finished.
///
/// "An object that supports state preservation": https://apple-docs.everest.mt/docs/storekit/persisting-a-purchase/
public final class SavedInBackgroundShop: BlindShop {
    override public class var name: String { "known-saved-in-background" }
    override public class var summary: String { "Saves goods when the app enters the background, and not before." }

    private var unsaved: [(key: String, value: AppValue?)] = []

    private func save() {
        if !unsaved.isEmpty { super.store(unsaved) }
        unsaved = []
    }

    override public func didEnterBackground() { save() }

    override public func willTerminate() {
        save()
        super.willTerminate()
    }

    override func store(_ changes: [(key: String, value: AppValue?)]) { unsaved += changes }

    override func balance(of product: String) -> Int {
        let last = unsaved.last { $0.key == Keys.balance(product) }
        if case .integer(let held)? = last?.value { return held }
        return super.balance(of: product)
    }

    override func isRecorded(_ key: String) -> Bool {
        unsaved.contains { $0.key == key } || super.isRecorded(key)
    }
}

/// The identifiers of delivered transactions are kept for the session. One that the app did not get to finish before it
/// crashed is delivered again by the next launch: coins for nothing.
///
/// "For the current connection session": https://github.com/hyodotdev/openiap/pull/153
public final class LogForgottenShop: BlindShop {
    override public class var name: String { "known-log-forgotten" }
    override public class var summary: String { "Knows only in memory which transactions it has delivered." }

    private var delivered: Set<String> = []

    override func isRecorded(_ key: String) -> Bool { delivered.contains(key) }

    override func store(_ changes: [(key: String, value: AppValue?)]) {
        delivered.formUnion(changes.map(\.key).filter { $0.hasPrefix(Keys.done("")) })
        super.store(changes.filter { !$0.key.hasPrefix(Keys.done("")) })
    }
}

/// The list of delivered transactions is cut to the latest five, for it not to grow. A transaction whose finish failed,
/// and that is told again after five others, is delivered again.
///
/// "Capped … and evict old entries": https://github.com/hyodotdev/openiap/pull/153
public final class LogCappedShop: BlindShop {
    override public class var name: String { "known-log-capped" }
    override public class var summary: String { "Remembers the five transactions delivered last." }

    private static let log = "delivered-log"
    private var delivered: [String] { environment.durableText(Self.log).split(separator: " ").map(String.init) }

    override func isRecorded(_ key: String) -> Bool { delivered.contains(key) }

    override func store(_ changes: [(key: String, value: AppValue?)]) {
        let new = changes.map(\.key).filter { $0.hasPrefix(Keys.done("")) }
        let kept = (delivered + new).suffix(5).joined(separator: " ")
        super.store(changes.filter { !$0.key.hasPrefix(Keys.done("")) } + [(Self.log, .text(kept))])
    }
}

/// How many were bought stands with the caller, not with the transaction. What no caller waits for, because it comes in
/// a later launch or is approved later, counts as one.
///
/// Purchases lacked their quantity before https://github.com/hyochan/react-native-iap/pull/1476
public final class RedeliveredOneShop: BlindShop {
    override public class var name: String { "known-redelivered-one" }
    override public class var summary: String { "Knows the quantity of a purchase only while its caller waits." }

    override func units(_ told: Delivery) -> Int {
        waits.first { $0.transaction === told.transaction }?.quantity ?? 1
    }
}
