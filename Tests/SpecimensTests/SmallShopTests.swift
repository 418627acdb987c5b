// What `StoreClient` does for a client that has its three members only, and what `Goods` keeps where.

import Engine
import Foundation
import Judgement
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

@testable import ClientKit

@Suite struct SmallShopTests {
    @Test(arguments: ["quickstart", "crash-anywhere", "restore-storm", "deferred-approvals", "refunds"])
    func clientsOfThreeMembersLoseNothing(scenario: String) throws {
        let scenario = try Scenario.shipped(scenario, users: 60)
        for client in [SmallShopClient.self, SmallAsyncClient.self] as [any StoreClient.Type] {
            let result = run(scenario, client)
            // Without `willTerminate` the observer stays, which is a note.
            #expect(Set(result.violations.keys) == [.observerLeft], "\(client): \(result.story)")
            #expect(result.collector.violationCounts.isEmpty && result.collector.warningCounts.isEmpty)
            #expect(result.collector.faultCount == 0)
        }
    }

    @Test(
        arguments: [SmallDefaultsClient.self, SmallFileClient.self, SmallOwnStoreClient.self] as [any StoreClient.Type])
    func goodsAreDurableInEveryKindOfStorage(client: any StoreClient.Type) throws {
        let result = run(try Scenario.shipped("crash-anywhere", users: 60), client)
        #expect(Set(result.violations.keys) == [.observerLeft] && result.collector.faultCount == 0, "\(result.story)")
    }

    @Test func clientNamesComeFromTypes() {
        #expect(SmallShopClient.name == "small-shop-client" && SmallShopClient.summary.contains("SmallShopClient"))
        #expect(SmallShopClient.options.isEmpty && SmallShopClient.goods(perPurchaseOf: Shop.lives) == 1)
        for (type, name) in [
            ("Shop", "shop"), ("IAPManagerClient", "iap-manager-client"), ("Store2Client", "store2-client"),
            ("My_Client", "my-client"), ("aURLShop", "a-url-shop"), ("IAP", "iap"),
        ] {
            #expect(ClientName.hyphenated(type) == name)
        }
    }

    @Test func productsAreFetchedByIdentifierAndByCatalog() throws {
        let result = try journey(
            SmallShopClient.self,
            [
                "launch", "fetch_products", "fetch_products: [unlock_maps]", "buy: superpowers",
                "expect: {holds: {superpowers: 1}}",
            ])
        #expect(Set(result.violations.keys) == [.observerLeft] && result.meetsAllExpectations, "\(result.story)")
    }

    @Test func thrownErrorBecomesTheAnswer() throws {
        let result = try journey(
            SmallFailingClient.self,
            ["launch", "buy: extra_lives", "expect: {answered: cancelled}", "restore", "expect: {answered: failed}"])
        #expect(result.meetsAllExpectations, "\(result.story)")
    }

    // The note on it is read from the report of a process of its own: CommandTests.
    @Test func holdingsThatThrowHoldNothing() throws {
        let result = try journey(
            SmallThrowingClient.self, ["launch", "buy: unlock_maps", "expect: {owns: unlock_maps}"])
        #expect(Set(result.violations.keys) == [.observerLeft] && result.meetsAllExpectations, "\(result.story)")
    }
}
