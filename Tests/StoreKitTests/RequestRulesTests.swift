// The contract's rules on product requests: R53 to R55.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

/// Writes down what a request told it.
private final class Clerk: NSObject, SKProductsRequestDelegate {
    private(set) var callbacks: [String] = []
    private(set) var response: SKProductsResponse?
    private(set) var error: (any Error)?
    var onResponse: (() -> Void)?

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        callbacks.append("received")
        self.response = response
        onResponse?()
    }

    func requestDidFinish(_ request: SKRequest) { callbacks.append("finished") }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        callbacks.append("failed")
        self.error = error
    }
}

/// Implements none of the optional methods.
private final class Beginner: NSObject, SKProductsRequestDelegate {
    private(set) var products = 0

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        products += response.products.count
    }
}

@Suite struct RequestRulesTests {
    /// A launched app and a request that has not been started.
    private func made(_ identifiers: Set<String>, _ change: (inout TestConditions) -> Void = { _ in })
        -> (bench: TestDevice, request: SKProductsRequest, clerk: Clerk)
    {
        let bench = TestDevice(change)
        bench.launchWithoutObserver()
        let request = bench.inside { SKProductsRequest(productIdentifiers: identifiers) }
        let clerk = Clerk()
        request.delegate = clerk
        return (bench, request, clerk)
    }

    // R53.
    @Test func responseComesImmediatelyBeforeTheEnd() {
        let (bench, request, clerk) = made([Goods.coins])
        request.start()
        #expect(clerk.callbacks.isEmpty)
        bench.runUntilQuiet()
        #expect(clerk.callbacks == ["received", "finished"])
    }

    // R53.
    @Test func failedRequestHasOnlyTheFailureCallback() {
        let (bench, request, clerk) = made([Goods.coins]) { $0.store.errors.products = .all }
        request.start()
        bench.runUntilQuiet()
        #expect(clerk.callbacks == ["failed"])
        #expect((clerk.error as? SKError)?.code == .unknown)
    }

    // R53.
    @Test func secondStartIsIgnored() {
        let (bench, request, clerk) = made([Goods.coins])
        request.start()
        request.start()
        bench.runUntilQuiet()
        request.start()
        bench.runUntilQuiet()
        #expect(clerk.callbacks == ["received", "finished"])
        #expect(bench.device.counts.requests == 1)
    }

    // R53.
    @Test(arguments: [false, true])
    func cancelledRequestHasNoCallback(_ fails: Bool) {
        let (bench, request, clerk) = made([Goods.coins]) { if fails { $0.store.errors.products = .all } }
        request.start()
        request.cancel()
        bench.runUntilQuiet()
        #expect(clerk.callbacks.isEmpty)
    }

    // R53.
    @Test func cancellingInTheResponseOmitsTheEnd() {
        let (bench, request, clerk) = made([Goods.coins])
        clerk.onResponse = { request.cancel() }
        request.start()
        bench.runUntilQuiet()
        #expect(clerk.callbacks == ["received"])
        clerk.onResponse = nil
    }

