// What a subscription's offers look like to the app, and a payment under one on its way through the queue.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct OfferSurfaceTests {
    private final class Clerk: NSObject, SKProductsRequestDelegate {
        var products: [SKProduct] = []
        func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
            products = response.products
        }
    }

    private static func price(_ text: String) -> Decimal { Decimal(string: text)! }  // Literals.

    private static let subscription = CatalogProduct.Subscription(
        groupIdentifier: "group", level: 1, period: CalendarPeriod(count: 2, unit: .month),
        introductoryOffer: CatalogOffer(
            paymentMode: .freeTrial, price: 0, period: CalendarPeriod(count: 1, unit: .week)),
        promotionalOffers: [
            CatalogOffer(
                identifier: "front", paymentMode: .payUpFront, price: price("5.49"),
                period: CalendarPeriod(count: 1, unit: .year)),
            CatalogOffer(
                identifier: "half", paymentMode: .payAsYouGo, price: price("1.49"),
                period: CalendarPeriod(count: 1, unit: .day), numberOfPeriods: 3),
        ],
        codeOffers: [
            CatalogOffer(
                referenceName: "code", paymentMode: .freeTrial, price: 0, period: CalendarPeriod(count: 1, unit: .day),
                eligibility: [.new])
        ])

    private static func catalog() -> Catalog {
        let pro = CatalogProduct(
            index: 0, identifier: Goods.pro, kind: .autoRenewableSubscription, referenceName: "Pro",
            price: price("2.99"), isFamilyShareable: true, localizations: [], subscription: subscription)
        let coins = CatalogProduct(
            index: 1, identifier: Goods.coins, kind: .consumable, referenceName: "Coins", price: 1,
            isFamilyShareable: false, localizations: [], subscription: nil)
        return Catalog(products: [pro, coins], storefront: StorefrontValue(countryCode: "DEU")!, locale: "de_DE")
    }

    private func product(_ identifier: String) throws -> SKProduct {
        let bench = TestDevice { $0.catalog = Self.catalog() }
        bench.launchWithoutObserver()
        let request = bench.inside { SKProductsRequest(productIdentifiers: [identifier]) }
        let clerk = Clerk()
        request.delegate = clerk
        request.start()
        bench.runUntilQuiet()
        return try #require(clerk.products.first)
    }

    // R55.
    @Test func introductoryPriceComesFromTheCatalog() throws {
        let offer = try #require(try product(Goods.pro).introductoryPrice)
        #expect(offer.price == 0 && offer.paymentMode == .freeTrial && offer.type == .introductory)
        #expect(offer.identifier == nil && offer.numberOfPeriods == 1)
        #expect(offer.subscriptionPeriod.numberOfUnits == 1 && offer.subscriptionPeriod.unit == .week)
        #expect(offer.priceLocale.currency?.identifier == "EUR")
    }

    @Test func discountsAreThePromotionalOffersInOrder() throws {
        let offers = try product(Goods.pro).discounts
        #expect(offers.map(\.identifier) == ["front", "half"])
        #expect(offers.map(\.price) == [NSDecimalNumber(string: "5.49"), NSDecimalNumber(string: "1.49")])
        #expect(offers.map(\.paymentMode) == [.payUpFront, .payAsYouGo])
        #expect(offers.map(\.type) == [.subscription, .subscription])
        #expect(offers.map(\.numberOfPeriods) == [1, 3])
        #expect(offers.map(\.subscriptionPeriod.unit) == [.year, .day])
        #expect(offers.allSatisfy { $0.priceLocale.identifier == (try? product(Goods.pro).priceLocale.identifier) })
    }

    @Test func subscriptionHasAPeriodAndAGroup() throws {
        let pro = try product(Goods.pro)
        #expect(pro.subscriptionPeriod?.numberOfUnits == 2 && pro.subscriptionPeriod?.unit == .month)
        #expect(pro.subscriptionGroupIdentifier == "group" && pro.isFamilyShareable)
        // Asked twice, a product answers with the same objects.
        #expect(pro.introductoryPrice === pro.introductoryPrice && pro.discounts == pro.discounts)
    }

    @Test func consumableHasNoSubscriptionProperties() throws {
        let coins = try product(Goods.coins)
        #expect(coins.subscriptionPeriod == nil && coins.subscriptionGroupIdentifier == nil)
        #expect(coins.introductoryPrice == nil && coins.discounts.isEmpty)
        #expect(!coins.isDownloadable && !coins.isFamilyShareable && coins.downloadContentLengths.isEmpty)
        #expect(coins.downloadContentVersion.isEmpty && coins.contentVersion.isEmpty)
    }

    // R60: what the app has had signed reaches the queue and comes back with every state.
    @Test func transactionReturnsTheSignedOffer() throws {
        let bench = TestDevice()
        let shopper = bench.launch()
        let nonce = UUID()
        let payment = SKMutablePayment()
        payment.productIdentifier = Goods.coins
        payment.simulatesAskToBuyInSandbox = true
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "half", keyIdentifier: "KEY", nonce: nonce, signature: "c2ln", timestamp: 1_700_000_000_123)
        bench.queue.add(payment)
        // The queue has taken a copy (R10).
        payment.paymentDiscount = nil
        bench.runUntilQuiet()
        #expect(shopper.states == [.purchasing, .failed])
        for told in shopper.told {
            let offer = try #require(told.transaction.payment.paymentDiscount)
            #expect(offer.identifier == "half" && offer.keyIdentifier == "KEY" && offer.nonce == nonce)
            #expect(offer.signature == "c2ln" && offer.timestamp == 1_700_000_000_123)
            #expect(told.transaction.payment.simulatesAskToBuyInSandbox)
        }
    }

    @Test func paymentWithoutAnOfferHasNoDiscount() {
        let bench = TestDevice()
        let shopper = bench.launch()
        bench.buyToTheEnd(Goods.coins)
        #expect(shopper.told.count == 2)
        #expect(shopper.told.allSatisfy { $0.transaction.payment.paymentDiscount == nil })
        #expect(shopper.told.allSatisfy { !$0.transaction.payment.simulatesAskToBuyInSandbox })
    }

    // A fake's getters count, as they do for payments.
    @Test func fakeDiscountIsReadThroughItsGetters() throws {
        final class FakeDiscount: SKPaymentDiscount, @unchecked Sendable {
            override var identifier: String { "faked" }
        }
        let payment = SKMutablePayment()
        payment.paymentDiscount = FakeDiscount()
        let copy = try #require(payment.copy() as? SKPayment)
        #expect(copy.paymentDiscount?.identifier == "faked")
    }
}
