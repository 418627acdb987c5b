// What the sample's transactions bring: product × quantity, in durable storage.
// Asked on the main queue of the device; provides wherever StoreKit calls.

import ClientKit
import StoreKit

/// The goods, and nothing about where they came from: the same transaction provides again when it comes again.
final class StoreContent {
    private let environment: AppEnvironment

    init(environment: AppEnvironment) { self.environment = environment }

    /// Durable when it returns.
    func provide(_ transaction: SKPaymentTransaction) {
        let payment = transaction.payment
        guard let product = environment.products.first(where: { $0.identifier == payment.productIdentifier })
        else { return }
        let held = product.kind == .consumable ? held(of: product.identifier) + payment.quantity : 1
        environment.write([(Self.key(product.identifier), .integer(held))])
    }

    func use(_ identifier: String) {
        guard let product = environment.products.first(where: { $0.identifier == identifier }),
            product.kind == .consumable
        else { return }
        let held = held(of: identifier)
        if held > 0 { environment.write([(Self.key(identifier), .integer(held - 1))]) }
    }

    func held(of identifier: String) -> Int { environment.durableInteger(Self.key(identifier)) }

    private static func key(_ identifier: String) -> String { "content." + identifier }
}
