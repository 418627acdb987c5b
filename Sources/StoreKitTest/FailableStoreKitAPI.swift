// The APIs that can be made to fail, and the calls that make them.
// Values; any thread.

/// An API that can be made to fail.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    associatedtype Failure: SKTestFailure
}

/// One that configuration files name.
protocol NamedStoreKitAPI: FailableStoreKitAPI where Failure: GenericTestFailure {
    static var fileName: String { get }
}

/// Product requests.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.LoadProducts
    static let fileName = "Load Products"
}

/// Payments.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.Purchase
    static let fileName = "Purchase"
}

/// Verifying transactions: nothing in the original API.
public struct StoreKitVerificationAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.Verification
    static let fileName = "Verification"
}

/// Restoring purchases and refreshing the receipt.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.AppStoreSync
    static let fileName = "App Store Sync"
}

/// The status of subscriptions: nothing in the original API.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.SubscriptionStatus
    static let fileName = "Subscription Status"
}

/// The transaction of the app itself: nothing in the original API.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.AppTransaction
    static let fileName = "App Transaction"
}

/// The sheet that manages subscriptions: nothing in the original API.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.ManageSubscriptions
    static let fileName = "Manage Subscriptions Sheet"
}

/// Asking for a refund in the app: nothing in the original API.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.RefundRequest
    static let fileName = "Refund Request Sheet"
}

/// The sheet for offer codes.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI, NamedStoreKitAPI {
    public typealias Failure = SKTestFailures.OfferCodeRedeem
    static let fileName = "Offer Code Redeem Sheet"
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// `SKProductsRequest` fails.
    public static var loadProducts: StoreKitLoadProductsAPI { StoreKitLoadProductsAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// Payments on the queue fail, and purchases outside the app.
    public static var purchase: StoreKitPurchaseAPI { StoreKitPurchaseAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// Stored, and without effect.
    public static var verification: StoreKitVerificationAPI { StoreKitVerificationAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// `restoreCompletedTransactions` and `SKReceiptRefreshRequest` fail.
    public static var appStoreSync: StoreKitAppStoreSyncAPI { StoreKitAppStoreSyncAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// Stored, and without effect.
    public static var subscriptionStatus: StoreKitSubscriptionStatusAPI { StoreKitSubscriptionStatusAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// Stored, and without effect.
    public static var appTransaction: StoreKitAppTransactionAPI { StoreKitAppTransactionAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// Stored, and without effect.
    public static var manageSubscriptions: StoreKitManageSubscriptionsAPI { StoreKitManageSubscriptionsAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// Stored, and without effect.
    public static var refundRequest: StoreKitRefundRequestAPI { StoreKitRefundRequestAPI() }
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// `presentCodeRedemptionSheet` redeems nothing (R42).
    public static var offerCodeRedeem: StoreKitOfferCodeRedeemAPI { StoreKitOfferCodeRedeemAPI() }
}

extension SKTestSession {
    /// Has every call of the API fail with the error; nil: none does, not even if the configuration file says so.
    ///
    /// Errors are told as the original API tells them: those of the network as `NSError` of `NSURLErrorDomain`, the
    /// others as the `SKError` that comes nearest. Never throws.
    public func setSimulatedError<API: FailableStoreKitAPI>(
        _ error: API.Failure?, forAPI api: API
    ) async throws {
        TestEnvironment.shared.setFailure(error, of: API.self)
    }

    /// What calls of the API fail with; nil if they do not. A file that switches an error on does not say which in a
    /// documented way: it reads as `.generic(.unknown)`.
    public func simulatedError<API: FailableStoreKitAPI>(forAPI api: API) async -> API.Failure? {
        TestEnvironment.shared.failure(of: API.self)
    }
}
