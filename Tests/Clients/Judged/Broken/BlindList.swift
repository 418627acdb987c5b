// The blind clients: defects that were met in public, written without knowledge of the audit's rules.
// Constants; any thread.

import Judging

/// Not broken.
public let blindBases: [Judge] = [
    Judge(
        BlindShop.self, "Nothing is wrong with it.",
        source: "https://developer.apple.com/library/archive/technotes/tn2387/_index.html")
]

/// Each differs from the base by one mechanism.
public let blindJudges: [Judge] = [
    Judge(
        KeyByProductShop.self, "The first transaction of a product answers all its open purchases.",
        source: "https://github.com/hyochan/react-native-iap/issues/2550"),
    Judge(
        LastHandlerShop.self, "One stored completion, overwritten by the next purchase and kept after a cancellation.",
        source: "https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/28"),
    Judge(
        PatienceShop.self, "A purchase is told to have failed after 30 seconds, with its payment still queued.",
        source: "https://github.com/robotmedia/RMStore/issues/171"),
    Judge(
        RetryShop.self, "A failed purchase is paid again, up to three times, without asking.",
        source: "https://github.com/RevenueCat/react-native-purchases/issues/319"),
    Judge(
        PromotionKeptShop.self, "A promoted payment waits in one place in memory until the shop is opened.",
        source: "https://github.com/libgdx/gdx-pay/issues/192"),
    Judge(
        BusyFlagShop.self, "A flag that refuses purchases stays up after a failed restore.",
        source: "https://github.com/BlueRiverInteractive/robovm-ios-bindings/issues/51"),
    Judge(
        OneRequestShop.self, "A request for products frees the one before, which is never answered.",
        source: "https://github.com/robotmedia/RMStore/pull/183"),
    Judge(
        UsernameShop.self, "What comes back without the application's user name is left on the queue for ever.",
        source: "https://github.com/flutter/flutter/issues/129203"),
    Judge(
        OwnedUnansweredShop.self, "A purchase that comes back as restored is not answered.",
        source: "https://github.com/bizz84/SwiftyStoreKit/pull/105"),
    Judge(
        DeferredUnwrapShop.self, "A deferred transaction's missing identifier is unwrapped: the app crashes.",
        source: "https://github.com/expo/expo/issues/13420"),
    Judge(
        NobodyWaitsShop.self, "A purchase that no caller waits for is finished without delivery.",
        source: "https://github.com/dashdevs/PurchaseController/pull/10"),
    Judge(
        FinishFirstShop.self, "A purchase is finished a turn before it is delivered.",
        source: "https://github.com/hyochan/react-native-iap/issues/581"),
    Judge(
        ClearQueueShop.self, "Everything on the queue is finished before a purchase.",
        source: "https://github.com/hyochan/react-native-iap/issues/463"),
    Judge(
        NeedsProductShop.self, "A purchase whose product is not loaded is neither delivered nor finished.",
        source: "https://github.com/libgdx/gdx-pay/issues/192"),
    Judge(
        BalanceRaceShop.self, "The balance is read in the callback, and written a turn later.",
        source: "https://github.com/hyochan/react-native-iap/issues/1696"),
    Judge(
        ObserverAfterProductsShop.self, "The queue is observed once a request for products has succeeded.",
        source: "https://github.com/libgdx/gdx-pay/issues/192"),
    Judge(
        RestoreNothingShop.self, "A restore is answered by its transactions, and never if there are none.",
        source: "https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/2"),
    Judge(
        RestoreFlagShop.self, "From the second restore on, the first restored transaction gives the answer.",
        source: "https://github.com/robotmedia/RMStore/pull/35"),
    Judge(
        ExpiredRestoredShop.self, "Expired subscriptions are unlocked by a restore.",
        source: "https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/20"),
    Judge(
        OriginalIdentifierShop.self, "A renewal counts as delivered, because its original transaction was.",
        source: "https://github.com/voltrue2/in-app-purchase/issues/170"),
    Judge(
        LogPrunedShop.self, "A transaction's record is deleted when it is finished, and a finish may fail.",
        source: "https://github.com/mullvad/mullvadvpn-app/pull/5371"),
    Judge(
        ExpiryOnlyShop.self, "The receipt's cancellation date is not looked at.",
        source: "https://github.com/qonversion/qonversion-ios-sdk/pull/739"),
    Judge(
        RevokeListedShop.self, "A revocation takes its products away without a look at the receipt.",
        source: "https://github.com/benjaminmayo/merchantkit/issues/59"),
    Judge(
        OneEachShop.self, "A transaction delivers one, whatever its quantity.",
        source: "https://github.com/flutter/flutter/issues/186490"),
    Judge(
        StaleReceiptShop.self, "What the receipt does not list is taken away, also if the receipt is older.",
        source: "https://github.com/lionheart/openradar-mirror/issues/16204"),
    Judge(
        UnflushedShop.self, "The user defaults are not synchronised before the transaction is finished.",
        source:
            "Apple, In-App Purchase Programming Guide, Delivering Products, Persisting Using User Defaults or iCloud"),
]
