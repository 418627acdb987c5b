// The APIs that a test can make fail, and the methods that make them fail.
// Values; any thread.

/// An API that a test can make fail.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    associatedtype Failure: SKTestFailure
}

/// An API that configuration files name.
protocol NamedStoreKitAPI: FailableStoreKitAPI where Failure: GenericTestFailure {
    static var fileName: String { get }
}

/// The API of product requests.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.LoadProducts
    static let fileName = "Load Products"
}

/// The API of payments.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.Purchase
    static let fileName = "Purchase"
}

/// The API that verifies what StoreKit 2 hands over.
public struct StoreKitVerificationAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.Verification
    static let fileName = "Verification"
}

/// The API that restores purchases and refreshes the receipt.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.AppStoreSync
    static let fileName = "App Store Sync"
}

/// The API for the status of subscriptions.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.SubscriptionStatus
    static let fileName = "Subscription Status"
}

/// The API for the transaction of the app itself.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.AppTransaction
    static let fileName = "App Transaction"
}

/// The API of the sheet that manages subscriptions.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.ManageSubscriptions
    static let fileName = "Manage Subscriptions Sheet"
}

/// The API for refund requests in the app.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.RefundRequest
    static let fileName = "Refund Request Sheet"
}

/// The API of the sheet for offer codes.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.OfferCodeRedeem
    static let fileName = "Offer Code Redeem Sheet"
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// Makes `SKProductsRequest` and `Product.products(for:)` fail.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// Makes payments on the queue, `Product.purchase` and purchases outside the app fail.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// Makes what StoreKit 2 hands over unverified (S103).
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// Makes `restoreCompletedTransactions`, `SKReceiptRefreshRequest` and `AppStore.sync` fail.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// Makes `SubscriptionInfo.status` fail.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// Makes `AppTransaction.shared` and `refresh` fail.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// Makes `AppStore.showManageSubscriptions` fail.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// Makes `beginRefundRequest` fail.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// Makes `presentCodeRedemptionSheet` redeem nothing (R42).
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}

extension SKTestSession {
    /// Makes every call of the API fail with `error`; nil makes none fail, even if the configuration file says so.
    ///
    /// StoreKit 2's calls throw the error itself. The original API passes on network errors as `NSError` of
    /// `NSURLErrorDomain`, all other errors as the closest `SKError`. Never throws.
    public func setSimulatedError<API: FailableStoreKitAPI>(
        _ error: API.Failure?, forAPI api: API
    ) async throws {
        TestEnvironment.shared.setFailure(error, of: API.self)
    }

    /// The error with which calls of the API fail; nil if they do not fail.
    /// A configuration file does not document which error it switches on: it reads as `.generic(.unknown)`.
    public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
        TestEnvironment.shared.failure(of: API.self)
    }
}
