// The shape of the API as client code and its fakes lean on it.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

@Suite struct SurfaceTests {
    // Tests of client libraries make states that do not exist.
    @Test func unknownTransactionStatesAreRepresentable() throws {
        let state = try #require(SKPaymentTransactionState(rawValue: 92_159_124))
        #expect(state.rawValue == 92_159_124)
        switch state {
        case .purchasing, .purchased, .failed, .restored, .deferred: Issue.record("a known state matched")
        @unknown default: break
        }
    }

    @Test(
        arguments: [
            (.purchasing, 0), (.purchased, 1), (.failed, 2), (.restored, 3), (.deferred, 4),
        ] as [(SKPaymentTransactionState, Int)])
    func transactionStatesHaveApplesRawValues(_ state: SKPaymentTransactionState, _ number: Int) {
        #expect(state.rawValue == number)
    }

    // MARK: Fakes

    private final class FakeProduct: SKProduct, @unchecked Sendable {
        override var productIdentifier: String { "fake" }
        override var price: NSDecimalNumber { 12 }
        override var priceLocale: Locale { Locale(identifier: "de_DE") }
        override var localizedTitle: String { "Fake" }
        override var localizedDescription: String { "A fake." }
        override var isFamilyShareable: Bool { true }
        override var subscriptionGroupIdentifier: String? { "fakes" }
    }

    private final class FakePayment: SKPayment {
        override var productIdentifier: String { Goods.hat }
        override var quantity: Int { 2 }
    }

    private final class FakeTransaction: SKPaymentTransaction, @unchecked Sendable {
        override var transactionState: SKPaymentTransactionState { .restored }
        override var transactionIdentifier: String? { "17" }
        override var transactionDate: Date? { Date(timeIntervalSince1970: 1) }
        override var payment: SKPayment { FakePayment() }
        override var original: SKPaymentTransaction? { SKPaymentTransaction() }
        override var error: (any Error)? { SKError(.unknown) }
    }

    private final class FakeQueue: SKPaymentQueue, @unchecked Sendable {
        var added: [SKPayment] = []
        var finished: [SKPaymentTransaction] = []
        override class func canMakePayments() -> Bool { false }
        override var transactions: [SKPaymentTransaction] { [FakeTransaction()] }
        override func add(_ payment: SKPayment) { added.append(payment) }
        override func finishTransaction(_ transaction: SKPaymentTransaction) { finished.append(transaction) }
    }

    private final class FakeResponse: SKProductsResponse, @unchecked Sendable {
        override var products: [SKProduct] { [FakeProduct()] }
        override var invalidProductIdentifiers: [String] { ["none"] }
    }

    private final class FakeRequest: SKProductsRequest {
        var starts = 0
        override init(productIdentifiers: Set<String>) { super.init(productIdentifiers: productIdentifiers) }
        override func start() {
            starts += 1
            delegate?.productsRequest(self, didReceive: FakeResponse())
            delegate?.requestDidFinish(self)
        }
    }

    @Test func fakesOverrideEveryGetter() {
        let product: SKProduct = FakeProduct()
        #expect(product.productIdentifier == "fake" && product.price == 12 && product.localizedTitle == "Fake")
        #expect(product.priceLocale.identifier == "de_DE" && product.isFamilyShareable)
        #expect(product.localizedDescription == "A fake." && product.subscriptionGroupIdentifier == "fakes")
        #expect(SKPayment(product: product).productIdentifier == "fake")
        let transaction: SKPaymentTransaction = FakeTransaction()
        #expect(transaction.transactionState == .restored && transaction.transactionIdentifier == "17")
        #expect(transaction.payment.quantity == 2 && transaction.original != nil && transaction.error != nil)
        #expect(transaction.transactionDate == Date(timeIntervalSince1970: 1))
    }

