// What the game sells, and how its screens show it.

import Foundation
import StoreKit

public enum Products {
    public static let lanterns = "com.example.labyrinth.lanterns"
    public static let hints = "com.example.labyrinth.hints"
    public static let allLevels = "com.example.labyrinth.all_levels"

    public static let all: Set<String> = [lanterns, hints, allLevels]
    /// Those that are used up while playing.
    public static let consumables: Set<String> = [lanterns, hints]
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

/// What an alert says after a purchase that did not work. Nil where there is nothing to say.
public func alertText(for error: Error) -> String? {
    guard let error = error as? SKError else { return error.localizedDescription }
    switch error.code {
    case .paymentCancelled: return nil
    case .paymentNotAllowed: return "This device is not allowed to make purchases. See Settings > Screen Time."
    case .storeProductNotAvailable: return "The App Store of your country does not sell this."
    case .cloudServiceNetworkConnectionFailed: return "The App Store cannot be reached. Please try again later."
    default: return "The purchase did not work. You have not been charged."
    }
}
