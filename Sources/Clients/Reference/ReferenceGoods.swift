// The goods of the reference client, and which transactions they came from.
// Confined to the device's main queue.

import StoreKit

/// Goods by product in durable storage. Delivery is idempotent: the goods and the transaction's identifier
/// are one atomic write.
final class ReferenceGoods {
    private let environment: AppEnvironment
    /// Every product the app sells.
    let sold: [String]
    /// The storage key of each product's goods.
    private let keys: [String]
    private let isConsumable: [Bool]

    init(environment: AppEnvironment) {
        self.environment = environment
        sold = environment.products.map(\.identifier)
        keys = sold.map { "goods." + $0 }
        isConsumable = environment.products.map { $0.kind == .consumable }
    }

    func held(_ identifier: String) -> Int {
        guard let place = sold.firstIndex(of: identifier) else { return 0 }
        return environment.durableInteger(keys[place])
    }

    func holdings() -> [String: Int] {
        var held: [String: Int] = [:]
        for place in sold.indices {
            let count = environment.durableInteger(keys[place])
            if count != 0 { held[sold[place]] = count }
        }
        return held
    }

    func hasDelivered(_ transaction: SKPaymentTransaction) -> Bool {
        transaction.transactionIdentifier.map { environment.hasDurable(Self.mark($0)) } ?? false
    }

    private static func mark(_ identifier: String) -> String { "delivered." + identifier }

    /// Delivers a purchase from what its transaction says. False if it had been delivered before.
    func deliver(_ transaction: SKPaymentTransaction) -> Bool {
        let payment = transaction.payment
        guard let identifier = transaction.transactionIdentifier,
            let place = sold.firstIndex(of: payment.productIdentifier)
        else { return false }
        let mark = Self.mark(identifier)
        if environment.hasDurable(mark) { return false }
        let held = isConsumable[place] ? environment.durableInteger(keys[place]) + payment.quantity : 1
        environment.write([(keys[place], .integer(held)), (mark, .flag(true))])
        return true
    }

    /// Delivers what was owned already.
    func deliverRestored(_ transaction: SKPaymentTransaction) {
        guard let place = sold.firstIndex(of: transaction.payment.productIdentifier), !isConsumable[place],
            environment.durableInteger(keys[place]) == 0
        else { return }
        environment.write([(keys[place], .integer(1))])
    }

    /// Gives up what was taken back, unless the receipt lists another purchase of it that counts. For when StoreKit
    /// says so, for every launch, because the app may have been closed just after it was told, and for every delivery.
    ///
    /// - Parameter product: look at this one alone.
    func giveUpWhatWasTakenBack(of product: String? = nil) {
        let held = sold.indices.filter { place in
            !isConsumable[place] && (product.map { $0 == sold[place] } ?? true)
                && environment.durableInteger(keys[place]) != 0
        }
        if held.isEmpty { return }
        guard let receipt = environment.receipt else { return }
        for place in held {
            let purchases = receipt.inApp.filter { $0.productIdentifier == sold[place] }
            let isTakenBack = purchases.contains { $0.cancellationDate != nil }
            if isTakenBack, !purchases.contains(where: { $0.isValid(at: environment.now) }) {
                environment.write([(keys[place], .integer(0))])
            }
        }
    }

    func use(_ identifier: String) {
        guard let place = sold.firstIndex(of: identifier), isConsumable[place] else { return }
        let held = environment.durableInteger(keys[place])
        if held > 0 { environment.write([(keys[place], .integer(held - 1))]) }
    }
}
