// The goods that users hold and the transactions that brought them, for purchase code that keeps no goods itself.
// Any thread: a lock guards changes; reads read storage.

import Foundation
public import StoreKit

/// A durable count of goods for each product.
///
/// Consumables are counted. Every other product is held once or not at all.
/// `grant` is idempotent: it writes the goods and the transaction's identifier in one atomic step.
/// A crash in between neither loses goods nor, after the redelivery, grants them twice.
/// `add` is for apps that do otherwise, right or wrong: it keeps no record of where goods came from.
public final class Goods: @unchecked Sendable {  // Guard: `lock`; the rest is constant.
    let environment: AppEnvironment
    let store: any GoodsStore
    let perPurchase: (String) -> Int
    /// Makes one change at a time. Reading is allowed meanwhile: the harness reads after every write.
    let lock = NSLock()
    /// Every product that the app sells, and the storage key of its goods.
    let sold: [AppEnvironment.Product]
    let keys: [String]

    /// - Parameters:
    ///   - place: where the goods are kept.
    ///   - perPurchase: how many goods one purchase of a consumable brings.
    public init(
        _ environment: AppEnvironment = .current, in place: Place = .device,
        perPurchase: @escaping (String) -> Int = { _ in 1 }
    ) {
        self.environment = environment
        self.perPurchase = perPurchase
        store = place.store(environment)
        sold = environment.products
        keys = sold.map { "goods." + $0.identifier }
    }

    // MARK: Reading

    /// How many goods are held of each product; products without goods are left out.
    public var held: [String: Int] {
        var held: [String: Int] = [:]
        for place in sold.indices {
            let count = store.integer(keys[place])
            if count != 0 { held[sold[place].identifier] = count }
        }
        return held
    }

    /// How many goods of a product are held.
    public func count(of productIdentifier: String) -> Int {
        place(of: productIdentifier).map { store.integer(keys[$0]) } ?? 0
    }

    /// Whether `grant` has granted this transaction as a purchase before; `grant` does not mark restored transactions.
    public func hasGranted(_ transaction: SKPaymentTransaction) -> Bool {
        transaction.transactionIdentifier.map { store.contains(Self.mark($0)) } ?? false
    }

    // MARK: Changing

    /// Grants the goods of a transaction, once however often it is delivered.
    /// A consumable brings `perPurchase` goods for each one paid for, any other product one.
    /// The goods are durable when this returns. Returns false if the transaction brings nothing: it was granted before,
    /// the product was taken back since, or the app does not sell the product.
    @discardableResult
    public func grant(_ transaction: SKPaymentTransaction) -> Bool {
        lock.withLock {
            transaction.transactionState == .restored ? grantRestored(transaction) : grantPurchased(transaction)
        }
    }

    /// Adds goods, wherever they came from. A product that is not consumable is held once afterwards.
    public func add(_ productIdentifier: String, count: Int = 1) {
        guard let place = place(of: productIdentifier) else { return }
        lock.withLock {
            let held = isConsumable(place) ? store.integer(keys[place]) + count * perPurchase(productIdentifier) : 1
            store.write([(keys[place], .integer(held))])
        }
    }

    /// Uses up one of a consumable's goods. Returns false if none is held, or the product is not consumable.
    @discardableResult
    public func use(_ productIdentifier: String) -> Bool {
        guard let place = place(of: productIdentifier), isConsumable(place) else { return false }
        return lock.withLock {
            let held = store.integer(keys[place])
            if held > 0 { store.write([(keys[place], .integer(held - 1))]) }
            return held > 0
        }
    }

    /// Sets the goods of a product to zero, after a refund or an expiry.
    public func remove(_ productIdentifier: String) {
        guard let place = place(of: productIdentifier) else { return }
        lock.withLock { store.write([(keys[place], .integer(0))]) }
    }

    // MARK: What transactions bring

    private func grantPurchased(_ transaction: SKPaymentTransaction) -> Bool {
        let payment = transaction.payment
        guard let identifier = transaction.transactionIdentifier, let place = place(of: payment.productIdentifier)
        else { return false }
        let mark = Self.mark(identifier)
        if store.contains(mark) { return false }
        if isConsumable(place) {
            let brought = payment.quantity * perPurchase(payment.productIdentifier)
            store.write([(keys[place], .integer(store.integer(keys[place]) + brought)), (mark, .flag(true))])
        } else {
            store.write(
                [(keys[place], .integer(1)), (mark, .flag(true))]
                    + noted(place, identifier, transaction.transactionDate))
        }
        return true
    }