    /// How many of twenty forgotten requests of each kind are answered.
    private func answersToForgottenRequests(_ knob: ClientRules.UnheldRequest) -> [Int] {
        let bench = TestDevice { $0.behaviour.unheldRequest = knob }
        bench.launchWithoutObserver()
        let (clerk, reader) = (Clerk(), Clerk())
        for _ in 0..<20 {
            weak var forgotten: SKProductsRequest?
            do {
                let request = bench.inside { SKProductsRequest(productIdentifiers: [Goods.coins]) }
                forgotten = request
                request.delegate = clerk
                request.start()
                let refresh = bench.inside { SKReceiptRefreshRequest() }
                refresh.delegate = reader
                refresh.start()
            }
            if knob != .random { #expect((forgotten == nil) == (knob == .freed)) }
            bench.runUntilQuiet()
            #expect(forgotten == nil)
            // Refreshing too often is turned away (R56).
            bench.run(for: .seconds(10))
        }
        return [clerk, reader].map { $0.callbacks.count { $0 == "finished" } }
    }

    // R53.
    @Test func unheldRequestIsAnsweredAsTheKnobSays() {
        #expect(answersToForgottenRequests(.answered) == [20, 20])
        #expect(answersToForgottenRequests(.freed) == [0, 0])
        let some = answersToForgottenRequests(.random)
        #expect(some.allSatisfy { (1..<20).contains($0) } && some == answersToForgottenRequests(.random), "\(some)")
    }

    // The audit tells whoever let go of a request from whoever heard its answer.
    @Test(arguments: [true, false])
    func historyRecordsWhetherAnAnswerWasReceived(isHeld: Bool) {
        let bench = TestDevice { $0.behaviour.unheldRequest = .freed }
        bench.launchWithoutObserver()
        var held: SKProductsRequest?
        do {
            let request = bench.inside { SKProductsRequest(productIdentifiers: [Goods.coins]) }
            if isHeld { held = request }
            request.start()
        }
        bench.runUntilQuiet()
        let told = bench.device.events.map(\.event).filter { if case .productsDelivered = $0 { true } else { false } }
        #expect(told == [.productsDelivered(.init(1, found: 1, isHeard: isHeld))])
        withExtendedLifetime(held) {}
    }

    // R53: who is kept dies with the app all the same.
    @Test func unheldRequestDiesWithItsProcess() {
        let bench = TestDevice()
        bench.launchWithoutObserver()
        weak var forgotten: SKProductsRequest?
        do {
            let request = bench.inside { SKProductsRequest(productIdentifiers: [Goods.coins]) }
            forgotten = request
            request.start()
        }
        #expect(forgotten != nil)
        bench.device.crash()
        #expect(forgotten == nil)
        bench.runUntilQuiet()
    }

    // R53.
    @Test func requestDoesNotRetainItsDelegate() {
        let (bench, request, _) = made([Goods.coins])
        do {
            let clerk = Clerk()
            request.delegate = clerk
            #expect(request.delegate === clerk)
        }
        #expect(request.delegate == nil)
        request.start()
        bench.runUntilQuiet()
    }

    // R53: both methods are optional.
    @Test func delegateMayOmitTheOptionalMethods() {
        let (bench, request, _) = made([Goods.coins, Goods.hat])
        let beginner = Beginner()
        request.delegate = beginner
        request.start()
        bench.runUntilQuiet()
        #expect(beginner.products == 2)
    }

    // The narrowed property and the base's are one, whichever way it is set and read.
    @Test func requestAndBaseTypeShareOneDelegate() {
        let (bench, request, _) = made([Goods.coins])
        let base: SKRequest = request
        let clerk = Clerk()
        base.delegate = clerk
        #expect(base.delegate === clerk)
        #expect(request.delegate === clerk)
        request.start()
        bench.runUntilQuiet()
        #expect(clerk.callbacks == ["received", "finished"])
        base.delegate = nil
        #expect(request.delegate == nil)
        request.delegate = clerk
        #expect(base.delegate === clerk)
    }

    // The answer finds nobody where the app has died meanwhile.
    @Test func requestOfADeadProcessIsNotAnswered() {
        let (bench, request, clerk) = made([Goods.coins])
        request.start()
        bench.device.crash()
        bench.runUntilQuiet()
        #expect(clerk.callbacks.isEmpty)
    }

    // R54.
    @Test func unknownIdentifiersAreInvalid() throws {
        let (bench, request, clerk) = made([Goods.coins, Goods.unknown, Goods.pro])
        request.start()
        bench.runUntilQuiet()
        let response = try #require(clerk.response)
        #expect(Set(response.products.map(\.productIdentifier)) == [Goods.coins, Goods.pro])
        #expect(response.invalidProductIdentifiers == [Goods.unknown])
    }

    // R54.
    @Test(arguments: [[Goods.unknown], []] as [Set<String>])
    func emptyProductsResponseIsASuccess(_ identifiers: Set<String>) {
        let (bench, request, clerk) = made(identifiers)
        request.start()
        bench.runUntilQuiet()
        #expect(clerk.callbacks == ["received", "finished"])
        #expect(clerk.response?.products.isEmpty == true)
        #expect(clerk.response?.invalidProductIdentifiers.count == identifiers.count)
    }

    // R55: the storefront's money, the device's language. The store takes dollars in Ukraine.
    @Test(arguments: [
        ("USA", "en_US", "USD", "US"), ("DEU", "en_US", "EUR", "DE"), ("JPN", "de_DE", "JPY", "JP"),
        ("UKR", "en_US", "USD", "UA"),
    ])
    func priceLocaleIsTheStorefronts(_ country: String, _ locale: String, _ currency: String, _ region: String)
        throws
    {
        let storefront = try #require(StorefrontValue(countryCode: country))
        let (bench, request, clerk) = made([Goods.hat]) { $0.catalog = Goods.catalog(storefront, locale: locale) }
        request.start()
        bench.runUntilQuiet()
        let product = try #require(clerk.response?.products.first)
        #expect(product.price == NSDecimalNumber(string: "1.99"))
        #expect(product.priceLocale.currency?.identifier == currency)
        #expect(product.priceLocale.region?.identifier == region)
        #expect(product.priceLocale.language.languageCode?.identifier == String(locale.prefix(2)))
    }

    // R55.
    @Test func priceCanBeFormatted() throws {
        let (bench, request, clerk) = made([Goods.hat])
        request.start()
        bench.runUntilQuiet()
        let product = try #require(clerk.response?.products.first)
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        #expect(formatter.string(from: product.price) == "$1.99")
    }

    @Test func productHasTheCatalogsValues() throws {
        let (bench, request, clerk) = made([Goods.hat, Goods.pro])
        request.start()
        bench.runUntilQuiet()
        let products = try #require(clerk.response).products
        let hat = try #require(products.first { $0.productIdentifier == Goods.hat })
        let pro = try #require(products.first { $0.productIdentifier == Goods.pro })
        #expect(hat.localizedTitle == "Hat" && hat.localizedDescription == "A hat.")
        #expect(hat.isFamilyShareable && hat.subscriptionGroupIdentifier == nil)
        #expect(pro.localizedTitle == "pro" && pro.localizedDescription.isEmpty)
        #expect(!pro.isFamilyShareable && pro.subscriptionGroupIdentifier == "group")
        #expect(SKPayment(product: hat).productIdentifier == Goods.hat)
    }
}
