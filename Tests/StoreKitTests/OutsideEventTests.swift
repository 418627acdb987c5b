// What an app is asked and told from outside it, under the rules R43, R49, R51, R52.
// The daemon sends none of it: the connection's own methods stand in for its messages.

import DeviceSupport
import Foundation
import Simulation
import Testing

@testable import StoreKit

/// Implements what a test is about, and writes down what it is told.
private final class Listener: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate {
    var heard: [String] = []
    var states: [SKPaymentTransactionState] = []
    var payments: [SKPayment] = []
    var answer = true

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        states += transactions.map(\.transactionState)
    }
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        heard.append(product.productIdentifier)
        payments.append(payment)
        return answer
    }
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) {
        heard.append(queue.storefront?.countryCode ?? "")
    }
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) { heard += productIdentifiers }
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        heard.append(newStorefront.countryCode)
        return answer
    }
    func paymentQueueShouldShowPriceConsent(_ paymentQueue: SKPaymentQueue) -> Bool {
        heard.append("consent")
        return answer
    }
}

@Suite struct OutsideEventTests {
    private let bench = TestDevice { $0.catalog = Goods.catalog(StorefrontValue(countryCode: "DEU")!) }
    private let listener = Listener()

    init() {
        bench.launchWithoutObserver()
        bench.queue.add(listener)
    }

    private var connection: Connection { bench.inside { .current } }

    private func promoted() -> (payment: SKPayment, product: SKProduct) {
        let product = connection.products(named: [Goods.coins])[0]
        return (SKPayment(product: product), product)
    }

    // MARK: Promoted payments, R43

    @Test func promotedPaymentIsAddedOnceIfTheAppAcceptsIt() {
        let second = Listener()
        bench.queue.add(second)
        let (payment, product) = promoted()
        connection.offer(payment, for: product)
        bench.runUntilQuiet()
        #expect(listener.heard == [Goods.coins] && second.heard == [Goods.coins])
        #expect(listener.states == [.purchasing, .purchased])
        #expect(bench.charges() == 1)
    }

    @Test func promotedPaymentMayBeAddedLater() throws {
        listener.answer = false
        let (payment, product) = promoted()
        connection.offer(payment, for: product)
        bench.runUntilQuiet()
        #expect(listener.states.isEmpty)
        bench.queue.add(try #require(listener.payments.first))
        bench.runUntilQuiet()
        #expect(listener.states == [.purchasing, .purchased])
    }

    @Test func appWithoutThePromotionMethodDoesNotBuy() {
        let bench = TestDevice()
        let shopper = bench.launch()
        let connection = bench.inside { Connection.current }
        connection.offer(SKPayment(product: connection.products(named: [Goods.coins])[0]), for: SKProduct())
        bench.runUntilQuiet()
        #expect(shopper.told.isEmpty && bench.charges() == 0)
    }

    // MARK: Storefront, R51

    @Test func queuesStorefrontIsTheStores() {
        #expect(bench.queue.storefront?.countryCode == "DEU")
        #expect(bench.queue.storefront?.identifier == "143443")
        #expect(SKStorefront().countryCode.isEmpty && SKStorefront().identifier.isEmpty)
    }

    @Test(arguments: StorefrontValue.knownCountryCodes)
    func everyStorefrontHasAUniqueIdentifier(_ country: String) throws {
        let identifier = SKStorefront(try #require(StorefrontValue(countryCode: country))).identifier
        #expect(identifier.count == 6 && (identifier.hasPrefix("1434") || identifier.hasPrefix("1435")))
        let same = StorefrontValue.knownCountryCodes.compactMap(StorefrontValue.init).filter {
            SKStorefront($0).identifier == identifier
        }
        #expect(same.map(\.countryCode) == [country])
    }

    @Test func observersAreCalledOnAStorefrontChange() {
        connection.tell(.storefrontChanged)
        #expect(listener.heard == ["DEU"])
    }

    @Test(arguments: [true, false])
    func delegateDecidesOnAPaymentElsewhere(_ answer: Bool) {
        listener.answer = answer
        bench.queue.delegate = listener
        let france = SKStorefront(StorefrontValue(countryCode: "FRA")!)  // A literal.
        #expect(connection.mayContinue(SKPaymentTransaction(), in: france) == answer)
        #expect(listener.heard == ["FRA"])
    }

    // MARK: Price consent, R52

    @Test(arguments: [true, false])
    func delegateDecidesOnThePriceConsentSheet(_ answer: Bool) {
        listener.answer = answer
        bench.queue.delegate = listener
        #expect(connection.mayShowPriceConsent() == answer)
        #expect(listener.heard == ["consent"])
    }

    @Test func missingDelegateAllowsPaymentAndSheet() {
        #expect(connection.mayContinue(SKPaymentTransaction(), in: SKStorefront()))
        #expect(connection.mayShowPriceConsent())
        #expect(listener.heard.isEmpty)
    }

    @Test func queueDoesNotRetainItsDelegate() {
        bench.queue.delegate = Listener()
        #expect(bench.queue.delegate == nil)
    }

    // MARK: Revocation, R49

    @Test func observersAreCalledOnARevocation() {
        connection.tell(.revoked(productIdentifiers: [Goods.hat, Goods.pro]))
        #expect(listener.heard == [Goods.hat, Goods.pro])
    }

    // MARK: Calls without an effect

    @Test func unsupportedCallsDoNothing() {
        final class Delegate: NSObject, SKRequestDelegate {
            var heard = 0
            func requestDidFinish(_ request: SKRequest) { heard += 1 }
            func request(_ request: SKRequest, didFailWithError error: any Error) { heard += 1 }
        }
        let queue = bench.queue
        queue.showPriceConsentIfNeeded()
        queue.presentCodeRedemptionSheet()
        queue.start([SKDownload()])
        queue.pause([])
        queue.resume([])
        queue.cancel([])
        SKTerminateForInvalidReceipt()
        let request = bench.inside { SKReceiptRefreshRequest(receiptProperties: [SKReceiptPropertyIsExpired: 1]) }
        let delegate = Delegate()
        request.delegate = delegate
        request.start()
        request.start()
        request.cancel()
        bench.runUntilQuiet()
        #expect(listener.states.isEmpty && listener.heard.isEmpty && delegate.heard == 0)
        #expect(request.receiptProperties?[SKReceiptPropertyIsExpired] as? Int == 1)
        #expect(bench.process.isAlive)
    }

    // MARK: Defaults

    @Test func downloadMadeByTheAppIsWaiting() {
        let download = SKDownload()
        #expect(download.state == .waiting && download.timeRemaining == SKDownloadTimeRemainingUnknown)
        #expect(download.contentURL == nil && download.error == nil && download.progress == 0)
        #expect(SKPaymentTransaction().downloads.isEmpty && SKPaymentTransaction().transactionReceipt == nil)
    }

    // Out of use since iOS 5, and still declared.
    @Test func paymentCanBeMadeFromAnIdentifier() {
        let payment = SKPayment.payment(withProductIdentifier: Goods.coins) as? SKPayment
        #expect(payment?.productIdentifier == Goods.coins && payment?.quantity == 1)
        #expect(SKMutablePayment.payment(withProductIdentifier: Goods.coins) is SKMutablePayment)
    }
}
