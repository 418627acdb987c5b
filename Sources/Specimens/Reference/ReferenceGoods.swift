// The goods of the reference client, and which transactions they came from.
// Confined to the device's main queue.

import ClientKit
import Foundation
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
        if isConsumable[place] {
            let held = environment.durableInteger(keys[place]) + payment.quantity
            environment.write([(keys[place], .integer(held)), (mark, .flag(true))])
        } else {
            environment.write(
                [(keys[place], .integer(1)), (mark, .flag(true))]
                    + noted(place, identifier, transaction.transactionDate))
        }
        return true
    }

    /// Delivers what was owned already, unless it has been taken back since: a restore may be told again much later.
    func deliverRestored(_ transaction: SKPaymentTransaction) {
        guard let place = sold.firstIndex(of: transaction.payment.productIdentifier), !isConsumable[place],
            environment.durableInteger(keys[place]) == 0
        else { return }
        let source = transaction.original?.transactionIdentifier ?? transaction.transactionIdentifier ?? ""
        if let receipt = environment.receipt, isOver(sold[place], source, receipt) { return }
        environment.write(
            [(keys[place], .integer(1))] + noted(place, source, transaction.original?.transactionDate))
    }

    /// The storage key of the purchase that a product goes back to.
    private func source(_ place: Int) -> String { "source." + sold[place] }

    /// And of when that was made, in milliseconds.
    private func sourceDate(_ place: Int) -> String { "sourced." + sold[place] }

    /// What is held goes back to the newest purchase of it: older ones may be told later.
    private func noted(_ place: Int, _ identifier: String, _ date: Date?) -> [(key: String, value: AppValue?)] {
        let date = Int((date?.timeIntervalSince1970 ?? 0) * 1_000)
        let isOlder =
            environment.durableInteger(keys[place]) != 0 && environment.durableInteger(sourceDate(place)) > date
        return isOlder ? [] : [(source(place), .text(identifier)), (sourceDate(place), .integer(date))]
    }

    /// Gives up what was taken back or has run out, unless the receipt lists another purchase of it that counts. For when
    /// StoreKit says so, for every launch and return to the foreground, because the app may have been closed just after
    /// it was told, and for every delivery.
    ///
    /// - Parameter product: look at this one alone.
    func giveUpWhatIsOver(of product: String? = nil) {
        let held = sold.indices.filter { place in
            !isConsumable[place] && (product.map { $0 == sold[place] } ?? true)
                && environment.durableInteger(keys[place]) != 0
        }
        if held.isEmpty { return }
        guard let receipt = environment.receipt else { return }
        for place in held where isOver(sold[place], environment.durableText(source(place)), receipt) {
            environment.write([(keys[place], .integer(0))])
        }
    }

    /// Gives up what is over, and grants again what was given up over a receipt that did not know yet of a period of
    /// grace (R48), which no transaction tells of. For every launch and return to the foreground.
    func followReceipt() {
        giveUpWhatIsOver()
        guard environment.hasReceipt else { return }
        let given = sold.indices.filter { place in
            environment.products[place].kind == .autoRenewableSubscription
                && environment.durableInteger(keys[place]) == 0
                && !environment.durableText(source(place)).isEmpty
        }
        if given.isEmpty { return }
        guard let receipt = environment.receipt else { return }
        for place in given where counts(environment.durableText(source(place)), receipt) {
            environment.write([(keys[place], .integer(1))])
        }
    }

    private func counts(_ source: String, _ receipt: AppReceipt) -> Bool {
        receipt.inApp.contains { $0.transactionIdentifier == source && $0.isValid(at: environment.now) }
    }

    /// Whether a receipt shows that a product is no longer paid for. It may be older than the purchase that the product
    /// goes back to: then it says nothing about that.
    private func isOver(_ product: String, _ source: String, _ receipt: AppReceipt) -> Bool {
        let purchases = receipt.inApp.filter { $0.productIdentifier == product }
        guard purchases.contains(where: { $0.transactionIdentifier == source }) else { return false }
        return !purchases.contains { $0.isValid(at: environment.now) }
    }

    func use(_ identifier: String) {
        guard let place = sold.firstIndex(of: identifier), isConsumable[place] else { return }
        let held = environment.durableInteger(keys[place])
        if held > 0 { environment.write([(keys[place], .integer(held - 1))]) }
    }
}
