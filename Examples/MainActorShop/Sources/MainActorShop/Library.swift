// What the listener owns, in the user defaults.

import Foundation
import StoreKit

@MainActor
public final class Library {
    public static let didChange = Notification.Name("LecternLibraryDidChange")

    private nonisolated static let key = "library"
    private var record: Record

    /// One value for all of it: after a crash either everything is there or nothing.
    private struct Record: Codable {
        var owned: [String: Int] = [:]
        var delivered: Set<String> = []
    }

    public init() { record = Self.saved() }

    /// What a launch after a crash would find.
    public nonisolated static func savedCounts() -> [String: Int] { saved().owned }

    public func count(of product: String) -> Int { record.owned[product] ?? 0 }

    /// A book has been chosen for a credit.
    public func use(_ product: String) {
        guard Products.consumables.contains(product), count(of: product) > 0 else { return }
        change { $0.owned[product, default: 0] -= 1 }
    }

    func isDelivered(_ transaction: SKPaymentTransaction) -> Bool {
        transaction.transactionIdentifier.map { record.delivered.contains($0) } ?? false
    }

    /// False if it brought nothing: a second payment may be answered with the purchase that came of the first.
    @discardableResult
    func deliver(_ transaction: SKPaymentTransaction) -> Bool {
        let product = transaction.payment.productIdentifier
        let isConsumable = Products.consumables.contains(product)
        guard let identifier = transaction.transactionIdentifier, !isDelivered(transaction) else {
            return !isConsumable
        }
        change {
            $0.delivered.insert(identifier)
            let held = $0.owned[product] ?? 0
            $0.owned[product] = isConsumable ? held + transaction.payment.quantity : 1
        }
        return true
    }

    /// What was refunded.
    func remove(_ products: [String]) {
        change { for product in products { $0.owned[product] = 0 } }
    }

    private func change(_ body: (inout Record) -> Void) {
        body(&record)
        UserDefaults.standard.set(try? JSONEncoder().encode(record), forKey: Self.key)
        NotificationCenter.default.post(name: Self.didChange, object: self)
    }

    private nonisolated static func saved() -> Record {
        let data = UserDefaults.standard.data(forKey: key)
        return data.flatMap { try? JSONDecoder().decode(Record.self, from: $0) } ?? Record()
    }
}
