// The goods that people own and the transactions delivered for them, kept in a file.
//
// The file is on the device when a write returns. The system saves user defaults later: a crash may lose them after
// the transaction was finished.

import Foundation
import StoreKit

/// The goods that a user owns. Any thread.
public final class Inventory: @unchecked Sendable {
    private static var file: URL {
        FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0].appendingPathComponent(
            "inventory.json")
    }

    private let lock = NSLock()
    private var record: Record

    /// One file for everything: a crash leaves all of it or none.
    private struct Record: Codable {
        var held: [String: Int] = [:]
        var delivered: Set<String> = []
    }

    public init() {
        let data = try? Data(contentsOf: Self.file)
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
        try? JSONEncoder().encode(record).write(to: Self.file, options: .atomic)
    }
}
