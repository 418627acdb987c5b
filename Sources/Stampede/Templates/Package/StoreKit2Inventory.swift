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
    private struct Record: Codable, Equatable {
        var held: [String: Int] = [:]
        var delivered: Set<UInt64> = []
    }

    public init() {
        let data = try? Data(contentsOf: Self.file)
        record = data.flatMap { try? JSONDecoder().decode(Record.self, from: $0) } ?? Record()
    }

    public var held: [String: Int] { lock.withLock { record.held } }

    /// Delivers the product of a transaction: a consumable once for each transaction, any other product once.
    /// Returns false for a consumable delivered before.
    func deliver(_ transaction: Transaction) -> Bool {
        let isConsumable = Products.consumables.contains(transaction.productID)
        return lock.withLock {
            // What was taken back or has ended is no longer among the entitlements, either.
            if transaction.revocationDate != nil { return !isConsumable }
            if let end = transaction.expirationDate, end <= Date() { return true }
            if isConsumable, record.delivered.contains(transaction.id) { return false }
            change {
                if isConsumable { $0.delivered.insert(transaction.id) }
                $0.held[transaction.productID] =
                    isConsumable ? $0.held[transaction.productID, default: 0] + transaction.purchasedQuantity : 1
            }
            return true
        }
    }

    /// Whether the user has what the transaction entitles to.
    func holds(_ transaction: Transaction) -> Bool {
        let isConsumable = Products.consumables.contains(transaction.productID)
        return isConsumable || lock.withLock { record.held[transaction.productID] != nil }
    }

    static let deliveredBefore = NSError(
        domain: "Inventory", code: 1,
        userInfo: [NSLocalizedDescriptionKey: "You have this purchase already, and nothing was charged."])

    /// Holds exactly these of the products that are not consumable.
    func hold(_ entitlements: Set<String>) {
        lock.withLock {
            change { record in
                for product in record.held.keys where !Products.consumables.contains(product) {
                    record.held[product] = nil
                }
                for product in entitlements where !Products.consumables.contains(product) { record.held[product] = 1 }
            }
        }
    }

    public func use(_ product: String) {
        lock.withLock {
            guard Products.consumables.contains(product), let held = record.held[product], held > 0 else { return }
            change { $0.held[product] = held - 1 }
        }
    }

    private func change(_ body: (inout Record) -> Void) {
        let before = record
        body(&record)
        if record == before { return }
        try? JSONEncoder().encode(record).write(to: Self.file, options: .atomic)
    }
}
