// The library's façade, asked directly: when it refreshes, and what it knows. And the web that it stands on.

import Foundation
import Simulation
import StoreKit
import Testing

@testable import ClientKit
@testable import Specimens

@Suite struct InAppPurchaseFacadeTests {
    private typealias Bench = SilverBench

    private static func id(_ product: String) -> String { SilverBench.bundle + product }

    // MARK: Refreshing

    @Test func refreshIsDueOnceAnHour() throws {
        let bench = try Bench()
        bench.launch()
        #expect(bench.productsRequests == 1)
        #expect(bench.refresh() == .skipped)
        bench.run(for: .minutes(59))
        #expect(bench.refresh() == .skipped)
        bench.run(for: .minutes(1))
        #expect(bench.refresh() == .succeeded)
        #expect(bench.productsRequests == 2)
        #expect(bench.refresh() == .skipped)
        // The list of products is kept in memory.
        bench.launch()
        #expect(bench.productsRequests == 3)
    }

    @Test func failedRefreshDoesNotCount() throws {
        var validator = ServerConditions()
        validator.outages = [StoreOutage(start: .start + .seconds(5), duration: .minutes(60), answer: .error)]
        let bench = try Bench(validator: validator)
        bench.launch()
        _ = bench.buy("no_ads")
        bench.run(for: .seconds(5))
        bench.launch()
        #expect(bench.refresh() == .failed)
        #expect(bench.refresh() == .failed)
        // The products were found all the same.
        #expect(bench.ask { InAppPurchase.getProducts().count } == 5)
        bench.run(for: .minutes(60))
        #expect(bench.refresh() == .succeeded)
        #expect(bench.refresh() == .skipped)
    }

    // Monthly, with a month of an hour: it runs out while the app runs.
    @Test func refreshIsDueEachMinuteAfterASubscriptionExpired() throws {
        var conditions = StoreConditions()
        conditions.timeRate = .day(.minutes(2))
        let bench = try Bench(conditions: conditions)
        bench.launch()
        #expect(bench.buy("monthly") == .purchased)
        let monthly = try #require(bench.store.catalog.index(of: Self.id("monthly")))
        bench.store.perform(.cancelSubscription(monthly), user: 0)
        let expiry = try #require(bench.ask { InAppPurchase.getExpiryDate(for: Self.id("monthly")) } ?? nil)
        let left = expiry.timeIntervalSince(bench.timeline.date)
        #expect(left > 120)
        bench.run(for: Span(nanoseconds: Int64((left - 5) * 1e9)))
        #expect(bench.refresh() == .skipped)
        bench.run(for: .seconds(9))
        // Just expired, and the latest refresh long ago.
        #expect(bench.refresh() == .succeeded)
        #expect(bench.ask { InAppPurchase.hasActiveSubscription() } == true)
        bench.run(for: .seconds(50))
        #expect(bench.refresh() == .skipped)
        bench.run(for: .seconds(10))
        #expect(bench.refresh() == .succeeded)
        bench.run(for: .minutes(2))
        #expect(bench.refresh() == .skipped)
        #expect(bench.ask { InAppPurchase.hasActiveSubscription() } == false)
        #expect(bench.ask { InAppPurchase.hasAlreadyPurchased() } == true)
    }

    @Test func concurrentRefreshesShareOneAnswer() throws {
        var link = LinkConditions()
        link.latency = .span(.seconds(2))
        let bench = try Bench(link: link)
        bench.launch()
        var states: [IAPRefreshResult.State] = []
        bench.enter {
            InAppPurchase.refresh { states.append($0.state) }
            InAppPurchase.refresh { states.append($0.state) }
        }
        #expect(states.isEmpty)
        bench.run(for: .seconds(10))
        #expect(states == [.succeeded, .succeeded])
        #expect(bench.productsRequests == 1)
    }

    // MARK: What is known

