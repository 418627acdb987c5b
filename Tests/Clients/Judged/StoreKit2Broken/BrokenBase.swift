// The client that the broken ones of this folder are made of: correct, with a method for each step that can go wrong.
// On any thread: tasks of the device's app share what a lock guards.

import ClientKit
import Foundation
import StoreKit

/// Correct: it delivers durably before it finishes, looks through what is unfinished at the launch, and holds exactly
/// the entitlements that StoreKit lists.
class BrokenBase: AsyncStoreClient, @unchecked Sendable {
    class var name: String { "sk2-base" }

    let environment: AppEnvironment
    let goods: Goods
    let sold: [String]
    private let lock = NSLock()
    // Guard: `lock`.
    private var products: [String: Product] = [:]
    /// What this launch has granted, in order.
    private var granted: [UInt64] = []
    /// What a purchase has been answered with: one charge is one answer.
    private var answered: Set<UInt64> = []
    /// The reading of entitlements that is under way, and how often one was asked for.
    private var reading: Task<Int, Never>?
    private var readings = 0

    required init(environment: AppEnvironment) {
        self.environment = environment
        goods = Goods(environment)
        sold = environment.products.map(\.identifier)
    }

    // MARK: What the harness calls

    func launch() { start() }
    func didEnterBackground() {}
    func willTerminate() {}
    /// A subscription may have ended meanwhile.
    func willEnterForeground() { readEntitlements() }
    func use(_ productIdentifier: String) { goods.use(productIdentifier) }
    func holdings() -> [String: Int] { goods.held }
    func holdings(of productIdentifier: String) -> Int { holdings()[productIdentifier] ?? 0 }

    func fetchProducts(_ identifiers: [String]?) async throws -> [String] {
        let found = try await Product.products(for: identifiers ?? sold)
        lock.withLock { for product in found { products[product.id] = product } }
        return found.map(\.id)
    }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        if lock.withLock({ products[productIdentifier] == nil }) { _ = try await fetchProducts([productIdentifier]) }
        guard let product = lock.withLock({ products[productIdentifier] }) else {
            return .refused(reason: "The store does not sell it.")
        }
        return try await buy(product, quantity: quantity)
    }

    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await readEntitlements().value)
    }

    // MARK: The launch

    func start() {
        listen()
        catchUp()
        Task { for await intent in PurchaseIntent.intents { Task { _ = try? await buy(intent.product, quantity: 1) } } }
    }

    func listen() { Task { for await result in Transaction.updates { await process(result) } } }

    func catchUp() {
        Task {
            for await result in Transaction.unfinished { await process(result) }
            readEntitlements()
        }
    }

    // MARK: Buying

    func buy(_ product: Product, quantity: Int) async throws -> PurchaseOutcome {
        let before = grantedCount
        return await answer(try await product.purchase(options: options(quantity)), since: before)
    }

    final func options(_ quantity: Int) -> Set<Product.PurchaseOption> { quantity == 1 ? [] : [.quantity(quantity)] }
    final var grantedCount: Int { lock.withLock { granted.count } }

    /// - Parameter before: how many purchases had been granted when this one began: a listener may have granted it.
    func answer(_ result: Product.PurchaseResult, since before: Int) async -> PurchaseOutcome {
        guard case .success(let signed) = result, let transaction = verified(signed) else {
            return PurchaseOutcome(result)
        }
        let isNew = await process(signed)
        if transaction.productType != .consumable { return .purchased }
        return lock.withLock {
            (isNew || granted[before...].contains(transaction.id)) && answered.insert(transaction.id).inserted
                ? .purchased : .failed(message: "You have this purchase already, and nothing was charged.")
        }
    }

    // MARK: What StoreKit hands over

    /// Nil: it is not to be trusted.
    func verified(_ result: VerificationResult<Transaction>) -> Transaction? { try? result.payloadValue }

    /// Whether it has brought something new.
    @discardableResult
    func process(_ result: VerificationResult<Transaction>) async -> Bool {
        guard let transaction = verified(result) else { return false }
        return await take(transaction)
    }

    func take(_ transaction: Transaction) async -> Bool {
        let isNew = await deliver(transaction)
        if transaction.productType != .consumable {
            let reading = readEntitlements()
            // Its time is up, unless a grace period goes on.
            if goods.count(of: transaction.productID) == 0 { _ = await reading.value }
        }
        await finish(transaction)
        return isNew
    }

    func deliver(_ transaction: Transaction) async -> Bool { record(transaction.id) { goods.grant(transaction) } }
    func finish(_ transaction: Transaction) async { await transaction.finish() }

    /// Grants, one at a time, and notes the purchase if it was new.
    final func record(_ id: UInt64, _ grant: () -> Bool) -> Bool {
        lock.withLock {
            guard grant() else { return false }
            granted.append(id)
            return true
        }
    }

    // MARK: Entitlements

    /// To what the user is entitled now.
    func entitlements() async -> Set<String> {
        var entitled: Set<String> = []
        for await result in Transaction.currentEntitlements {
            if let transaction = verified(result) { entitled.insert(transaction.productID) }
        }
        return entitled
    }

    /// Holds these and no others. Called with the lock.
    func hold(_ entitled: Set<String>) { goods.hold(entitled) }

    /// A reading that is under way begins anew: it does not know of what has come since. It returns how many there are.
    @discardableResult
    final func readEntitlements() -> Task<Int, Never> {
        lock.withLock {
            readings += 1
            if let reading { return reading }
            let task = Task { await read() }
            reading = task
            return task
        }
    }

    private func read() async -> Int {
        while true {
            let before = lock.withLock { readings }
            let entitled = await entitlements()
            let isCurrent = lock.withLock {
                guard before == readings else { return false }
                hold(entitled)
                reading = nil
                return true
            }
            if isCurrent { return entitled.count }
        }
    }
}

extension Transaction {
    /// Whether it is a consumable that has not been taken back.
    var isGoodConsumable: Bool { productType == .consumable && revocationDate == nil }
}
