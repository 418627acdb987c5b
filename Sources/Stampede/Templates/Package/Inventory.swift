// The goods that people own and the transactions delivered for them, kept in the user defaults.

import Foundation
import StoreKit

/// The goods that a user owns. Any thread.
public final class Inventory: @unchecked Sendable {
    private static let key = "inventory"
    private let lock = NSLock()
    private var record: Record

    /// One value for everything: a crash leaves all of it or none.
    private struct Record: Codable {
        var held: [String: Int] = [:]
        var delivered: Set<String> = []
    }

    public init() {
        let data = UserDefaults.standard.data(forKey: Self.key)
        record = data.flatMap { try? JSONDecoder().decode(Record.self, from: $0) } ?? Record()
    }

    public var held: [String: Int] { lock.withLock { record.held } }

    /// Delivers the product of a transaction: a consumable once for each transaction, any other product once.
    /// Returns false for a consumable delivered before: StoreKit may answer a second payment with the first purchase.
    func deliver(_ transaction: SKPaymentTransaction) -> Bool {
        let product = transaction.payment.productIdentifier
        guard let identifier = transaction.transactionIdentifier else { return false }
        return lock.withLock {
            let isConsumable = Products.consumables.contains(product)
            if isConsumable, record.delivered.contains(identifier) { return false }
            change {
                if isConsumable { $0.delivered.insert(identifier) }
                $0.held[product] = isConsumable ? $0.held[product, default: 0] + transaction.payment.quantity : 1
            }
            return true
        }
    }

    static let deliveredBefore = NSError(
        domain: "Inventory", code: 1,
        userInfo: [NSLocalizedDescriptionKey: "You have this purchase already, and nothing was charged."])

    public func use(_ product: String) {
        lock.withLock {
            guard Products.consumables.contains(product), let held = record.held[product], held > 0 else { return }
            change { $0.held[product] = held - 1 }
        }
    }

    /// Removes products that were refunded.
    func remove(_ products: [String]) {
        lock.withLock { change { for product in products { $0.held[product] = 0 } } }
    }

    private func change(_ body: (inout Record) -> Void) {
        body(&record)
        UserDefaults.standard.set(try? JSONEncoder().encode(record), forKey: Self.key)
    }
}
