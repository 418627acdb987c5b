// StoreKit's calls that name a scene or a view controller.
// On the main actor, except what says otherwise.

public import StoreKit

extension Product {
    /// Buys the product; the sheet appears over this scene. Here scenes show nothing: it is `purchase(options:)`.
    @MainActor
    public func purchase(
        confirmIn scene: some UIScene, options: Set<PurchaseOption> = []
    ) async throws -> PurchaseResult {
        try await purchase(options: options)
    }

    /// Buys the product; the sheet appears over this view controller. It is `purchase(options:)`, from any thread.
    public func purchase(
        confirmIn viewController: UIViewController, options: Set<PurchaseOption> = []
    ) async throws -> PurchaseResult {
        try await purchase(options: options)
    }
}

extension AppStore {
    /// The page that manages subscriptions. It is not simulated: throws `StoreKitError.unsupported`, or what a test session says.
    /// Scenarios do what people do there with their own steps.
    @MainActor
    public static func showManageSubscriptions(in scene: UIWindowScene) async throws {
        throw SimulatedErrors.now.manageSubscriptions ?? StoreKitError.unsupported
    }

    /// The page that manages the subscriptions of a group. It is not simulated: throws as the call above does.
    @MainActor
    public static func showManageSubscriptions(in scene: UIWindowScene, subscriptionGroupID: String) async throws {
        throw SimulatedErrors.now.manageSubscriptions ?? StoreKitError.unsupported
    }

    /// The sheet for offer codes (R42); it returns once the sheet is closed. What is redeemed comes by `Transaction.updates`.
    @MainActor
    public static func presentOfferCodeRedeemSheet(in scene: UIWindowScene) async throws {
        try await redeemOfferCode()
    }

    /// Asks the person for a review on Apple's systems. Does nothing here.
    @MainActor
    public static func requestReview(in scene: UIWindowScene) {}
}

extension Transaction {
    /// How a request for a refund ended.
    @nonexhaustive public enum RefundRequestStatus: Sendable, Equatable, Hashable {
        /// The App Store has the request.
        case success
        /// The person cancelled the sheet.
        case userCancelled
    }

    /// The sheet on which a person asks for a refund (S77). The store grants it after `buyers.refunds.after`.
    ///
    /// Throws `RefundRequestError.duplicateRequest` if it was asked for before, and `failed` if nothing was paid, or the
    /// store cannot be reached.
    public func beginRefundRequest(in scene: UIWindowScene) async throws -> RefundRequestStatus {
        try await Self.requestRefund(of: id) ? .success : .userCancelled
    }

    /// The sheet on which a person asks for a refund of a transaction, as the call above.
    @MainActor
    public static func beginRefundRequest(
        for transactionID: UInt64, in scene: UIWindowScene
    ) async throws -> RefundRequestStatus {
        try await requestRefund(of: transactionID) ? .success : .userCancelled
    }
}

extension Message {
    /// Shows the message (S76).
    @MainActor
    public func display(in scene: UIWindowScene) throws { display() }
}

extension SKStoreReviewController {
    /// Asks the person for a review on Apple's systems. Does nothing here.
    public class func requestReview(in windowScene: UIWindowScene) {}
}
