// Broken clients that keep goods, or the names of what brought them, in a way that loses or doubles some.
// On any thread, as their base.

import ClientKit
import Foundation
import StoreKit

/// Defect: the app adds the goods, and notes the transaction by a second write. If it crashes in between, the next
/// launch does not know that it has delivered them, and adds them again.
final class TwoWrites: LedgerBase, @unchecked Sendable {
    override class var name: String { "sk2-two-writes" }

    override func deliver(_ transaction: Transaction) async -> Bool {
        guard transaction.productType == .consumable else { return await super.deliver(transaction) }
        return record(transaction.id) {
            guard transaction.isGoodConsumable, !ledger.contains("\(transaction.id)") else { return false }
            ledger.add(transaction.productID, count: transaction.purchasedQuantity)
            ledger.note("\(transaction.id)")
            return true
        }
    }
}

/// Defect: the app keeps new consumables in memory until it goes to the background, and finishes them at once. A
/// crash loses what StoreKit will not hand over again.
final class SavesInBackground: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-goods-in-memory-consumables" }

    private let wallet = Wallet()

    override func deliver(_ transaction: Transaction) async -> Bool {
        guard transaction.productType == .consumable else { return await super.deliver(transaction) }
        return record(transaction.id) {
            transaction.isGoodConsumable && !goods.hasGranted(transaction) && wallet.put(transaction)
        }
    }

    override func didEnterBackground() { save() }
    override func willTerminate() { save() }

    override func use(_ productIdentifier: String) {
        save()
        super.use(productIdentifier)
    }

    private func save() { for transaction in wallet.takeAll() { goods.grant(transaction) } }
}

/// What has been paid for and not saved.
private final class Wallet: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var transactions: [UInt64: Transaction] = [:]

    func put(_ transaction: Transaction) -> Bool {
        lock.withLock { transactions.updateValue(transaction, forKey: transaction.id) == nil }
    }

    func takeAll() -> [Transaction] {
        lock.withLock {
            defer { transactions = [:] }
            return transactions.values.sorted { $0.id < $1.id }
        }
    }
}

/// Defect: the app recognises a delivery that it has had before by its signed text. StoreKit signs each delivery
/// anew, so that the same purchase is granted as often as it is handed over.
final class RecognisesSignedText: LedgerBase, @unchecked Sendable {
    override class var name: String { "sk2-dedups-by-jws" }

    override func process(_ result: VerificationResult<Transaction>) async -> Bool {
        guard case .verified(let transaction) = result, transaction.productType == .consumable else {
            return await super.process(result)
        }
        let receipt = result.jwsRepresentation
        let isNew = record(transaction.id) {
            guard transaction.isGoodConsumable, !ledger.contains(receipt) else { return false }
            ledger.add(transaction.productID, count: transaction.purchasedQuantity, for: receipt)
            return true
        }
        await finish(transaction)
        return isNew
    }
}

/// Defect: an actor looks whether a transaction is known, then waits for the product's description, and then adds the
/// goods. What two loops hand over at the same time passes the look twice.
final class ListensTwice: LedgerBase, @unchecked Sendable {
    override class var name: String { "sk2-two-listeners-no-lock" }

    private lazy var cashier = Cashier(ledger)

    required init(environment: AppEnvironment) {
        super.init(environment: environment)
        // From here on it is only read.
        _ = cashier
    }

    override func deliver(_ transaction: Transaction) async -> Bool {
        guard transaction.productType == .consumable else { return await super.deliver(transaction) }
        let isNew = await cashier.credit(transaction)
        return isNew && record(transaction.id) { true }
    }
}

/// Credits coins, and says which.
private actor Cashier {
    private let ledger: Ledger
    private var lastReceipt = ""

    init(_ ledger: Ledger) { self.ledger = ledger }

    func credit(_ transaction: Transaction) async -> Bool {
        guard transaction.isGoodConsumable, !ledger.contains("\(transaction.id)") else { return false }
        let name = try? await Product.products(for: [transaction.productID]).first?.displayName
        lastReceipt = "\(transaction.purchasedQuantity) × \(name ?? transaction.productID)"
        ledger.add(transaction.productID, count: transaction.purchasedQuantity, for: "\(transaction.id)")
        return true
    }
}

/// Defect: the app adds one piece for each transaction of a consumable, however many the user has paid for.
final class IgnoresQuantity: LedgerBase, @unchecked Sendable {
    override class var name: String { "sk2-ignores-quantity" }

    override func deliver(_ transaction: Transaction) async -> Bool {
        guard transaction.productType == .consumable else { return await super.deliver(transaction) }
        return record(transaction.id) {
            guard transaction.isGoodConsumable, !ledger.contains("\(transaction.id)") else { return false }
            ledger.add(transaction.productID, count: 1, for: "\(transaction.id)")
            return true
        }
    }
}

/// Defect: at each launch the app takes the whole history for purchases that it has not seen. It grants what has
/// expired or was refunded, and what is unfinished once more.
final class TakesHistoryForNew: BrokenBase, @unchecked Sendable {
    override class var name: String { "sk2-history-as-new" }

    override func catchUp() {
        Task {
            _ = await readEntitlements().value
            for await result in Transaction.all {
                guard case .verified(let transaction) = result else { continue }
                approve(transaction)
                await transaction.finish()
            }
        }
    }

    private func approve(_ transaction: Transaction) {
        goods.add(transaction.productID, count: transaction.purchasedQuantity)
    }
}
