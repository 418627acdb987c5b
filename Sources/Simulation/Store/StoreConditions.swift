// What a scenario can say of the store and of the people who buy there.
// Plain values: the scenario fills them, the store and its buyers read them.

/// How the App Store behaves during a run.
package struct StoreConditions: Sendable, Equatable {
    /// Nil: the store answers every request at once.
    package var capacity: StoreCapacity?
    package var outages: [StoreOutage] = []
    package var errors = StoreErrorRates()
    package var app = AppIdentity()
    package var timeRate = SubscriptionTimeRate.realTime
    /// R48: a renewal that fails leaves the subscription as it is for a while.
    package var hasGracePeriod = false
    /// R52: from here on subscribers have to agree to a higher price, or their subscription ends with its period.
    package var priceIncreaseAt: Instant?
    /// R54: products that the store stops selling during the run.
    package var withdrawals: [Withdrawal] = []
    /// What a test session has fail.
    package var simulated = SimulatedFailures()

    package init() {}
}

/// The app as the store knows it.
package struct AppIdentity: Sendable, Equatable {
    package static let standardBundleIdentifier = "com.example.app"

    /// As the signatures of its offers name it (R60).
    package var bundleIdentifier = Self.standardBundleIdentifier
    /// S74.
    package var version = "1"
    /// S74: the version that each user got first.
    package var originalVersion = "1"

    package init() {}
}

/// From then on a product is unknown to requests and payments; what was bought stays bought.
package struct Withdrawal: Sendable, Equatable {
    package var product: ProductIndex
    package var at: Instant

    package init(product: ProductIndex, at instant: Instant) {
        self.product = product
        at = instant
    }
}

/// Kinds of calls that fail every time, and how; in a run, none.
package struct SimulatedFailures: Sendable, Equatable {
    package var products: StoreFailure?
    /// Restoring purchases and refreshing the receipt.
    package var sync: StoreFailure?
    /// R42: no code can be redeemed on the app's sheet; the app is not told.
    package var redemptionFails = false
}

/// A store that can only do so much at a time. What finds the queue full is refused.
package struct StoreCapacity: Sendable, Equatable {
    package var workers: Int
    package var serviceTime: Distribution
    /// Requests that may wait for a worker.
    package var queueLimit: Int

    package init(workers: Int, serviceTime: Distribution, queueLimit: Int) {
        self.workers = workers
        self.serviceTime = serviceTime
        self.queueLimit = queueLimit
    }
}

package struct StoreOutage: Sendable, Equatable {
    package enum Answer: Sendable, Equatable {
        /// Every request is answered with an error.
        case error
        /// No request is answered; the device gives up after its request timeout.
        case timeout
        /// Every answer comes this much later.
        case slow(by: Span)
    }

    package var start: Instant
    package var duration: Span
    package var answer: Answer

    package init(start: Instant, duration: Span, answer: Answer) {
        self.start = start
        self.duration = duration
        self.answer = answer
    }

    package func covers(_ instant: Instant) -> Bool { instant >= start && instant < start + duration }
}

/// A setting of a catalog's file under which every call of a kind fails.
package enum FailingSetting: String, Sendable, CaseIterable {
    case failTransactions
    // Of the list of simulated errors.
    case purchase
    case loadProducts
    case appStoreSync

    /// As the file writes it.
    package var name: String {
        switch self {
        case .failTransactions: "_failTransactionsEnabled"
        case .purchase: "_storeKitErrors: Purchase"
        case .loadProducts: "_storeKitErrors: Load Products"
        case .appStoreSync: "_storeKitErrors: App Store Sync"
        }
    }

    /// The name of the call in the list of simulated errors; nil for a setting of its own.
    package var call: String? {
        switch self {
        case .failTransactions: nil
        case .purchase: "Purchase"
        case .loadProducts: "Load Products"
        case .appStoreSync: "App Store Sync"
        }
    }
}

