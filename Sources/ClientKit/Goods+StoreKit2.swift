// Goods that StoreKit 2's transactions bring.
// Any thread, as `Goods`.

public import StoreKit

extension Goods {
    /// Grants the goods of a transaction, once however often it is delivered.
    /// A consumable brings `perPurchase` goods for each one paid for, any other product one.
    /// The goods are durable when this returns. Returns false if the transaction brings nothing: it was granted before,
    /// taken back or has expired, or the app does not sell the product. A grace period is not in the transaction:
    /// `hold` what `currentEntitlements` lists.
    @discardableResult
    public func grant(_ transaction: Transaction) -> Bool {
        lock.withLock {
            guard transaction.revocationDate == nil, let place = place(of: transaction.productID) else { return false }
            if !isConsumable(place) {
                if let end = transaction.expirationDate, end <= environment.now { return false }
                if store.integer(keys[place]) != 0 { return false }
                store.write([(keys[place], .integer(1))])
                return true
            }
            let mark = Self.mark("\(transaction.id)")
            if store.contains(mark) { return false }
            let brought = transaction.purchasedQuantity * perPurchase(transaction.productID)
            store.write([(keys[place], .integer(store.integer(keys[place]) + brought)), (mark, .flag(true))])
            return true
        }
    }

    /// Whether `grant` has granted this consumable before.
    public func hasGranted(_ transaction: Transaction) -> Bool { store.contains(Self.mark("\(transaction.id)")) }

    /// Holds exactly these of the products that are not consumable, in one atomic write: what `currentEntitlements` lists.
    public func hold(_ entitlements: Set<String>) {
        lock.withLock {
            let changed = sold.indices.filter { place in
                !isConsumable(place)
                    && (store.integer(keys[place]) != 0) != entitlements.contains(sold[place].identifier)
            }
            if changed.isEmpty { return }
            store.write(
                changed.map { (keys[$0], .integer(entitlements.contains(sold[$0].identifier) ? 1 : 0)) })
        }
    }
}
