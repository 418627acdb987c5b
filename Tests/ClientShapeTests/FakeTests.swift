// Spies and fakes as the tests of apps make them: subclasses that override getters and methods.

import Foundation
import StoreKit
import Testing

class FakeProduct: SKProduct, @unchecked Sendable {
    var fakeIdentifier = "fake.product"
    var fakePrice = NSDecimalNumber(string: "4.99")

    override var productIdentifier: String { return fakeIdentifier }
    override var price: NSDecimalNumber { return fakePrice }
    override var priceLocale: Locale { return Locale(identifier: "en_US") }
    override var localizedTitle: String { return "Fake" }
    override var localizedDescription: String { return "A fake product." }
    override var subscriptionPeriod: SKProductSubscriptionPeriod? { return FakePeriod() }
    override var introductoryPrice: SKProductDiscount? { return FakeDiscount() }
    override var subscriptionGroupIdentifier: String? { return "group" }
    override var discounts: [SKProductDiscount] { return [FakeDiscount()] }
    override var isDownloadable: Bool { return true }
    override var isFamilyShareable: Bool { return true }
    override var downloadContentLengths: [NSNumber] { return [1, 2] }
    override var downloadContentVersion: String { return "1.0" }
    override var contentVersion: String { return "1.1" }
}

class FakePeriod: SKProductSubscriptionPeriod, @unchecked Sendable {
    override var numberOfUnits: Int { return 3 }
    override var unit: SKProduct.PeriodUnit { return .month }
}

class FakeDiscount: SKProductDiscount, @unchecked Sendable {
    override var price: NSDecimalNumber { return 1 }
    override var priceLocale: Locale { return Locale(identifier: "de_DE") }
    override var identifier: String? { return "half" }
    override var subscriptionPeriod: SKProductSubscriptionPeriod { return FakePeriod() }
    override var numberOfPeriods: Int { return 2 }
    override var paymentMode: SKProductDiscount.PaymentMode { return .freeTrial }
    override var type: SKProductDiscount.`Type` { return .subscription }
}

/// Counts who looks, and says what it is told to.
class SpyTransaction: SKPaymentTransaction, @unchecked Sendable {
    var stateReads = 0
    private let state: SKPaymentTransactionState
    private let spyPayment: SKPayment

    init(state: SKPaymentTransactionState, payment: SKPayment = SKPayment()) {
        self.state = state
        spyPayment = payment
    }

    override var transactionState: SKPaymentTransactionState {
        stateReads += 1
        return state
    }
    override var payment: SKPayment { return spyPayment }
    override var transactionIdentifier: String? { return "1000" }
    override var transactionDate: Date? { return Date(timeIntervalSince1970: 0) }
    override var original: SKPaymentTransaction? { return nil }
    override var error: Error? { return SKError(.paymentCancelled) }
    override var downloads: [SKDownload] { return [FakeDownload()] }
    override var transactionReceipt: Data? { return Data([1]) }
}

class FakeDownload: SKDownload {
    override var state: SKDownloadState { return .finished }
    override var contentIdentifier: String { return "level" }
    override var progress: Float { return 1 }
}

class FakeStorefront: SKStorefront, @unchecked Sendable {
    override var countryCode: String { return "FRA" }
    override var identifier: String { return "143442" }
}

class FakeQueue: SKPaymentQueue, @unchecked Sendable {
    var payments: [SKPayment] = []
    var finished: [SKPaymentTransaction] = []
    var observers: [SKPaymentTransactionObserver] = []
    var restores: [String?] = []
    var redemptions = 0
    var consents = 0
    var started: [SKDownload] = []

    override class func canMakePayments() -> Bool { return false }
    override var storefront: SKStorefront? { return FakeStorefront() }
    override var transactions: [SKPaymentTransaction] { return [SpyTransaction(state: .deferred)] }
    override func add(_ payment: SKPayment) { payments.append(payment) }
    override func add(_ observer: SKPaymentTransactionObserver) { observers.append(observer) }
    override func remove(_ observer: SKPaymentTransactionObserver) {
        observers.removeAll { $0.isEqual(observer) }
    }
    override func finishTransaction(_ transaction: SKPaymentTransaction) { finished.append(transaction) }
    override func restoreCompletedTransactions() { restores.append(nil) }
    override func restoreCompletedTransactions(withApplicationUsername username: String?) { restores.append(username) }
    override func presentCodeRedemptionSheet() { redemptions += 1 }
    override func showPriceConsentIfNeeded() { consents += 1 }
    override func start(_ downloads: [SKDownload]) { started += downloads }
}

class FakeProductsRequest: SKProductsRequest {
    let wanted: Set<String>
    var isCancelled = false

    override init(productIdentifiers: Set<String>) {
        wanted = productIdentifiers
        super.init(productIdentifiers: productIdentifiers)
    }

    override func start() {
        delegate?.productsRequest(self, didReceive: FakeResponse())
        delegate?.requestDidFinish(self)
    }
    override func cancel() { isCancelled = true }
}

class FakeResponse: SKProductsResponse, @unchecked Sendable {
    override var products: [SKProduct] { return [FakeProduct()] }
    override var invalidProductIdentifiers: [String] { return ["nobody"] }
}

