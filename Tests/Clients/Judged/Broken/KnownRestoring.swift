// Known clients that go wrong in a restore, or in what they read from the receipt.
// Confined to the device's main queue; each cites its thread.

import Foundation
import Stampede
import StoreKit

/// A restore that the user cancels is not answered: there is nothing to say. The screen with the spinner waits for an
/// answer all the same.
///
/// https://github.com/j3k0/cordova-plugin-purchase/issues/14
public final class RestoreCancelSilentShop: BlindShop {
    override public class var name: String { "known-restore-cancel-silent" }
    override public class var summary: String { "Gives no answer to a restore that is cancelled." }

    override func restoreFailed(_ error: any Error) {
        if Self.isCancel(error) { return restores = [] }
        super.restoreFailed(error)
    }
}

/// One property holds the completion of a restore. Who taps twice, or opens a second screen that restores, takes the
/// place of the first, whose spinner stays.
///
/// Mended by an array of blocks: https://github.com/apphud/ApphudSDK/pull/43
public final class RestoreOverwrittenShop: BlindShop {
    override public class var name: String { "known-restore-overwritten" }
    override public class var summary: String { "Keeps the completion of the latest restore only." }

    override public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        let isRunning = !restores.isEmpty
        restores = [completion]
        if !isRunning { beginRestore() }
    }
}

/// A restore that fails or is cancelled is told as done: the app looks at what it holds afterwards, and says how much
/// came back. Without a network the user reads that there is nothing to restore.
///
/// https://github.com/RevenueCat/purchases-ios/issues/94
public final class RestoreFailedNothingShop: BlindShop {
    override public class var name: String { "known-restore-failed-nothing" }
    override public class var summary: String { "Tells of a failed restore as of one that found nothing." }

    override func restoreFailed(_ error: any Error) { restoreFinished() }
}

/// Unlocks the first product that a restore tells of. With one product in the shop it is all there is; who owns two
/// gets one back.
///
/// The code in https://github.com/bizz84/SwiftyStoreKit/issues/517 looks at the first.
public final class RestoreFirstShop: BlindShop {
    override public class var name: String { "known-restore-first" }
    override public class var summary: String { "Unlocks the first product of a restore." }

    override func deliverRestored(_ told: Delivery) {
        if restores.isEmpty || restored.isEmpty { super.deliverRestored(told) }
    }
}

/// The end of a restore without an error unlocks the full version, whatever was restored. An account that never bought
/// anything gets it for a tap.
///
/// https://github.com/MKSG-MugunthKumar/MKStoreKit/pull/146
public final class RestoreUnlocksAllShop: BlindShop {
    override public class var name: String { "known-restore-unlocks-all" }
    override public class var summary: String { "Unlocks everything when a restore ends without an error." }

    override func restoreFinished() {
        for product in environment.products where product.kind == .nonConsumable {
            store([(Keys.balance(product.identifier), .integer(1))])
        }
        super.restoreFinished()
    }
}

/// The receipt is read once, and kept in a file that is read ever after. What ends later does not show there: a refund,
/// or a subscription that was bought afterwards and has run out.
///
/// Nothing resets the cached receipt in https://github.com/j3k0/cordova-plugin-purchase/issues/121
public final class ReceiptCachedShop: BlindShop {
    override public class var name: String { "known-receipt-cached" }
    override public class var summary: String { "Reads its entitlements from the first receipt it has seen." }

    private static let copy = "receipt-copy"

    private var receipt: AppReceipt? {
        if let data = environment.files.read(Self.copy) { return try? AppReceipt(contentsOf: data) }
        guard let receipt = environment.receipt else { return nil }
        let data = receipt.encoded()
        environment.files.write(data, to: Self.copy)
        return receipt
    }

    override func isOver(_ product: String, source: String, _ receipt: AppReceipt) -> Bool {
        super.isOver(product, source: source, self.receipt ?? receipt)
    }
}

/// Of the purchases of a product in the receipt it looks at the last one in the list, which is not the latest in time.
/// A subscriber who has renewed, or has bought what was also shared, loses what is paid for.
///
/// https://github.com/jnbt/candy_check/issues/37
public final class ReceiptLastShop: BlindShop {
    override public class var name: String { "known-receipt-last" }
    override public class var summary: String { "Judges a product by the last purchase in the receipt's list." }

    override func isOver(_ product: String, source: String, _ receipt: AppReceipt) -> Bool {
        let purchases = receipt.inApp.filter { $0.productIdentifier == product }
        guard let last = purchases.last, purchases.contains(where: { $0.transactionIdentifier == source }) else {
            return false
        }
        return !isValid(last)
    }
}
