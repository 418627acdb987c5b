// The receipt as client code reads it.
// A value; any thread.

public import Foundation
package import Simulation

/// The receipt on a device: purchases that the App Store sold to the device's account.
///
/// The properties are named as in Apple's receipts.
public struct AppReceipt: Sendable {
    /// `Production`; `Xcode` on the device of a test or of a program without a scenario.
    public let environment: String
    public let bundleIdentifier: String
    /// The app's version, as the scenario's `store.app_version` says.
    public let applicationVersion: String
    /// The version that the user got first, as `store.original_app_version` says.
    public let originalApplicationVersion: String
    public let creationDate: Date
    /// The purchases: consumables until they are finished, all other products for ever. The order is not defined.
    public let inApp: [Purchase]
    let source: Source

    public struct Purchase: Sendable, Equatable {
        public let quantity: Int
        public let productIdentifier: String
        public let transactionIdentifier: String
        public let originalTransactionIdentifier: String
        public let purchaseDate: Date
        public let originalPurchaseDate: Date
        /// When the subscription expires; nil unless the product is an auto-renewable subscription.
        public let expiresDate: Date?
        /// When the purchase was refunded, or stopped being shared; nil if neither happened.
        public let cancellationDate: Date?
        public let isTrialPeriod: Bool
        public let isInIntroOfferPeriod: Bool
        public let promotionalOfferIdentifier: String?

        /// Whether the purchase entitles the user to its product at `date`.
        /// It does if it is neither cancelled nor expired.
        public func isValid(at date: Date) -> Bool {
            cancellationDate == nil && expiresDate.map { $0 > date } ?? true
        }
    }

    /// Why data is no receipt.
    public enum Unreadable: Error, Sendable, Equatable {
        /// It is not signed data with attributes: what stands at this byte has another form.
        case malformed(offset: Int)
        /// It lacks an attribute of this number, or the attribute has another form.
        case missing(attribute: Int)
    }

    /// Where it comes from.
    enum Source: Sendable {
        case device(SigningDevice, identifierForVendor: UUID, asOf: Instant)
        case file(Data)
    }

    package init(_ receipt: Receipt, of device: Device) {
        let calendar = device.lane.calendar
        let app = device.appIdentity
        environment = device.isStandalone ? "Xcode" : "Production"
        bundleIdentifier = app.bundleIdentifier
        applicationVersion = app.version
        originalApplicationVersion = app.originalVersion
        creationDate = calendar.date(of: receipt.asOf)
        source = .device(
            device.signingDevice, identifierForVendor: device.identifierForVendor, asOf: receipt.asOf)
        inApp = receipt.purchases.map { purchase in
            Purchase(
                quantity: purchase.quantity, productIdentifier: purchase.productIdentifier,
                transactionIdentifier: purchase.transactionIdentifier,
                originalTransactionIdentifier: purchase.originalTransactionIdentifier,
                purchaseDate: calendar.date(of: purchase.purchaseDate),
                originalPurchaseDate: calendar.date(of: purchase.originalPurchaseDate),
                expiresDate: purchase.expiresDate.map { calendar.date(of: $0) },
                cancellationDate: purchase.cancellationDate.map { calendar.date(of: $0) },
                isTrialPeriod: purchase.isTrialPeriod, isInIntroOfferPeriod: purchase.isInIntroductoryOfferPeriod,
                promotionalOfferIdentifier: purchase.promotionalOfferIdentifier)
        }
    }
}
