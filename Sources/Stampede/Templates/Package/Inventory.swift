// The goods that people own and the transactions delivered for them, kept in a file.
//
// The file is on the device when a write returns. The system saves user defaults later: a crash may lose them after
// the transaction was finished.

import Foundation
import StoreKit

/// Reads the purchases that the app's receipt lists.
/// Apple signs receipts, and writes them in ASN.1: have a parser read them, or your server.
public typealias ReceiptReader = @Sendable () -> [ReceiptPurchase]

public struct ReceiptPurchase: Sendable {
    let transaction: String
    let product: String
    /// Neither refunded nor expired.
    let isValid: Bool

    public init(transaction: String, product: String, isValid: Bool) {
        self.transaction = transaction
        self.product = product
        self.isValid = isValid
    }
}

/// The goods that a user owns. Any thread.
public final class Inventory: @unchecked Sendable {
    private static var file: URL {
        FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0].appendingPathComponent(
            "inventory.json")
    }

    private let receipt: ReceiptReader?
    private let lock = NSLock()
    private var record: Record

    /// One file for everything: a crash leaves all of it or none.
    private struct Record: Codable, Equatable {
        var held: [String: Int] = [:]
        var delivered: Set<String> = []
        /// For each product that is not consumable, the purchase that brought it, if StoreKit named it.
        var sources: [String: String] = [:]

        /// A product stays while any of its purchases is valid. A receipt may be older than the purchase that brought the
        /// product: then it says nothing of it.
        mutating func follow(_ receipt: [ReceiptPurchase]) {
            for (product, purchases) in Dictionary(grouping: receipt, by: \.product)
            where !Products.consumables.contains(product) {
                if let valid = purchases.first(where: \.isValid) {
                    held[product] = 1
                    sources[product] = valid.transaction
                } else if sources[product].map({ source in purchases.contains { $0.transaction == source } }) ?? true {
                    held[product] = 0
                }
            }
        }
    }

    /// - Parameter receipt: nil: the app does not read its receipt, and a product that StoreKit takes back is gone.
    public init(receipt: ReceiptReader? = nil) {
        self.receipt = receipt
        let data = try? Data(contentsOf: Self.file)
        record = data.flatMap { try? JSONDecoder().decode(Record.self, from: $0) } ?? Record()
    }

    public var held: [String: Int] { lock.withLock { record.held } }

    /// Delivers the product of a transaction: a consumable once for each transaction, any other product once, unless it
    /// was refunded or has expired meanwhile.
    /// Returns false for a consumable delivered before: StoreKit may answer a second payment with the first purchase.
    func deliver(_ transaction: SKPaymentTransaction) -> Bool {
        let product = transaction.payment.productIdentifier
        guard let identifier = transaction.transactionIdentifier else { return false }
        return lock.withLock {
            let isConsumable = Products.consumables.contains(product)
            if isConsumable, record.delivered.contains(identifier) { return false }
            change {
                if isConsumable {
                    $0.delivered.insert(identifier)
                    $0.held[product, default: 0] += transaction.payment.quantity
                } else {
                    $0.held[product] = 1
                    let isRestored = transaction.transactionState == .restored
                    $0.sources[product] = isRestored ? transaction.original?.transactionIdentifier : identifier
                    if let receipt { $0.follow(receipt().filter { $0.product == product }) }
                }
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

    /// StoreKit has taken products back. The receipt tells whether they have been bought again since.
    func revoke(_ products: [String]) {
        guard receipt == nil else { return followReceipt() }
        lock.withLock { change { for product in products { $0.held[product] = 0 } } }
    }

    /// Takes back what was refunded or has expired, and delivers what is valid.
    func followReceipt() {
        guard let receipt else { return }
        lock.withLock { change { $0.follow(receipt()) } }
    }

    private func change(_ body: (inout Record) -> Void) {
        let before = record
        body(&record)
        if record == before { return }
        try? JSONEncoder().encode(record).write(to: Self.file, options: .atomic)
    }
}
