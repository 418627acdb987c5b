// What the player owns, in the user defaults.

import Foundation
import StoreKit

/// Belongs to the main thread.
public final class Inventory {
    public static let didChange = Notification.Name("LabyrinthInventoryDidChange")

    private static let key = "inventory"
    private static let ownedKey = "owned"
    private static let deliveredKey = "delivered"

    private let defaults: UserDefaults

    public init(defaults: UserDefaults = .standard) { self.defaults = defaults }

    public var owned: [String: Int] { stored[Self.ownedKey] as? [String: Int] ?? [:] }

    public func count(of product: String) -> Int { owned[product] ?? 0 }

    /// False if there is none left.
    @discardableResult
    public func use(_ product: String) -> Bool {
        guard Products.consumables.contains(product), count(of: product) > 0 else { return false }
        change { owned, _ in owned[product, default: 0] -= 1 }
        return true
    }

    /// Delivers once, however often StoreKit delivers a transaction. False if it brought nothing: a second payment may be
    /// answered with the purchase that came of the first.
    @discardableResult
    func deliver(_ transaction: SKPaymentTransaction) -> Bool {
        let product = transaction.payment.productIdentifier
        guard Products.consumables.contains(product) else {
            change { owned, _ in owned[product] = 1 }
            return true
        }
        guard let identifier = transaction.transactionIdentifier else { return false }
        var isNew = false
        change { owned, delivered in
            guard !delivered.contains(identifier) else { return }
            isNew = true
            delivered.append(identifier)
            owned[product, default: 0] += transaction.payment.quantity
        }
        return isNew
    }

    static let deliveredBefore = NSError(
        domain: "Inventory", code: 1,
        userInfo: [NSLocalizedDescriptionKey: "You have this purchase already, and nothing was charged."])

    /// What was refunded.
    func remove(_ products: [String]) {
        change { owned, _ in for product in products { owned[product] = 0 } }
    }

    private var stored: [String: Any] { defaults.dictionary(forKey: Self.key) ?? [:] }

    /// Goods and the transactions that they came from are one value: after a crash both are there or neither.
    private func change(_ body: (inout [String: Int], inout [String]) -> Void) {
        var owned = owned
        var delivered = stored[Self.deliveredKey] as? [String] ?? []
        body(&owned, &delivered)
        defaults.set([Self.ownedKey: owned, Self.deliveredKey: delivered], forKey: Self.key)
        NotificationCenter.default.post(name: Self.didChange, object: self)
    }
}