    /// Grants a product owned before, unless it was taken back since: StoreKit may deliver a restore much later.
    private func grantRestored(_ transaction: SKPaymentTransaction) -> Bool {
        guard let place = place(of: transaction.payment.productIdentifier), !isConsumable(place),
            store.integer(keys[place]) == 0
        else { return false }
        // Some transactions do not name the purchase they restore: then it may be any purchase of the product.
        let source = transaction.original?.transactionIdentifier ?? ""
        let date = transaction.original?.transactionDate ?? transaction.transactionDate
        if let receipt = environment.receipt, isOver(place, source, since: Self.milliseconds(date), receipt) {
            return false
        }
        store.write([(keys[place], .integer(1))] + noted(place, source, date))
        return true
    }

    /// Records the newest purchase of a product as the source of its goods: older purchases may be delivered later.
    private func noted(_ place: Int, _ identifier: String, _ date: Date?) -> [(key: String, value: AppValue?)] {
        let date = Self.milliseconds(date)
        let isOlder = store.integer(keys[place]) != 0 && store.integer(sourceDate(place)) > date
        return isOlder ? [] : [(source(place), .text(identifier)), (sourceDate(place), .integer(date))]
    }

    // MARK: What the receipt says

    /// Gives up products that were taken back or have run out.
    /// A product stays if the receipt lists another valid purchase of it.
    /// Call it when StoreKit announces a revocation, at every delivery, at every launch, and at every return to the
    /// foreground: the app may have been closed just after the announcement.
    ///
    /// - Parameter product: look at this product alone.
    public func giveUpWhatIsOver(of product: String? = nil) {
        lock.withLock {
            let held = sold.indices.filter { place in
                !isConsumable(place) && (product.map { $0 == sold[place].identifier } ?? true)
                    && store.integer(keys[place]) != 0
            }
            guard !held.isEmpty, let receipt = environment.receipt else { return }
            for place in held
            where isOver(place, store.text(source(place)), since: store.integer(sourceDate(place)), receipt) {
                store.write([(keys[place], .integer(0))])
            }
        }
    }

    /// Brings goods into line with the receipt: gives up products, and grants subscriptions again.
    /// It gives up products that are over, and grants given-up subscriptions that the receipt shows as valid.
    /// An older receipt may not have known of a grace period (R48), which no transaction announces.
    /// Call it at every launch and at every return to the foreground.
    public func followReceipt() {
        giveUpWhatIsOver()
        guard environment.hasReceipt else { return }
        lock.withLock {
            let given = sold.indices.filter { place in
                sold[place].kind == .autoRenewableSubscription && store.integer(keys[place]) == 0
                    && store.integer(sourceDate(place)) != 0
            }
            guard !given.isEmpty, let receipt = environment.receipt else { return }
            for place in given where counts(place, store.text(source(place)), receipt) {
                store.write([(keys[place], .integer(1))])
            }
        }
    }

    private func counts(_ place: Int, _ source: String, _ receipt: AppReceipt) -> Bool {
        receipt.inApp.contains { purchase in
            let isMeant =
                source.isEmpty
                ? purchase.productIdentifier == sold[place].identifier : purchase.transactionIdentifier == source
            return isMeant && purchase.isValid(at: environment.now)
        }
    }

    /// Whether a receipt shows that a product is no longer paid for.
    /// A receipt may be older than the purchase or restore that brought the product: then it shows nothing about it.
    private func isOver(_ place: Int, _ source: String, since date: Int, _ receipt: AppReceipt) -> Bool {
        let purchases = receipt.inApp.filter { $0.productIdentifier == sold[place].identifier }
        let isKnown =
            source.isEmpty
            ? !purchases.isEmpty && Self.milliseconds(receipt.creationDate) >= date
            : purchases.contains { $0.transactionIdentifier == source }
        return isKnown && !purchases.contains { $0.isValid(at: environment.now) }
    }

    private static func milliseconds(_ date: Date?) -> Int { Int((date?.timeIntervalSince1970 ?? 0) * 1_000) }

    // MARK: Keys

    func place(of productIdentifier: String) -> Int? { sold.firstIndex { $0.identifier == productIdentifier } }
    func isConsumable(_ place: Int) -> Bool { sold[place].kind == .consumable }
    static func mark(_ identifier: String) -> String { "delivered." + identifier }
    /// The purchase that brought a product, and the date of that purchase in milliseconds.
    private func source(_ place: Int) -> String { "source." + sold[place].identifier }
    private func sourceDate(_ place: Int) -> String { "sourced." + sold[place].identifier }
}
