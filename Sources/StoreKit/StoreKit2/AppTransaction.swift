// The purchase of the app itself.
// Values; any thread.

public import Foundation

/// The purchase of the app itself. This version does not simulate it: `shared` and `refresh` throw.
public struct AppTransaction: Equatable, Hashable, Sendable {
    /// The app's number in the App Store.
    public let appID: UInt64?
    /// The app's version.
    public let appVersion: String
    /// The number of that version in the App Store.
    public let appVersionID: UInt64?
    /// The bundle identifier.
    public let bundleID: String
    /// Where the app was bought.
    public let environment: AppStore.Environment
    /// The version that was bought first.
    public let originalAppVersion: String
    /// When the app was first bought.
    public let originalPurchaseDate: Date
    /// When the app was ordered before it was sold.
    public let preorderDate: Date?
    /// When the App Store signed this.
    public let signedDate: Date

    /// The identifier of the app in the user's account.
    public let appTransactionID: String
    /// The system that the app was first bought for.
    public let originalPlatform: AppStore.Platform
    /// The purchase as JSON.
    public let jsonRepresentation: Data

    /// Throws `StoreKitError.unsupported`, or what a test session says.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws { throw unsimulated }
    }

    /// Throws `StoreKitError.unsupported`, or what a test session says.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        throw unsimulated
    }

    private static var unsimulated: any Error {
        SimulatedErrors.now.appTransaction ?? StoreKitError.unsupported
    }
}

extension AppTransaction: _AppStoreSigned {}

extension AppTransaction: CustomDebugStringConvertible {
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
