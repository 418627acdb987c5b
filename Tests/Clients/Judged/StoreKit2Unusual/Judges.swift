// The list of unusual clients of StoreKit 2, all of them correct.
// Constant; any thread.

public import Judging

/// Correct clients of StoreKit 2, each with a mechanism that most do not have.
public let storeKit2UnusualJudges: [Judge] = [
    Judge(
        UpdatesOnlyClient.self,
        "The app takes its own purchases from their result, and everything else from updates alone.",
        source: "https://developer.apple.com/documentation/storekit/transaction/updates"),
    Judge(
        LaunchFeedClient.self,
        "The app reads unfinished transactions at the launch, and opens a feed of updates before the first purchase.",
        source: "https://developer.apple.com/forums/thread/716059"),
    Judge(
        EntitlementCacheClient.self,
        "The app stores nothing of what lasts but the entitlements that it read last, and answers from those.",
        source: "https://developer.apple.com/documentation/storekit/transaction/currententitlements"),
    Judge(
        ServerValidatedClient.self,
        "The app delivers a purchase only after its server has accepted it, and finishes it then.",
        source: "https://developer.apple.com/forums/thread/730891"),
    Judge(
        KeychainWalletClient.self,
        "The app keeps its goods and what brought them in one item of the keychain, which outlives the app.",
        source: "https://github.com/russell-archer/StoreHelper"),
    Judge(
        ServerBeforeFinishClient.self,
        "The app delivers at once, but finishes a transaction only when its server has it.",
        source: "https://github.com/RevenueCat/purchases-ios/issues/2243"),
    Judge(
        TwoListenersClient.self,
        "Two parts of the app listen to updates, deliver all that they hear, and share a lock.",
        source: "https://github.com/RevenueCat/purchases-ios/pull/3580"),
    Judge(
        CounterAndLibraryClient.self,
        "The app sells consumables by the payment queue and everything else by StoreKit 2.",
        source: "https://developer.apple.com/forums/thread/718656"),
    Judge(
        ObservableModelClient.self,
        "The app's shop is an observable model on the main actor, which views read.",
        source: "https://trevorturk.github.io/storekit-2-implementation"),
    Judge(
        StreamWorkerClient.self,
        "A stream leads from the app's listeners to one worker, which delivers one thing after the other.",
        source: "https://github.com/iampatbrown/FrutaTCA"),
    Judge(
        JournalClient.self,
        "The app writes each transaction into a journal first, and what the user has is the journal, played back.",
        source: "https://github.com/RevenueCat/purchases-ios"),
    Judge(
        LazyStoreClient.self,
        "The app listens only from the first opening of its store on, and reads unfinished ones before each purchase.",
        source: "https://developer.apple.com/forums/thread/721522"),
    Judge(
        PollingClient.self,
        "The app polls unfinished transactions and entitlements while it is awake, and takes an update for a poke.",
        source: "https://developer.apple.com/forums/thread/718711"),
    Judge(
        TaskGroupClient.self,
        "The app delivers in groups of tasks, with a task for each transaction.",
        source: "https://developer.apple.com/videos/play/wwdc2021/10134"),
    Judge(
        LedgerClient.self,
        "The app has a ledger by transaction identifier, and its goods are the sum of the entries.",
        source: "https://stackoverflow.com/questions/73530849"),
    Judge(
        LateFinisherClient.self,
        "The app finishes what entitles for longer only in a later launch than the one that delivered it.",
        source: "https://hyochan.github.io/react-native-iap/docs/guides/lifecycle"),
    Judge(
        DetachedOwnerClient.self,
        "An owner that lives as long as the app stores a detached listener in init and cancels it in deinit.",
        source: "https://github.com/galean/AppTemplate"),
    Judge(
        CallbackStoreClient.self,
        "The app's store has completions and registered listeners, and continuations wrap them.",
        source: "https://github.com/rule-of-72/StoreKit2-Wrapper"),
    Judge(
        SubscriptionStatusClient.self,
        "The app reads the statuses of its subscription groups instead of entitlements.",
        source: "https://developer.apple.com/documentation/storekit/product/subscriptioninfo/status"),
    Judge(
        HistoryClient.self,
        "The app reads all transactions and decides itself which of them still count.",
        source: "https://github.com/RevenueCat/purchases-ios/pull/3853"),
]
