// R42 to R45, R49 to R51: what reaches an app from outside it.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct OutsideEventRulesTests {
    private func launched(
        _ change: (inout TestConditions) -> Void = { _ in }
    ) -> (bench: TestDevice, shopper: Shopper) {
        let bench = TestDevice.inServices(change)
        let shopper = bench.launch(Shopper(finishes: true))
        bench.runUntilQuiet()
        return (bench, shopper)
    }

    private func listening(
        _ change: (inout TestConditions) -> Void = { _ in }
    ) -> (bench: TestDevice, attendant: Attendant) {
        let bench = TestDevice.inServices(change)
        let attendant = Attendant()
        bench.launchWithoutObserver()
        bench.queue.delegate = attendant
        bench.queue.add(attendant)
        bench.runUntilQuiet()
        return (bench, attendant)
    }

    // MARK: Offer codes, R42

    // R42
    @Test(arguments: [false, true])
    func redeemedCodeArrivesAsPurchased(_ isOnTheSheet: Bool) throws {
        let (bench, shopper) = launched { $0.catalog = Services.catalog(codes: [Services.code("welcome", [.new])]) }
        if isOnTheSheet {
            bench.queue.presentCodeRedemptionSheet()
        } else {
            bench.perform(.redeemOffer(Services.index(Services.pro), name: "welcome"))
        }
        bench.runUntilQuiet()
        // Nothing but the transaction says how the sheet ended.
        #expect(shopper.callbacks == ["updated", "removed"] && shopper.states == [.purchased])
        #expect(shopper.told.map(\.productIdentifier) == [Services.pro])
        let purchase = try #require(bench.device.receipt?.purchases.first)
        #expect(purchase.expiresDate == .start + .hours(24 * 7))
    }

    // R42: a code is for new, present or former subscribers.
    @Test(arguments: CatalogOffer.Eligibility.allCases)
    func codeIsRedeemedOnlyForItsEligibility(_ eligibility: CatalogOffer.Eligibility) {
        func isRedeemed(_ standing: CatalogOffer.Eligibility) -> Bool {
            let (bench, shopper) = launched {
                $0.catalog = Services.catalog(codes: [Services.code("code", [eligibility])])
                if standing != .new { $0.own([Services.pro]) }
                if standing == .expired { $0.buyers.subscriptions.cancel = .all }
            }
            bench.run(for: Services.month + .hours(1))
            let before = shopper.told.count
            bench.queue.presentCodeRedemptionSheet()
            bench.runUntilQuiet()
            return shopper.told.count > before
        }
        for standing in CatalogOffer.Eligibility.allCases {
            #expect(isRedeemed(standing) == (standing == eligibility), "\(standing)")
        }
    }

    // MARK: Promoted products, R43

    private static let coins = Services.index(Services.coins)

    // R43
    @Test(arguments: [true, false])
    func appDecidesOnAPromotedPayment(_ answer: Bool) throws {
        let (bench, attendant) = listening()
        attendant.answer = answer
        bench.device.tapPromotedProduct(Self.coins)
        bench.runUntilQuiet()
        #expect(attendant.heard == ["promoted \(Services.coins)"])
        #expect(attendant.states == (answer ? [.purchasing, .purchased] : []))
        if answer { return }
        // The very payment, kept and added when the app is ready.
        bench.queue.add(try #require(attendant.promoted.first))
        bench.runUntilQuiet()
        #expect(attendant.states == [.purchasing, .purchased])
        #expect(bench.charges() == 1)
    }

    // R43: who does not implement the method has said no.
    @Test func observerWithoutThePromotionMethodDoesNotBuy() {
        let (bench, shopper) = launched()
        bench.device.tapPromotedProduct(Self.coins)
        bench.runUntilQuiet()
        #expect(shopper.callbacks.isEmpty && bench.charges() == 0)
    }

    // R43: the tap has opened the app, and waits for its observer; then it is done with.
    @Test func promotedPaymentWaitsForTheFirstObserver() {
        let bench = TestDevice.inServices()
        bench.device.tapPromotedProduct(Self.coins)
        bench.launchWithoutObserver()
        bench.run(for: .minutes(1))
        let attendant = Attendant()
        bench.queue.add(attendant)
        bench.runUntilQuiet()
        #expect(attendant.heard == ["promoted \(Services.coins)"] && attendant.states == [.purchasing, .purchased])
        bench.queue.remove(attendant)
        bench.runUntilQuiet()
        bench.queue.add(attendant)
        bench.runUntilQuiet()
        #expect(attendant.heard.count == 1)
    }

    // R43: an observer that comes too late for that launch has missed it.
    @Test func promotedPaymentDiesWithTheProcess() {
        let bench = TestDevice.inServices()
        bench.device.tapPromotedProduct(Self.coins)
        bench.launchWithoutObserver()
        bench.run(for: .minutes(1))
        bench.device.terminate()
        let attendant = Attendant()
        bench.launchWithoutObserver()
        bench.queue.add(attendant)
        bench.runUntilQuiet()
        #expect(attendant.heard.isEmpty)
    }

    // MARK: Bought elsewhere, R44, R45

    // R44
    @Test(arguments: [Services.coins, Services.hat, Services.pro])
    func outsidePurchaseArrivesOnTheQueue(_ product: String) {
        let (bench, shopper) = launched()
        bench.perform(.buyOutside(Services.index(product)))
        bench.runUntilQuiet()
        #expect(shopper.states == [.purchased] && shopper.told.map(\.productIdentifier) == [product])
        #expect(shopper.removed.count == 1 && bench.queue.transactions.isEmpty)
        #expect(bench.charges() == 1)
    }

    // R44: also while the app is closed.
    @Test func outsidePurchaseWaitsForTheNextLaunch() {
        let bench = TestDevice.inServices()
        bench.perform(.buyOutside(Self.coins))
        for _ in 0..<2 {
            let shopper = bench.relaunch()
            bench.runUntilQuiet()
            #expect(shopper.states == [.purchased])
        }
    }

    // R45: what was bought and finished on another device is there once it is restored, and not before.
    @Test func otherDevicesPurchaseNeedsARestore() throws {
        let bench = TestDevice.inServices()
        let second = SecondDevice(bench)
        let buyer = bench.launch(Shopper(finishes: true))
        bench.buyToTheEnd(Services.hat)
        #expect(buyer.states == [.purchasing, .purchased] && buyer.removed.count == 1)
        second.device.enterBackground()
        second.device.enterForeground()
        bench.run(for: .hours(1))
        #expect(second.shopper.told.isEmpty)
        second.queue.restoreCompletedTransactions()
        bench.run(for: .hours(1))
        #expect(second.shopper.states == [.restored])
        #expect(second.shopper.told.first?.transaction.original?.transactionIdentifier == buyer.told[1].identifier)
    }

    // MARK: Family, R50

    // R50: a member's purchase arrives as purchased, and costs nothing.
    @Test(arguments: [Services.pro, Services.hat])
    func familySharedPurchaseArrivesAsPurchased(_ product: String) {
        let (bench, shopper) = launched()
        bench.perform(.shareInFamily(Services.index(product)))
        bench.runUntilQuiet()
        #expect(shopper.states == [.purchased] && shopper.told.map(\.productIdentifier) == [product])
        bench.queue.restoreCompletedTransactions()
        bench.runUntilQuiet()
        #expect(shopper.told(.restored).map(\.payment.productIdentifier) == [product])
        #expect(bench.charges() == 0)
    }

    // R50: consumables are nobody's to share, nor is what the developer does not let them.
    @Test(arguments: [Services.coins, Services.pass])
    func unsharableProductsAreNotFamilyShared(_ product: String) {
        let (bench, shopper) = launched()
        bench.perform(.shareInFamily(Services.index(product)))
        bench.runUntilQuiet()
        #expect(shopper.told.isEmpty)
        // This shop's hat may be shared, and its subscription not.
        let other = TestDevice()
        let sharer = other.launch()
        other.perform(.shareInFamily(Goods.index(Goods.pro)))
        other.perform(.shareInFamily(Goods.index(Goods.hat)))
        other.runUntilQuiet()
        #expect(sharer.told.map(\.productIdentifier) == [Goods.hat])
    }

    // MARK: Storefront, R51

    private static let germany = StorefrontValue(countryCode: "DEU")!  // A literal.

    // R51
    @Test func storefrontChangeIsReported() throws {
        let (bench, attendant) = listening()
        #expect(bench.queue.storefront?.countryCode == "USA")
        bench.perform(.changeStorefront(Self.germany))
        bench.runUntilQuiet()
        #expect(attendant.heard == ["storefront DEU"])
        #expect(bench.queue.storefront?.countryCode == "DEU" && bench.queue.storefront?.identifier == "143443")
        // Once, and for good.
        bench.device.terminate()
        bench.launchWithoutObserver()
        #expect(bench.queue.storefront?.countryCode == "DEU")
        bench.queue.add(attendant)
        bench.runUntilQuiet()
        #expect(attendant.heard.count == 1)
    }

    enum Answer: CaseIterable { case yes, no, missing, late }

    // R51: whoever says no, or nothing for a second, loses the payment; without a delegate it goes on.
    @Test(arguments: Answer.allCases)
    func delegateDecidesOnAPaymentInAnotherStorefront(_ answer: Answer) throws {
        let (bench, attendant) = listening { $0.buyers.decideAfter = .span(.seconds(10)) }
        attendant.answer = answer != .no
        if answer == .missing { bench.queue.delegate = nil }
        bench.buy(Services.coins)
        bench.run(for: .seconds(5))
        bench.perform(.changeStorefront(Self.germany))
        bench.run(for: .seconds(1))
        // A suspended app answers nothing.
        if answer == .late { bench.device.enterBackground() }
        bench.run(for: .seconds(10))
        if answer == .late { bench.device.enterForeground() }
        bench.runUntilQuiet()
        bench.run(for: .minutes(1))
        let goesOn = answer == .yes || answer == .missing
        // The return to the foreground tells again what is unfinished (R5).
        let outcome: SKPaymentTransactionState = goesOn ? .purchased : .failed
        #expect(attendant.states.first == .purchasing && Set(attendant.states.dropFirst()) == [outcome])
        #expect(attendant.heard.contains("continue in DEU") == (answer != .missing))
        if !goesOn { #expect((attendant.failures.first as? SKError)?.code == .storeProductNotAvailable) }
        #expect(bench.charges() == (goesOn ? 1 : 0))
    }

    // R51, R55: prices are the new country's from then on.
    @Test func pricesFollowTheStorefront() throws {
        final class Clerk: NSObject, SKProductsRequestDelegate {
            var regions: [String?] = []
            func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
                regions += response.products.map(\.priceLocale.region?.identifier)
            }
        }
        let (bench, _) = launched()
        let clerk = Clerk()
        for _ in 0..<2 {
            let request = bench.inside { SKProductsRequest(productIdentifiers: [Services.hat]) }
            request.delegate = clerk
            request.start()
            bench.runUntilQuiet()
            bench.perform(.changeStorefront(Self.germany))
            bench.runUntilQuiet()
        }
        #expect(clerk.regions == ["US", "DE"])
    }
}

/// Another device of the same account, its app running.
private final class SecondDevice {
    let device: Device
    let shopper = Shopper(finishes: true)

    init(_ bench: TestDevice) {
        var conditions = TestConditions()
        conditions.seed = 2
        device = conditions.makeDevice(lane: bench.timeline, store: bench.store)
        device.launch().enter(.launch) { SKPaymentQueue.default().add(shopper) }
    }

    var queue: SKPaymentQueue {
        var queue: SKPaymentQueue?
        device.process?.enter(.launch) { queue = .default() }
        return queue!  // Its app runs.
    }
}