    @Test func activePurchasesDependOnTheProductKind() throws {
        let bench = try Bench()
        bench.launch()
        #expect(bench.ask { InAppPurchase.canMakePayments() } == true)
        #expect(bench.ask { InAppPurchase.hasAlreadyPurchased() } == false)
        for product in ["10_silver", "no_ads", "season_pass", "monthly"] {
            #expect(bench.buy(product) == .purchased)
            #expect(bench.ask { InAppPurchase.getPurchaseDate(for: Self.id(product)) != nil } == true, "\(product)")
        }
        let active = ["10_silver", "no_ads", "season_pass", "monthly", "100_silver"].map { product in
            bench.ask { InAppPurchase.hasActivePurchase(for: Self.id(product)) }
        }
        #expect(active == [false, true, false, true, false])
        #expect(bench.ask { InAppPurchase.hasActiveSubscription() } == true)
        #expect(bench.ask { InAppPurchase.getExpiryDate(for: Self.id("no_ads")) == nil } == true)
        #expect(bench.ask { InAppPurchase.getProductBy(identifier: Self.id("no_ads"))?.price } == 2.99)
        #expect(
            bench.shop?.holdings() == [
                Self.id("10_silver"): 10, Self.id("no_ads"): 1, Self.id("season_pass"): 1, Self.id("monthly"): 1,
            ])
    }

    @Test func lastKnownStateIsUsedWithoutANetwork() throws {
        let bench = try Bench()
        bench.launch()
        #expect(bench.buy("no_ads") == .purchased)
        let date = bench.ask { InAppPurchase.getPurchaseDate(for: Self.id("no_ads")) } ?? nil
        #expect(date != nil)
        // Nothing has come over the network yet.
        bench.launch(settling: .zero)
        #expect(bench.ask { InAppPurchase.getProducts().isEmpty } == true)
        #expect(bench.ask { InAppPurchase.getPurchaseDate(for: Self.id("no_ads")) } == date)
        #expect(bench.ask { InAppPurchase.hasActivePurchase(for: Self.id("no_ads")) } == true)
    }

    @Test func deferredPurchaseIsKnownUntilItIsApproved() throws {
        var buyers = BuyerBehaviour()
        buyers.askToBuy = AskToBuy(share: .all, approve: .all, decline: .none, answerAfter: .span(.minutes(1)))
        let bench = try Bench(buyers: buyers)
        bench.launch()
        #expect(bench.buy("10_silver") == .deferred)
        #expect(bench.ask { InAppPurchase.hasDeferredTransaction(for: Self.id("10_silver")) } == true)
        #expect(bench.ask { InAppPurchase.hasDeferredTransaction(for: Self.id("no_ads")) } == false)
        bench.run(for: .minutes(1))
        #expect(bench.ask { InAppPurchase.hasDeferredTransaction(for: Self.id("10_silver")) } == false)
        #expect(bench.shop?.holdings(of: Self.id("10_silver")) == 10)
    }

    // A group in which the free week was had.
    @Test func validatorReportsTheUsedIntroductoryOffer() throws {
        let bench = try Bench()
        bench.launch()
        #expect(bench.buy("monthly") == .purchased)
        let receipt = AppReceipt(try #require(bench.device.receipt), of: bench.device)
        let request = ValidatorRequest(
            bundleIdentifier: AppIdentity.standardBundleIdentifier,
            receipt: receipt.encoded(), applicationUsername: nil)
        var answer: WebAnswer?
        bench.device.post(
            WebRequest(url: SimulatedAppStore.validatorURL, body: try JSONEncoder().encode(request)),
            from: try #require(bench.device.process)
        ) { answer = try? $0.get() }
        bench.run(for: .seconds(1))
        let contents = try JSONDecoder().decode(ValidatorAnswer.self, from: try #require(answer).body).data
        #expect(contents.ineligibleForIntroductoryPrice == [Self.id("monthly")])
        let statement = bench.store.closeAccount(user: 0)
        #expect(statement.notifications.map(\.product) == [bench.store.catalog.index(of: Self.id("monthly"))])
    }
}

@Suite struct WebTests {
    // A client's own use of the web, through what the environment offers.
    @Test func postAnswersArriveOnTheMainQueue() throws {
        let bench = try SilverBench()
        let process = bench.device.launch()
        let environment = AppEnvironment(process: process, facts: AppFacts(products: [], options: [:]))
        var results: [Result<HTTPResponse, HTTPError>] = []
        var wereOnMain: [Bool] = []
        for url in [environment.validatorURL, "https://example.com"] {
            environment.http.post(url, Data("{}".utf8)) { result in
                results.append(result)
                wereOnMain.append(environment.main.isCurrent)
            }
            bench.run(for: .seconds(1))
        }
        #expect(results == [.success(HTTPResponse(status: 400, body: Data())), .failure(.cannotFindHost)])
        #expect(wereOnMain == [true, true])
        #expect(environment.bundleIdentifier == "com.example.app")
        #expect(HTTPError.offline.localizedDescription == "The device is not connected to the internet.")
    }
}
