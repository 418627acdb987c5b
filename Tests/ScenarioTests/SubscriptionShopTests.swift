// Scenarios around subscriptions: time, habits, what people do outside the app, and what the catalog's settings say.

import Foundation
import Scenario
import Simulation
import Testing
import Text

@Suite struct SubscriptionShopTests {
    private static func catalog(_ change: (inout CatalogSettings) -> Void = { _ in }) -> Catalog {
        let code = CatalogOffer(
            referenceName: "poster", paymentMode: .freeTrial, price: 0, period: CalendarPeriod(count: 1, unit: .month),
            eligibility: [.new])
        let kinds: [(String, ProductKind, Bool)] = [
            ("session", .consumable, true), ("recipes", .nonConsumable, true),
            ("gold", .autoRenewableSubscription, false),
        ]
        let products = kinds.enumerated().map { place, entry in
            CatalogProduct(
                index: place, identifier: "gym.\(entry.0)", kind: entry.1, referenceName: entry.0, price: 1,
                isFamilyShareable: entry.2, localizations: [],
                subscription: entry.1 == .autoRenewableSubscription
                    ? .init(
                        groupIdentifier: "group", level: 1, period: CalendarPeriod(count: 1, unit: .month),
                        codeOffers: [code]) : nil)
        }
        var settings = CatalogSettings()
        change(&settings)
        return Catalog(products: products, storefront: .unitedStates, locale: "en_US", settings: settings)
    }

    private func read(
        store: String = "", buyers: String = "{}", steps: String = "launch", _ catalog: Catalog = Self.catalog()
    ) throws(Problems) -> Scenario {
        let text = """
            name: Gym
            store: {catalog: gym.storekit\(store.isEmpty ? "" : ", " + store)}
            buyers: \(buyers)
            population: {users: 10, devices_per_user: {1: 50%, 2: 50%}}
            load: [{journey: j, executor: at-once}]
            journeys: {j: [\(steps)]}
            """
        let context = ScenarioContext(clients: ["reference": [:]], rules: []) { _ in .success(catalog) }
        return try ScenarioFile.parse(text: Array(text.utf8), file: "x.yml", directory: "", context: context)
    }

    private func problems(store: String = "", buyers: String = "{}", steps: String = "launch") -> [String] {
        do {
            _ = try read(store: store, buyers: buyers, steps: steps)
            return []
        } catch {
            return brief(error.problems)
        }
    }

    @Test func readerReadsStepsOutsideTheApp() throws {
        let scenario = try read(
            steps: """
                {promoted_purchase: session}, {buy_outside: recipes}, {redeem_offer: {product: gold, offer: poster}}, \
                {redeem_offer: gold}, {refund: recipes}, {cancel_subscription: gold}, {change_subscription: gold}, \
                {family_shares: recipes}, {family_stops_sharing: recipes}, {change_storefront: DEU}, \
                {on_other_device: [launch, restore]}
                """)
        let kinds = scenario.journeys[0].steps.map(\.kind)
        let germany = try #require(StorefrontValue(countryCode: "DEU"))
        #expect(
            Array(kinds.prefix(10)) == [
                .promotedPurchase(0), .account(.buyOutside(1)), .account(.redeemOffer(2, name: "poster")),
                .account(.redeemOffer(2, name: nil)), .account(.refund(1)), .account(.cancelSubscription(2)),
                .account(.changeSubscription(to: 2)), .account(.shareInFamily(1)), .account(.stopSharing(1)),
                .account(.changeStorefront(germany)),
            ])
        guard case .onOtherDevice(let steps) = kinds[10] else { return #expect(Bool(false), "\(kinds[10])") }
        #expect(steps.map(\.kind) == [.launch, .restore(waits: true)])
        #expect(scenario.population.devicesPerUser != nil)
    }

    @Test(arguments: [
        (
            "{cancel_subscription: recipes}",
            ": the product in journeys.j[0].cancel_subscription is a non-consumable"
        ),
        ("{family_shares: session}", ": families cannot share the product in journeys.j[0].family_shares"),
        ("{redeem_offer: {product: gold, offer: flyer}}", "has no such offer | offers: poster"),
        ("{change_storefront: DUE}", "unknown country 'DUE' in journeys.j[0].change_storefront | did you mean 'DEU'?"),
        (
            "{update_app: referense}",
            "unknown 'referense' in journeys.j[0].update_app | did you mean 'reference'?"
        ),
        ("{refund: unknown}", "unknown product 'unknown' in journeys.j[0].refund"),
    ])
    func readerReportsImpossibleSubscriptionSteps(_ step: String, _ problem: String) {
        let found = problems(steps: step)
        #expect(found.count == 1 && found[0].contains(problem), "\(found)")
    }

