// The receipt as client code reads it.
// A value; any thread.

public import Foundation
import Simulation

/// The receipt on a device: purchases that the App Store sold to the device's account.
///
/// The properties are named as in Apple's receipts. The receipt is unsigned and uses none of Apple's file formats.
public struct AppReceipt: Sendable, Equatable, Codable {
    public let creationDate: Date
    /// The purchases: consumables until they are finished, all other products for ever. The order is not defined.
    public let inApp: [Purchase]

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

    /// The receipt as JSON, in the form of the receipt's file.
    /// The keys are those in Apple's verification answer.
    /// Each date is written in ISO 8601 to the second.
    /// The dates of purchases are also written as text in milliseconds since 1970, under the same key with `_ms`.
    public func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(self)
    }

    /// Reads JSON that `encoded()` wrote. Throws the decoder's error if `data` is anything else.
    public init(contentsOf data: Data) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        self = try decoder.decode(AppReceipt.self, from: data)
    }
}
