// Known clients that listen too late, too often or not at all, and such as ask on their own account.
// Confined to the device's main queue; each cites its thread.

import Foundation
import Stampede
import StoreKit

/// The observer is added when the user comes to the shop for the first time. What is left over from an earlier launch
/// waits until then, and a promoted purchase finds nobody.
///
/// https://github.com/j3k0/cordova-plugin-purchase/issues/620
public final class ObservesInShopShop: BlindShop {
    override public class var name: String { "known-observes-in-shop" }
    override public class var summary: String { "Observes the queue from the first fetch, purchase or restore on." }

    private var isObserving = false

    private func observe() {
        if isObserving { return }
        isObserving = true
        queue.add(self)
    }

    override public func launch() { reviewEntitlements() }

    override public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        observe()
        super.fetchProducts(identifiers, completion: completion)
    }

    override public func purchase(
        _ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        observe()
        super.purchase(identifier, quantity: quantity, completion: completion)
    }

    override public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        observe()
        super.restore(completion: completion)
    }
}

/// Adds itself to the queue before each restore, to be sure to be there. Every callback comes twice from then on, and
/// the user may be asked for the password twice.
///
/// https://github.com/j3k0/cordova-plugin-purchase/pull/186
public final class ObserverAgainShop: BlindShop {
    override public class var name: String { "known-observer-again" }
    override public class var summary: String { "Adds its observer again before each restore." }

    override func beginRestore() {
        queue.add(self)
        super.beginRestore()
    }
}

/// Takes its observer away in the background, and adds it where it is made: at launch. An app that comes forward hears
/// of no transaction any more: the purchase is charged, and shows up when the app is started anew.
///
/// https://github.com/hyochan/react-native-iap/pull/1809
public final class DeafShop: BlindShop {
    override public class var name: String { "known-deaf" }
    override public class var summary: String { "Removes its observer in the background, and adds it at launch only." }

    override public func didEnterBackground() { queue.remove(self) }
}

/// Restores by itself at the first launch, for users not to have to look for the button. Somebody who has bought
/// nothing, and opens the app for the first time, is asked for a password.
///
/// https://github.com/hyochan/flutter_inapp_purchase/issues/171
public final class RestoresAtLaunchShop: BlindShop {
    override public class var name: String { "known-restores-at-launch" }
    override public class var summary: String { "Restores at the first launch, without being asked." }

    private static let asked = "has-restored"

    override public func launch() {
        super.launch()
        if environment.hasDurable(Self.asked) { return }
        store([(Self.asked, .flag(true))])
        restore { _ in }
    }
}

/// Puts the sheet about a raised price off, because it would cover a level, and never shows it. Subscribers are not
/// asked whether they agree: their subscriptions end.
///
/// The missing half is "manually handle showing": https://github.com/RevenueCat/purchases-ios/pull/1520
public final class PriceConsentShop: BlindShop, SKPaymentQueueDelegate {
    override public class var name: String { "known-price-consent" }
    override public class var summary: String { "Puts the sheet about a raised price off, for ever." }

    override public func launch() {
        queue.delegate = self
        super.launch()
    }

    public func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool { false }
}
