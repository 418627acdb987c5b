// The last known state of purchases, in the user defaults: what the library answers with when it is offline.
// Confined to the device's main queue.

import ClientKit
import Foundation
import Simulation

/// Dates by product, as the latest validation that listed the product left them.
struct IAPRecords {
    private let environment: AppEnvironment

    /// A subscription that ran out no longer ago than this may have been renewed a moment ago.
    static let justExpired: TimeInterval = 2 * 60

    init(environment: AppEnvironment) { self.environment = environment }

    func purchaseDate(of product: String) -> Date? { date(Self.purchaseKey(product)) }
    func expiryDate(of product: String) -> Date? { date(Self.expiryKey(product)) }

    func isActive(_ product: IAPProduct) -> Bool { isActive(product) { date($0) } }

    /// The same from what would be there after a crash right now.
    func isDurablyActive(_ product: IAPProduct) -> Bool {
        isActive(product) { key in
            environment.hasDurable(key) ? Date(milliseconds: environment.durableInteger(key)) : nil
        }
    }

    private func isActive(_ product: IAPProduct, by date: (String) -> Date?) -> Bool {
        let identifier = product.productIdentifier
        switch product.productType {
        case .nonConsumable: return date(Self.purchaseKey(identifier)) != nil
        case .autoRenewableSubscription:
            return Self.runs(until: date(Self.expiryKey(identifier)), at: environment.now)
        case .consumable, .nonRenewingSubscription: return false
        }
    }

    func hasJustExpired(_ product: IAPProduct) -> Bool {
        guard product.productType == .autoRenewableSubscription, let expiry = expiryDate(of: product.productIdentifier)
        else { return false }
        return expiry <= environment.now && Self.runs(until: expiry, at: environment.now)
    }

    private static func runs(until expiry: Date?, at now: Date) -> Bool {
        expiry.map { now.timeIntervalSince($0) < justExpired } ?? false
    }

    /// Takes over what the validator says of the products it lists; of each the latest dates.
    func note(_ purchases: [ValidatorAnswer.Purchase]) {
        var latest: [String: (purchase: Int64, expiry: Int64?)] = [:]
        for purchase in purchases {
            let known = latest[purchase.id]
            latest[purchase.id] = (
                max(known?.purchase ?? .min, purchase.purchaseDate),
                purchase.expiryDate.map { max(known?.expiry ?? .min, $0) } ?? known?.expiry
            )
        }
        for (product, dates) in latest.sorted(by: { $0.key < $1.key }) {
            set(Self.purchaseKey(product), dates.purchase)
            if let expiry = dates.expiry { set(Self.expiryKey(product), expiry) }
        }
    }

    private func set(_ key: String, _ milliseconds: Int64) {
        let value = Int(milliseconds)
        if environment.defaults.integer(forKey: key) != value { environment.defaults.set(.integer(value), forKey: key) }
    }

    private func date(_ key: String) -> Date? {
        let milliseconds = environment.defaults.integer(forKey: key)
        return milliseconds == 0 ? nil : Date(milliseconds: milliseconds)
    }

    private static func purchaseKey(_ product: String) -> String { "iap.purchase." + product }
    private static func expiryKey(_ product: String) -> String { "iap.expiry." + product }
}

extension Date {
    fileprivate init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