    @Test func fakeQueueReceivesTheCalls() {
        let fake = FakeQueue()
        let queue: SKPaymentQueue = fake
        queue.add(SKPayment())
        queue.finishTransaction(FakeTransaction())
        #expect(fake.added.count == 1 && fake.finished.count == 1)
        #expect(queue.transactions.map(\.transactionState) == [.restored])
        #expect(!type(of: queue).canMakePayments())
    }

    @Test func fakeRequestAnswersItsDelegate() {
        final class Delegate: NSObject, SKProductsRequestDelegate {
            var titles: [String] = []
            func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
                titles = response.products.map(\.localizedTitle)
            }
        }
        let request = FakeRequest(productIdentifiers: ["fake"])
        let delegate = Delegate()
        request.delegate = delegate
        request.start()
        #expect(delegate.titles == ["Fake"] && request.starts == 1)
    }

    // The real queue reads a payment through its getters.
    @Test func queueReadsAFakePaymentThroughItsGetters() {
        let bench = TestDevice()
        let shopper = bench.launch()
        bench.queue.add(FakePayment())
        bench.runUntilQuiet()
        #expect(shopper.told(.purchased).map(\.payment.productIdentifier) == [Goods.hat])
        #expect(shopper.told(.purchased).map(\.payment.quantity) == [2])
    }

    // Tests of client libraries call their own observer with what they made.
    @Test func observerCanBeCalledDirectly() {
        let shopper = Shopper()
        shopper.paymentQueue(SKPaymentQueue(), updatedTransactions: [FakeTransaction()])
        #expect(shopper.states == [.restored])
    }

    @Test func observerNeedsOnlyTheRequiredMethod() {
        final class Minimal: NSObject, SKPaymentTransactionObserver {
            var count = 0
            func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
                count += transactions.count
                transactions.filter { $0.transactionState != .purchasing }.forEach(queue.finishTransaction)
            }
        }
        let bench = TestDevice { $0.own([Goods.hat]) }
        bench.launchWithoutObserver()
        let observer = Minimal()
        bench.queue.add(observer)
        bench.buy(Goods.coins)
        bench.queue.restoreCompletedTransactions()
        bench.runUntilQuiet()
        #expect(observer.count == 3)
        #expect(bench.queue.transactions.isEmpty)
    }
}

@Suite struct SKPaymentTests {
    private func payment() -> SKMutablePayment {
        let payment = SKMutablePayment()
        payment.productIdentifier = "coins"
        payment.quantity = 3
        payment.applicationUsername = "ann"
        payment.requestData = Data([1, 2])
        return payment
    }

    @Test func paymentHasQuantityOneByDefault() {
        #expect(SKPayment().quantity == 1 && SKPayment().productIdentifier.isEmpty)
        #expect(SKPayment().applicationUsername == nil && SKPayment().requestData == nil)
    }

    @Test func paymentCopyIsEqualAndImmutable() throws {
        let original = payment()
        let copy = try #require(original.copy() as? SKPayment)
        #expect(!(copy is SKMutablePayment))
        #expect(copy == original && copy.hash == original.hash)
        original.quantity = 4
        #expect(copy.quantity == 3 && copy != original)
        #expect(copy.applicationUsername == "ann" && copy.requestData == Data([1, 2]))
    }

    @Test func mutablePaymentCopyIsIndependent() throws {
        let original = payment()
        let copy = try #require(original.mutableCopy() as? SKMutablePayment)
        copy.productIdentifier = "gems"
        #expect(original.productIdentifier == "coins" && copy.productIdentifier == "gems")
    }

    @Test(arguments: 0..<4)
    func everyPaymentPropertyCountsForEquality(_ property: Int) {
        let changed = payment()
        switch property {
        case 0: changed.productIdentifier = "gems"
        case 1: changed.quantity = 1
        case 2: changed.applicationUsername = nil
        default: changed.requestData = nil
        }
        #expect(changed != payment())
        #expect(payment() == payment())
        #expect(!changed.isEqual("coins") && !changed.isEqual(nil))
    }
}
