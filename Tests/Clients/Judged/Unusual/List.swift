// The unusual clients, all of them correct, with where such code was met.
// Constants; any thread.

import Judging

private let guide = "Apple, In-App Purchase Programming Guide (archived)"
private let note = "Apple, Technical Note TN2387, In-App Purchase Best Practices"

public let unusualJudges: [Judge] = [
    Judge(
        UnusualShop.self, "has no unusual habit: the control that the others are made from",
        source: "\(guide), Delivering Products; pattern of \(note)"),
    Judge(
        JournalFirstShop.self,
        "journals a transaction, finishes it, and books its goods a while later or at next launch",
        source: "general pattern of write-ahead logging; \(guide), Delivering Products, Persisting the Purchase"),
    Judge(
        LedgerShop.self, "computes what is held from an append-only ledger of sales, rights, ends and uses",
        source: "robotmedia/RMStore, RMStoreKeychainPersistence (counts what was bought, and consumed)"),
    Judge(
        DeliveredSetShop.self, "keeps one set of delivered transactions and writes it whole with the goods",
        source: "\(guide), Delivering Products, Persisting a Value in User Defaults or iCloud; general pattern"),
    Judge(
        DefaultsBlobShop.self, "keeps goods and transactions as one value of the user defaults, and synchronizes",
        source: "robotmedia/RMStore, RMStoreUserDefaultsPersistence"),
    Judge(
        FileShop.self, "keeps goods and transactions in one file that it writes whole",
        source: "MugunthKumar/MKStoreKit, MKStoreKit.m, purchase record on disk"),
    Judge(
        NextLaunchFinishShop.self, "finishes a purchase only in a later launch than the one that delivered it",
        source: "general pattern; flutter in_app_purchase, pendingCompletePurchase and completePurchase called later"),
    Judge(
        BatchedFinishShop.self, "finishes every third delivery together, or after two seconds",
        source: "general pattern of deferred work; bizz84/SwiftyStoreKit, completeTransactions(atomically: false)"),
    Judge(
        ReversedFinishShop.self, "delivers all of a batch, then finishes it from its end",
        source: "general pattern: one loop that delivers, one that finishes"),
    Judge(
        TwiceFinishShop.self, "finishes behind the delivery and sweeps the queue half a second later",
        source: "general pattern; bizz84/SwiftyStoreKit, finishTransaction beside PaymentQueueController"),
    Judge(
        AnswerFirstShop.self, "delivers, answers, and finishes a moment later",
        source: "bizz84/SwiftyStoreKit, purchaseProduct(atomically: false)"),
    Judge(
        PostThenFinishShop.self, "delivers at once and finishes when its server has noted the purchase",
        source: "RevenueCat/purchases-ios, TransactionPoster"),
    Judge(
        RestoreAtEndShop.self, "grants and finishes restored transactions when the restore ends",
        source: "robotmedia/RMStore, RMStore.m, pending restored transactions"),
    Judge(
        ValidatingShop.self, "has its receipt validated at launch and before each delivery",
        source: "robotmedia/RMStore, RMStoreReceiptVerifier; bizz84/SwiftyStoreKit, AppleReceiptValidator"),
    Judge(
        ConfirmedAnswerShop.self, "delivers and finishes at once, and answers when the server has confirmed",
        source: "RevenueCat/purchases-ios, PurchasesOrchestrator (completion after the post of the receipt)"),
    Judge(
        QueueSweepShop.self, "goes through the queue's transactions at every purchase, restore and return",
        source: "flutter in_app_purchase, SKPaymentQueueWrapper.transactions as its documentation has apps use it"),
    Judge(
        SpectatorShop.self, "has a second observer that looks and does nothing",
        source: "RevenueCat/purchases-ios, observer mode (purchases completed by the app) beside the app's observer"),
    Judge(
        SplitObserverShop.self, "has one observer for purchases and one for restored transactions",
        source: "general pattern: Apple, SKPaymentQueue, add(_:), several observers"),
    Judge(
        ForegroundShop.self, "observes in the foreground and while an answer is owed",
        source: "general pattern: Apple, SKPaymentQueue, remove(_:)"),
    Judge(
        LazyShop.self, "observes with a doorkeeper and makes its shop when it is first needed",
        source: "flutter in_app_purchase, FIAPaymentQueueHandler in front of the Dart side"),
    Judge(
        OwnQueueShop.self, "does all its work on a serial queue of its own",
        source: "RevenueCat/purchases-ios, OperationDispatcher; general pattern"),
    Judge(
        ReceiptShop.self, "delivers what the receipt lists and finishes nothing that it does not",
        source: "\(guide), Delivering Products, Persisting Using the App Receipt"),
    Judge(
        RefreshRestoreShop.self, "restores by a refresh of the receipt",
        source: "\(guide), Restoring Purchased Products, Refreshing the App Receipt"),
    Judge(
        RetryingFetchShop.self, "tries a failed fetch of products three times more before it says so",
        source: "RevenueCat/purchases-ios, ProductsFetcherSK1 (retries)"),
    Judge(
        CachedProductsShop.self, "fetches all products at launch and answers from its cache",
        source: "MugunthKumar/MKStoreKit, startProductRequest; RevenueCat/purchases-ios, CachingProductsManager"),
    Judge(
        FreshProductShop.self, "fetches the product anew before each purchase, eight seconds at most",
        source: "bizz84/SwiftyStoreKit, purchaseProduct(_ productId:) by way of retrieveProductsInfo"),
    Judge(
        LineShop.self, "pays for one order after the other; the rest wait in line",
        source: "general pattern: a serial queue of operations; flutter in_app_purchase, one open payment a product"),
    Judge(
        UsernameShop.self, "knows its transactions by a UUID in applicationUsername",
        source: "Apple, SKMutablePayment, applicationUsername; RevenueCat/purchases-ios, StoreKit1Wrapper"),
    Judge(
        StackShop.self, "gives each transaction to the latest of the alike orders",
        source: "general pattern: open requests on a stack"),
    Judge(
        NoSecondShop.self, "refuses a product of which a purchase is open",
        source: "RevenueCat/purchases-ios, operationAlreadyInProgressForProductError"),
    Judge(
        NoRepurchaseShop.self, "refuses to sell what is held and lasts",
        source: "general pattern: \(note), do not offer what the user owns"),
    Judge(
        ImpatientShop.self, "says deferred after three seconds without an outcome and delivers silently",
        source: "\(note), deferred transactions: do not block the interface"),
    Judge(
        BufferedShop.self, "observes at launch and listens to what was told half a second later",
        source: "flutter in_app_purchase, FIATransactionCache"),
    Judge(
        PutOffShop.self, "keeps a promoted payment and adds it after two seconds or in the foreground",
        source: "Apple, paymentQueue(_:shouldAddStorePayment:for:), deferring a promoted purchase"),
    Judge(
        DelegateShop.self, "has a delegate of the queue that lets payments go on in a new country",
        source: "Apple, SKPaymentQueueDelegate; flutter in_app_purchase, FIAPPaymentQueueDelegate"),
]
