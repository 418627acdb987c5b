// What is sold where: products, languages, storefronts, changing files. And sessions on many threads.

import Dispatch
import Foundation
import StandaloneUse
import StoreKit
import StoreKitTest
import Testing

@Suite(.serialized, .aloneOnTheDevice) struct StoreTests {
    // MARK: Products

    @Test func productsComeFromTheConfigurationFile() async throws {
        try await inShop { session, shopper in
            let products = try await shopper.load([Goods.coins, Goods.pro, "test.shop.nothing"])
            #expect(Set(products.map(\.productIdentifier)) == [Goods.coins, Goods.pro])
            let coins = try #require(products.first { $0.productIdentifier == Goods.coins })
            #expect(coins.price == NSDecimalNumber(string: "0.99") && coins.localizedTitle == "Coins")
            #expect(shopper.productResponses[0].invalidProductIdentifiers == ["test.shop.nothing"])
        }
    }

    @Test func productRequestFailsWithTheSimulatedError() async throws {
        try await inShop { session, shopper in
            let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))
            try await session.setSimulatedError(.generic(offline), forAPI: .loadProducts)
            shopper.send(SKProductsRequest(productIdentifiers: [Goods.coins]))
            try await shopper.until("the request fails") { $0.requestFailures.count == 1 }
            #expect(shopper.requestFailures[0].domain == NSURLErrorDomain && shopper.requestFailures[0].code == -1009)
            try await session.setSimulatedError(.generic(.unknown), forAPI: .loadProducts)
            shopper.send(SKProductsRequest(productIdentifiers: [Goods.coins]))
            try await shopper.until("the request fails again") { $0.requestFailures.count == 2 }
            #expect(shopper.requestFailures[1].domain == SKErrorDomain && shopper.requestFailures[1].code == 0)
            try await session.setSimulatedError(nil, forAPI: .loadProducts)
            #expect(try await shopper.load([Goods.coins]).count == 1)
        }
    }

    @Test func sessionLocaleChoosesTheTexts() async throws {
        try await inShop { session, shopper in
            session.locale = Locale(identifier: "de_DE")
            let coins = try #require(try await shopper.load([Goods.coins]).first)
            #expect(coins.localizedTitle == "Münzen" && coins.localizedDescription == "Hundert Stück.")
            #expect(session.locale.identifier == "de_DE")
        }
    }

    @Test func sessionStorefrontChoosesTheCurrency() async throws {
        try await inShop { session, shopper in
            session.storefront = "JPN"
            #expect(SKPaymentQueue.default().storefront?.countryCode == "JPN")
            let coins = try #require(try await shopper.load([Goods.coins]).first)
            #expect(coins.priceLocale.currencyCode == "JPY")
            try await shopper.until("the app is told") { $0.storefrontChanges == 1 }
            session.storefront = "JPN"
            // A payment after the move is not caught by it.
            try await shopper.own(Goods.coins)
            session.resetToDefaultState()
            #expect(SKPaymentQueue.default().storefront?.countryCode == "USA")
            try await shopper.until("the app is told again") { $0.storefrontChanges == 2 }
            try await shopper.own(Goods.hat)
        }
    }

    // Purchases of what is no longer sold stay what they were.
    @Test func newSessionSellsItsFilesProductsAtOnce() async throws {
        try await inShop { session, shopper in
            let old = try #require(try await shopper.load([Goods.hat]).first)
            try await shopper.own(Goods.hat)
            shopper.buy(Goods.season)
            try await shopper.until("the season is bought") { $0.count(of: Goods.season, .purchased) == 1 }
            let other = try SKTestSession(configurationFileNamed: "Fixtures/Settings")
            try await other.setSimulatedError(nil, forAPI: .loadProducts)
            let products = try await shopper.load([Goods.hat, Goods.coins, "test.other.gems"])
            #expect(Set(products.map(\.productIdentifier)) == [Goods.coins, "test.other.gems"])
            #expect(products.first { $0.productIdentifier == Goods.coins }?.price == NSDecimalNumber(string: "1.49"))
            #expect(old.price == NSDecimalNumber(string: "1.99") && old.productIdentifier == Goods.hat)
            #expect(session.allTransactions().map(\.productIdentifier) == [Goods.hat, Goods.season])
            SKPaymentQueue.default().restoreCompletedTransactions()
            try await shopper.until("the hat is restored") { $0.endedRestores.count == 1 }
            #expect(shopper.count(of: Goods.hat, .restored) == 1)
            try await shopper.finish(Goods.season)
            session.resetToDefaultState()
            #expect(try await shopper.load([Goods.hat, "test.other.gems"]).map(\.productIdentifier) == [Goods.hat])
        }
    }

    // MARK: Threads

    // A session called on the main queue waits for nothing that needs the main queue.
    @Test @MainActor func sessionWorksOnTheMainQueue() async throws {
        let session = try SKTestSession(configurationFileNamed: "Shop")
        session.resetToDefaultState()
        session.clearTransactions()
        let shopper = Shopper()
        SKPaymentQueue.default().add(shopper)
        try session.buyProduct(productIdentifier: Goods.hat)
        try session.refundTransaction(identifier: session.transaction(Goods.hat).identifier)
        try await shopper.until("the app is told") { $0.revoked == [Goods.hat] }
        session.clearTransactions()
        SKPaymentQueue.default().remove(shopper)
        session.resetToDefaultState()
        #expect(session.allTransactions().isEmpty)
    }

    // Under the thread sanitizer a test of the locks: settings and files change while an app buys and reads.
    @Test func sessionCanBeUsedFromManyThreads() async throws {
        try await inShop { session, shopper in
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    DispatchQueue.concurrentPerform(iterations: 64) { turn in
                        switch turn % 4 {
                        case 0: session.locale = Locale(identifier: turn % 8 == 0 ? "de_DE" : "en_US")
                        case 1: session.storefront = turn % 8 == 1 ? "DEU" : "FRA"
                        case 2: shopper.buy(Goods.coins)
                        default: _ = (session.allTransactions(), SKPaymentQueue.default().storefront)
                        }
                    }
                    done.resume()
                }
            }
            try await shopper.until("every payment has its outcome") {
                $0.count(of: Goods.coins, .purchasing) == 16 && $0.count(of: Goods.coins, .purchased) == 16
            }
            // Unfinished, it is the same purchase each time.
            #expect(try session.transaction(Goods.coins).state == .purchased)
        }
    }
}
