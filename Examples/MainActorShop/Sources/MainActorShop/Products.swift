// What the audiobook player sells, and how its screens show it.

import Foundation
import StoreKit

public enum Products {
    /// One for each book.
    public static let credit = "com.example.lectern.credit"
    public static let gift = "com.example.lectern.gift"
    public static let sleepTimer = "com.example.lectern.sleep_timer"

    public static let all = [credit, gift, sleepTimer]
    static let consumables: Set<String> = [credit, gift]
}

extension SKProduct {
    /// As the buy button has it: "$0.99".
    public var priceText: String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = priceLocale
        return formatter.string(from: price) ?? "\(price)"
    }
}

public enum PurchaseError: LocalizedError {
    case notForSale, notAllowed, notGenuine, notConfirmed, deliveredBefore

    public var errorDescription: String? {
        switch self {
        case .notForSale: "This is not for sale at the moment."
        case .notAllowed: "Purchases are switched off on this device."
        case .deliveredBefore: "You have this purchase already, and nothing was charged."
        case .notGenuine: "The App Store does not know of this purchase."
        case .notConfirmed: "Your purchase could not be confirmed. Please write to support@lectern.example.com."
        }
    }
}