/// Shares of requests that the store itself fails, for every account.
package struct StoreErrorRates: Sendable, Equatable {
    package var products: Share = .none { didSet { productsSetting = nil } }
    /// A restore that fails has delivered about half of what it had to (R28: partial success).
    package var restore: Share = .none { didSet { restoreSetting = nil } }
    /// R56: refreshing the receipt.
    package var receipt: Share = .none
    package var purchase: [PurchaseError] = [] { didSet { purchaseSetting = nil } }

    /// Where the catalog's file has every one fail, and nothing else says how many do.
    package private(set) var productsSetting: FailingSetting?
    package private(set) var restoreSetting: FailingSetting?
    package private(set) var purchaseSetting: FailingSetting?

    /// Has every call fail that a setting of the catalog's file names.
    package mutating func fail(by setting: FailingSetting) {
        switch setting {
        case .failTransactions, .purchase:
            purchase = [PurchaseError(error: .store(.unknown), share: .all)]
            purchaseSetting = setting
        case .loadProducts:
            products = .all
            productsSetting = setting
        case .appStoreSync:
            restore = .all
            restoreSetting = setting
        }
    }

    package struct PurchaseError: Sendable, Equatable {
        package var error: StoreFailure
        package var share: Share

        package init(error: StoreFailure, share: Share) {
            self.error = error
            self.share = share
        }
    }

    package init() {}
}

/// What one account's owner does when a payment sheet or a password prompt appears.
package struct BuyerBehaviour: Sendable, Equatable {
    /// From the sheet's appearance to the tap.
    package var decideAfter: Distribution = .constant(0)
    package var cancel: Share = .none
    /// R29: a restore asks for the password, and that prompt can be cancelled.
    package var cancelRestore: Share = .none
    /// Share of accounts on which payments are not allowed at all.
    package var paymentsDisallowed: Share = .none
    package var askToBuy: AskToBuy?
    package var interrupted: Interruption?
    package var subscriptions = SubscriptionHabits()
    package var refunds: RefundHabits?

    package init() {}
}

/// What becomes of subscriptions. Lengths of time are the store's: `time_rate` shortens them.
package struct SubscriptionHabits: Sendable, Equatable {
    /// Share of the periods in which the subscriber turns renewal off.
    package var cancel: Share = .none
    /// Share of the renewals that cannot be paid (R48).
    package var billingFailure: Share = .none
    /// Of these, the share that is paid in the end.
    package var recover: Share = .all
    package var recoverAfter: Distribution = .spans(.hours(24), .hours(24 * 20))
    /// Share of the subscribers who agree to a higher price when they are asked (R52).
    package var consent: Share = .all

    package init() {}
}

/// R49: purchases that are given back.
package struct RefundHabits: Sendable, Equatable {
    /// Share of the purchases.
    package var share: Share
    package var after: Distribution

    package init(share: Share, after: Distribution) {
        self.share = share
        self.after = after
    }
}

/// R35: purchases of some accounts need approval.
package struct AskToBuy: Sendable, Equatable {
    /// Share of the accounts that must ask.
    package var share: Share
    package var approve: Share
    /// The rest, neither approved nor declined, is never answered (R36).
    package var decline: Share
    package var answerAfter: Distribution

    package init(share: Share, approve: Share, decline: Share, answerAfter: Distribution) {
        self.share = share
        self.approve = approve
        self.decline = decline
        self.answerAfter = answerAfter
    }
}

/// R40: something about the account must be mended before a purchase can complete.
package struct Interruption: Sendable, Equatable {
    /// Share of the purchases that run into it.
    package var share: Share
    /// Of these, the share whose buyer mends it.
    package var resolve: Share
    package var resolveAfter: Distribution

    package init(share: Share, resolve: Share, resolveAfter: Distribution) {
        self.share = share
        self.resolve = resolve
        self.resolveAfter = resolveAfter
    }
}

/// The codes of StoreKit's error domain, under the names that scenario files use.
package enum StoreErrorCode: Int, Sendable, CaseIterable {
    case unknown = 0
    case clientInvalid = 1
    case paymentCancelled = 2
    case paymentInvalid = 3
    case paymentNotAllowed = 4
    case storeProductNotAvailable = 5
    case cloudServicePermissionDenied = 6
    case cloudServiceNetworkConnectionFailed = 7
    case cloudServiceRevoked = 8
    case privacyAcknowledgementRequired = 9
    case unauthorizedRequestData = 10
    case invalidOfferIdentifier = 11
    case invalidSignature = 12
    case missingOfferParams = 13
    case invalidOfferPrice = 14
    case overlayCancelled = 15
    case overlayInvalidConfiguration = 16
    case overlayTimeout = 17
    case ineligibleForOffer = 18
    case unsupportedPlatform = 19
    case overlayPresentedInBackgroundScene = 20
}
