// S76 to S79: what the App Store shows the person: messages, requests for refunds, offer codes, win-back offers.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite(.beginsTasks) struct SheetRulesTests {
    private static let offer = CatalogOffer(
        identifier: "return", paymentMode: .payAsYouGo, price: 1, period: .init(count: 1, unit: .month))

    /// The tasks that read messages live as long as the bench.
    private func reader(of bench: TestDevice, showing: Bool) -> Notes<Message.Reason> {
        let reasons = Notes<Message.Reason>()
        bench.start {
            for await message in Message.messages {
                reasons.values.append(message.reason)
                if showing { message.display() }
            }
        }
        return reasons
    }

    private func services(_ change: (inout TestConditions) -> Void = { _ in }) -> TestDevice {
        let bench = TestDevice.inServices {
            $0.hasOutsideActions = true
            change(&$0)
        }
        bench.launchWithoutObserver()
        return bench
    }

    private func renewal(_ bench: TestDevice) throws -> Product.SubscriptionInfo.RenewalInfo {
        try #require(try bench.value { try await Product.SubscriptionInfo.status(for: "group").first })
            .renewalInfo.payloadValue
    }

    // MARK: Messages

    // S76, R52
    @Test(arguments: [false, true])
    func appShowsThePriceIncreaseAtItsOwnTime(_ showing: Bool) throws {
        let bench = services { $0.store.priceIncreaseAt = .start + .hours(1) }
        let reasons = reader(of: bench, showing: showing)
        try bench.own(Services.pro)
        bench.run(for: .hours(2))
        #expect(reasons.values == [.priceIncreaseConsent])
        #expect(try renewal(bench).priceIncreaseStatus == (showing ? .agreed : .pending))
    }

    // S76: without a reader the system shows it.
    @Test func messageIsShownByTheSystemIfTheAppDoesNotReadIt() throws {
        let bench = services { $0.store.priceIncreaseAt = .start + .hours(1) }
        try bench.own(Services.pro)
        bench.run(for: .hours(1) + .seconds(1))
        #expect(try renewal(bench).priceIncreaseStatus == .pending)
        bench.run(for: .hours(1))
        #expect(try renewal(bench).priceIncreaseStatus == .agreed)
    }

    // S76: a reader that comes within the moment receives what was held for it, and each message once in a launch.
    @Test func messageIsHeldUntilTheAppReadsIt() throws {
        let bench = services { $0.store.priceIncreaseAt = .start + .hours(1) }
        try bench.own(Services.pro)
        bench.run(for: .hours(1) + .seconds(1))
        let reasons = reader(of: bench, showing: false)
        bench.run(for: .hours(5))
        try bench.value { try await AppStore.sync() }
        #expect(reasons.values == [.priceIncreaseConsent])
        bench.device.enterBackground()
        bench.device.enterForeground()
        bench.run(for: .hours(1))
        try bench.value { try await AppStore.sync() }
        #expect(reasons.values == [.priceIncreaseConsent, .priceIncreaseConsent])
    }

    // S76, R48
    @Test func failedRenewalIsAMessage() throws {
        let bench = services {
            $0.buyers.subscriptions.billingFailure = .all
            $0.buyers.subscriptions.recover = .none
        }
        let reasons = reader(of: bench, showing: true)
        try bench.own(Services.pro)
        bench.run(for: .hours(24 * 31))
        #expect(reasons.values == [.billingIssue])
    }

    // MARK: Refunds

    // S77
    @Test func requestedRefundIsGrantedOnce() throws {
        let bench = services()
        let reader = UpdatesReader(on: bench)
        let bought = try bench.own(Services.hat)
        #expect(try bench.value { try await Transaction.requestRefund(of: bought.id) })
        bench.runUntilQuiet()
        #expect(reader.transactions.last?.revocationDate != nil)
        #expect(try bench.products { Transaction.currentEntitlements } == [])
        #expect(error { try bench.value { try await Transaction.requestRefund(of: bought.id) } } == .duplicateRequest)
    }

    // S77
    @Test func refundIsGrantedAfterTheTimeThatRefundsTake() throws {
        let bench = services {
            $0.buyers.refunds = RefundHabits(share: .none, after: .constant(Span.hours(3).nanoseconds))
        }
        let bought = try bench.own(Services.hat)
        #expect(try bench.value { try await Transaction.requestRefund(of: bought.id) })
        #expect(error { try bench.value { try await Transaction.requestRefund(of: bought.id) } } == .duplicateRequest)
        bench.run(for: .hours(2))
        #expect(try bench.products { Transaction.currentEntitlements } == [Services.hat])
        bench.run(for: .hours(2))
        #expect(try bench.products { Transaction.currentEntitlements } == [])
    }

    // S77
    @Test func refundIsNotAskedForIfTheSheetIsCancelledOrNothingWasPaid() throws {
        let bench = services {
            $0.own([Services.hat])
            $0.buyers.cancel = .all
        }
        let owned = try #require(try bench.list { Transaction.all }.first)
        #expect(try !bench.value { try await Transaction.requestRefund(of: owned.id) })
        #expect(error { try bench.value { try await Transaction.requestRefund(of: 7) } } == .failed)
    }

    private func error(_ body: () throws -> Bool) -> Transaction.RefundRequestError? {
        do {
            _ = try body()
            return nil
        } catch { return error as? Transaction.RefundRequestError }
    }

    // MARK: Offers

    // S78, R42
    @Test func sheetForCodesReturnsOnceItIsClosed() throws {
        let code = Services.code("welcome", [.new])
        let bench = services {
            $0.catalog = Services.catalog(codes: [code])
            $0.buyers.decideAfter = .constant(Span.seconds(20).nanoseconds)
        }
        let reader = UpdatesReader(on: bench)
        let before = bench.timeline.now
        try bench.value { try await AppStore.redeemOfferCode() }
        #expect(bench.timeline.now - before >= .seconds(20))
        #expect(reader.products == [Services.pro] && reader.transactions.first?.offer?.type == .code)
    }

    // S79
    @Test func winBackOfferIsForFormerSubscribers() throws {
        let bench = services { $0.catalog = Services.catalog(winBack: [Self.offer]) }
        let product = try bench.value { try await Product.products(for: [Services.pro])[0] }
        let offer = try #require(product.subscription?.winBackOffers.first)
        #expect(offer.id == "return" && offer.type == .winBack && offer.price == 1)
        func purchase() -> Product.PurchaseError? {
            guard
                case .failure(let error)? = bench.outcome({
                    try await TestDevice.purchase(Services.pro, [.winBackOffer(offer)])
                })
            else { return nil }
            return error as? Product.PurchaseError
        }
        #expect(purchase() == .ineligibleForOffer)
        try bench.own(Services.pro)
        #expect(try renewal(bench).eligibleWinBackOfferIDs == [])
        bench.perform(.cancelSubscription(Services.index(Services.pro)))
        bench.run(for: .hours(24 * 40))
        try bench.value { try await AppStore.sync() }
        #expect(try renewal(bench).eligibleWinBackOfferIDs == ["return"])
        let result = try bench.purchase(Services.pro, [.winBackOffer(offer)])
        let bought = try result.transaction
        #expect(bought.offer?.type == .winBack && bought.offer?.id == "return" && bought.price == 1)
    }

    // S79
    @Test func winBackOfferOfAnotherProductIsRefused() throws {
        let bench = services { $0.catalog = Services.catalog(winBack: [Self.offer]) }
        try bench.own(Services.pro)
        bench.perform(.cancelSubscription(Services.index(Services.pro)))
        bench.run(for: .hours(24 * 40))
        let product = try bench.value { try await Product.products(for: [Services.pro])[0] }
        let offer = try #require(product.subscription?.winBackOffers.first)
        guard
            case .failure(let error)? = bench.outcome({
                try await TestDevice.purchase(Services.lite, [.winBackOffer(offer)])
            })
        else {
            Issue.record("it was bought")
            return
        }
        #expect(error as? Product.PurchaseError == .invalidOfferIdentifier)
    }
}
