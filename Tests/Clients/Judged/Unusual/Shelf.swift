// The goods of the unusual shops, and the purchases they came from.
// Belongs to the main queue; storage may be read elsewhere.

import Foundation
import Stampede
import StoreKit

/// Goods in durable storage. A delivery is one atomic write of the goods and of the transaction's identifier.
///
/// Consumables are counted; everything else is held as long as there is a purchase that it goes back to.
open class Shelf {
    public let environment: AppEnvironment
    public let sold: [String]
    private let consumables: Set<String>

    /// One thing that happens to the goods.
    public enum Entry {
        case sale(id: String, product: String, quantity: Int)
        /// An entitlement: `replaced` are older purchases of it that need not be kept in mind.
        case right(id: String?, product: String, source: String, replaced: [String])
        case end(product: String, sources: [String])
        case use(product: String)
    }

    public init(_ environment: AppEnvironment) {
        self.environment = environment
        sold = environment.products.map(\.identifier)
        consumables = Set(environment.products.filter { $0.kind == .consumable }.map(\.identifier))
    }

    public func isConsumable(_ product: String) -> Bool { consumables.contains(product) }

    // MARK: Storage, for subclasses that keep it elsewhere

    open func number(_ key: String) -> Int { environment.durableInteger(key) }
    open func text(_ key: String) -> String { environment.durableText(key) }
    open func has(_ key: String) -> Bool { environment.hasDurable(key) }
    open func commit(_ changes: [(key: String, value: AppValue?)]) { environment.write(changes) }

    // MARK: The books, for subclasses that keep others

    open func count(of product: String) -> Int { number("count." + product) }
    open func rights(of product: String) -> [String] { Self.split(text("right." + product)) }
    open func isGiven(_ id: String) -> Bool { has("given." + id) }
    open func mark(_ id: String) -> (key: String, value: AppValue?) { ("given." + id, .flag(true)) }

    open func record(_ entry: Entry) {
        switch entry {
        case .sale(let id, let product, let quantity):
            commit([("count." + product, .integer(count(of: product) + quantity)), mark(id)])
        case .right(let id, let product, let source, let replaced):
            let sources = rights(of: product).filter { $0 != source && !replaced.contains($0) } + [source]
            commit([("right." + product, .text(Self.join(sources)))] + (id.map { [mark($0)] } ?? []))
        case .end(let product, let ended):
            let sources = rights(of: product).filter { !ended.contains($0) }
            commit([("right." + product, sources.isEmpty ? nil : .text(Self.join(sources)))])
        case .use(let product):
            commit([("count." + product, .integer(count(of: product) - 1))])
        }
    }

    static func split(_ text: String) -> [String] { text.split(separator: ";").map(String.init) }
    static func join(_ parts: [String]) -> String { parts.joined(separator: ";") }

    // MARK: What the shop does

    open func held(_ product: String) -> Int {
        isConsumable(product) ? count(of: product) : rights(of: product).isEmpty ? 0 : 1
    }

    public func holdings() -> [String: Int] {
        var all: [String: Int] = [:]
        for product in sold { all[product] = held(product) }
        return all
    }

    /// False if it was delivered before.
    open func deliver(_ told: Delivery) -> Bool {
        guard let id = told.identifier, sold.contains(told.product), !isGiven(id) else { return false }
        if isConsumable(told.product) {
            record(.sale(id: id, product: told.product, quantity: told.payment.quantity))
        } else {
            record(.right(id: id, product: told.product, source: id, replaced: listedRights(of: told.product)))
        }
        return true
    }

    /// Grants what was bought earlier, unless the receipt shows that it has ended since.
    open func grantRestored(_ told: Delivery) {
        let product = told.product
        guard sold.contains(product), !isConsumable(product), !rights(of: product).contains(told.source) else { return }
        if let receipt = environment.receipt {
            let listed = receipt.inApp.filter { $0.productIdentifier == product }
            if Self.knows(receipt, listed, told.source), !listed.contains(where: { $0.isValid(at: environment.now) }) {
                return
            }
        }
        record(.right(id: nil, product: product, source: told.source, replaced: listedRights(of: product)))
    }

    /// Those rights that the receipt knows of: it will know of their successor, too.
    private func listedRights(of product: String) -> [String] {
        guard let receipt = environment.receipt else { return [] }
        let listed = receipt.inApp.filter { $0.productIdentifier == product }
        return rights(of: product).filter { Self.knows(receipt, listed, $0) }
    }

    /// Whether a receipt lists what a right goes back to. Of what was restored without its original, any purchase will do,
    /// in a receipt that is no older.
    private static func knows(_ receipt: AppReceipt, _ listed: [AppReceipt.Purchase], _ right: String) -> Bool {
        guard right.hasPrefix(Delivery.restored), let date = Int(right.dropFirst(Delivery.restored.count)) else {
            return listed.contains { $0.transactionIdentifier == right }
        }
        return !listed.isEmpty && Int(receipt.creationDate.timeIntervalSince1970 * 1_000) >= date
    }

    /// Gives up what was taken back or has run out. What the receipt does not list is another account's, or newer
    /// than the receipt: that is kept.
    open func giveUpWhatIsOver(of only: String? = nil) {
        guard let receipt = environment.receipt else { return }
        for product in sold where !isConsumable(product) && (only == nil || only == product) {
            let rights = rights(of: product)
            if rights.isEmpty { continue }
            let listed = receipt.inApp.filter { $0.productIdentifier == product }
            if listed.contains(where: { $0.isValid(at: environment.now) }) { continue }
            let ended = rights.filter { Self.knows(receipt, listed, $0) }
            if !ended.isEmpty { record(.end(product: product, sources: ended)) }
        }
    }

    open func use(_ product: String) {
        if isConsumable(product), held(product) > 0 { record(.use(product: product)) }
    }
}
