// What people hold, and which transactions it came from: for apps whose purchase code leaves that to somebody else.
// Any thread: what changes goods has a lock; what reads them reads storage.

import Foundation
public import StoreKit

/// A durable count of goods for each product.
///
/// Consumables are counted; everything else is held once or not at all. `grant` is idempotent: goods and the transaction's
/// identifier are one atomic write, so that a crash in between neither loses goods nor, after the redelivery, brings them
/// twice. What else an app may do to its goods, right or wrong, is there too: `add` keeps no record of where goods came from.
public final class Goods: @unchecked Sendable {  // Guard: `lock`; the rest is constant.
    private let environment: AppEnvironment
    private let store: any GoodsStore
    private let perPurchase: (String) -> Int
    /// One change at a time. Reading is allowed meanwhile: the harness reads after every write.
    private let lock = NSLock()
    /// Every product the app sells, and the storage key of its goods.
    private let sold: [AppEnvironment.Product]
    private let keys: [String]

    /// - Parameters:
    ///   - place: where they are kept.
    ///   - perPurchase: how many goods of a consumable one purchase brings.
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

    /// The products of which there are any, with how many.
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

    /// Whether `grant` has seen a transaction before.
    public func hasGranted(_ transaction: SKPaymentTransaction) -> Bool {
        transaction.transactionIdentifier.map { store.contains(Self.mark($0)) } ?? false
    }

    // MARK: Changing

    /// Grants what a transaction brings: of a consumable as much as was paid for, of everything else one. Durable when it
    /// returns. False if that brings nothing: it was granted before, was taken back since, or is of an unknown product.
    @discardableResult
    public func grant(_ transaction: SKPaymentTransaction) -> Bool {
        lock.withLock {
            transaction.transactionState == .restored ? grantRestored(transaction) : grantPurchased(transaction)
        }
    }

    /// Counts goods, whatever they came from; of what is held once there is one afterwards.
    public func add(_ productIdentifier: String, count: Int = 1) {
        guard let place = place(of: productIdentifier) else { return }
        lock.withLock {
            let held = isConsumable(place) ? store.integer(keys[place]) + count * perPurchase(productIdentifier) : 1
            store.write([(keys[place], .integer(held))])
        }
    }

    /// One of a consumable's goods is used up. False if there is none.
    @discardableResult
    public func use(_ productIdentifier: String) -> Bool {
        guard let place = place(of: productIdentifier), isConsumable(place) else { return false }
        return lock.withLock {
            let held = store.integer(keys[place])
            if held > 0 { store.write([(keys[place], .integer(held - 1))]) }
            return held > 0
        }
    }

    /// Nothing is held of a product any more: it was refunded or has run out.
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

    /// What was owned already, unless it has been taken back since: a restore may be told again much later.
    private func grantRestored(_ transaction: SKPaymentTransaction) -> Bool {
        guard let place = place(of: transaction.payment.productIdentifier), !isConsumable(place),
            store.integer(keys[place]) == 0
        else { return false }
        // Not every phone says what was restored: then it is any purchase of the product.
        let source = transaction.original?.transactionIdentifier ?? ""
        let date = transaction.original?.transactionDate ?? transaction.transactionDate
        if let receipt = environment.receipt, isOver(place, source, since: Self.milliseconds(date), receipt) {
            return false
        }
        store.write([(keys[place], .integer(1))] + noted(place, source, date))
        return true
    }

    /// What is held goes back to the newest purchase of it: older ones may be told later.
    private func noted(_ place: Int, _ identifier: String, _ date: Date?) -> [(key: String, value: AppValue?)] {
        let date = Self.milliseconds(date)
        let isOlder = store.integer(keys[place]) != 0 && store.integer(sourceDate(place)) > date
        return isOlder ? [] : [(source(place), .text(identifier)), (sourceDate(place), .integer(date))]
    }

    // MARK: What the receipt says

    /// Gives up what was taken back or has run out, unless the receipt lists another purchase of it that counts. For when
    /// StoreKit says so, for every launch and return to the foreground, because the app may have been closed just after
    /// it was told, and for every delivery.
    ///
    /// - Parameter product: look at this one alone.
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

    /// Gives up what is over, and grants again what was given up over a receipt that did not know yet of a period of
    /// grace (R48), which no transaction tells of. For every launch and return to the foreground.
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

    /// Whether a receipt shows that a product is no longer paid for. It may be older than the purchase that the product
    /// goes back to, or than the restore that brought it: then it says nothing about that.
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

    private func place(of productIdentifier: String) -> Int? { sold.firstIndex { $0.identifier == productIdentifier } }
    private func isConsumable(_ place: Int) -> Bool { sold[place].kind == .consumable }
    private static func mark(_ identifier: String) -> String { "delivered." + identifier }
    /// The purchase that a product goes back to, and when that was made, in milliseconds.
    private func source(_ place: Int) -> String { "source." + sold[place].identifier }
    private func sourceDate(_ place: Int) -> String { "sourced." + sold[place].identifier }
}
