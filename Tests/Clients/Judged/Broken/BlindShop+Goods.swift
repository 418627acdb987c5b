// The correct shop's record of goods, and of the transactions that they came from.
// Confined to the device's main queue.

import Foundation
import Stampede
import StoreKit

/// Where things stand in the app's storage.
enum Keys {
    static func balance(_ product: String) -> String { "balance." + product }
    static func done(_ identifier: String) -> String { "done." + identifier }
    /// The purchase that a held product goes back to.
    static func source(_ product: String) -> String { "source." + product }
    /// When that was made, in milliseconds.
    static func sourceDate(_ product: String) -> String { "source-date." + product }
    /// A purchase of which is known only when it was restored, in milliseconds.
    static let restored = "restored."
}

extension BlindShop {
    func isConsumable(_ product: String) -> Bool {
        environment.products.contains { $0.identifier == product && $0.kind == .consumable }
    }

    /// Goods and the transaction's identifier in one write. False if the transaction was recorded before.
    func recordPurchase(_ told: Delivery) -> Bool {
        guard let identifier = told.identifier, let key = recordKey(told) else { return false }
        if isRecorded(key) { return false }
        if isConsumable(told.product) {
            let held = balance(of: told.product) + units(told)
            store([(Keys.balance(told.product), .integer(held)), (key, .flag(true))])
        } else {
            store(
                [(Keys.balance(told.product), .integer(1)), (key, .flag(true))]
                    + sourceChanges(told.product, identifier, told.date))
        }
        return true
    }

    /// What was owned already, unless it has been taken back since.
    func recordRestored(_ told: Delivery) {
        if isConsumable(told.product) || balance(of: told.product) != 0 { return }
        let receipt = environment.receipt
        // Where the transaction does not say what it goes back to, the receipt does.
        let latest = receipt?.inApp.filter { $0.productIdentifier == told.product }.max {
            $0.purchaseDate < $1.purchaseDate
        }
        let source =
            told.originalIdentifier ?? latest?.transactionIdentifier ?? Keys.restored + "\(milliseconds(told.date))"
        if let receipt, isOver(told.product, source: source, receipt) { return }
        store([(Keys.balance(told.product), .integer(1))] + sourceChanges(told.product, source, told.originalDate))
    }

    /// A product goes back to the newest purchase of it; older ones may be told later.
    private func sourceChanges(
        _ product: String, _ identifier: String, _ date: Date?
    ) -> [(key: String, value: AppValue?)] {
        let made = milliseconds(date)
        let known = environment.durableInteger(Keys.sourceDate(product))
        if balance(of: product) != 0, known > made { return [] }
        return [(Keys.source(product), .text(identifier)), (Keys.sourceDate(product), .integer(made))]
    }

    private func milliseconds(_ date: Date?) -> Int { Int((date?.timeIntervalSince1970 ?? 0) * 1_000) }

    /// Whether a receipt knows of the purchase that a product goes back to: if it lists it, or is no older than its restore.
    func knows(_ receipt: AppReceipt, _ listed: [AppReceipt.Purchase], _ source: String) -> Bool {
        guard source.hasPrefix(Keys.restored), let date = Int(source.dropFirst(Keys.restored.count)) else {
            return listed.contains { $0.transactionIdentifier == source }
        }
        return !listed.isEmpty && milliseconds(receipt.creationDate) >= date
    }

    /// Takes away what the receipt shows to be refunded, expired or no longer shared.
    func giveUpWhatIsOver(_ only: String?) {
        guard let receipt = environment.receipt else { return }
        for product in environment.products.map(\.identifier)
        where (only ?? product) == product && !isConsumable(product) && balance(of: product) != 0 {
            if isOver(product, source: environment.durableText(Keys.source(product)), receipt) {
                store([(Keys.balance(product), .integer(0))])
            }
        }
    }
}
