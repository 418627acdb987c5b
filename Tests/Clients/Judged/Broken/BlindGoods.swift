// Blind clients that go wrong in what they write down, and in how they read the receipt.
// Confined to the device's main queue.

import Foundation
import Stampede
import StoreKit
import Text

/// Transactions are told apart by the original transaction's identifier, which all renewals of a subscription share.
/// Who subscribes again after a break has paid, and is taken for somebody who had it before.
///
/// https://github.com/voltrue2/in-app-purchase/issues/170
public final class OriginalIdentifierShop: BlindShop {
    override public class var name: String { "blind-original-identifier" }
    override public class var summary: String { "Records the original transaction's identifier as delivered." }

    override func recordKey(_ told: Delivery) -> String? {
        (told.originalIdentifier ?? told.identifier).map { Keys.done($0) }
    }
}

/// The record of a transaction is deleted when it is finished, for the record not to grow. A finish may fail silently,
/// and the transaction be told once more: the user gets the coins twice.
///
/// https://github.com/mullvad/mullvadvpn-app/pull/5371
public final class LogPrunedShop: BlindShop {
    override public class var name: String { "blind-log-pruned" }
    override public class var summary: String { "Forgets a transaction's identifier when it has finished it." }

    override func finish(_ told: Delivery) {
        super.finish(told)
        if told.state == .purchased, let key = recordKey(told) { store([(key, nil)]) }
    }
}

/// Whether a purchase in the receipt counts is decided by its expiration alone. What was refunded keeps its
/// entitlement: a lifetime purchase for ever.
///
/// https://github.com/qonversion/qonversion-ios-sdk/pull/739
public final class ExpiryOnlyShop: BlindShop {
    override public class var name: String { "blind-expiry-only" }
    override public class var summary: String { "Looks at a purchase's expiration, and not at its cancellation." }

    override func isValid(_ purchase: AppReceipt.Purchase) -> Bool {
        purchase.expiresDate.map { $0 > environment.now } ?? true
    }
}

/// Takes away every product that a revocation names, without looking into the receipt as Apple asks. Somebody whose
/// family stops sharing a product, and who has bought it too, loses what is paid for.
///
/// The documentation is quoted in https://github.com/benjaminmayo/merchantkit/issues/59
public final class RevokeListedShop: BlindShop {
    override public class var name: String { "blind-revoke-listed" }
    override public class var summary: String { "Takes away what a revocation names, whatever the receipt says." }

    override func revoked(_ productIdentifiers: [String]) {
        for product in productIdentifiers where !isConsumable(product) {
            store([(Keys.balance(product), .integer(0))])
        }
    }
}

/// One good for each transaction, however many were bought with it: the quantity is passed on when paying, and not read
/// back when delivering.
///
/// https://github.com/flutter/flutter/issues/186490
public final class OneEachShop: BlindShop {
    override public class var name: String { "blind-one-each" }
    override public class var summary: String { "Delivers one for each transaction, whatever its quantity." }

    override func units(_ told: Delivery) -> Int { 1 }
}

/// A product that the receipt does not show as paid for is taken away, also if the receipt is older than the purchase.
/// A subscriber is locked out until the receipt has caught up.
///
/// https://github.com/lionheart/openradar-mirror/issues/16204
public final class StaleReceiptShop: BlindShop {
    override public class var name: String { "blind-stale-receipt" }
    override public class var summary: String { "Believes the receipt against its own record of a purchase." }

    override func isOver(_ product: String, source: String, _ receipt: AppReceipt) -> Bool {
        !receipt.inApp.contains { $0.productIdentifier == product && isValid($0) }
    }
}

/// Goods and record go through the user defaults, one after the other, and the transaction is finished without waiting
/// for them to reach the disk. A crash in the seconds after it takes the goods back.
///
/// Apple's In-App Purchase Programming Guide treats the step under "Persisting Using User Defaults or iCloud".
public final class UnflushedShop: BlindShop {
    override public class var name: String { "blind-unflushed" }
    override public class var summary: String { "Sets the user defaults, and finishes without synchronising." }

    override func store(_ changes: [(key: String, value: AppValue?)]) {
        for change in changes { environment.defaults.set(change.value, forKey: change.key) }
    }

    override func balance(of product: String) -> Int { environment.defaults.integer(forKey: Keys.balance(product)) }
    override func isRecorded(_ key: String) -> Bool { environment.defaults.bool(forKey: key) }
}
