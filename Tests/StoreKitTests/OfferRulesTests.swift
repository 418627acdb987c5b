// R55, R59 to R61: introductory prices, user names, signed offers, downloads.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct OfferRulesTests {
    // MARK: Introductory prices, R55

    // R55: whoever has subscribed before sees it like everybody, and does not get it.
    @Test(arguments: [false, true])
    func introductoryPriceIsChargedToNewSubscribersOnly(_ hasSubscribed: Bool) throws {
        final class Clerk: NSObject, SKProductsRequestDelegate {
            var prices: [SKProductDiscount?] = []
            func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
                prices += response.products.map(\.introductoryPrice)
            }
        }
        let trial = CatalogOffer(paymentMode: .freeTrial, price: 0, period: .init(count: 1, unit: .week))
        let (bench, shopper) = former(isFormer: hasSubscribed) {
            $0.catalog = Services.catalog(introductory: trial)
        }
        let clerk = Clerk()
        let request = bench.inside { SKProductsRequest(productIdentifiers: [Services.pro]) }
        request.delegate = clerk
        request.start()
        bench.buyToTheEnd(Services.pro)
        #expect(clerk.prices.count == 1 && clerk.prices[0]?.paymentMode == .freeTrial)
        let identifier = try #require(shopper.told(.purchased).last?.transactionIdentifier)
        let purchase = bench.device.receipt?.purchases.first { $0.transactionIdentifier == identifier }
        #expect(purchase?.isTrialPeriod == !hasSubscribed && purchase?.isInIntroductoryOfferPeriod == !hasSubscribed)
    }

    // MARK: User names, R59

    private static let uuid = "6F9619FF-8B86-D011-B42D-00C04FC964FF"

    // R59: a UUID persists; whether anything else does is a knob.
    @Test(
        arguments: ClientRules.UsernamePersistence.allCases,
        [(uuid, true), (uuid.lowercased(), true), ("ann", false)])
    func userNamePersistsAsTheKnobSays(
        _ knob: ClientRules.UsernamePersistence, _ name: (text: String, isUUID: Bool)
    ) {
        let bench = TestDevice { $0.behaviour.usernamePersistence = knob }
        let shopper = bench.launch()
        var told: [String?] = []
        shopper.onUpdate = { told += $0.map(\.payment.applicationUsername) }
        bench.buy(Goods.hat, username: name.text)
        bench.buy(Goods.unknown, username: name.text)
        bench.runUntilQuiet()
        let kept = knob == .always || name.isUUID ? name.text : nil
        // It is the payment's own as long as nobody else has seen it.
        #expect(shopper.states == [.purchasing, .purchasing, .purchased, .failed])
        #expect(told == [name.text, name.text, kept, kept])
        let second = bench.relaunch(Shopper(finishes: true))
        bench.runUntilQuiet()
        #expect(second.told.map(\.transaction.payment.applicationUsername) == [kept, kept])
        bench.queue.restoreCompletedTransactions()
        bench.runUntilQuiet()
        #expect(second.told(.restored).map(\.payment.applicationUsername) == [kept])
    }

    // MARK: Signed offers, R60

    private static func offer(_ name: String, _ price: Decimal) -> CatalogOffer {
        CatalogOffer(
            identifier: name, paymentMode: .payAsYouGo, price: price, period: .init(count: 1, unit: .month),
            numberOfPeriods: 2)
    }

    /// Subscribed to until the account let it lapse, so that it may use an offer.
    private func former(
        isFormer: Bool = true, _ change: (inout TestConditions) -> Void = { _ in }
    ) -> (bench: TestDevice, shopper: Shopper) {
        let bench = TestDevice {
            $0.catalog = Services.catalog(
                promotional: [Self.offer("half", 2), Self.offer("dear", 5)], offerKey: SignedOffers.key)
            if isFormer { $0.own([Services.pro]) }
            $0.store.timeRate = .renewal(.milliseconds(100))
            $0.buyers.subscriptions.cancel = .all
            change(&$0)
        }
        let shopper = bench.launch(Shopper(finishes: true))
        bench.run(for: .milliseconds(200))
        return (bench, shopper)
    }

    private func buy(
        _ bench: TestDevice, under discount: SKPaymentDiscount, product: String = Services.pro,
        username: String? = nil
    ) {
        let payment = SKMutablePayment()
        payment.productIdentifier = product
        payment.applicationUsername = username
        payment.paymentDiscount = discount
        bench.queue.add(payment)
        bench.runUntilQuiet()
    }

    private func code(_ shopper: Shopper) -> SKError.Code? {
        (shopper.told(.failed).last?.error as? SKError)?.code
    }

    // R60
    @Test func signedOfferIsAccepted() throws {
        let (bench, shopper) = former()
        buy(bench, under: SignedOffers.half())
        #expect(shopper.states == [.purchasing, .purchased])
        let latest = try #require(bench.device.receipt?.purchases.last)
        #expect(latest.promotionalOfferIdentifier == "half")
    }

    // R60: lower-cased before it is signed, the user's name and the nonce.
    @Test(arguments: ["ann@example.com", "Ann@Example.com"])
    func userNameIsPartOfTheOfferSignature(_ name: String) {
        let (bench, shopper) = former()
        buy(bench, under: SignedOffers.half(signature: SignedOffers.halfForAnn), username: name)
        #expect(shopper.states == [.purchasing, .purchased])
        let (other, stranger) = former()
        buy(other, under: SignedOffers.half(signature: SignedOffers.halfForAnn), username: "bob@example.com")
        #expect(code(stranger) == .invalidSignature && other.charges() == 1)
    }

    // R60: every part of it counts.
    @Test(arguments: Forgery.allCases)
    func forgedOfferIsRefused(_ forgery: Forgery) {
        let (bench, shopper) = former()
        buy(bench, under: forgery.discount)
        #expect(shopper.states == [.purchasing, .failed] && code(shopper) == .invalidSignature)
        #expect(bench.charges() == 1)
    }

    enum Forgery: CaseIterable {
        case nonce, timestamp, offer, key, bytes, encoding

        var discount: SKPaymentDiscount {
            switch self {
            case .nonce: SignedOffers.half(nonce: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
            case .timestamp: SignedOffers.half(timestamp: SignedOffers.timestamp + 1)
            case .offer: SignedOffers.half(identifier: "dear")
            case .key: SignedOffers.half(key: "KEY2", signature: SignedOffers.halfUnderAnotherKey)
            case .bytes: SignedOffers.half(signature: SignedOffers.halfForAnn)
            case .encoding: SignedOffers.half(signature: "no signature")
            }
        }
    }

    // R60
    @Test func bundleIdentifierIsPartOfTheOfferSignature() {
        let discount = SignedOffers.half(signature: SignedOffers.halfForAnotherApp)
        let (bench, shopper) = former()
        buy(bench, under: discount)
        #expect(code(shopper) == .invalidSignature)
        let (other, buyer) = former { $0.store.app.bundleIdentifier = "org.other.shop" }
        buy(other, under: discount)
        #expect(buyer.states == [.purchasing, .purchased])
    }

    // R60: signed in the first moment of 2026, it is good for a day.
    @Test(arguments: [(Span.hours(24) - .seconds(10), true), (Span.hours(24) + .seconds(1), false)])
    func offerSignatureIsValidForADay(_ age: Span, _ isTaken: Bool) {
        let (bench, shopper) = former()
        bench.run(for: age - (bench.timeline.now - .start))
        buy(bench, under: SignedOffers.half())
        #expect(shopper.states == [.purchasing, isTaken ? .purchased : .failed])
        if !isTaken { #expect(code(shopper) == .invalidSignature) }
    }

    // R60: without a key, or with one that is none, nothing can be signed.
    @Test(arguments: [nil, OfferKey(identifier: "KEY1", privateKey: [0, 1, 2, 3])])
    func missingKeyMakesEverySignatureInvalid(_ key: OfferKey?) {
        let (bench, shopper) = former {
            $0.catalog = Services.catalog(promotional: [Self.offer("half", 2)], offerKey: key)
        }
        buy(bench, under: SignedOffers.half())
        #expect(code(shopper) == .invalidSignature)
    }

    // R60
    @Test(arguments: [
        SKPaymentDiscount(),
        SignedOffers.half(identifier: ""), SignedOffers.half(key: ""), SignedOffers.half(signature: ""),
        SignedOffers.half(timestamp: 0),
    ])
    func offerWithMissingParametersIsRefused(_ discount: SKPaymentDiscount) {
        let (bench, shopper) = former()
        buy(bench, under: discount)
        #expect(code(shopper) == .missingOfferParams)
    }

    // R60
    @Test(arguments: [Services.twin, Services.coins])
    func offerOfAnotherProductIsRefused(_ product: String) {
        let (bench, shopper) = former()
        buy(bench, under: SignedOffers.half(), product: product)
        #expect(code(shopper) == .invalidOfferIdentifier)
    }

    // R60: an offer is cheaper than the product.
    @Test func offerThatCostsAsMuchIsRefused() {
        let (bench, shopper) = former()
        buy(bench, under: SignedOffers.half(identifier: "dear", signature: SignedOffers.dear))
        #expect(code(shopper) == .invalidOfferPrice)
    }

    // R60: promotional offers are for those who have subscribed before.
    @Test func promotionalOfferIsRefusedForNewSubscribers() {
        let (bench, shopper) = former(isFormer: false)
        buy(bench, under: SignedOffers.half())
        #expect(code(shopper) == .ineligibleForOffer && bench.charges() == 0)
    }

    // MARK: Downloads, R61

    // R61: nothing is hosted, and what client code holds in its hands is dead.
    @Test func noProductHasDownloadsAndDownloadCallsDoNothing() throws {
        let bench = TestDevice()
        let attendant = Attendant()
        bench.launchWithoutObserver()
        bench.queue.add(attendant)
        bench.buyToTheEnd(Goods.hat)
        #expect(attendant.states == [.purchasing, .purchased])
        let download = SKDownload()
        bench.queue.start([download])
        bench.queue.pause([download])
        bench.queue.resume([download])
        bench.queue.cancel([download])
        bench.runUntilQuiet()
        #expect(download.downloadState == .waiting && download.progress == 0 && download.contentURL == nil)
        #expect(attendant.heard.isEmpty)
    }
}

/// Offers signed with `openssl dgst -sha256 -sign`, for the first moment of 2026.
enum SignedOffers {
    /// Made for these tests, and used for nothing else.
    static let key = OfferKey(
        identifier: "KEY1",
        privateKey: Array(
            Data(
                base64Encoded: """
                    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgANa93QD2YKI3aOOszk1hOWeY1SGP4wOTHnj8jmm1sHmhRANC\
                    AAQ3ty2SLioQWJKEtd13yVWKADWY7xWULQ1A4Z2JbC2aCsWJhtz9ixpWmg52OBLgsYEY5O0yHs63QaHknZjJ6bMT
                    """)!))  // A literal.

    static let timestamp = 1_767_225_600_000
    static let halfForAnyone =
        "MEUCIAmX57p91DELvHGTE3M4VteQl+E29RiUXN7xdHnY/BfXAiEA/wjQymO43FnVl911ujCsU3VHklDJRBIfcfER//pbaxQ="
    static let halfForAnn =
        "MEYCIQDxh/YBBTggyO7abTS7UAe0sWvu4d5cOydJPPSUqkyhdgIhAO/eN1qnE5vCy+HQ8W92//hXmSt+dN2xhe60QAFBUcg3"
    /// The same key in fact, under an identifier that the store does not know.
    static let halfUnderAnotherKey =
        "MEUCIBgH/SuAfHjOVlBSpXEOy/7lqFJoY1sOoFkXNVUQ2w9oAiEAh9jKm3+60HIOwu037yi27+3uEVZVJ6/hXbSH+ZhodeA="
    static let dear =
        "MEUCIBJXTrNMSD+9VE5oiV8dm38dY3NLBhsW38ksxOT4qRgxAiEA+A4oPsUm6KZKGDmq5XufoZhrPF3IIuuBXCFBlnY5YHk="
    static let halfForAnotherApp =
        "MEYCIQCSrwx/VpE1yt6WAuLCuzIcykdDnagzEtQlKV5BEvdexAIhAJ8pJBJMpTN9Os1XeXutUq2Yz9cKC/pYEF7X5IDgODNL"

    private static let signedNonce = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!  // A literal.

    static func half(
        identifier: String = "half", key: String = "KEY1", nonce: UUID = signedNonce,
        signature: String = halfForAnyone, timestamp: Int = timestamp
    ) -> SKPaymentDiscount {
        SKPaymentDiscount(
            identifier: identifier, keyIdentifier: key, nonce: nonce, signature: signature,
            timestamp: NSNumber(value: timestamp))
    }
}
