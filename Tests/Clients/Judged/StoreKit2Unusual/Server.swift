// Clients with a server: one delivers what the server has accepted, one finishes what the server has.
// Actors guard what they know; any thread.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app's server decides: a purchase is delivered once the server has accepted it, and finished then. The
/// user waits half a minute for the server; later the purchase comes by itself.
final class ServerValidatedClient: AsyncStoreClient {
    static let name = "sk2-server-validated"
    static let summary = "Delivers what its server has accepted, and finishes it then."

    private let shop: Shop

    init(environment: AppEnvironment) { shop = Shop(Phone(environment), Goods(environment)) }

    func launch() { shop.start() }
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
        private let phone: Phone
        private let secondLook = SecondLook()
        private var book = AnswerBook()
        private var underWay: Set<UInt64> = []
        private var waiting: [UInt64: [Int: CheckedContinuation<Bool, Never>]] = [:]
        private var tickets = 0
        /// How often something that lasts was delivered.
        private var deliveries: [String: Int] = [:]
        private var patience = 0

        init(_ phone: Phone, _ goods: Goods) { (self.phone, self.goods) = (phone, goods) }

        nonisolated func start() {
            Task { for await result in Transaction.updates { await take(result) } }
            Task { await catchUp() }
        }

        private func take(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else { return await secondLook.ask { await self.catchUp() } }
            begin(transaction)
        }

        /// Returns to how many products the user is entitled, when the server has said its word about those that are
        /// new.
        @discardableResult
        func catchUp() async -> Int {
            patience = 5
            for await result in Transaction.unfinished { await take(result) }
            await giveUpWhatHasEnded()
            var listed: [Transaction] = []
            for await result in Transaction.currentEntitlements {
                if case .verified(let transaction) = result { listed.append(transaction) }
            }
            let new = listed.filter { goods.count(of: $0.productID) == 0 }
            await withTaskGroup(of: Void.self) { group in
                for transaction in new { group.addTask { _ = await self.settle(transaction) } }
            }
            return Set(listed.map(\.productID)).count { goods.count(of: $0) > 0 }
        }

        func buy(_ identifier: String, _ quantity: Int) async throws -> PurchaseOutcome {
            guard let product = try await Till.product(identifier) else { return .notSold }
            let place = book.place
            let result = try await product.purchase(options: Till.options(quantity))
            if case .success(.unverified) = result { await secondLook.ask { await self.catchUp() } }
            guard case .success(.verified(let transaction)) = result else { return PurchaseOutcome(result) }
            if await settle(transaction) { return book.outcome(of: transaction, since: place) }
            book.close(transaction)
            return .deferred
        }

        /// Returns when the transaction is delivered, or false after half a minute.
        private func settle(_ transaction: Transaction) async -> Bool {
            tickets += 1
            let ticket = tickets
            Task {
                try? await Task.sleep(for: .seconds(30))
                waiting[transaction.id]?.removeValue(forKey: ticket)?.resume(returning: false)
            }
            return await withCheckedContinuation { continuation in
                waiting[transaction.id, default: [:]][ticket] = continuation
                begin(transaction)
            }
        }

        /// Each transaction is taken through once at a time.
        private func begin(_ transaction: Transaction) {
            guard underWay.insert(transaction.id).inserted else { return }
            Task {
                let isDone = await deliver(transaction)
                underWay.remove(transaction.id)
                for (_, continuation) in (waiting.removeValue(forKey: transaction.id) ?? [:]).sorted(by: {
                    $0.key < $1.key
                }) {
                    continuation.resume(returning: isDone)
                }
            }
        }

        /// False: the server has refused it for now.
        private func deliver(_ transaction: Transaction) async -> Bool {
            if isWanted(transaction) {
                guard case .accepted(let isOver) = await AppServer(phone: phone).lastVerdict(on: transaction)
                else { return false }
                if !isOver { hand(over: transaction) }
            }
            // Some have ended, or have done so while the server was asked.
            if transaction.productType != .consumable { await giveUpWhatHasEnded() }
            await transaction.finish()
            return true
        }

        /// Whether it may bring something. Of a grace period only the server knows.
        private func isWanted(_ transaction: Transaction) -> Bool {
            if transaction.revocationDate != nil || transaction.isUpgraded { return false }
            if transaction.productType == .consumable { return !goods.hasGranted(transaction) }
            return !transaction.isOver(at: phone.now) || goods.count(of: transaction.productID) == 0
        }

        private func hand(over transaction: Transaction) {
            if transaction.productType == .consumable {
                if goods.grant(transaction) { book.note(transaction) }
            } else {
                deliveries[transaction.productID, default: 0] += 1
                if goods.count(of: transaction.productID) == 0 { goods.add(transaction.productID) }
            }
        }

        private func giveUpWhatHasEnded() async {
            let before = deliveries
            let standing = await Standing.read(of: phone.lasting.filter { goods.count(of: $0) > 0 }, on: phone)
            for product in standing.ended.sorted() where before[product] == deliveries[product] {
                goods.remove(product)
            }
            guard standing.isDoubtful, patience > 0 else { return }
            patience -= 1
            Task {
                try? await Task.sleep(for: .seconds(3))
                await giveUpWhatHasEnded()
            }
        }
    }
}

/// Habit: The app delivers at once, and tells its server; only when the server has a transaction does the app finish
/// it. Until then the transaction is the app's reminder.
final class ServerBeforeFinishClient: AsyncStoreClient {
    static let name = "sk2-server-before-finish"
    static let summary = "Delivers at once, and finishes what its server has."

    private let shop: Shop

    init(environment: AppEnvironment) { shop = Shop(Phone(environment), Goods(environment)) }

    func launch() { shop.start() }
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
        private let server: AppServer
        private let lasting: LastingGoods
        private let secondLook = SecondLook()
        private var book = AnswerBook()
        private var reporting: Set<UInt64> = []

        init(_ phone: Phone, _ goods: Goods) {
            self.goods = goods
            server = AppServer(phone: phone)
            lasting = LastingGoods(goods, phone)
        }

        nonisolated func start() {
            Task { for await result in Transaction.updates { await deliver(result) } }
            Task { await catchUp() }
        }

        @discardableResult
        func catchUp() async -> Int {
            for await result in Transaction.unfinished { await deliver(result) }
            return await lasting.read()
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

        private func deliver(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { await self.catchUp() }
            }
            if transaction.productType == .consumable {
                if goods.grant(transaction) { book.note(transaction) }
            } else {
                await lasting.take(transaction)
            }
            report(transaction)
        }

        /// In a task of its own: no caller waits for the server.
        private func report(_ transaction: Transaction) {
            guard reporting.insert(transaction.id).inserted else { return }
            Task {
                if case .accepted = await server.lastVerdict(on: transaction) { await transaction.finish() }
                reporting.remove(transaction.id)
            }
        }
    }
}
