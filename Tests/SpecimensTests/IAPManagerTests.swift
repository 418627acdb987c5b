// The tutorial's client, with its flaws: each must be told for what it is.

import Engine
import Judgement
import Metrics
import Reporting
import RunSupport
import Scenario
import Simulation
import Testing

@testable import ClientKit
@testable import Specimens

@Suite struct IAPManagerTests {
    private func sentences(_ result: RunResult, _ rule: AuditRule) -> [String] {
        result.collector.evidence(of: rule).map(\.evidence.sentence)
    }

    private static let conditions = [
        "network: {latency: 20ms..60ms}", "buyers: {decide_after: 200ms..600ms}",
        "app: {patience: 10s, relaunch_after: 500ms}",
    ]

    private func journey(
        _ steps: [String], users: Int = 20, sections: [String] = [], catalog: Catalog = Shop.catalog,
        options: [String: String] = [:]
    ) throws -> RunResult {
        let scenario = try Scenario.journey(
            steps, users: users,
            sections: Self.conditions.filter { given in
                !sections.contains { $0.prefix { $0 != ":" } == given.prefix { $0 != ":" } }
            } + sections, catalog: catalog)
        return run(scenario, IAPManagerClient.self, options: options)
    }

    @Test func iapManagerLosesARedeliveredPurchase() throws {
        let result = try journey(
            ["launch", "think: 1s", "terminate"],
            sections: ["population: {users: 20, unfinished_at_start: {extra_lives: 100%}}"])
        #expect(result.violations == [.lostPurchase: 20])
        for sentence in sentences(result, .lostPurchase) {
            #expect(sentence.contains("no request for it was pending"), "\(sentence)")
        }
    }

    @Test func iapManagerLosesThePurchaseIfItCrashesAfterTheCharge() throws {
        let result = try journey(
            ["launch", "fetch_products", "buy: extra_lives", "think: 1s"],
            sections: ["faults: {crash: {share: 100%, at: after_charge}}"])
        #expect(result.violations[.lostPurchase] == 20)
        #expect(
            sentences(result, .lostPurchase).allSatisfy {
                $0.contains("crashed") && $0.contains("no request for it was pending")
            })
    }

    @Test func iapManagerFinishesBeforeTheGoods() throws {
        let result = try journey(["launch", "fetch_products", "buy: extra_lives", "terminate"])
        #expect(result.violations == [.finishedBeforeDelivery: 20])
    }

    @Test func iapManagerIgnoresTheQuantity() throws {
        let result = try journey(["launch", "fetch_products", "buy: {product: superpowers, quantity: 4}"])
        // The payment says one, so one is charged: the user does not get what was asked for, and pays for what came.
        #expect(result.violations[.lostPurchase] == nil && result.violations[.duplicateDelivery] == nil)
        #expect(result.collector.evidence.values.joined().allSatisfy { !$0.evidence.sentence.contains("4 ×") })
    }

    // The second purchase takes the first one's handler: the first is never answered, the second twice or wrongly.
    @Test func iapManagersSecondPurchaseReplacesTheFirstsHandler() throws {
        let result = try journey([
            "launch", "fetch_products", "together: [{buy: extra_lives}, {buy: superpowers}]", "think: 2s", "terminate",
        ])
        #expect(result.violations[.unansweredRequest] == 20)
        #expect(result.violations[.answeredTwice] == 20)
        #expect((result.violations[.wrongAnswer] ?? 0) + (result.violations[.wrongProduct] ?? 0) > 0)
    }

    @Test func iapManagerNeverAnswersARestoreWithoutANetwork() throws {
        let result = try journey(
            ["launch", "restore", "think: 1s", "terminate"],
            sections: ["network: {latency: 20ms, lose_answer: 100%, request_timeout: 1s}"])
        #expect(result.violations[.restoreUnreported] == 20)
    }

    // The same restore failing with the store's own error is answered: only the kind of error makes the difference.
    @Test func iapManagerAnswersARestoreThatTheStoreRefuses() throws {
        var scenario = try Scenario.journey(["launch", "restore", "think: 1s", "terminate"], users: 20)
        scenario.store.conditions.errors.restore = .all
        #expect(run(scenario, IAPManagerClient.self).violations[.restoreUnreported] == nil)
    }

    @Test func iapManagerDeliversMapsForLivesWithPublishedNames() throws {
        let lives = "com.appcoda.fakegame.extra-lives"
        let catalog = Shop.catalog([(lives, .consumable), (Shop.powers, .consumable), (Shop.maps, .nonConsumable)])
        let published = try journey(
            ["launch", "fetch_products", "buy: extra-lives", "think: 1s", "terminate"], catalog: catalog,
            options: ["product_ids": "as_published"])
        #expect(published.violations[.wrongProduct] == 20)
        #expect(sentences(published, .wrongProduct).allSatisfy { $0.contains("granted unlock_maps instead") })
        let consistent = try journey(["launch", "fetch_products", "buy: extra_lives", "think: 1s", "terminate"])
        #expect(consistent.violations[.wrongProduct] == nil)
    }

    @Test func iapManagerSellsAgainOnlyUsedGoods() throws {
        let result = try journey([
            "launch", "fetch_products", "buy: extra_lives", "buy: extra_lives", "expect: {answered: refused}",
            // Bought again at once, the same purchase would come again.
            "use: all", "think: 1s", "buy: extra_lives", "expect: {answered: purchased}", "buy: unlock_maps",
            "buy: unlock_maps",
            "expect: {answered: refused}",
        ])
        #expect(result.count(.purchases) == 60)
        guard
            case .rate(passes: let passes, total: let total) = result.collector.tally.measurements[.expectations]
                .reading(seconds: 1)
        else {
            Issue.record("no expectation was judged")
            return
        }
        #expect(passes == 60 && total == 60)
    }
}

@Suite struct RegistryTests {
    @Test func builtInClientsAreFoundByName() {
        let registry = ClientRegistry()
        #expect(registry["reference"] == ReferenceClient.self)
        #expect(registry["iap-manager"] == IAPManagerClient.self)
        #expect(registry["in-app-purchase-lib"] == SilverShop.self)
        #expect(registry["nobody"] == nil)
        #expect(registry.optionValues["iap-manager"] == ["product_ids": ["consistent", "as_published"]])
        #expect(registry.optionValues["reference"] == ["validation": ["none", "server"]])
    }

    @Test func clientNamesAndSummariesFitLists() {
        for client in ClientRegistry.shipped {
            #expect(
                client.name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }, "\(client.name)")
            #expect(client.summary.hasSuffix("."), "\(client.summary)")
            for option in client.options { #expect(!option.values.isEmpty && !option.meaning.isEmpty) }
        }
        #expect(Set(ClientRegistry.shipped.map { $0.name }).count == ClientRegistry.shipped.count)
    }

    @Test func ownClientReplacesABuiltInOne() {
        final class Impostor: StoreClient {
            static let name = "reference"
            static let summary = "Sits in another's place."
            init(environment: AppEnvironment) {}
            func launch() {}
            func willTerminate() {}
            func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {}
            func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {}
            func restore(completion: @escaping (RestoreOutcome) -> Void) {}
            func use(_ productIdentifier: String) {}
            func holdings() -> [String: Int] { [:] }
        }
        let registry = ClientRegistry(additional: [Impostor.self])
        #expect(registry["reference"] == Impostor.self)
        #expect(registry.clients.count == ClientRegistry.shipped.count)
    }
}
