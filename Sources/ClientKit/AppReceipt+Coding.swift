// How a purchase of the receipt is written to the receipt's file and read from it.
// A value; any thread.

import Foundation
import Simulation

extension AppReceipt.Purchase: Codable {
    private enum Key: String, CodingKey {
        case quantity
        case productIdentifier = "product_id"
        case transactionIdentifier = "transaction_id"
        case originalTransactionIdentifier = "original_transaction_id"
        case purchaseDate = "purchase_date"
        case originalPurchaseDate = "original_purchase_date"
        case expiresDate = "expires_date"
        case cancellationDate = "cancellation_date"
        case isTrialPeriod = "is_trial_period"
        case isInIntroOfferPeriod = "is_in_intro_offer_period"
        case promotionalOfferIdentifier = "promotional_offer_id"
    }

    /// The same moments in milliseconds.
    private enum ExactKey: String, CodingKey {
        case purchaseDate = "purchase_date_ms"
        case originalPurchaseDate = "original_purchase_date_ms"
        case expiresDate = "expires_date_ms"
        case cancellationDate = "cancellation_date_ms"
    }

    public func encode(to encoder: any Encoder) throws {
        var keys = encoder.container(keyedBy: Key.self)
        try keys.encode(quantity, forKey: .quantity)
        try keys.encode(productIdentifier, forKey: .productIdentifier)
        try keys.encode(transactionIdentifier, forKey: .transactionIdentifier)
        try keys.encode(originalTransactionIdentifier, forKey: .originalTransactionIdentifier)
        try keys.encode(purchaseDate, forKey: .purchaseDate)
        try keys.encode(originalPurchaseDate, forKey: .originalPurchaseDate)
        try keys.encodeIfPresent(expiresDate, forKey: .expiresDate)
        try keys.encodeIfPresent(cancellationDate, forKey: .cancellationDate)
        try keys.encode(isTrialPeriod, forKey: .isTrialPeriod)
        try keys.encode(isInIntroOfferPeriod, forKey: .isInIntroOfferPeriod)
        try keys.encodeIfPresent(promotionalOfferIdentifier, forKey: .promotionalOfferIdentifier)
        var exact = encoder.container(keyedBy: ExactKey.self)
        try exact.encode(Self.milliseconds(purchaseDate), forKey: .purchaseDate)
        try exact.encode(Self.milliseconds(originalPurchaseDate), forKey: .originalPurchaseDate)
        try exact.encodeIfPresent(expiresDate.map(Self.milliseconds), forKey: .expiresDate)
        try exact.encodeIfPresent(cancellationDate.map(Self.milliseconds), forKey: .cancellationDate)
    }

    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: Key.self)
        let exact = try decoder.container(keyedBy: ExactKey.self)
        /// Reads a date from its milliseconds, or to the second if the file has no milliseconds.
        func date(_ key: Key, _ exactKey: ExactKey) throws -> Date? {
            if let text = try exact.decodeIfPresent(String.self, forKey: exactKey), let count = Double(text) {
                return Date(timeIntervalSince1970: count / 1_000)
            }
            return try keys.decodeIfPresent(Date.self, forKey: key)
        }
        quantity = try keys.decode(Int.self, forKey: .quantity)
        productIdentifier = try keys.decode(String.self, forKey: .productIdentifier)
        transactionIdentifier = try keys.decode(String.self, forKey: .transactionIdentifier)
        originalTransactionIdentifier = try keys.decode(String.self, forKey: .originalTransactionIdentifier)
        purchaseDate = try date(.purchaseDate, .purchaseDate) ?? keys.decode(Date.self, forKey: .purchaseDate)
        originalPurchaseDate =
            try date(.originalPurchaseDate, .originalPurchaseDate)
            ?? keys.decode(Date.self, forKey: .originalPurchaseDate)
        expiresDate = try date(.expiresDate, .expiresDate)
        cancellationDate = try date(.cancellationDate, .cancellationDate)
        isTrialPeriod = try keys.decode(Bool.self, forKey: .isTrialPeriod)
        isInIntroOfferPeriod = try keys.decode(Bool.self, forKey: .isInIntroOfferPeriod)
        promotionalOfferIdentifier = try keys.decodeIfPresent(String.self, forKey: .promotionalOfferIdentifier)
    }

    private static func milliseconds(_ date: Date) -> String { String(date.milliseconds) }
}
