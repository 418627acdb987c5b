// The receipt as client code sees it.
// A value; any thread.

public import Foundation
import Simulation

/// What the App Store has sold to the account of a device, as the receipt on that device tells it.
///
/// The names are those of Apple's receipts. It is not signed, and no file format of Apple's.
public struct AppReceipt: Sendable, Equatable, Codable {
    public let creationDate: Date
    /// Consumables until they are finished, everything else for ever; in no promised order.
    public let inApp: [Purchase]

    public struct Purchase: Sendable, Equatable {
        public let quantity: Int
        public let productIdentifier: String
        public let transactionIdentifier: String
        public let originalTransactionIdentifier: String
        public let purchaseDate: Date
        public let originalPurchaseDate: Date
        /// Only of auto-renewable subscriptions.
        public let expiresDate: Date?
        /// Set once it was refunded, or is no longer shared.
        public let cancellationDate: Date?
        public let isTrialPeriod: Bool
        public let isInIntroOfferPeriod: Bool
        public let promotionalOfferIdentifier: String?

        /// Whether it entitles to anything at that moment.
        public func isValid(at date: Date) -> Bool {
            cancellationDate == nil && expiresDate.map { $0 > date } ?? true
        }
    }

    private enum CodingKeys: String, CodingKey {
        case creationDate = "receipt_creation_date"
        case inApp = "in_app"
    }

    init(_ receipt: Receipt, _ calendar: TimelineCalendar) {
        creationDate = calendar.date(of: receipt.asOf)
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

    /// As JSON with the keys of Apple's verification answer: what stands in the receipt's file. Dates are there in ISO 8601, which
    /// has whole seconds, and under the same key with `_ms` in milliseconds since 1970, as text.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(self)
    }

    /// Reads what `encoded()` wrote.
    public init(contentsOf data: Data) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        self = try decoder.decode(AppReceipt.self, from: data)
    }
}
