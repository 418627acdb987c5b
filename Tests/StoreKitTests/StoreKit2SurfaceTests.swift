// What StoreKit 2's values say beside the rules: offers, signed parts, promotions, periods in words.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite(.beginsTasks) struct StoreKit2SurfaceTests {
    private func product(_ bench: TestDevice, _ identifier: String) throws -> Product {
        try bench.value { try #require(try await Product.products(for: [identifier]).first) }
    }

    // MARK: Entitlements and statuses

    @Test func productKnowsWhatEntitlesToIt() throws {
        let bench = launched()
        let hat = try product(bench, Goods.hat)
        #expect(try bench.value { await hat.currentEntitlement } == nil)
        let bought = try bench.own(Goods.hat)
        #expect(try bench.value { await hat.currentEntitlement?.unsafePayloadValue.id } == bought.id)
        #expect(try bench.list { hat.currentEntitlements }.map(\.id) == [bought.id])
    }

    @Test func statusIsFoundByAnyTransactionOfTheSubscription() throws {
        let bench = launched()
        let coins = try bench.own(Goods.coins)
        let first = try bench.own(Goods.pro)
        bench.run(for: .hours(24 * 40))
        let renewal = try #require(try bench.list { Transaction.all(for: Goods.pro) }.last)
        #expect(renewal.id != first.id)
        for transaction in [first.id, renewal.id] {
            let status = try bench.value { try await Product.SubscriptionInfo.status(transactionID: transaction) }
            #expect(status?.state == .subscribed && status?.transaction.unsafePayloadValue.id == renewal.id)
        }
        #expect(try bench.value { try await Product.SubscriptionInfo.status(transactionID: coins.id) } == nil)
    }

    @Test func allStatusesComeByGroup() throws {
        let bench = launched()
        let read: @Sendable () async -> [String] = {
            var found: [String] = []
            for await (group, statuses) in Product.SubscriptionInfo.Status.all {
                found.append("\(group): \(statuses.count)")
            }
            return found
        }
        #expect(try bench.value(read).isEmpty)
        try bench.own(Goods.pro)
        #expect(try bench.value(read) == ["group: 1"])
    }

    // MARK: Offers

    @Test func renewalNamesOfferAndPriceOfTheNextPeriod() throws {
        let offer = CatalogOffer(
            paymentMode: .payAsYouGo, price: 1, period: .init(count: 1, unit: .month), numberOfPeriods: 2)
        let bench = launched { $0.catalog = Services.catalog(introductory: offer) }
        let bought = try bench.own(Services.pro)
        #expect(bought.offerPaymentModeStringRepresentation == "PAY_AS_YOU_GO")
        #expect(bought.offerPeriodStringRepresentation == "P1M")
        func renewal() throws -> Product.SubscriptionInfo.RenewalInfo {
            let group = try #require(bought.subscriptionGroupID)
            let statuses = try bench.value { try await Product.SubscriptionInfo.status(for: group) }
            return try #require(statuses.first).renewalInfo.payloadValue
        }
        let first = try renewal()
        #expect(first.offerType == .introductory && first.renewalPrice == 1 && first.currency?.identifier == "USD")
        #expect(first.appTransactionID == bought.appTransactionID)
        bench.run(for: .hours(24 * 40))
        let second = try renewal()
        let price = try product(bench, Services.pro).price
        #expect(second.offer == nil && second.renewalPrice == price)
    }

    @Test func unsimulatedOffersAreRefused() throws {
        let bench = launched { $0.catalog = Services.catalog() }
        func error(_ options: [Product.PurchaseOption]) -> String {
            guard
                case .failure(let error) = bench.outcome({ try await TestDevice.purchase(Services.pro, Set(options)) })
            else { return "none" }
            return "\(error)"
        }
        #expect(error([.introductoryOfferEligibility(compactJWS: "a.b.c")]) == "unsupported")
        #expect(error(Product.PurchaseOption.promotionalOffer("half", compactJWS: "a.b.c")) == "unsupported")
        #expect(try bench.list { Transaction.all }.isEmpty)
    }

    // MARK: Signed parts

    @Test func partsOfTheJWSFitTogether() throws {
        let bench = launched()
        guard case .success(let result) = try bench.purchase(Goods.coins) else {
            Issue.record("no success")
            return
        }
        let parts = result.jwsRepresentation.split(separator: ".", omittingEmptySubsequences: false)
        #expect(parts.count == 3 && result.signatureData.count == 64)
        #expect(result.signedData == Data("\(parts[0]).\(parts[1])".utf8))
        let transaction = try result.payloadValue
        #expect(result.payloadData == transaction.jsonRepresentation && result.signedDate == transaction.signedDate)
        #expect(result.deviceVerification == transaction.deviceVerification)
        let fields = try #require(try JSONSerialization.jsonObject(with: result.payloadData) as? [String: Any])
        #expect(fields["appTransactionId"] as? String == transaction.appTransactionID)
    }

    // MARK: Promotions

    @Test func promotionsOutliveTheApp() throws {
        let bench = launched()
        let order: @Sendable () async throws -> [Product.PromotionInfo] = {
            try await Product.PromotionInfo.currentOrder
        }
        #expect(try bench.value(order).isEmpty)
        try bench.value {
            try await Product.PromotionInfo.updateProductOrder(byID: [Goods.hat, Goods.coins])
            try await Product.PromotionInfo.updateProductVisibility(.hidden, for: Goods.coins)
        }
        bench.device.terminate()
        bench.launchWithoutObserver()
        let promotions = try bench.value(order)
        #expect(promotions.map(\.productID) == [Goods.hat, Goods.coins])
        #expect(promotions.map(\.visibility) == [.appStoreConnectDefault, .hidden])
        try bench.value {
            var coins = promotions[1]
            coins.visibility = .visible
            try await coins.update()
        }
        #expect(try bench.value(order).last?.visibility == .visible)
        try bench.value { try await Product.PromotionInfo.updateAll([]) }
        #expect(try bench.value(order).isEmpty)
    }

    @Test func crashAtAChangeOfPromotionsLeavesThemAsTheyWere() {
        let bench = launched { $0.crashFaults = [CrashFault(share: .all, moment: .anyEffect)] }
        bench.start { try? await Product.PromotionInfo.updateProductOrder(byID: [Goods.hat]) }
        bench.runUntilQuiet()
        #expect(bench.device.counts[.crash] == 1 && bench.device.promotions.order.isEmpty)
    }

    // MARK: Words

    @Test func periodsAreWrittenInWords() throws {
        var style = try product(launched(), Goods.pro).subscriptionPeriodFormatStyle
        #expect(Product.SubscriptionPeriod.everyThreeMonths.formatted(style) == "3 months")
        #expect(Product.SubscriptionPeriod.weekly.formatted(style) == "1 week")
        style.style = .abbreviated
        #expect(
            Product.SubscriptionPeriod.everySixMonths.formatted(style.locale(Locale(identifier: "de_DE"))) == "6 mths")
        style.style = .narrow
        #expect(Product.SubscriptionPeriod.yearly.formatted(style) == "1 y")
        style.style = .wide
        let begin = Date(timeIntervalSince1970: 0)
        let month = Product.SubscriptionPeriod.monthly.dateRange(referenceDate: begin)
        #expect(month.upperBound.timeIntervalSince(begin) == 31 * 86_400 && style.format(month) == "1 month")
        #expect(style.format(begin..<begin) == "0 days")
        #expect(style.format(begin..<begin.addingTimeInterval(33 * 86_400)) == "1 month, 2 days")
    }

    @Test func unitsAndKindsHaveNames() throws {
        let bench = launched()
        let pro = try product(bench, Goods.pro)
        #expect(Product.SubscriptionPeriod.Unit.month.formatted(pro.subscriptionPeriodUnitFormatStyle) == "month")
        #expect(Product.SubscriptionPeriod.Unit.month.localizedDescription == "Month")
        #expect(pro.type.localizedDescription == "Auto-Renewable Subscription")
        #expect(Product.SubscriptionOffer.PaymentMode.freeTrial.localizedDescription == "Free Trial")
        #expect(Product.SubscriptionOffer.OfferType.introductory.localizedDescription == "Introductory")
        #expect(Product.SubscriptionInfo.RenewalState.inGracePeriod.localizedDescription == "In Grace Period")
        #expect(
            Product.SubscriptionInfo.RenewalInfo.ExpirationReason.billingError.localizedDescription == "Billing Error")
        #expect(Transaction.OfferType.code.localizedDescription == "Offer Code")
        #expect(Transaction.RevocationReason.developerIssue.localizedDescription == "Developer Issue")
        #expect(Transaction.OfferType(rawValue: 9).localizedDescription == "9")
    }

    // MARK: Purchases elsewhere

    @Test func appIsNotEntitledToSellElsewhere() throws {
        let bench = launched()
        #expect(try bench.value { await ExternalPurchase.canPresent } == false)
        #expect(try bench.value { await ExternalPurchaseLink.canOpen } == false)
        #expect(try bench.value { await ExternalPurchaseCustomLink.isEligible } == false)
        let outcome = bench.outcome { try await ExternalPurchaseCustomLink.token(for: "ACQUISITION") }
        guard case .failure(StoreKitError.notEntitled) = outcome else {
            Issue.record("\(String(describing: outcome))")
            return
        }
    }
}
