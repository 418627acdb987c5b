// The known clients: defects that were met in public, one mechanism each, with the thread that tells of it.
// Constants; any thread.

import Judging

/// Each differs from the blind base by one mechanism.
public let knownJudges: [Judge] = [
    Judge(
        FetchDeadShop.self, "Remembers that a request for products failed, and asks no more.",
        source: "https://github.com/apphud/ApphudSDK/issues/151"),
    Judge(
        FetchEmptyShop.self, "Passes a failed request for products on as an empty list.",
        source: "https://github.com/RevenueCat/purchases-ios/pull/1017"),
    Judge(
        RequestUnheldShop.self, "Does not hold on to its requests for products.",
        source: "https://github.com/mattt/CargoBay/pull/64"),
    Judge(
        FetchSpinsShop.self, "Repeats a failed request for products at once, for ever.",
        source: "https://github.com/adaptyteam/AdaptySDK-iOS/issues/70"),
    Judge(
        NeedsFetchShop.self, "Refuses to sell a product that was not fetched in this launch.",
        source: "https://github.com/chirag04/react-native-in-app-utils/issues/39"),
    Judge(
        WantedAgainShop.self, "Adds a payment whenever the product bought last arrives.",
        source: "https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/132"),
    Judge(
        PendingRefusedShop.self, "Refuses to sell a product that is on the queue already.",
        source: "https://github.com/flutter-team-archive/plugins/pull/2646"),
    Judge(
        ErrorIsCancelShop.self, "Takes every failed transaction for a cancelled one.",
        source: "https://github.com/MKSG-MugunthKumar/MKStoreKit/issues/98"),
    Judge(
        CancelShownShop.self, "Shows the error of a failed transaction, a cancellation too.",
        source: "https://github.com/robotmedia/RMStore/issues/39"),
    Judge(
        DeferredFailedShop.self, "Tells of a deferred purchase as of a failed one.",
        source: "https://github.com/qonversion/qonversion-ios-sdk/issues/392"),
    Judge(
        DeferredSilentShop.self, "Answers a purchase when the parents have decided, and not before.",
        source: "https://github.com/RevenueCat/purchases-ios/issues/273"),
    Judge(
        DeferredTwiceShop.self, "Answers a deferred purchase, and once more when it is decided.",
        source: "https://github.com/bizz84/SwiftyStoreKit/issues/663"),
    Judge(
        PatienceUnlocksShop.self, "Delivers a purchase that has no answer after ten seconds.",
        source: "https://github.com/AlexDisler/cordova-plugin-inapppurchase/issues/113"),
    Judge(
        LastProductShop.self, "Delivers the product of the latest tap, not the transaction's.",
        source: "https://github.com/bizz84/SwiftyStoreKit/pull/24"),
    Judge(
        PromotionBusyShop.self, "Turns a promoted purchase down while another is open.",
        source: "https://github.com/RevenueCat/react-native-purchases/pull/98"),
    Judge(
        BackgroundForgetsShop.self, "Drops the callers of open purchases when it enters the background.",
        source: "https://github.com/hyochan/react-native-iap/issues/1253"),
    Judge(
        DatedShop.self, "Gives no answer for a transaction that is older than the tap.",
        source: "https://github.com/RevenueCat/purchases-ios/pull/2890"),
    Judge(
        FailedUnfinishedShop.self, "Does not finish failed transactions.",
        source: "https://github.com/bizz84/SwiftyStoreKit/pull/322"),
    Judge(
        ClearAllShop.self, "Finishes all transactions before a restore, in whatever state.",
        source: "https://github.com/flutter/flutter/issues/154763"),
    Judge(
        PendingAgainShop.self, "Grants what is on the queue again when the app comes forward.",
        source: "https://github.com/hyochan/react-native-iap/issues/1172"),
    Judge(
        ValidatorDropsShop.self, "Finishes a purchase undelivered if its receipt is not confirmed.",
        source: "https://github.com/soomla/ios-store/issues/69"),
    Judge(
        RepurchaseRestoredShop.self, "Unlocks a restored transaction only during a restore.",
        source: "https://github.com/64characters/Telephone/issues/285"),
    Judge(
        SavedInBackgroundShop.self, "Saves goods when the app enters the background, and not before.",
        source: "https://apple-docs.everest.mt/docs/storekit/persisting-a-purchase/"),
    Judge(
        LogForgottenShop.self, "Knows only in memory which transactions it has delivered.",
        source: "https://github.com/hyodotdev/openiap/pull/153"),
    Judge(
        LogCappedShop.self, "Remembers the five transactions delivered last.",
        source: "https://github.com/hyodotdev/openiap/pull/153"),
    Judge(
        RedeliveredOneShop.self, "Knows the quantity of a purchase only while its caller waits.",
        source: "https://github.com/hyochan/react-native-iap/pull/1476"),
    Judge(
        ObservesInShopShop.self, "Observes the queue from the first fetch, purchase or restore on.",
        source: "https://github.com/j3k0/cordova-plugin-purchase/issues/620"),
    Judge(
        ObserverAgainShop.self, "Adds its observer again before each restore.",
        source: "https://github.com/j3k0/cordova-plugin-purchase/pull/186"),
    Judge(
        DeafShop.self, "Removes its observer in the background, and adds it at launch only.",
        source: "https://github.com/hyochan/react-native-iap/pull/1809"),
    Judge(
        RestoresAtLaunchShop.self, "Restores at the first launch, without being asked.",
        source: "https://github.com/hyochan/flutter_inapp_purchase/issues/171"),
    Judge(
        PriceConsentShop.self, "Puts the sheet about a raised price off, for ever.",
        source: "https://github.com/RevenueCat/purchases-ios/pull/1520"),
    Judge(
        RestoreCancelSilentShop.self, "Gives no answer to a restore that is cancelled.",
        source: "https://github.com/j3k0/cordova-plugin-purchase/issues/14"),
    Judge(
        RestoreOverwrittenShop.self, "Keeps the completion of the latest restore only.",
        source: "https://github.com/apphud/ApphudSDK/pull/43"),
    Judge(
        RestoreFailedNothingShop.self, "Tells of a failed restore as of one that found nothing.",
        source: "https://github.com/RevenueCat/purchases-ios/issues/94"),
    Judge(
        RestoreFirstShop.self, "Unlocks the first product of a restore.",
        source: "https://github.com/bizz84/SwiftyStoreKit/issues/517"),
    Judge(
        RestoreUnlocksAllShop.self, "Unlocks everything when a restore ends without an error.",
        source: "https://github.com/MKSG-MugunthKumar/MKStoreKit/pull/146"),
    Judge(
        ReceiptCachedShop.self, "Reads its entitlements from the first receipt it has seen.",
        source: "https://github.com/j3k0/cordova-plugin-purchase/issues/121"),
    Judge(
        ReceiptLastShop.self, "Judges a product by the last purchase in the receipt's list.",
        source: "https://github.com/jnbt/candy_check/issues/37"),
]
