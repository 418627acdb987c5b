// Purchases outside the App Store. They need an entitlement of Apple's, which the simulated app does not have.
// Any thread.

/// The notice that an app shows before a purchase elsewhere. The app has no entitlement for it.
public enum ExternalPurchase {
    /// What the user did with the notice.
    @nonexhaustive public enum NoticeResult: Equatable, Hashable, Sendable {
        /// The user goes on; the token names the purchase to Apple.
        case continuedWithExternalPurchaseToken(token: String)
        /// The user does not.
        case cancelled
    }

    /// False: the app has no entitlement.
    public static var canPresent: Bool { get async { false } }

    /// Throws `StoreKitError.notEntitled`.
    @MainActor
    public static func presentNoticeSheet() async throws -> NoticeResult { throw StoreKitError.notEntitled }
}

/// The link to a purchase elsewhere. The app has no entitlement for it.
public enum ExternalPurchaseLink {
    /// False: the app has no entitlement.
    public static var canOpen: Bool { get async { false } }

    /// Throws `StoreKitError.notEntitled`.
    @MainActor
    public static func open() async throws { throw StoreKitError.notEntitled }
}

/// The app's own link to a purchase elsewhere. The app has no entitlement for it.
public enum ExternalPurchaseCustomLink {
    /// Where the link leads.
    @nonexhaustive public enum NoticeType: Equatable, Hashable, Sendable {
        /// To a browser.
        case browser
        /// To a page within the app.
        case withinApp
    }

    /// What the user did with the notice.
    @nonexhaustive public enum NoticeResult: Equatable, Hashable, Sendable {
        /// The user goes on.
        case continued
        /// The user does not.
        case cancelled
    }

    /// What names purchases elsewhere to Apple.
    public struct Token: Equatable, Hashable, Sendable {
        /// The token as text.
        public let value: String
    }

    /// False: the app has no entitlement.
    public static var isEligible: Bool { get async { false } }

    /// Throws `StoreKitError.notEntitled`.
    public static func token(for tokenType: String) async throws -> Token? { throw StoreKitError.notEntitled }

    /// Throws `StoreKitError.notEntitled`.
    @MainActor
    public static func showNotice(type noticeType: NoticeType) async throws -> NoticeResult {
        throw StoreKitError.notEntitled
    }
}
