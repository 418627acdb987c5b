// What a charge took: the price of the offer that applied, in sentences, timelines and pictures.

import ClientKit
import Engine
import Foundation
import Judgement
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

/// Finishes what it is told of and grants nothing.
final class EmptyHandedClient: CarelessClient {
    override class var name: String { "empty-handed" }

    override func handle(_ transaction: SKPaymentTransaction) {
        SKPaymentQueue.default().finishTransaction(transaction)
        answer(transaction.payment.productIdentifier, .purchased)
    }
}

@Suite struct OfferSentenceTests {
    private static let month = CalendarPeriod(count: 1, unit: .month)

    private static func offer(
        _ mode: CatalogOffer.PaymentMode, _ price: Decimal, named name: String? = nil
    ) -> CatalogOffer {
        CatalogOffer(identifier: name, referenceName: name, paymentMode: mode, price: price, period: month)
    }

    /// A subscription for 14.99 with an offer of each kind.
    private static func catalog(introductory: CatalogOffer? = nil) -> Catalog {
        let terms = CatalogProduct.Subscription(
            groupIdentifier: "gym", level: 1, period: month, introductoryOffer: introductory,
            promotionalOffers: [offer(.payAsYouGo, 4, named: "winback")],
            codeOffers: [offer(.freeTrial, 0, named: "spring")])
        let product = CatalogProduct(
            index: 0, identifier: "com.example.gym", kind: .autoRenewableSubscription, referenceName: "gym",
            price: Decimal(string: "14.99") ?? 15, isFamilyShareable: false, localizations: [], subscription: terms)
        return Catalog(products: [product], storefront: .unitedStates, locale: "en_US")
    }

    private static func run(_ steps: [String], introductory: CatalogOffer? = nil) throws -> RunResult {
        let scenario = try Scenario.journey(
            ["launch"] + steps + ["think: 5s", "terminate"], catalog: catalog(introductory: introductory),
            naming: EmptyHandedClient.self)
        return RunSupport.run(scenario, EmptyHandedClient.self, onlyUser: 0)
    }

    @Test(arguments: [
        (
            offer(.freeTrial, 0), "the store charged 0 USD for gym, a free trial, at",
            "charges 0 USD for 1 × gym, a free trial"
        ),
        (
            offer(.payUpFront, Decimal(string: "9.99") ?? 10),
            "the store charged 9.99 USD for gym, an introductory offer, at",
            "charges 9.99 USD for 1 × gym, an introductory offer"
        ), (nil, "the store charged 14.99 USD for gym at", "charges 14.99 USD for 1 × gym ("),
    ])
    func findingNamesTheIntroductoryOffersPrice(offer: CatalogOffer?, sentence: String, line: String) throws {
        let result = try Self.run(["buy: gym"], introductory: offer)
        let evidence = try #require(result.collector.evidence(of: .lostPurchase).first, "\(result.story)").evidence
        #expect(evidence.sentence.hasPrefix(sentence), "\(evidence.sentence)")
        let entry = try #require(evidence.timeline.lines.first { $0.text.contains(line) }, "\(result.story)")
        // The picture marks what takes money.
        #expect((entry.kind == .charge) == (offer?.price != 0))
    }

    @Test func freeOfferCodeChargesNothing() throws {
        let result = try Self.run(["redeem_offer: {product: gym, offer: spring}"])
        let lines = result.collector.onlyUserTimeline
        let entry = try #require(lines.first { $0.text.contains("a code for gym is redeemed for 0 USD") }, "\(lines)")
        #expect(entry.kind == nil)
        #expect(result.story.contains("the store charged 0 USD for gym, the offer of a code, free"), "\(result.story)")
    }

    @Test(
        arguments: [
            (nil, "14.99"), (.introductory, "0.99"), (.promotional("winback"), "4"), (.code("spring"), "0"),
            (.promotional("gone"), "14.99"),
        ] as [(AppliedOffer?, String)])
    func chargedAmountIsTheOffersPrice(offer: AppliedOffer?, amount: String) {
        let catalog = Self.catalog(introductory: Self.offer(.payAsYouGo, Decimal(string: "0.99") ?? 1))
        var transaction = StoreTransaction(
            id: TransactionID(number: 1), original: nil, originalDate: nil, product: 0, quantity: 1, at: .start,
            origin: .payment, payment: nil, applicationUsername: nil, isCharged: true)
        transaction.offer = offer
        #expect("\(catalog.amount(of: transaction))" == amount)
    }
}
