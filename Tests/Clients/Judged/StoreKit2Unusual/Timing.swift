// Clients that are unusual in when they look: lazily, or by polling.
// An actor of each guards what it knows; any thread.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app listens only once the user has opened the store screen. It reads what is unfinished at the launch, in
/// the foreground and before every purchase.
final class LazyStoreClient: AsyncStoreClient {
    static let name = "sk2-lazy-store"
    static let summary =
        "Listens from the first opening of the store on, and reads unfinished ones before each purchase."

    private let shop: Shop

    init(environment: AppEnvironment) { shop = Shop(Phone(environment), Goods(environment)) }

    func launch() { Task { [shop] in await shop.catchUp() } }
    func willEnterForeground() { Task { [shop] in await shop.catchUp() } }
    func fetchProducts(_ identifiers: [String]?) async throws -> [String] { try await shop.open(identifiers) }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        try await shop.buy(productIdentifier, quantity)
    }
    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await shop.catchUp())
    }
    func use(_ productIdentifier: String) { shop.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { shop.goods.held }

    actor Shop {
        nonisolated let goods: Goods
        private let phone: Phone
        private let lasting: LastingGoods
        private let secondLook = SecondLook()
        private var book = AnswerBook()
        private var listener: Task<Void, Never>?
        private var shelf: [String: Product] = [:]

        init(_ phone: Phone, _ goods: Goods) {
            (self.phone, self.goods) = (phone, goods)
            lasting = LastingGoods(goods, phone)
        }

        func open(_ identifiers: [String]?) async throws -> [String] {
            if listener == nil {
                listener = Task { for await result in Transaction.updates { await deliver(result) } }
            }
            let found = try await Product.products(for: identifiers ?? phone.sold)
            for product in found { shelf[product.id] = product }
            return found.map(\.id)
        }

        @discardableResult
        func catchUp() async -> Int {
            for await result in Transaction.unfinished { await deliver(result) }
            return await lasting.read()
        }

        func buy(_ identifier: String, _ quantity: Int) async throws -> PurchaseOutcome {
            if listener == nil || shelf[identifier] == nil { _ = try await open([identifier]) }
            guard let product = shelf[identifier] else { return .notSold }
            // Or the store would answer with one of them.
            for await result in Transaction.unfinished { await deliver(result) }
            let place = book.place
            let result = try await product.purchase(options: Till.options(quantity))
            guard case .success(let signed) = result else { return PurchaseOutcome(result) }
            await deliver(signed)
            guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
            return book.outcome(of: transaction, since: place)
        }

        private func deliver(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { await self.catchUp() }
            }
            if transaction.productType == .consumable {
                if goods.grant(transaction) { book.note(transaction) }
            } else {
                await lasting.take(transaction)
            }
            await transaction.finish()
        }
    }
}

/// Habit: The app reads what is unfinished and what entitles every few seconds after it woke, and less often where
/// nothing happens. An update only makes it look at once: what the update says is not used.
final class PollingClient: AsyncStoreClient {
    static let name = "sk2-poller"
    static let summary = "Polls unfinished ones and entitlements; an update is a poke and no more."

    private let shop: Shop

    init(environment: AppEnvironment) { shop = Shop(Phone(environment), Goods(environment)) }

    func launch() {
        Task { [shop] in for await _ in Transaction.updates { await shop.poke() } }
        Task { [shop] in await shop.wake() }
    }
    func willEnterForeground() { Task { [shop] in await shop.wake() } }
    func didEnterBackground() { Task { [shop] in await shop.sleep() } }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        try await shop.buy(productIdentifier, quantity)
    }
    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await shop.look())
    }
    func use(_ productIdentifier: String) { shop.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { shop.goods.held }

    actor Shop {
        nonisolated let goods: Goods
        private let lasting: LastingGoods
        private var book = AnswerBook()
        private var poll: Task<Void, Never>?
        private var pause = 5

        init(_ phone: Phone, _ goods: Goods) {
            self.goods = goods
            lasting = LastingGoods(goods, phone)
        }

        func wake() {
            pause = 5
            guard poll == nil else { return }
            poll = Task {
                while !Task.isCancelled {
                    await look()
                    try? await Task.sleep(for: .seconds(pause))
                    pause = min(2 * pause, 300)
                }
            }
        }

        func poke() async {
            pause = 5
            await look()
        }

        func sleep() {
            poll?.cancel()
            poll = nil
        }

        @discardableResult
        func look() async -> Int {
            for await result in Transaction.unfinished {
                if case .verified(let transaction) = result { await deliver(transaction) }
            }
            return await lasting.read()
        }

        func buy(_ identifier: String, _ quantity: Int) async throws -> PurchaseOutcome {
            guard let product = try await Till.product(identifier) else { return .notSold }
            let place = book.place
            let result = try await product.purchase(options: Till.options(quantity))
            guard case .success(.verified(let transaction)) = result else { return PurchaseOutcome(result) }
            pause = 5
            // The list of unfinished ones may not have it yet.
            await deliver(transaction)
            return book.outcome(of: transaction, since: place)
        }

        private func deliver(_ transaction: Transaction) async {
            if transaction.productType == .consumable {
                if goods.grant(transaction) { book.note(transaction) }
            } else {
                await lasting.take(transaction)
            }
            await transaction.finish()
        }
    }
}
