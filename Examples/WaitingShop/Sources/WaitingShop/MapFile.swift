// What the traveller owns, in a property list.

import Foundation
import StoreKit

/// Any thread: one at a time changes it.
public final class MapFile {
    public static let didChange = Notification.Name("AtlasMapFileDidChange")

    private static let ownedKey = "Owned"
    private static let deliveredKey = "Delivered"

    private let file: URL
    private let turn = DispatchSemaphore(value: 1)

    public init() {
        let folder = NSSearchPathForDirectoriesInDomains(.documentDirectory, .userDomainMask, true)[0]
        file = URL(fileURLWithPath: folder).appendingPathComponent("Maps.plist")
    }

    public var owned: [String: Int] { read()[Self.ownedKey] as? [String: Int] ?? [:] }

    /// A postcard has been sent.
    public func use(_ product: String) {
        change { owned, _ in
            guard Products.consumables.contains(product), let left = owned[product], left > 0 else { return }
            owned[product] = left - 1
        }
    }

    /// Delivers once, however often StoreKit delivers a transaction. False if it brought nothing: a second payment may be
    /// answered with the purchase that came of the first.
    func deliver(_ transaction: SKPaymentTransaction) -> Bool {
        let product = transaction.payment.productIdentifier
        var isNew = true
        change { owned, delivered in
            guard Products.consumables.contains(product) else { return owned[product] = 1 }
            guard let identifier = transaction.transactionIdentifier, !delivered.contains(identifier) else {
                return isNew = false
            }
            delivered.append(identifier)
            owned[product, default: 0] += transaction.payment.quantity
        }
        return isNew
    }

    /// What was refunded.
    func remove(_ products: [String]) {
        change { owned, _ in for product in products { owned[product] = 0 } }
    }

    /// Goods and the transactions that they came from are one file: after a crash both are there or neither.
    private func change(_ body: (inout [String: Int], inout [String]) -> Void) {
        turn.wait()
        let before = read()
        var owned = before[Self.ownedKey] as? [String: Int] ?? [:]
        var delivered = before[Self.deliveredKey] as? [String] ?? []
        body(&owned, &delivered)
        let after: [String: Any] = [Self.ownedKey: owned, Self.deliveredKey: delivered]
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try PropertyListSerialization.data(fromPropertyList: after, format: .binary, options: 0)
                .write(to: file, options: .atomic)
        } catch {
            NSLog("Atlas: the maps cannot be saved: %@", error.localizedDescription)
        }
        turn.signal()
        DispatchQueue.main.async { NotificationCenter.default.post(name: Self.didChange, object: self) }
    }

    private func read() -> [String: Any] {
        guard let data = try? Data(contentsOf: file) else { return [:] }
        return (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any] ?? [:]
    }
}
