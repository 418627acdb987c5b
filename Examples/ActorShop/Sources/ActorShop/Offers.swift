// What the drawing app sells, and how its screens show it.

import Foundation
import StoreKit

public struct Offer: Sendable, Identifiable {
    public let id: String
    public let title: String
    public let detail: String
    /// As the buy button has it: "$0.99".
    public let price: String

    init(_ product: SKProduct) {
        id = product.productIdentifier
        title = product.localizedTitle
        detail = product.localizedDescription
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        price = formatter.string(from: product.price) ?? "\(product.price)"
    }

    public static let ink = "com.example.inkwell.ink"
    public static let paper = "com.example.inkwell.paper"
    public static let brushes = "com.example.inkwell.brushes"
    public static let export = "com.example.inkwell.export"
    public static let all = [ink, paper, brushes, export]

    /// How many there are in one purchase. Nil for what is owned for good.
    public static func amount(of id: String) -> Int? {
        switch id {
        case ink: 5
        case paper: 10
        default: nil
        }
    }
}

public enum ShopError: LocalizedError {
    case notForSale, notAllowed, deliveredBefore

    public var errorDescription: String? {
        switch self {
        case .notForSale: "The App Store does not sell this any more."
        case .notAllowed: "Purchases are switched off on this device."
        case .deliveredBefore: "You have this purchase already, and nothing was charged."
        }
    }
}
