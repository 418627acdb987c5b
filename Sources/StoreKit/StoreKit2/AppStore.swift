// What belongs to the store as a whole, for StoreKit 2.
// Any thread.

public import Foundation
import Simulation

/// The App Store on this device.
public enum AppStore {
    /// Whether payments are allowed on this device (R12).
    public static var canMakePayments: Bool {
        CurrentProcess.found(for: "AppStore.canMakePayments").device.arePaymentsAllowed
    }

    /// The device's part in `deviceVerification` (S71): another one on each device.
    public static var deviceVerificationID: UUID? {
        CurrentProcess.found(for: "AppStore.deviceVerificationID").device.signingDevice.identifier
    }

    /// Brings the device's record of purchases up to date, after the user has given the password (S80, S82).
    ///
    /// Throws `StoreKitError.userCancelled` if the user cancels, and without a network too unless `sync_offline` says
    /// otherwise (S81).
    public static func sync() async throws {
        try await StoreKit2Receiver.current(for: "AppStore.sync()").synchronise()
    }

    /// Where a purchase was made.
    public struct Environment: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// In the App Store.
        public static let production = Environment(rawValue: "Production")
        /// In Apple's test environment.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// In a test on the developer's machine.
        public static let xcode = Environment(rawValue: "Xcode")
    }

    /// The system that an app was first bought for.
    public struct Platform: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let iOS = Platform(rawValue: "iOS")
        public static let macOS = Platform(rawValue: "macOS")
        public static let tvOS = Platform(rawValue: "tvOS")
        public static let visionOS = Platform(rawValue: "visionOS")
    }
}