class FakeReceiptRefreshRequest: SKReceiptRefreshRequest {
    override init(receiptProperties: [String: Any]? = nil) { super.init(receiptProperties: receiptProperties) }
    override func start() { delegate?.request(self, didFailWithError: SKError(.unknown)) }
}

class FakeController: SKProductStorePromotionController {
    var order: [SKProduct] = []
    override func update(
        storePromotionOrder promotionOrder: [SKProduct], completionHandler: ((Error?) -> Void)? = nil
    ) {
        order = promotionOrder
        completionHandler?(nil)
    }
}

@Suite struct FakeTests {
    @Test func fakeProductReturnsItsOverriddenValues() {
        let product: SKProduct = FakeProduct()
        #expect(product.productIdentifier == "fake.product" && product.price == NSDecimalNumber(string: "4.99"))
        #expect(product.subscriptionPeriod?.numberOfUnits == 3 && product.subscriptionPeriod?.unit == .month)
        #expect(
            product.introductoryPrice?.paymentMode == .freeTrial && product.introductoryPrice?.type == .subscription)
        #expect(product.discounts.first?.identifier == "half" && product.discounts.first?.numberOfPeriods == 2)
        #expect(product.isDownloadable && product.isFamilyShareable && product.downloadContentLengths == [1, 2])
        #expect(product.downloadContentVersion == "1.0" && product.contentVersion == "1.1")
        #expect(SKPayment(product: product).productIdentifier == "fake.product")
    }

    @Test func productsCanBeSetMembersAndDictionaryKeys() {
        let product = FakeProduct()
        var cache: [SKProduct: Int] = [product: 1]
        cache[product] = 2
        #expect(cache.count == 1 && Set([product, product]).count == 1)
    }

    // An app's own observer is called by hand, with what a test has made.
    @Test func observerReadsASpyTransactionsOverriddenGetters() {
        final class Observer: NSObject, SKPaymentTransactionObserver {
            var cancelled = 0
            func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
                for transaction in transactions where transaction.transactionState == .failed {
                    if (transaction.error as? SKError)?.code == .paymentCancelled { cancelled += 1 }
                    queue.finishTransaction(transaction)
                }
            }
        }
        let queue = FakeQueue()
        let observer = Observer()
        let failed = SpyTransaction(state: .failed)
        let bought = SpyTransaction(state: .purchased, payment: SKPayment(product: FakeProduct()))
        observer.paymentQueue(queue, updatedTransactions: [failed, bought])
        #expect(observer.cancelled == 1 && queue.finished == [failed])
        #expect(failed.stateReads == 1 && bought.stateReads == 1)
        #expect(bought.payment.productIdentifier == "fake.product" && bought.downloads.first?.state == .finished)
        #expect(bought.transactionReceipt == Data([1]) && bought.transactionIdentifier == "1000")
    }

    @Test func fakeQueueReceivesEveryCall() {
        let fake = FakeQueue()
        let queue: SKPaymentQueue = fake
        queue.add(SKPayment(product: FakeProduct()))
        queue.restoreCompletedTransactions()
        queue.restoreCompletedTransactions(withApplicationUsername: "ann")
        queue.presentCodeRedemptionSheet()
        queue.showPriceConsentIfNeeded()
        queue.start([FakeDownload()])
        queue.add(Store.shared)
        #expect(fake.observers.count == 1)
        queue.remove(Store.shared)
        #expect(fake.observers.isEmpty && fake.payments.count == 1 && fake.restores == [nil, "ann"])
        #expect(fake.redemptions == 1 && fake.consents == 1 && fake.started.count == 1)
        #expect(queue.storefront?.countryCode == "FRA" && queue.transactions.map(\.transactionState) == [.deferred])
        #expect(FakeQueue.canMakePayments() == false)
    }

    @Test func fakeRequestAnswersItsProductsDelegate() {
        final class Delegate: NSObject, SKProductsRequestDelegate {
            var titles: [String] = []
            var ended = 0
            func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
                titles = response.products.map { $0.localizedTitle } + response.invalidProductIdentifiers
            }
            func requestDidFinish(_ request: SKRequest) { ended += 1 }
        }
        let request = FakeProductsRequest(productIdentifiers: ["fake.product"])
        let delegate = Delegate()
        request.delegate = delegate
        request.start()
        request.cancel()
        #expect(delegate.titles == ["Fake", "nobody"] && delegate.ended == 1)
        #expect(request.wanted == ["fake.product"] && request.isCancelled)
    }

    @Test func fakeReceiptRequestFailsItsDelegate() {
        final class Delegate: NSObject, SKRequestDelegate {
            var codes: [Int] = []
            func request(_ request: SKRequest, didFailWithError error: Error) { codes.append((error as NSError).code) }
        }
        let request = FakeReceiptRefreshRequest()
        let delegate = Delegate()
        request.delegate = delegate
        request.start()
        #expect(delegate.codes == [0])
    }

    @Test func fakeControllerReceivesThePromotionOrder() {
        let controller = FakeController()
        let product = FakeProduct()
        var answered = false
        controller.update(storePromotionOrder: [product]) { answered = $0 == nil }
        #expect(controller.order == [product] && answered)
    }
}
