// A store under a test session, where it takes more time than a real test has: the virtual clock.

import DeviceSupport
import Foundation
import Simulation
import Testing

@Suite struct TestStoreTests {
    private let timeline = VirtualTimeline()
    private let store: SimulatedAppStore

    init() {
        store = SimulatedAppStore(
            lane: timeline, catalog: Goods.catalog(), conditions: .init(), behaviour: .init(), buyers: .init(), seed: 1,
            cell: 0, users: 0..<1, firstTransaction: 0, isForTests: true)
        store.openAccount(user: 0, owned: [], unfinished: [])
    }

    private func run(days: Int64) {
        var isOver = false
        timeline.schedule(after: .hours(24 * days)) { isOver = true }
        #expect(timeline.run(until: { isOver }, patience: .zero))
    }

    private func buy(_ product: ProductIndex) throws -> TransactionID {
        try store.buyOutside(Goods.identifier(product), quantity: 1, applicationUsername: nil, user: 0)
    }

    private var listed: [TestTransaction] { store.testTransactions(user: 0) }

    private func adopt(_ change: (inout TestSettings) -> Void) {
        var settings = TestSettings(Goods.catalog())
        change(&settings)
        _ = store.adopt(settings, selling: Goods.catalog(), user: 0)
    }

    @Test func firstTransactionNumberIsTheGivenOne() throws {
        #expect(try [buy(Goods.coins), buy(Goods.hat)].map(\.text) == ["0", "1"])
    }

    @Test func productsKeepTheirPlacesAcrossFiles() {
        let places = Goods.catalog().products
        let other = Catalog(
            products: [
                CatalogProduct(
                    index: 0, identifier: "com.example.new", kind: .consumable, referenceName: "New", price: 1,
                    isFamilyShareable: false, localizations: [], subscription: nil),
                CatalogProduct(
                    index: 1, identifier: Goods.identifier(Goods.hat), kind: .nonConsumable, referenceName: "Hat",
                    price: 99, isFamilyShareable: false, localizations: [], subscription: nil),
            ], storefront: .unitedStates, locale: "en_US")
        _ = store.adopt(TestSettings(other), selling: other, user: 0)
        let catalog = store.catalog
        #expect(catalog.products.map(\.identifier) == places.map(\.identifier) + ["com.example.new"])
        #expect(catalog[Goods.hat].price == 99 && catalog[Goods.coins].price == places[Goods.coins].price)
        #expect(catalog.index(of: Goods.identifier(Goods.coins)) == nil)
        #expect(catalog.index(of: Goods.identifier(Goods.hat)) == Goods.hat)
        adopt { _ in }
        #expect(store.catalog.products.count == places.count + 1)
        #expect(store.catalog.index(of: Goods.identifier(Goods.coins)) == Goods.coins)
        #expect(store.catalog.index(of: "com.example.new") == nil)
    }

    @Test func billingRetryEndsAfterSixtyDays() throws {
        let id = try buy(Goods.pro)
        adopt { $0.file.failsRenewals = true }
        run(days: 31)
        #expect(listed.map(\.hasIssue) == [true])
        run(days: 60)
        #expect(listed.map(\.hasIssue) == [false])
        #expect(throws: TestSessionFailure.noSubscription) { try store.resolveIssue(id, user: 0) }
    }

    @Test func subscriptionEndsWithoutPriceConsent() throws {
        let id = try buy(Goods.pro)
        try store.requestPriceConsent(id, user: 0)
        run(days: 31)
        #expect(listed.count == 1 && listed[0].awaitsPriceConsent == false)
        #expect(throws: TestSessionFailure.noSubscription) { try store.setRenewal(true, of: id, user: 0) }
    }

    // What was planned for the end of the period that was taken back does not end the one bought after it.
    @Test(arguments: [AccountAction.refund(Goods.pro), nil])
    func newSubscriptionHasItsOwnPeriod(ending: AccountAction?) throws {
        _ = try buy(Goods.pro)
        run(days: 10)
        if let ending {
            store.perform(ending, user: 0)
        } else {
            try store.expire(product: Goods.identifier(Goods.pro), user: 0)
        }
        _ = try buy(Goods.pro)
        run(days: 25)
        #expect(listed.count == 2, "it renews after thirty days, not after twenty")
        run(days: 10)
        #expect(listed.count == 3)
    }
}
