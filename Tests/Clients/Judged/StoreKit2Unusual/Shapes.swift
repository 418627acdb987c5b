// Clients of unusual shapes: a model that views observe, and a stream to a single worker.
// On the main actor; an actor of its own, fed by a stream.

import ClientKit
import Foundation
import Observation
import StoreKit

/// Habit: The app keeps its shop in an observable model on the main actor. The views read what the model shows, and the
/// goods are in storage before the model shows them.
final class ObservableModelClient: AsyncStoreClient {
    static let name = "sk2-observable-model"
    static let summary = "An observable model on the main actor."

    private let goods: Goods
    private let phone: Phone
    @MainActor private lazy var model = ShopModel(goods, phone)

    init(environment: AppEnvironment) {
        goods = Goods(environment)
        phone = Phone(environment)
    }

    func launch() {
        let client = Unchecked(self)
        Task { @MainActor in client.value.model.start() }
    }
    func willEnterForeground() {
        let client = Unchecked(self)
        Task { @MainActor in await client.value.model.catchUp() }
    }
    @MainActor func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        try await model.buy(productIdentifier, quantity)
    }
    @MainActor func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await model.catchUp())
    }
    func use(_ productIdentifier: String) { goods.use(productIdentifier) }
    func holdings() -> [String: Int] { goods.held }

    private struct Unchecked: @unchecked Sendable {  // Guard: only the main actor looks at the model.
        let value: ObservableModelClient
        init(_ value: ObservableModelClient) { self.value = value }
    }

    @MainActor @Observable
    final class ShopModel {
        private(set) var owned: [String: Int] = [:]
        private(set) var isBuying = false
        @ObservationIgnored private let goods: Goods
        @ObservationIgnored private let lasting: LastingGoods
        @ObservationIgnored private let secondLook = SecondLook()
        @ObservationIgnored private var book = AnswerBook()

        init(_ goods: Goods, _ phone: Phone) {
            self.goods = goods
            lasting = LastingGoods(goods, phone)
            owned = goods.held
        }

        func start() {
            Task { for await result in Transaction.updates { await deliver(result) } }
            Task { await catchUp() }
            Task { for await intent in PurchaseIntent.intents { Task { _ = try? await buy(intent.product) } } }
        }

        @discardableResult
        func catchUp() async -> Int {
            for await result in Transaction.unfinished { await deliver(result) }
            let count = await lasting.read()
            owned = goods.held
            return count
        }

        func buy(_ identifier: String, _ quantity: Int) async throws -> PurchaseOutcome {
            guard let product = try await Till.product(identifier) else { return .notSold }
            return try await buy(product, quantity)
        }

        private func buy(_ product: Product, _ quantity: Int = 1) async throws -> PurchaseOutcome {
            isBuying = true
            defer { isBuying = false }
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
            owned = goods.held
            await transaction.finish()
        }
    }
}

/// Habit: Whatever the app hears goes into a stream, and a single worker takes one thing after the other from it. A
/// purchase waits for the worker's word.
final class StreamWorkerClient: AsyncStoreClient {
    static let name = "sk2-stream-worker"
    static let summary = "A stream between its listeners and the one worker that delivers."

    private let worker: Worker

    init(environment: AppEnvironment) { worker = Worker(Phone(environment), Goods(environment)) }

    func launch() { worker.start() }
    func willEnterForeground() { Task { [worker] in await worker.catchUp() } }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Till.product(productIdentifier) else { return .notSold }
        let place = await worker.place
        let result = try await product.purchase(options: Till.options(quantity))
        guard case .success(let signed) = result else { return PurchaseOutcome(result) }
        _ = await worker.ask { .delivery(signed, $0) }
        guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
        return await worker.outcome(of: transaction, since: place)
    }
    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await worker.catchUp())
    }
    func use(_ productIdentifier: String) { worker.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { worker.goods.held }

    actor Worker {
        typealias Reply = CheckedContinuation<Int, Never>

        enum Job: Sendable {
            case delivery(VerificationResult<Transaction>, Reply?)
            case reading(Reply?)
        }

        nonisolated let goods: Goods
        private let phone: Phone
        private let secondLook = SecondLook()
        private nonisolated let jobs: AsyncStream<Job>
        private nonisolated let sink: AsyncStream<Job>.Continuation
        private var book = AnswerBook()
        private var looksAgain = 5

        init(_ phone: Phone, _ goods: Goods) {
            (self.phone, self.goods) = (phone, goods)
            (jobs, sink) = AsyncStream.makeStream()
        }

        nonisolated func start() {
            Task { for await job in jobs { await perform(job) } }
            Task { for await result in Transaction.updates { sink.yield(.delivery(result, nil)) } }
            Task { await catchUp() }
        }

        @discardableResult
        nonisolated func catchUp() async -> Int {
            for await result in Transaction.unfinished { sink.yield(.delivery(result, nil)) }
            return await ask { .reading($0) }
        }

        nonisolated func ask(_ job: (Reply) -> Job) async -> Int {
            await withCheckedContinuation { sink.yield(job($0)) }
        }

        var place: Int { book.place }
        func outcome(of transaction: Transaction, since place: Int) -> PurchaseOutcome {
            book.outcome(of: transaction, since: place)
        }

        /// Only the worker's loop calls it: nothing else is delivered meanwhile.
        private func perform(_ job: Job) async {
            switch job {
            case .reading(let reply):
                let count = await read()
                reply?.resume(returning: count)
            case .delivery(.unverified, let reply):
                await secondLook.ask { await self.catchUp() }
                reply?.resume(returning: 0)
            case .delivery(.verified(let transaction), let reply):
                if transaction.productType == .consumable {
                    if goods.grant(transaction) { book.note(transaction) }
                } else {
                    if !transaction.isUpgraded { goods.grant(transaction) }
                    _ = await read()
                }
                await transaction.finish()
                reply?.resume(returning: 1)
            }
        }

        private func read() async -> Int {
            let standing = await Standing.read(of: phone.lasting.filter { goods.count(of: $0) > 0 }, on: phone)
            for product in standing.entitled.sorted() where goods.count(of: product) == 0 { goods.add(product) }
            for product in standing.ended.sorted() { goods.remove(product) }
            looksAgain = standing.isDoubtful ? looksAgain - 1 : 5
            if looksAgain > 0, standing.isDoubtful {
                Task {
                    try? await Task.sleep(for: .seconds(3))
                    sink.yield(.reading(nil))
                }
            }
            return standing.entitled.count
        }
    }
}
