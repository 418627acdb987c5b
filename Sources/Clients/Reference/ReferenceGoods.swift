// The goods of the reference client, and which transactions they came from.
// Confined to the device's main queue.

import StoreKit

/// Goods by product in durable storage. Delivery is idempotent: the goods and the transaction's identifier
/// are one atomic write.
final class ReferenceGoods {
    private let environment: AppEnvironment
    private let products: [Entry]

    private struct Entry {
        let identifier: String
        let isConsumable: Bool
        let key: String
    }

    init(environment: AppEnvironment) {
        self.environment = environment
        products = environment.products.map {
            Entry(identifier: $0.identifier, isConsumable: $0.kind == .consumable, key: "goods." + $0.identifier)
        }
    }

    /// Every product the app sells.
    var sold: [String] { products.map(\.identifier) }

    private func entry(_ identifier: String) -> Entry? { products.first { $0.identifier == identifier } }

    func held(_ identifier: String) -> Int {
        guard let entry = entry(identifier) else { return 0 }
        return environment.durableInteger(entry.key)
    }

    func holdings() -> [String: Int] {
        var held: [String: Int] = [:]
        for entry in products { held[entry.identifier] = environment.durableInteger(entry.key) }
        return held.filter { $0.value != 0 }
    }

    /// Delivers a purchase from what its transaction says. False if it had been delivered before.
    func deliver(_ transaction: SKPaymentTransaction) -> Bool {
        guard let identifier = transaction.transactionIdentifier, let entry = entry(transaction.payment.productIdentifier)
        else { return false }
        let mark = "delivered." + identifier
        if environment.hasDurable(mark) { return false }
        let held = entry.isConsumable ? environment.durableInteger(entry.key) + transaction.payment.quantity : 1
        environment.write([(entry.key, .integer(held)), (mark, .flag(true))])
        return true
    }

    /// Delivers what was owned already.
    func deliverRestored(_ transaction: SKPaymentTransaction) {
        guard let entry = entry(transaction.payment.productIdentifier), !entry.isConsumable,
            environment.durableInteger(entry.key) == 0
        else { return }
        environment.write([(entry.key, .integer(1))])
    }

    func use(_ identifier: String) {
        guard let entry = entry(identifier), entry.isConsumable else { return }
        let held = environment.durableInteger(entry.key)
        if held > 0 { environment.write([(entry.key, .integer(held - 1))]) }
    }
}
