// A careful client of StoreKit 2 with one switch for each mistake that such code is known for.
// An actor of each device guards what it holds.

import ClientKit
import StoreKit

/// Mistakes of `MutableShop` alone.
extension Mistake {
    var isOfStoreKit2: Bool {
        switch self {
        case .trustsUnverified, .holdsUnverified, .finishesUnverified, .clearsUnfinished, .stopsListening, .leavesLoop,
            .locksAtReturn, .locksWhatIsNotSold:
            true
        default: false
        }
    }
}

actor MutableShop: AsyncStoreClient {
    static let name = "mutable-shop"
    static let summary = "Careful with StoreKit 2, but for one mistake."
    static let options = MutableClient.options

    private nonisolated let goods: Goods
    private nonisolated let mistake: Mistake
    /// Consumables that this launch has granted and not yet answered with: one charge is one answer.
    private var granted: Set<UInt64> = []
    private var listener: Task<Void, Never>?

    init(environment: AppEnvironment) {
        goods = Goods(environment)
        mistake = Mistake(rawValue: environment.options["mistake"] ?? "") ?? .none
    }

    nonisolated func use(_ productIdentifier: String) { goods.use(productIdentifier) }
    nonisolated func holdings() -> [String: Int] { goods.held }
    nonisolated func didEnterBackground() { if mistake == .stopsListening { Task { await stopListening() } } }
    nonisolated func willEnterForeground() { Task { await comeBack() } }

    nonisolated func launch() {
        Task { await listen() }
        Task {
            for await result in Transaction.unfinished { await process(result) }
            // Tidies up, once all has been processed.
            if mistake == .clearsUnfinished {
                for await result in Transaction.unfinished { await result.unsafePayloadValue.finish() }
            }
            await readEntitlements()
        }
    }

    nonisolated func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Product.products(for: [productIdentifier]).first else {
            return .refused(reason: "The store does not sell it.")
        }
        let result = try await product.purchase(options: quantity == 1 ? [] : [.quantity(quantity)])
        guard case .success(let signed) = result else { return PurchaseOutcome(result) }
        await process(signed)
        guard case .verified(let transaction) = signed, transaction.productType == .consumable else {
            return PurchaseOutcome(result)
        }
        return await takeGrant(transaction.id) ? .purchased : .failed(message: "Nothing was charged.")
    }

    private func listen() {
        listener = Task {
            for await result in Transaction.updates {
                await process(result)
                if mistake == .leavesLoop, case .unverified = result { break }
            }
        }
    }

    private func stopListening() { listener?.cancel() }

    private func comeBack() async {
        switch mistake {
        // To be read when the user signs in.
        case .locksAtReturn: for product in goods.held.keys where product != "extra_lives" { goods.remove(product) }
        case .locksWhatIsNotSold:
            await readEntitlements()
            let held = Set(goods.held.keys)
            guard let sold = try? await Product.products(for: held) else { return }
            for product in held.subtracting(sold.map(\.id)) { goods.remove(product) }
        default: await readEntitlements()
        }
    }

    private func takeGrant(_ id: UInt64) -> Bool { granted.remove(id) != nil }

    nonisolated func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        await readEntitlements()
        return .restored(count: goods.held.count)
    }

    private func process(_ result: VerificationResult<Transaction>) async {
        let transaction = result.unsafePayloadValue
        switch (result, mistake) {
        case (.verified, _), (_, .trustsUnverified):
            if goods.grant(transaction) { granted.insert(transaction.id) }
        // Only what lasts is held.
        case (_, .holdsUnverified) where transaction.productType != .consumable: goods.grant(transaction)
        // What lasts is read among the entitlements.
        case (_, .finishesUnverified) where transaction.productType != .consumable: return await transaction.finish()
        default: return
        }
        if case .verified = result {
            if goods.count(of: transaction.productID) == 0 { await readEntitlements() }
            await transaction.finish()
        }
    }

    private func readEntitlements() async {
        var entitled: Set<String> = []
        for await result in Transaction.currentEntitlements {
            if case .verified(let transaction) = result { entitled.insert(transaction.productID) }
        }
        for product in entitled { goods.add(product) }
    }
}
