// Clients that are unusual in when they listen: to updates alone, late, twice, or only once the store is open.
// Actors and a lock guard what they know; any thread.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app lives on `Transaction.updates`. Its own purchases it takes from `purchase()`, and it asks for
/// unfinished ones only a while after the launch, because some systems begin updates with nothing.
final class UpdatesOnlyClient: AsyncStoreClient {
    static let name = "sk2-updates-only"
    static let summary = "Handles its own purchases from their result and everything else from updates."

    private let shop: Shop

    init(environment: AppEnvironment) { shop = Shop(Phone(environment), Goods(environment)) }

    func launch() { shop.start() }
    func willEnterForeground() { Task { [shop] in await shop.catchUp() } }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        try await shop.buy(productIdentifier, quantity)
    }
    func restore() async throws -> RestoreOutcome { .restored(count: try await shop.restore()) }
    func use(_ productIdentifier: String) { shop.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { shop.goods.held }

    actor Shop {
        nonisolated let goods: Goods
        private let lasting: LastingGoods
        private let secondLook = SecondLook()
        private var book = AnswerBook()

        init(_ phone: Phone, _ goods: Goods) {
            self.goods = goods
            lasting = LastingGoods(goods, phone)
        }

        nonisolated func start() {
            Task { for await result in Transaction.updates { await deliver(result) } }
            Task {
                await lasting.read()
                try? await Task.sleep(for: .seconds(5))
                await catchUp()
            }
        }

        func catchUp() async {
            for await result in Transaction.unfinished { await deliver(result) }
            await lasting.read()
        }

        func buy(_ identifier: String, _ quantity: Int) async throws -> PurchaseOutcome {
            guard let product = try await Till.product(identifier) else { return .notSold }
            let place = book.place
            let result = try await product.purchase(options: Till.options(quantity))
            guard case .success(let signed) = result else { return PurchaseOutcome(result) }
            await deliver(signed)
            guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
            return book.outcome(of: transaction, since: place)
        }

        func restore() async throws -> Int {
            try await AppStore.sync()
            return await lasting.read()
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

/// Habit: The app reads what is unfinished at the launch and in the foreground, and opens its feed of updates only
/// before the user buys for the first time.
final class LaunchFeedClient: AsyncStoreClient {
    static let name = "sk2-launch-feed"
    static let summary = "Reads unfinished ones at the launch, and opens a feed of updates before the first purchase."

    private let shop: Shop

    init(environment: AppEnvironment) { shop = Shop(Phone(environment), Goods(environment)) }

    func launch() { Task { [shop] in await shop.catchUp() } }
    func willEnterForeground() { Task { [shop] in await shop.catchUp() } }
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
        private let lasting: LastingGoods
        private let secondLook = SecondLook()
        private var book = AnswerBook()
        private var feed: Task<Void, Never>?

        init(_ phone: Phone, _ goods: Goods) {
            self.goods = goods
            lasting = LastingGoods(goods, phone)
        }

        @discardableResult
        func catchUp() async -> Int {
            for await result in Transaction.unfinished { await deliver(result) }
            return await lasting.read()
        }

        func buy(_ identifier: String, _ quantity: Int) async throws -> PurchaseOutcome {
            if feed == nil { feed = Task { for await result in Transaction.updates { await deliver(result) } } }
            guard let product = try await Till.product(identifier) else { return .notSold }
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

/// Habit: Two parts of the app listen to updates, the wallet and the library, and each delivers whatever it hears. A
/// lock that they share lets only the first of them grant.
final class TwoListenersClient: AsyncStoreClient {
    static let name = "sk2-two-listeners"
    static let summary = "Has two listeners to updates, which share a lock."

    private let desk: Desk

    init(environment: AppEnvironment) { desk = Desk(Phone(environment), Goods(environment)) }

    func launch() {
        for _ in ["wallet", "library"] {
            Task { [desk] in for await result in Transaction.updates { await desk.deliver(result) } }
        }
        Task { [desk] in await desk.catchUp() }
    }
    func willEnterForeground() { Task { [desk] in await desk.catchUp() } }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Till.product(productIdentifier) else { return .notSold }
        let place = desk.place
        let result = try await product.purchase(options: Till.options(quantity))
        guard case .success(let signed) = result else { return PurchaseOutcome(result) }
        await desk.deliver(signed)
        guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
        return desk.outcome(of: transaction, since: place)
    }
    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await desk.catchUp())
    }
    func use(_ productIdentifier: String) { desk.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { desk.goods.held }

    final class Desk: @unchecked Sendable {  // Guard: `lock` for `book`; the rest is constant.
        let goods: Goods
        private let lasting: LastingGoods
        private let secondLook = SecondLook()
        private let lock = NSLock()
        private var book = AnswerBook()

        init(_ phone: Phone, _ goods: Goods) {
            self.goods = goods
            lasting = LastingGoods(goods, phone)
        }

        var place: Int { lock.withLock { book.place } }

        func outcome(of transaction: Transaction, since place: Int) -> PurchaseOutcome {
            lock.withLock { book.outcome(of: transaction, since: place) }
        }

        @discardableResult
        func catchUp() async -> Int {
            for await result in Transaction.unfinished { await deliver(result) }
            return await lasting.read()
        }

        func deliver(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { await self.catchUp() }
            }
            if transaction.productType == .consumable {
                lock.withLock { if goods.grant(transaction) { book.note(transaction) } }
            } else {
                await lasting.take(transaction)
            }
            await transaction.finish()
        }
    }
}
