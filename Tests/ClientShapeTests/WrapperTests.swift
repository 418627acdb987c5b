// Apps that put a protocol of their own between themselves and StoreKit, and format what it tells them.

import Foundation
import StandaloneUse
import StoreKit
import Testing

/// What an app needs of the queue; StoreKit's own has it already.
protocol PaymentQueueing: AnyObject {
    var transactions: [SKPaymentTransaction] { get }
    var delegate: SKPaymentQueueDelegate? { get set }
    func add(_ observer: SKPaymentTransactionObserver)
    func remove(_ observer: SKPaymentTransactionObserver)
    func add(_ payment: SKPayment)
    func finishTransaction(_ transaction: SKPaymentTransaction)
    func restoreCompletedTransactions(withApplicationUsername username: String?)
    static func canMakePayments() -> Bool
}

extension SKPaymentQueue: PaymentQueueing {}

protocol ProductDescribing {
    var productIdentifier: String { get }
    var formattedPrice: String? { get }
}

extension SKProduct: ProductDescribing {
    var formattedPrice: String? {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = priceLocale
        return formatter.string(from: price)
    }
}

final class Till: NSObject, SKPaymentTransactionObserver {
    let queue: PaymentQueueing
    var states: [SKPaymentTransactionState] = []
    var onFailure: (() -> Void)?

    init(queue: PaymentQueueing = SKPaymentQueue.default()) {
        self.queue = queue
        super.init()
        queue.add(self)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        // The device is shared: what others buy is theirs to finish.
        for transaction in transactions where transaction.payment.productIdentifier == "shape.wrapped" {
            states.append(transaction.transactionState)
            guard transaction.transactionState == .failed else { continue }
            self.queue.finishTransaction(transaction)
            onFailure?()
        }
    }
}

@MainActor @Suite struct WrapperTests {
    @Test(.aloneOnTheDevice) func realQueueWorksBehindAnAppsProtocol() async {
        let till = Till()
        await withCheckedContinuation { continuation in
            till.onFailure = { continuation.resume() }
            let payment = SKMutablePayment()
            payment.productIdentifier = "shape.wrapped"
            till.queue.add(payment)
        }
        #expect(till.states == [.purchasing, .failed])
        till.queue.remove(till)
        #expect(type(of: till.queue).canMakePayments())
    }

    @Test func fakeQueueWorksBehindAnAppsProtocol() {
        let fake = FakeQueue()
        let till = Till(queue: fake)
        till.queue.add(SKPayment(product: FakeProduct()))
        till.queue.restoreCompletedTransactions(withApplicationUsername: "ann")
        #expect(fake.payments.count == 1 && fake.restores == ["ann"] && fake.observers.count == 1)
        #expect(till.queue.transactions.count == 1)
        #expect(type(of: till.queue).canMakePayments() == false)
    }

    @Test func priceIsFormattedInItsProductsLocale() {
        let product = FakeProduct()
        #expect(product.formattedPrice == "$4.99")
        product.fakePrice = 1_000
        #expect(product.formattedPrice == "$1,000.00")
        let described: ProductDescribing = product
        #expect(described.productIdentifier == "fake.product")
    }

    @Test func priceSupportsDecimalArithmetic() {
        let yearly = FakeProduct()
        yearly.fakePrice = NSDecimalNumber(string: "59.88")
        #expect(yearly.price as Decimal / 12 == Decimal(string: "4.99"))
        #expect(yearly.price.dividing(by: 12) == NSDecimalNumber(string: "4.99"))
        #expect(yearly.price.compare(FakeProduct().price) == .orderedDescending)
        #expect(yearly.priceLocale.currencyCode == "USD")
    }

    @Test func paymentCopiesAndComparesItsSignedOffer() {
        let nonce = UUID()
        let payment = SKMutablePayment(product: FakeProduct())
        payment.applicationUsername = "ann"
        payment.simulatesAskToBuyInSandbox = true
        payment.paymentDiscount = SKPaymentDiscount(
            identifier: "half", keyIdentifier: "KEY", nonce: nonce, signature: "c2ln", timestamp: 1_700_000_000_000)
        let copy = payment.copy() as! SKPayment
        #expect(copy.paymentDiscount?.identifier == "half" && copy.paymentDiscount?.keyIdentifier == "KEY")
        #expect(copy.paymentDiscount?.nonce == nonce && copy.paymentDiscount?.signature == "c2ln")
        #expect(copy.paymentDiscount?.timestamp == 1_700_000_000_000 && copy.simulatesAskToBuyInSandbox)
        #expect(copy == payment)
        payment.paymentDiscount = nil
        #expect(copy != payment)
    }
}
