// What an app of the original API is updated to: a version that uses StoreKit 2, with one mistake of such moves.
// An actor of each device guards what it knows.

package import ClientKit
import StoreKit

package actor MovedShop: AsyncStoreClient {
    package static let name = "moved-shop"
    package static let summary = "An app that has moved to StoreKit 2, with one mistake or none."
    package static let options = [
        ClientOption(name: "mistake", values: Mistake.allCases.map(\.rawValue), meaning: "What is wrong with the move.")
    ]

    package enum Mistake: String, CaseIterable, Sendable {
        case none
        /// It begins with a store of its own, and reads neither what the old version stored nor what StoreKit lists.
        case beginsAnew
        /// It grants all of the history that it has not granted itself.
        case grantsHistory
        /// It finishes what the old version left unfinished, as if that had been delivered.
        case clearsUnfinished
        /// It hears only of what its own calls return.
        case neverListens
    }

    private nonisolated let goods: Goods
    private let mistake: Mistake

    package init(environment: AppEnvironment) {
        mistake = Mistake(rawValue: environment.options["mistake"] ?? "") ?? .none
        goods = mistake == .beginsAnew ? Goods(environment, in: .file("goods-2.json")) : Goods(environment)
    }

    package nonisolated func use(_ productIdentifier: String) { goods.use(productIdentifier) }
    package nonisolated func holdings() -> [String: Int] { goods.held }
    package nonisolated func willEnterForeground() { Task { await readEntitlements() } }
    package nonisolated func launch() { Task { await start() } }

    private func start() async {
        guard mistake != .neverListens else { return await readEntitlements() }
        if mistake == .clearsUnfinished {
            for await result in Transaction.unfinished { await result.unsafePayloadValue.finish() }
        }
        Task { for await result in Transaction.updates { await process(result) } }
        for await result in Transaction.unfinished { await process(result) }
        if mistake == .grantsHistory { await grantHistory() }
        await readEntitlements()
    }

    package func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Product.products(for: [productIdentifier]).first else {
            return .refused(reason: "The store does not sell it.")
        }
        let result = try await product.purchase(options: quantity == 1 ? [] : [.quantity(quantity)])
        guard case .success(let signed) = result else { return PurchaseOutcome(result) }
        let isNew = await process(signed)
        if case .verified(let transaction) = signed, transaction.productType == .consumable, !isNew {
            return .failed(message: "You have this purchase already.")
        }
        return PurchaseOutcome(result)
    }

    package func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        await readEntitlements()
        return .restored(count: goods.held.count)
    }

    @discardableResult
    private func process(_ result: VerificationResult<Transaction>) async -> Bool {
        guard case .verified(let transaction) = result else { return false }
        let isNew = goods.grant(transaction)
        await transaction.finish()
        return isNew
    }

    private func grantHistory() async {
        for await result in Transaction.all {
            guard case .verified(let transaction) = result, transaction.revocationDate == nil else { continue }
            goods.add(transaction.productID)
        }
    }

    private func readEntitlements() async {
        if mistake == .beginsAnew { return }
        for await result in Transaction.currentEntitlements {
            guard case .verified(let transaction) = result else { continue }
            if goods.count(of: transaction.productID) == 0 { goods.add(transaction.productID) }
        }
    }
}
