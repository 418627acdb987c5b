// The list of the broken StoreKit 2 clients, with what each one does and where such code was met.
// Values; any thread.

public import Judging

/// The client that the broken ones are made of. It is correct.
public let storeKit2BrokenBase = Judge(
    BrokenBase.self, "It delivers durably and then finishes, hears everything, and holds what StoreKit lists.",
    source: "Apple, documentation of Transaction")

/// Clients with one defect each.
public let storeKit2BrokenJudges: [Judge] =
    finishing + storing + listening + entitlements + answering + verifying + restoring

private let finishing = [
    Judge(
        NeverFinishes.self, "It delivers what StoreKit hands over and finishes none of it.",
        source: github("RevenueCat/purchases-ios/issues/1964")),
    Judge(
        FinishesBeforeServer.self, "It finishes first, and delivers once its server has answered, or never.",
        source: github("RevenueCat/purchases-ios/pull/2243")),
    Judge(
        FinishesFromAllOnly.self, "It finishes what it finds among all transactions, and otherwise waits for ever.",
        source: github("flutter/flutter/issues/192400")),
    Judge(
        ClearsQueueAtLaunch.self, "It finishes at each launch what is unfinished, without a look at it.",
        source: github("hyochan/react-native-iap/issues/1172")),
    Judge(
        AnalyticsFinishes.self, "Its revenue counter finishes what the shop has not delivered yet.",
        source: github("RevenueCat/purchases-ios/pull/2053")),
]

private let storing = [
    Judge(
        TwoWrites.self, "It writes the goods first and the transaction's identifier afterwards.",
        source: "Apple, documentation of Transaction.finish()"),
    Judge(
        SavesInBackground.self, "It finishes consumables that it saves only when it goes to the background.",
        source: forum(687199)),
    Judge(
        RecognisesSignedText.self, "It recognises deliveries by their signed text, which is new each time.",
        source: github("hyochan/react-native-iap/issues/2893")),
    Judge(
        ListensTwice.self, "Its two loops look for a known transaction, wait, and then both add the goods.",
        source: github("brave/brave-core/pull/39897")),
    Judge(
        IgnoresQuantity.self, "It adds one piece for a purchase of several.",
        source: github("flutter/flutter/issues/186490")),
    Judge(
        TakesHistoryForNew.self, "It grants the whole history at each launch.",
        source: github("j3k0/cordova-plugin-purchase/issues/1714")),
]

private let listening = [
    Judge(
        HasNoListener.self, "It knows of no purchase but those that its own calls return.",
        source: github("RevenueCat/purchases-ios/pull/1121")),
    Judge(
        LeavesDeliveryToUpdates.self, "It leaves the delivery of its purchases to the updates, which omit them.",
        source: github("RevenueCat/purchases-ios/pull/2063")),
    Judge(
        ListensAfterSignIn.self, "It begins to listen when the user first opens the shop, buys or restores.",
        source: forum(716059)),
    Judge(
        DropsUntilReady.self, "Its listener drops what comes before the shop is open.",
        source: github("hyochan/react-native-iap/pull/2344")),
    Judge(
        StopsInBackground.self, "It cancels its listener in the background and does not start it again.",
        source: github("RevenueCat/purchases-ios/pull/1150")),
    Judge(
        StopsAtError.self, "Its listener ends at the first transaction that cannot be verified.",
        source: forum(773198)),
]

private let entitlements = [
    Judge(
        IgnoresRevocation.self, "It keeps what was refunded.",
        source: github("flutter/flutter/issues/187035")),
    Judge(
        OfflineMeansNothing.self, "It locks everything when the store cannot be reached.",
        source: github("LeoKlaus/Paperparrot/issues/235")),
    Judge(
        EndsGraceByDate.self, "It takes subscriptions away at their date, and so during a grace period.",
        source: forum(697369)),
    Judge(
        GrantsRepeats.self, "It gives benefits again for a purchase of what the user has.",
        source: github("flutter/flutter/issues/171941")),
]

private let answering = [
    Judge(
        ShowsPendingAsFailure.self, "It shows a purchase that waits for approval as a failure.",
        source: github("hyochan/react-native-iap/issues/1973")),
    Judge(
        NeverAnswersCancel.self, "It does not answer a purchase that the user cancels.",
        source: github("RevenueCat/purchases-ios/issues/1445")),
    Judge(
        KeepsOneContinuation.self, "It keeps one continuation, which a second purchase at the same time replaces.",
        source: github("apphud/ApphudSDK/pull/147")),
]

private let verifying = [
    Judge(TrustsUnverified.self, "It delivers what cannot be verified.", source: forum(724634)),
    Judge(FinishesUnverified.self, "It finishes what cannot be verified, undelivered.", source: forum(773198)),
    Judge(
        RefusesForEver.self, "It refuses for ever what could not be verified once.", source: forum(695927)),
]

private let restoring = [
    Judge(
        NeverEndsRestore.self, "It answers a restore only if there was something to restore.",
        source: github("flutter/flutter/issues/180396")),
    Judge(
        HidesFailedSync.self, "It answers a failed restore with nothing to restore.", source: forum(692177)),
    Judge(
        RestoresHistory.self, "It restores what has expired or was refunded.",
        source: github("flutter/flutter/issues/150805")),
]

private func github(_ path: String) -> String { "https://github.com/\(path)" }
private func forum(_ thread: Int) -> String { "https://developer.apple.com/forums/thread/\(thread)" }
