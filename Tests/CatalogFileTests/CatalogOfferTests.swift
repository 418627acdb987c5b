// Offers, settings and the key for offers: read as Xcode writes them, refused with a place and a hint.

import CatalogFile
import Foundation
import Testing
import Text

@testable import Simulation

@Suite struct CatalogOfferTests {
    private func catalog() throws -> Catalog { try CatalogFile.load(path: fixturePath("Offers.storekit")) }

    private func subscription(_ identifier: String) throws -> CatalogProduct.Subscription {
        let catalog = try catalog()
        let index = try #require(catalog.index(of: identifier))
        return try #require(catalog[index].subscription)
    }

    private static let week = CalendarPeriod(count: 1, unit: .week)

    @Test func catalogReadsAnIntroductoryOffer() throws {
        #expect(
            try subscription("demo.pro.month").introductoryOffer
                == CatalogOffer(paymentMode: .freeTrial, price: 0, period: Self.week))
    }

    // Version 5.0 lists them; StoreKit shows one.
    @Test func catalogTakesTheFirstOfSeveralIntroductoryOffers() throws {
        #expect(
            try subscription("demo.pro.year").introductoryOffer
                == CatalogOffer(
                    paymentMode: .payUpFront, price: Decimal(string: "1.99")!,  // A literal.
                    period: CalendarPeriod(count: 3, unit: .month)))
    }

    @Test func catalogReadsPromotionalOffersInFileOrder() throws {
        #expect(
            try subscription("demo.pro.month").promotionalOffers == [
                CatalogOffer(
                    identifier: "demo.half", referenceName: "Half", paymentMode: .payAsYouGo,
                    price: Decimal(string: "4.99")!,  // A literal.
                    period: CalendarPeriod(count: 1, unit: .month), numberOfPeriods: 3),
                CatalogOffer(
                    identifier: "demo.front", referenceName: "Front", paymentMode: .payUpFront,
                    price: Decimal(string: "19.99")!,  // A literal.
                    period: CalendarPeriod(count: 6, unit: .month)),
            ])
    }

    @Test func catalogReadsEligibilityOfCodeOffers() throws {
        #expect(
            try subscription("demo.pro.month").codeOffers == [
                CatalogOffer(
                    referenceName: "Spring", paymentMode: .freeTrial, price: 0,
                    period: CalendarPeriod(count: 3, unit: .day), eligibility: [.new, .expired])
            ])
    }

    @Test func catalogReadsWinBackOffers() throws {
        #expect(
            try subscription("demo.pro.month").winBackOffers == [
                CatalogOffer(
                    identifier: "demo.return", paymentMode: .payAsYouGo, price: Decimal(string: "0.49")!,  // A literal.
                    period: CalendarPeriod(count: 1, unit: .month), numberOfPeriods: 2)
            ])
    }

    @Test func subscriptionMayHaveNoOffers() throws {
        let plain = try subscription("demo.plain")
        #expect(plain.introductoryOffer == nil && plain.promotionalOffers.isEmpty && plain.codeOffers.isEmpty)
        #expect(plain.winBackOffers.isEmpty)
    }

    @Test func catalogReadsEverySetting() throws {
        var expected = CatalogSettings()
        expected.asksToBuy = true
        expected.hasBillingGracePeriod = true
        expected.interruptsPurchases = true
        expected.failsRenewals = true
        expected.disablesDialogs = true
        expected.failsTransactions = true
        expected.timeRate = .renewal(.minutes(1))
        expected.errors = [.init(call: "Load Products", index: 2), .init(call: "Verification", index: nil)]
        #expect(try catalog().settings == expected)
        #expect(try catalog().storefront.countryCode == "DEU")
    }

    // One that is read from another's key would go unnoticed where all are on.
    @Test(arguments: [
        "_askToBuyEnabled", "_billingGracePeriodEnabled", "_billingIssuesEnabled", "_disableDialogs",
        "_failTransactionsEnabled", "_renewalBillingIssuesEnabled",
    ])
    func catalogReadsEachSettingFromItsOwnKey(key: String) throws {
        let text = "{\"version\": {\"major\": 4}, \"settings\": {\"\(key)\": true}}"
        var expected = CatalogSettings()
        switch key {
        case "_askToBuyEnabled": expected.asksToBuy = true
        case "_billingGracePeriodEnabled": expected.hasBillingGracePeriod = true
        case "_billingIssuesEnabled": expected.interruptsPurchases = true
        case "_disableDialogs": expected.disablesDialogs = true
        case "_failTransactionsEnabled": expected.failsTransactions = true
        default: expected.failsRenewals = true
        }
        #expect(try CatalogFile.parse(data: Data(text.utf8), file: "x").settings == expected)
    }

    @Test(arguments: [
        (0, SubscriptionTimeRate.realTime), (1, .day(.hours(1))), (6, .day(.seconds(1))), (10, .month(.hours(1))),
        (13, .month(.minutes(5))), (15, .month(.seconds(30))), (1000, .renewal(.minutes(15))),
        (1005, .renewal(.seconds(2))),
    ])
    func timeRateNumbersAreXcodes(number: Int, rate: SubscriptionTimeRate) {
        #expect(SubscriptionTimeRate(number: number) == rate)
    }

    @Test(arguments: [-1, 7, 14, 999, 1006])
    func timeRateRefusesUnknownNumbers(number: Int) {
        #expect(SubscriptionTimeRate(number: number) == nil)
    }

    @Test func catalogWithoutSettingsHasEverySettingOff() throws {
        let catalog = try CatalogFile.load(path: fixturePath("Version1_0.storekit"))
        #expect(catalog.settings == CatalogSettings())
        #expect(catalog.settings.timeRate == .realTime && catalog.offerKey == nil)
    }

    @Test func catalogReadsTheKeyThatSignsOffers() throws {
        #expect(try catalog().offerKey == OfferKey(identifier: "KEY1", privateKey: [0, 1, 2, 3, 4]))
    }

    @Test func offerMistakesAreAllReportedAtOnce() {
        let path = fixturePath("OfferMistakes.storekit")
        var lines: [String] = []
        do {
            _ = try CatalogFile.load(path: path)
        } catch {
            // Other tests hold the places in the text.
            lines = error.problems.map { "\($0.message); \($0.hint ?? "")" }
        }
        let call = "name the call that fails, such as \"Load Products\""
        let rates = "0 1 2 3 4 5 6 10 11 12 13 15 1000 1001 1002 1003 1004 1005"
        let mode = "use free, payAsYouGo or payUpFront"
        let count = "write a whole number from 1 to 1000, without quotes"
        let identifier = "give every offer an identifier such as \"com.example.half\""
        let whom = "use new, existing, expired"
        let pro = "subscriptionGroups[0].subscriptions[0]"
        #expect(
            lines == [
                "settings._askToBuyEnabled: expected true or false, found the number '1'; write true or false, without quotes",
                "settings._timeRate: 14 is not a time rate; use one of \(rates)",
                "settings._storeKitErrors[0].name: missing; \(call)",
                "settings._storeKitErrors[1].enabled: expected true or false, found the string 'yes'; write true or false, without quotes",
                "settings._storeKitErrors[1].current.index: -1 is out of range; "
                    + "write a whole number from 0 to 1000, without quotes",
                "settings._storeKitErrors[2]: expected an object, found the number '7'; write an object in braces",
                "\(pro).introductoryOffer: expected an object, found an array; write an object in braces",
                "\(pro).introductoryOffers[0].paymentMode: missing; \(mode)",
                "\(pro).introductoryOffers[1].displayPrice: '1,99' is not a price; "
                    + "write it with a point, such as \"1.99\"",
                "\(pro).introductoryOffers[1].numberOfPeriods: 0 is out of range; \(count)",
                "\(pro).adHocOffers[0].offerID: missing; \(identifier)",
                "\(pro).adHocOffers[2].displayPrice: expected a string, found the number '4.99'; write a price in quotes, such as \"0.99\"",
                "\(pro).adHocOffers[2].referenceName: expected a string, found the number '1'; write a string in quotes",
                "\(pro).codeOffers[0].eligibility: expected an array, found the string 'new'; write an array in brackets",
                "\(pro).codeOffers[1].eligibility[0]: 'everybody' is not an offer eligibility; \(whom)",
                "\(pro).codeOffers[1].eligibility[1]: expected a string, found the number '3'; write a string in quotes",
                "\(pro).winbackOffers[0]: expected an object, found the number '1'; write an object in braces",
                "subscriptionOffersKeyPair.id: empty; write the key's identifier, as the signatures contain it",
                "subscriptionOffersKeyPair.privateKey: not base64; "
                    + "write the PKCS#8 key in base64, or save a new one from Xcode",
            ])
    }
}
