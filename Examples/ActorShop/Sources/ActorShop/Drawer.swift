// What the customer owns, in a file.

import Foundation
import StoreKit

/// Goods, and the transactions that they came from: one file for both, so that after a crash both are there or neither.
public struct Belongings: Codable, Sendable {
    public private(set) var owned: [String: Int] = [:]
    private var delivered: Set<String> = []

    public init() {}

    /// Once, however often StoreKit delivers a transaction. False if it brought nothing: a second payment may be answered with
    /// the purchase that came of the first.
    mutating func add(_ transaction: SKPaymentTransaction) -> Bool {
        let product = transaction.payment.productIdentifier
        guard let amount = Offer.amount(of: product) else {
            owned[product] = 1
            return true
        }
        guard let identifier = transaction.transactionIdentifier, delivered.insert(identifier).inserted else {
            return false
        }
        owned[product, default: 0] += amount * transaction.payment.quantity
        return true
    }

    mutating func use(_ product: String) {
        guard Offer.amount(of: product) != nil, let left = owned[product], left > 0 else { return }
        owned[product] = left - 1
    }

    /// What was refunded.
    mutating func remove(_ products: [String]) {
        for product in products { owned[product] = 0 }
    }
}

public struct Drawer: Sendable {
    private let file: URL

    public init() {
        let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        file = folder.appendingPathComponent("belongings.json")
    }

    public func open() throws -> Belongings {
        guard FileManager.default.fileExists(atPath: file.path) else { return Belongings() }
        return try JSONDecoder().decode(Belongings.self, from: Data(contentsOf: file))
    }

    /// Beside the actor that asks for it: on old devices the disk takes its time.
    func put(_ belongings: Belongings) async throws {
        let file = file
        try await Task.detached {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try JSONEncoder().encode(belongings).write(to: file, options: .atomic)
        }.value
    }
}
