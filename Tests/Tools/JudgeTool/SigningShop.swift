// A shop that reads what the App Store signs: for a verifier outside, and for what it costs.
// On the device's queues.

import ClientKit
import Foundation
import StoreKit
import Synchronization

/// Buys, and reads the JWS of the app, of each purchase and of each status; printed, the receipt too.
final class SigningShop: AsyncStoreClient, @unchecked Sendable {  // Guard: all it keeps has a lock.
    static let name = "signing-shop"
    static let options = [
        ClientOption(name: "jws", values: ["printed", "read", "ignored"], meaning: "What is done with each JWS.")
    ]

    private static let partLength = 400

    private let use: String
    private let goods = Goods()
    private let read = Mutex(0)

    init(environment: AppEnvironment) { use = environment.options["jws"] ?? "printed" }

    func launch() {
        Task {
            guard let app = try? await AppTransaction.shared else { return }
            take("app-transaction", app.jwsRepresentation)
        }
        Task { for await result in Transaction.updates { await deliver(result) } }
    }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Product.products(for: [productIdentifier]).first else {
            return .refused(reason: "not for sale")
        }
        let result = try await product.purchase(options: [.quantity(quantity)])
        if case .success(let signed) = result { await deliver(signed) }
        if use == "printed", let receipt = Bundle.main.appStoreReceiptURL.flatMap({ try? Data(contentsOf: $0) }) {
            take("receipt", receipt.base64EncodedString())
        }
        for status in try await product.subscription?.status ?? [] {
            take("renewal-info", status.renewalInfo.jwsRepresentation)
        }
        return PurchaseOutcome(result)
    }

    private func deliver(_ result: VerificationResult<Transaction>) async {
        take("transaction", result.jwsRepresentation)
        guard case .verified(let transaction) = result else { return }
        goods.grant(transaction)
        await transaction.finish()
    }

    /// Printed, each line has the JWS's number on this device, what it is, and the next part of it: a report cuts longer lines.
    private func take(_ kind: String, _ jws: @autoclosure () -> String) {
        if use == "ignored" { return }
        let jws = jws()
        let number = read.withLock { read in
            read += 1
            return read
        }
        guard use == "printed" else { return }
        var rest = jws[...]
        while !rest.isEmpty {
            print("jws", number, kind, rest.prefix(Self.partLength))
            rest = rest.dropFirst(Self.partLength)
        }
    }

    func restore() async throws -> RestoreOutcome { .restored(count: 0) }
    func holdings() -> [String: Int] { goods.held }
    func use(_ productIdentifier: String) { goods.use(productIdentifier) }
}
