// Clients that are unusual in where goods are: in a cache of the last known entitlements, or in the keychain.
// Actors guard what they know; any thread.

import ClientKit
import Foundation
import Security
import StoreKit

/// Habit: The app stores nothing for what lasts but the list of entitlements that it read last. It gives a product up
/// only if the history explains why the list lacks it.
final class EntitlementCacheClient: AsyncStoreClient {
    static let name = "sk2-entitlement-cache"
    static let summary = "Answers from the last known entitlements, and stores only consumables."

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
    func use(_ productIdentifier: String) { shop.coins.use(productIdentifier) }
    func holdings() -> [String: Int] {
        var held = shop.coins.held
        for product in shop.cached { held[product] = 1 }
        return held
    }

    actor Shop {
        /// Of consumables only.
        nonisolated let coins: Goods
        private nonisolated let phone: Phone
        private let secondLook = SecondLook()
        private var book = AnswerBook()
        private var wanted = 0
        private var reading: Task<Int, Never>?
        private var patience = 0

        init(_ phone: Phone, _ coins: Goods) { (self.phone, self.coins) = (phone, coins) }

        nonisolated var cached: Set<String> {
            Set(phone.environment.durableText("entitled").split(separator: "\n").map(String.init))
        }

        private func cache(_ products: Set<String>) {
            guard products != cached else { return }
            phone.environment.write([("entitled", .text(products.sorted().joined(separator: "\n")))])
        }

        nonisolated func start() {
            Task { for await result in Transaction.updates { await deliver(result) } }
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
                if coins.grant(transaction) { book.note(transaction) }
            } else {
                // The list may be out of reach just now.
                if !transaction.isOver(at: phone.now) { cache(cached.union([transaction.productID])) }
                _ = await read()
            }
            await transaction.finish()
        }

        /// A reading that is under way begins anew: it does not know of what has come since.
        private func read() async -> Int {
            wanted += 1
            if let reading { return await reading.value }
            let task = Task { await readUntilCurrent() }
            reading = task
            return await task.value
        }

        private func readUntilCurrent() async -> Int {
            while true {
                let before = wanted
                let earlier = await overProducts()
                var (entitled, unclear): (Set<String>, Set<String>) = ([], [])
                for await result in Transaction.currentEntitlements {
                    switch result {
                    case .verified(let transaction): entitled.insert(transaction.productID)
                    case .unverified(let transaction, _): unclear.insert(transaction.productID)
                    }
                }
                let over = earlier.intersection(await overProducts())
                if before != wanted { continue }
                let kept = cached.filter { unclear.contains($0) || !over.contains($0) }
                cache(entitled.union(kept))
                reading = nil
                if !kept.isSubset(of: entitled) { lookAgain() }
                return entitled.count
            }
        }

        /// The products of which the history has transactions, all of them verified and over.
        private func overProducts() async -> Set<String> {
            var (over, others): (Set<String>, Set<String>) = ([], [])
            for await result in Transaction.all {
                switch result {
                case .verified(let transaction) where transaction.isOver(at: phone.now):
                    over.insert(transaction.productID)
                case .verified(let transaction), .unverified(let transaction, _):
                    others.insert(transaction.productID)
                }
            }
            return over.subtracting(others)
        }

        private func lookAgain() {
            guard patience > 0 else { return }
            patience -= 1
            Task {
                try? await Task.sleep(for: .seconds(3))
                _ = await read()
            }
        }
    }
}

/// Habit: The app keeps everything in one item of the keychain, which outlives the app's deletion: the goods, and the
/// transactions that brought them.
final class KeychainWalletClient: AsyncStoreClient {
    static let name = "sk2-keychain-wallet"
    static let summary = "Keeps goods and the transactions that brought them in one item of the keychain."

    private let shop: Shop

    init(environment: AppEnvironment) {
        let place = Goods.Place.own(load: WalletItem.load, save: WalletItem.save)
        shop = Shop(Phone(environment), Goods(environment, in: place))
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

    /// One item, replaced as a whole in one step.
    enum WalletItem {
        private static var query: [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "wallet",
                kSecAttrAccount as String: "goods",
            ]
        }

        static func load() -> Data? {
            var found: CFTypeRef?
            let query = query.merging([kSecReturnData as String: true]) { $1 }
            guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return nil }
            return found as? Data
        }

        static func save(_ data: Data) {
            let contents: [String: Any] = [
                kSecValueData as String: data, kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
            ]
            guard SecItemUpdate(query as CFDictionary, contents as CFDictionary) == errSecItemNotFound else { return }
            SecItemAdd(query.merging(contents) { $1 } as CFDictionary, nil)
        }
    }

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
            await transaction.finish()
        }
    }
}
