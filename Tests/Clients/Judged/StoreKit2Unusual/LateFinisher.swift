// A client that finishes what lasts a launch after its delivery.
// An actor guards what it knows; any thread.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app finishes consumables at once, and whatever entitles for longer only in a later launch, when it is
/// handed over again. What has run out it finishes at once.
final class LateFinisherClient: AsyncStoreClient {
    static let name = "sk2-late-finisher"
    static let summary = "Finishes what entitles for longer only in the launch after its delivery."

    private let shop: Shop

    init(environment: AppEnvironment) { shop = Shop(Phone(environment), Goods(environment)) }

    func launch() {
        let launch = shop.countLaunch()
        Task { [shop] in
            await shop.begin(launch)
            for await result in Transaction.updates { await shop.deliver(result) }
        }
        Task { [shop] in
            await shop.begin(launch)
            await shop.catchUp()
        }
    }
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
        nonisolated private let phone: Phone
        private let lasting: LastingGoods
        private let secondLook = SecondLook()
        private var book = AnswerBook()
        private var launch = 0

        init(_ phone: Phone, _ goods: Goods) {
            (self.phone, self.goods) = (phone, goods)
            lasting = LastingGoods(goods, phone)
        }

        nonisolated func countLaunch() -> Int {
            let launch = phone.environment.durableInteger("launches") + 1
            phone.environment.write([("launches", .integer(launch))])
            return launch
        }

        func begin(_ launch: Int) { self.launch = launch }

        @discardableResult
        func catchUp() async -> Int {
            for await result in Transaction.unfinished { await deliver(result) }
            return await lasting.read()
        }

        func buy(_ identifier: String, _ quantity: Int) async throws -> PurchaseOutcome {
            guard let product = try await Till.product(identifier) else { return .notSold }
            // A period that has run out meanwhile must not answer for the next one.
            for await result in Transaction.unfinished { await deliver(result) }
            let place = book.place
            let result = try await product.purchase(options: Till.options(quantity))
            guard case .success(let signed) = result else { return PurchaseOutcome(result) }
            await deliver(signed)
            guard case .verified(let transaction) = signed else { return PurchaseOutcome(result) }
            return book.outcome(of: transaction, since: place)
        }

        func deliver(_ result: VerificationResult<Transaction>) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { await self.catchUp() }
            }
            if transaction.productType == .consumable {
                if goods.grant(transaction) { book.note(transaction) }
                return await transaction.finish()
            }
            await lasting.take(transaction)
            let key = "seen.\(transaction.id)"
            let seen = phone.environment.durableInteger(key)
            if transaction.isOver(at: phone.now) || (1..<max(1, launch)).contains(seen) {
                await transaction.finish()
            } else if seen == 0 {
                phone.environment.write([(key, .integer(launch))])
            }
        }
    }
}
