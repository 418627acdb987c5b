// What the atlas sells.

import Foundation
import StoreKit

public enum Products {
    /// One for each postcard.
    public static let stamps = "com.example.atlas.stamps"
    public static let europe = "com.example.atlas.europe"
    public static let asia = "com.example.atlas.asia"

    public static let all: Set<String> = [stamps, europe, asia]
    static let consumables: Set<String> = [stamps]
}

public enum StoreError: LocalizedError {
    case notForSale, notAllowed, deliveredBefore

    public var errorDescription: String? {
        switch self {
        case .notForSale: return "The App Store does not sell this map."
        case .notAllowed: return "This device is not allowed to make purchases."
        case .deliveredBefore: return "You have this purchase already, and nothing was charged."
        }
    }
}
