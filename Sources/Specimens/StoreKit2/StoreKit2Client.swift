// The client that uses StoreKit 2 alone, as an app written today would.
// An actor of each device guards what it holds.

package import ClientKit
import StoreKit

package final class StoreKit2Client: AsyncStoreClient {
    package static let name = "storekit2"
    package static let summary =
        "StoreKit 2, as an actor: delivers durably before it finishes, reads entitlements again."

    private let shop: StoreKit2Shop

    package init(environment: AppEnvironment) {
        shop = StoreKit2Shop(goods: Goods(environment), sold: environment.products.map(\.identifier))
    }

    package func launch() { shop.start() }
    package func willEnterForeground() { shop.comesForward() }

    package func fetchProducts(_ identifiers: [String]?) async throws -> [String] {
        try await shop.fetch(identifiers)
    }

    package func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        try await shop.buy(productIdentifier, quantity: quantity)
    }

    package func restore() async throws -> RestoreOutcome { .restored(count: try await shop.restore()) }
    package func use(_ productIdentifier: String) { shop.goods.use(productIdentifier) }
    package func holdings() -> [String: Int] { shop.goods.held }
    package func holdings(of productIdentifier: String) -> Int { shop.goods.count(of: productIdentifier) }
}

/// The app's purchases.
actor StoreKit2Shop {
    nonisolated let goods: Goods
    private let sold: [String]
    private var products: [String: Product] = [:]
    /// What this launch has granted, in order.
    private var granted: [UInt64] = []
    /// What a purchase has been answered with: one charge is one answer.
    private var answered: Set<UInt64> = []
    /// The reading of entitlements that is under way, and how often one was asked for.
    private var reading: Task<Int, Never>?
    private var readings = 0

    init(goods: Goods, sold: [String]) {
        self.goods = goods
        self.sold = sold
    }

    /// At the launch: from here on nothing that StoreKit has to say is missed.
    nonisolated func start() {
        Task { for await result in Transaction.updates { await process(result) } }
        Task {
            for await result in Transaction.unfinished { await process(result) }
            await readEntitlements()
        }
        Task { for await intent in PurchaseIntent.intents { Task { _ = try? await buy(intent.product) } } }
    }

    /// A subscription may have ended meanwhile.
    nonisolated func comesForward() { Task { await readEntitlements() } }

    func fetch(_ identifiers: [String]?) async throws -> [String] {
        let found = try await Product.products(for: identifiers ?? sold)
        for product in found { products[product.id] = product }
        return found.map(\.id)
    }

    func buy(_ identifier: String, quantity: Int) async throws -> PurchaseOutcome {
        if products[identifier] == nil { _ = try await fetch([identifier]) }
        guard let product = products[identifier] else { return .failed(message: "The store does not sell it.") }
        return try await buy(product, quantity: quantity)
    }

    private func buy(_ product: Product, quantity: Int = 1) async throws -> PurchaseOutcome {
        let before = granted.count
        let result = try await product.purchase(options: quantity == 1 ? [] : [.quantity(quantity)])
        guard case .success(let signed) = result else { return PurchaseOutcome(result) }
        let transaction = signed.unsafePayloadValue
        let isNew = await process(signed)
        if transaction.productType != .consumable && isNew { return .purchased }
        // It may have come by the updates meanwhile, or among what is unfinished.
        if isNew || granted[before...].contains(transaction.id), answered.insert(transaction.id).inserted {
            return .purchased
        }
        return .failed(message: "You have this purchase already, and nothing was charged.")
    }

    /// Returns to how many products the user is entitled.
    func restore() async throws -> Int {
        try await AppStore.sync()
        return await readEntitlements().value
    }

    /// What a purchase returns, and what comes by itself: deliver first, because StoreKit hands a finished transaction over
    /// no more. Returns false if it brings nothing new.
    @discardableResult
    private func process(_ result: VerificationResult<Transaction>) async -> Bool {
        guard case .verified(let transaction) = result else { return false }
        let isNew = goods.grant(transaction) || transaction.productType != .consumable
        if isNew { granted.append(transaction.id) }
        if transaction.productType != .consumable {
            let reading = readEntitlements()
            // Its time is up, unless a grace period goes on.
            if goods.count(of: transaction.productID) == 0 { _ = await reading.value }
        }
        await transaction.finish()
        return isNew
    }

    /// Reads to what the user is entitled. A reading that is under way begins anew: it does not know of what has come since.
    @discardableResult
    private func readEntitlements() -> Task<Int, Never> {
        readings += 1
        if let reading { return reading }
        let task = Task {
            while true {
                let before = readings
                var entitled: Set<String> = []
                for await result in Transaction.currentEntitlements {
                    if case .verified(let transaction) = result { entitled.insert(transaction.productID) }
                }
                if before != readings { continue }
                goods.hold(entitled)
                reading = nil
                return entitled.count
            }
        }
        reading = task
        return task
    }
}
