// A client that reads the statuses of subscriptions instead of entitlements.
// An actor guards what it knows; any thread.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app asks for the statuses of its subscription groups, not for entitlements. A subscription in a grace
/// period goes on, a subscription that is only being charged again does not.
final class SubscriptionStatusClient: AsyncStoreClient {
    static let name = "sk2-subscription-status"
    static let summary = "Reads subscriptions' statuses, with grace and without retries, instead of entitlements."

    private let shop: Shop

    init(environment: AppEnvironment) {
        shop = Shop(Phone(environment), environment.products, Goods(environment))
    }

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
        private let subscriptions: [String]
        private let owned: [String]
        private var book = AnswerBook()
        private var wanted = 0
        private var reading: Task<Int, Never>?
        private var patience = 0

        init(_ phone: Phone, _ products: [AppEnvironment.Product], _ goods: Goods) {
            (self.phone, self.goods) = (phone, goods)
            subscriptions = products.filter { $0.kind == .autoRenewableSubscription }.map(\.identifier)
            owned =
                products
                .filter { $0.kind == .nonConsumable || $0.kind == .nonRenewingSubscription }.map(\.identifier)
        }

        nonisolated func start() {
            Task { for await result in Transaction.updates { await deliver(result) } }
            Task { for await _ in Product.SubscriptionInfo.Status.updates { await read() } }
            Task { await catchUp() }
        }

        @discardableResult
        func catchUp() async -> Int {
            patience = 5
            for await result in Transaction.unfinished { await deliver(result) }
            return await read()
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
                if !transaction.isUpgraded { goods.grant(transaction) }
                await read()
            }
            await transaction.finish()
        }

        @discardableResult
        private func read() async -> Int {
            wanted += 1
            if let reading { return await reading.value }
            let task = Task { await readUntilCurrent() }
            reading = task
            return await task.value
        }

        /// Gives up only what the store names as over before the rest is read, and after it.
        private func readUntilCurrent() async -> Int {
            while true {
                let before = wanted
                let held = (subscriptions + owned).filter { goods.count(of: $0) > 0 }
                let earlier = await phone.over(held)
                var (running, unclear) = await statuses()
                for product in subscriptions where !running.contains(product) && !unclear.contains(product) {
                    for await result in Transaction.all(for: product) {
                        switch result {
                        case .verified(let transaction) where isShared(transaction): running.insert(product)
                        case .unverified: unclear.insert(product)
                        case .verified: break
                        }
                    }
                }
                for product in owned {
                    for await result in Transaction.all(for: product) {
                        switch result {
                        case .verified(let transaction) where !transaction.isOver(at: phone.now):
                            running.insert(product)
                        case .unverified: unclear.insert(product)
                        case .verified: break
                        }
                    }
                }
                let missing = held.filter { !running.contains($0) && !unclear.contains($0) }
                let ended = await phone.over(missing.filter(earlier.contains))
                if before != wanted { continue }
                for product in running.sorted() where goods.count(of: product) == 0 { goods.add(product) }
                for product in ended.sorted() { goods.remove(product) }
                reading = nil
                if !unclear.isEmpty || ended.count < missing.count { lookAgain() }
                return running.count
            }
        }

        private func statuses() async -> (running: Set<String>, unclear: Set<String>) {
            var (running, unclear): (Set<String>, Set<String>) = ([], [])
            for await (_, statuses) in Product.SubscriptionInfo.Status.all {
                for status in statuses where status.state == .subscribed || status.state == .inGracePeriod {
                    switch status.transaction {
                    case .verified(let transaction): running.insert(transaction.productID)
                    case .unverified(let transaction, _): unclear.insert(transaction.productID)
                    }
                }
            }
            return (running, unclear.subtracting(running))
        }

        /// What a member of the family shares may have no status of its own.
        private func isShared(_ transaction: Transaction) -> Bool {
            transaction.ownershipType == .familyShared && !transaction.isOver(at: phone.now)
        }

        private func lookAgain() {
            guard patience > 0 else { return }
            patience -= 1
            Task {
                try? await Task.sleep(for: .seconds(3))
                await read()
            }
        }
    }
}
