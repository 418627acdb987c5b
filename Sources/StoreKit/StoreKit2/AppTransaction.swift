// The purchase of the app itself.
// Values; any thread.

public import Foundation
import Simulation

/// The purchase of the app itself: each user got the app when the run began.
public struct AppTransaction: Equatable, Hashable, Sendable {
    /// The app's number in the App Store; nil outside it.
    public let appID: UInt64?
    /// The app's version, as the scenario's `store.app_version` says.
    public let appVersion: String
    /// The number of that version in the App Store; nil: it has none.
    public var appVersionID: UInt64? { nil }
    /// The bundle identifier.
    public let bundleID: String
    /// Where the app was bought.
    public let environment: AppStore.Environment
    /// The version that was bought first, as the scenario's `store.original_app_version` says.
    public let originalAppVersion: String
    /// When the app was first bought.
    public let originalPurchaseDate: Date
    /// When the app was ordered before it was sold; nil: it was not.
    public var preorderDate: Date? { nil }
    /// The identifier of the app in the user's account: the same on all devices of the account.
    public let appTransactionID: String
    /// The system that the app was first bought for.
    public var originalPlatform: AppStore.Platform { .iOS }
    public let _signature: _StoreSignature  // swift-format-ignore: NoLeadingUnderscores

    /// The purchase as JSON, with the keys of the App Store's own.
    public var jsonRepresentation: Data {
        var fields: [(String, SignedText.Value)] = [
            ("receiptType", .text(environment.rawValue)), ("bundleId", .text(bundleID)),
            ("applicationVersion", .text(appVersion)), ("originalApplicationVersion", .text(originalAppVersion)),
            ("originalPurchaseDate", .milliseconds(originalPurchaseDate)),
            ("appTransactionId", .text(appTransactionID)), ("originalPlatform", .text(originalPlatform.rawValue)),
        ]
        if let appID { fields.append(("appAppleId", .number(Int(appID)))) }
        return SignedText.json(fields + _signature.fields(datedAs: "receiptCreationDate"))
    }

    /// The device's copy, or the store's if the device has none (S74).
    ///
    /// Throws `StoreKitError.networkError` if there is no copy and the store cannot be reached, or what a test session says.
    public static var shared: VerificationResult<AppTransaction> {
        get async throws {
            let receiver = StoreKit2Receiver.current(for: "AppTransaction.shared")
            return try await receiver.appTransaction()
        }
    }

    /// The store's copy, after the user has given the password (S74).
    ///
    /// Throws `StoreKitError.userCancelled` if the user cancels; otherwise as `shared` and `AppStore.sync()` do.
    public static func refresh() async throws -> VerificationResult<AppTransaction> {
        let receiver = StoreKit2Receiver.current(for: "AppTransaction.refresh()")
        if let error = SimulatedErrors.now.appTransaction { throw error }
        try await receiver.synchronise()
        return try await receiver.appTransaction()
    }

    init(_ place: StorePlace, at now: Instant) {
        appID = place.environment == .production ? Self.number : nil
        appVersion = place.app.version
        originalAppVersion = place.app.originalVersion
        bundleID = place.app.bundleIdentifier
        environment = place.environment
        originalPurchaseDate = place.calendar.date(of: .start)
        appTransactionID = place.appTransactionID
        _signature = _StoreSignature(of: Int64(place.account), in: place, at: now)
    }

    /// Every simulated app has this one.
    private static let number: UInt64 = 6_000_000_000
}

extension AppTransaction: _AppStoreSigned {}

extension AppTransaction: CustomDebugStringConvertible {
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
