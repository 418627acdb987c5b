// Clients that are unusual in who runs their tasks: groups, an owner with a detached listener, callbacks.
// Any thread: locks guard what they know.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app delivers in groups of tasks: everything unfinished at once, and each update in a task of its own.
/// What they must not do at the same time is behind a lock.
final class TaskGroupClient: AsyncStoreClient {
    static let name = "sk2-task-group"
    static let summary = "Delivers in groups of tasks, one task for each transaction."

    private let hall: Hall

    init(environment: AppEnvironment) { hall = Hall(Phone(environment), Goods(environment)) }

    func launch() {
        Task { [hall] in
            await withDiscardingTaskGroup { group in
                for await result in Transaction.updates { group.addTask { await hall.deliver(result) } }
            }
        }
        Task { [hall] in await hall.catchUp() }
    }
    func willEnterForeground() { Task { [hall] in await hall.catchUp() } }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Till.product(productIdentifier) else { return .notSold }
        let place = hall.book.withLock { $0.place }
        let result = try await product.purchase(options: Till.options(quantity))
        guard case .success(let signed) = result else { return PurchaseOutcome(result) }
        await hall.deliver(signed)
        guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
        return hall.book.withLock { $0.outcome(of: transaction, since: place) }
    }
    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await hall.catchUp())
    }
    func use(_ productIdentifier: String) { hall.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { hall.goods.held }

    final class Hall: Sendable {
        let goods: Goods
        let book = Guarded(AnswerBook())
        private let lasting: LastingGoods
        private let secondLook = SecondLook()

        init(_ phone: Phone, _ goods: Goods) {
            self.goods = goods
            lasting = LastingGoods(goods, phone)
        }

        @discardableResult
        func catchUp() async -> Int {
            await withTaskGroup(of: Void.self) { group in
                for await result in Transaction.unfinished { group.addTask { await self.deliver(result) } }
            }
            return await lasting.read()
        }

        func deliver(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { await self.catchUp() }
            }
            if transaction.productType == .consumable {
                book.withLock { if goods.grant(transaction) { $0.note(transaction) } }
            } else {
                await lasting.take(transaction)
            }
            await transaction.finish()
        }
    }
}

/// Habit: The app's owner of transactions starts a detached listener in `init` and cancels it in `deinit`. It lives as
/// long as the app, and a detached task holds it only while it delivers.
final class DetachedOwnerClient: AsyncStoreClient {
    static let name = "sk2-detached-owner"
    static let summary = "A detached listener, stored in init and cancelled in deinit."

    private let owner: Owner

    init(environment: AppEnvironment) { owner = Owner(Phone(environment), Goods(environment)) }

    func launch() { Task { [owner] in await owner.catchUp() } }
    func willEnterForeground() { Task { [owner] in await owner.catchUp() } }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        guard let product = try await Till.product(productIdentifier) else { return .notSold }
        let place = owner.book.withLock { $0.place }
        let result = try await product.purchase(options: Till.options(quantity))
        guard case .success(let signed) = result else { return PurchaseOutcome(result) }
        await owner.deliver(signed)
        guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
        return owner.book.withLock { $0.outcome(of: transaction, since: place) }
    }
    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await owner.catchUp())
    }
    func use(_ productIdentifier: String) { owner.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { owner.goods.held }

    final class Owner: Sendable {
        let goods: Goods
        let book = Guarded(AnswerBook())
        private let lasting: LastingGoods
        private let secondLook = SecondLook()
        private let listener = Guarded<Task<Void, Never>?>(nil)

        init(_ phone: Phone, _ goods: Goods) {
            self.goods = goods
            lasting = LastingGoods(goods, phone)
            let task = Task.detached { [weak self] in
                for await result in Transaction.updates {
                    guard let self else { return }
                    await self.deliver(result)
                }
            }
            listener.withLock { $0 = task }
        }

        deinit { listener.withLock { $0?.cancel() } }

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
                book.withLock { if goods.grant(transaction) { $0.note(transaction) } }
            } else {
                await lasting.take(transaction)
            }
            await transaction.finish()
        }
    }
}

/// Habit: The app's store is an object with callbacks, as it was before there were tasks: screens hand over a
/// completion and register for changes. Where the app waits, it wraps a completion in a continuation.
final class CallbackStoreClient: AsyncStoreClient {
    static let name = "sk2-callback-store"
    static let summary = "A store with completions and listeners, which continuations wrap."

    private let store: Store

    init(environment: AppEnvironment) { store = Store(Phone(environment), Goods(environment)) }

    func launch() {
        store.onChange { [weak store] in store?.redraws.withLock { $0 += 1 } }
        store.start()
    }
    func willEnterForeground() { store.catchUp { _ in } }
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        try await withCheckedThrowingContinuation { continuation in
            store.buy(productIdentifier, quantity) { continuation.resume(with: $0) }
        }
    }
    func restore() async throws -> RestoreOutcome {
        try await withCheckedThrowingContinuation { continuation in
            store.restore { continuation.resume(with: $0.map { .restored(count: $0) }) }
        }
    }
    func use(_ productIdentifier: String) { store.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { store.goods.held }

    final class Store: Sendable {
        let goods: Goods
        let redraws = Guarded(0)
        private let lasting: LastingGoods
        private let secondLook = SecondLook()
        private let book = Guarded(AnswerBook())
        private let listeners = Guarded<[@Sendable () -> Void]>([])

        init(_ phone: Phone, _ goods: Goods) {
            self.goods = goods
            lasting = LastingGoods(goods, phone)
        }

        func onChange(_ listener: @escaping @Sendable () -> Void) { listeners.withLock { $0.append(listener) } }

        func start() {
            Task { for await result in Transaction.updates { await deliver(result) } }
            catchUp { _ in }
        }

        func catchUp(then completion: @escaping @Sendable (Int) -> Void) {
            Task {
                for await result in Transaction.unfinished { await deliver(result) }
                completion(await lasting.read())
                changed()
            }
        }

        func buy(
            _ identifier: String, _ quantity: Int,
            then completion: @escaping @Sendable (Result<PurchaseOutcome, any Error>) -> Void
        ) {
            Task {
                do {
                    guard let product = try await Till.product(identifier) else {
                        return completion(.success(.notSold))
                    }
                    let place = book.withLock { $0.place }
                    let result = try await product.purchase(options: Till.options(quantity))
                    if case .success(let signed) = result { await deliver(signed) }
                    guard case .success(.verified(let transaction)) = result else {
                        return completion(.success(PurchaseOutcome(result)))
                    }
                    completion(.success(book.withLock { $0.outcome(of: transaction, since: place) }))
                } catch {
                    completion(.failure(error))
                }
            }
        }

        func restore(then completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {
            Task {
                do {
                    try await AppStore.sync()
                    catchUp { completion(.success($0)) }
                } catch {
                    completion(.failure(error))
                }
            }
        }

        private func deliver(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { self.catchUp { _ in } }
            }
            if transaction.productType == .consumable {
                book.withLock { if goods.grant(transaction) { $0.note(transaction) } }
            } else {
                await lasting.take(transaction)
            }
            changed()
            await transaction.finish()
        }

        private func changed() { for listener in listeners.withLock({ $0 }) { listener() } }
    }
}
