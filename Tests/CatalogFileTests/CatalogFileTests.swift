// StoreKit configuration files of every version, read as Xcode writes them.

import Foundation
import Simulation
import Testing

@testable import CatalogFile

/// The path of a file in this suite's `Fixtures` folder.
func fixturePath(_ name: String) -> String {
    Bundle.module.resourcePath.map { "\($0)/Fixtures/\(name)" } ?? name
}

@Suite struct CatalogFileTests {
    @Test(arguments: [
        ("Version1_0.storekit", ["demo.coins", "demo.unlock", "demo.pro.month"]),
        ("Version1_1.storekit", ["demo.coins", "demo.pro.month"]),
        ("Version1_2.storekit", ["demo.coins", "demo.pass30", "demo.pro.month"]),
        ("Version2_0.storekit", ["demo.unlock", "demo.coins", "demo.pass30", "demo.pro.month", "demo.pro.year"]),
        ("Version3_0.storekit", ["demo.coins"]),
        ("Version4_0.storekit", ["demo.coins", "demo.pass30", "demo.pro.month"]),
        ("Version5_0.storekit", ["demo.coins", "demo.pro.month"]),
    ])
    func everyFormatVersionLoadsProductsInFileOrder(file: String, identifiers: [String]) throws {
        let catalog = try CatalogFile.load(path: fixturePath(file))
        #expect(catalog.products.map(\.identifier) == identifiers)
        #expect(catalog.products.map(\.index) == Array(identifiers.indices))
    }

    @Test func productsKeepKindPriceAndSubscriptionOfTheFile() throws {
        let catalog = try CatalogFile.load(path: fixturePath("Version2_0.storekit"))
        let unlock = catalog[0]
        #expect(unlock.kind == .nonConsumable)
        #expect(unlock.price == Decimal(12))
        #expect(unlock.isFamilyShareable)
        #expect(unlock.subscription == nil)
        let coins = catalog[1]
        #expect(coins.kind == .consumable)
        #expect(coins.price == Decimal(string: "0.99"))
        #expect(
            coins.localizations == [
                CatalogProduct.Localization(locale: "en_US", displayName: "Coins", description: "A hundred coins")
            ])
        #expect(catalog[2].kind == .nonRenewingSubscription)
        #expect(catalog[2].referenceName == "demo.pass30", "a reference name of null falls back to the identifier")
        let year = catalog[4]
        #expect(year.kind == .autoRenewableSubscription)
        #expect(
            year.subscription
                == CatalogProduct.Subscription(
                    groupIdentifier: "B1", level: 2, period: CalendarPeriod(count: 1, unit: .year)))
    }

    @Test func storefrontAndLocaleComeFromTheSettings() throws {
        let german = try CatalogFile.load(path: fixturePath("Version1_2.storekit"))
        #expect(german.storefront.currencyCode == "EUR")
        #expect(german.locale == "de_DE")
        let standard = try CatalogFile.load(path: fixturePath("Version1_0.storekit"))
        #expect(standard.storefront == .unitedStates)
        #expect(standard.locale == "en_US")
    }

    @Test func shippedCatalogLoads() throws {
        let path =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path + "/Scenarios/catalogs/FakeGame.storekit"
        let catalog = try CatalogFile.load(path: path)
        #expect(catalog.products.map(\.shortName) == ["extra_lives", "superpowers", "unlock_maps"])
        #expect(catalog.products.map(\.kind) == [.consumable, .consumable, .nonConsumable])
        #expect(catalog[2].localization(for: "de_AT")?.displayName == "Alle Karten")
    }

    @Test(arguments: [
        ("0.99", "0.99"), ("0", "0"), ("1000000000", "1000000000"), ("9.99000", "9.99"), ("007", "7"),
    ])
    func priceIsDigitsWithOnePoint(text: String, value: String) {
        guard let value = Decimal(string: value) else { return }
        #expect(CatalogPrice(text) == .valid(value))
    }

    @Test(arguments: ["", ".", "1.", ".5", "1.2.3", "+1", "1e3", "0x1", " 1", "NaN", "٣", "12345678901234567890"])
    func priceParserRefusesOtherTexts(text: String) {
        if case .valid(let price) = CatalogPrice(text) { Issue.record("\(text) was read as \(price)") }
    }

    @Test(arguments: [("P1W", 1, CalendarPeriod.Unit.week), ("P3D", 3, .day), ("P6M", 6, .month), ("P1Y", 1, .year)])
    func periodHasExactlyOneUnit(text: String, count: Int, unit: CalendarPeriod.Unit) {
        #expect(CalendarPeriod(iso8601: text) == CalendarPeriod(count: count, unit: unit))
    }

    @Test(arguments: ["", "P", "P1", "PM", "1M", "P0M", "P-1M", "P1M2D", "PT1H", "p1m", "P1001D", "P99999Y", "P1.5M"])
    func periodParserRefusesOtherTexts(text: String) {
        #expect(CalendarPeriod(iso8601: text) == nil)
    }
}