    @Test func readerReadsTimeRateAndSubscriptionHabits() throws {
        let scenario = try read(
            store: "time_rate: 1h = 30d, subscriptions: {grace_period: true, price_increase_at: 6h}",
            buyers: """
                {subscriptions: {cancel: 3%, billing_failure: 6%, recover: 80%, recover_after: 1d, consent: 85%}, \
                refunds: {share: 5%, after: 10m}}
                """)
        let conditions = scenario.store.conditions
        #expect(conditions.timeRate == .day(.minutes(2)))
        #expect(conditions.timeRate.length(of: CalendarPeriod(count: 1, unit: .month)) == .hours(1))
        #expect(conditions.hasGracePeriod && conditions.priceIncreaseAt == .start + .hours(6))
        #expect(scenario.buyers.subscriptions.billingFailure == .percent(6))
        #expect(scenario.buyers.subscriptions.recoverAfter == .constant(Span.hours(24).nanoseconds))
        #expect(
            scenario.buyers.refunds
                == RefundHabits(share: .percent(5), after: .constant(Span.minutes(10).nanoseconds)))
    }

    @Test(arguments: ["1h", "1h = ", "1h = 30x", "1h = 30d = 1", "= 3d"])
    func timeRateNeedsTwoSides(_ rate: String) {
        let found = problems(store: "time_rate: '\(rate)'")
        #expect(found.count == 1 && found[0].contains("a rate such as 1h = 30d"), "\(found)")
    }

    @Test(arguments: [
        ("0s = 30d", "'0s' is zero in store.time_rate | it must be longer than zero; "),
        ("1h = 0s", "'0s' is zero in store.time_rate | it must be longer than zero; "),
        ("1us = 30000d", "'30000d' is longer than 400 days in store.time_rate | at most 400d; "),
        (
            "400d = 1us",
            "'400d = 1us' in store.time_rate is out of range | a day in store time takes from 1ns to 400 days"
        ),
    ])
    func impossibleTimeRateIsReportedWithItsReason(rate: String, problem: String) {
        let found = problems(store: "time_rate: '\(rate)'")
        #expect(found.count == 1 && found[0].contains(problem), "\(found)")
    }

    // What the file of the catalog switches on holds, and what the scenario says instead comes before it.
    @Test func catalogSettingsAreDefaultsOfTheScenario() throws {
        let catalog = Self.catalog {
            $0.asksToBuy = true
            $0.interruptsPurchases = true
            $0.failsRenewals = true
            $0.hasBillingGracePeriod = true
            $0.failsTransactions = true
            $0.timeRate = .month(.minutes(5))
            $0.errors = [.init(call: "Load Products", index: nil), .init(call: "App Store Sync", index: 1)]
        }
        let plain = try read(catalog)
        #expect(plain.buyers.askToBuy?.share == .all && plain.buyers.interrupted?.share == .all)
        #expect(plain.buyers.subscriptions.billingFailure == .all && plain.store.conditions.hasGracePeriod)
        #expect(plain.store.conditions.errors.purchase == [.init(error: .store(.unknown), share: .all)])
        #expect(plain.store.conditions.errors.products == .all && plain.store.conditions.errors.restore == .all)
        #expect(plain.store.conditions.timeRate == .month(.minutes(5)))
        let other = try read(
            store: """
                time_rate: 1h = 1d, subscriptions: {grace_period: false}, \
                errors: {products: 1%, restore: 0%, purchase: {payment_invalid: 1%}}
                """,
            buyers: """
                {ask_to_buy: {share: 0%}, interrupted: {share: 1%}, subscriptions: {billing_failure: 2%}}
                """, catalog)
        #expect(other.buyers.askToBuy?.share == Share.none && other.buyers.interrupted?.share == .percent(1))
        #expect(other.buyers.subscriptions.billingFailure == .percent(2) && !other.store.conditions.hasGracePeriod)
        #expect(other.store.conditions.errors.purchase == [.init(error: .store(.paymentInvalid), share: .percent(1))])
        #expect(other.store.conditions.errors.products == .percent(1))
        #expect(other.store.conditions.errors.restore == Share.none)
        #expect(other.store.conditions.timeRate == .day(.hours(1)))
    }

    @Test func readerReadsDeliveryFaults() throws {
        let scenario = try scenario(
            small(
                extra: """
                    faults:
                      delivery: {batches: merged, order: random, duplicate: 10%, finish_delay: 1s, finish_fails: 5%, \
                    unanswered: 1%, receipt_lag: 2s}
                    """))
        var faults = DeliveryFaults()
        faults.batches = .merged
        faults.order = .random
        faults.duplicate = .percent(10)
        faults.finishDelay = .constant(Span.seconds(1).nanoseconds)
        faults.finishFails = .percent(5)
        faults.unanswered = .percent(1)
        faults.receiptLag = .constant(Span.seconds(2).nanoseconds)
        #expect(scenario.delivery == faults)
        #expect(
            brief(ScenarioTests.problems(small(extra: "faults: {delivery: {ordr: random}}")))
                == ["9:21: unknown key 'ordr' in faults.delivery | did you mean 'order'?"])
    }
}
