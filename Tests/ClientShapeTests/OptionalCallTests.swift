// Optional methods called with a question mark, as client code and its tests do, beside ordinary calls.

import Foundation
import StoreKit
import Testing

private final class RequestListener: NSObject, SKRequestDelegate {
    var heard: [String] = []
    func requestDidFinish(_ request: SKRequest) { heard.append("finished") }
    func request(_ request: SKRequest, didFailWithError error: Error) { heard.append("failed") }
}

private final class Listener: NSObject, SKPaymentTransactionObserver {
    var heard: [String] = []
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        heard.append("updated")
    }
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        heard.append("removed")
    }
    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        heard.append("restoreFailed")
    }
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { heard.append("restored") }
    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) { heard.append("downloads") }
    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        heard.append("promoted")
        return true
    }
    func paymentQueueDidChangeStorefront(_ queue: SKPaymentQueue) { heard.append("storefront") }
    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) { heard.append("revoked") }
}

/// Implements what it must.
private final class Minimal: NSObject, SKPaymentTransactionObserver, SKRequestDelegate, SKPaymentQueueDelegate {
    var updates = 0
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        updates += 1
    }
}

/// An observer and a delegate of everything, with properties under the names that the optional calls go by.
private final class Manager: NSObject, SKPaymentTransactionObserver, SKPaymentQueueDelegate, SKProductsRequestDelegate {
    let paymentQueue: SKPaymentQueue
    var request: SKProductsRequest?
    var errors: [Error] = []
    var storefronts: [String] = []

    init(queue: SKPaymentQueue) {
        paymentQueue = queue
        super.init()
        paymentQueue.add(self)
        paymentQueue.delegate = self
    }

    func lookUp() {
        request = FakeProductsRequest(productIdentifiers: ["fake.product"])
        request?.delegate = self
        request?.start()
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        transactions.forEach { paymentQueue.finishTransaction($0) }
    }
    func paymentQueue(
        _ paymentQueue: SKPaymentQueue, shouldContinue transaction: SKPaymentTransaction,
        in newStorefront: SKStorefront
    ) -> Bool {
        storefronts.append(newStorefront.countryCode)
        return false
    }
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) { self.request = nil }
    func request(_ request: SKRequest, didFailWithError error: Error) { errors.append(error) }
}

@Suite struct OptionalCallTests {
    private let queue = FakeQueue()
    private let error = SKError(.unknown)

    @Test func optionalCallsReachARequestsDelegate() {
        let request = SKRequest()
        let listener = RequestListener()
        request.delegate = listener
        request.delegate?.requestDidFinish?(request)
        request.delegate?.request?(request, didFailWithError: error)
        request.delegate?.request!(request, didFailWithError: error)
        request.delegate?.requestDidFinish(request)
        request.delegate?.request(request, didFailWithError: error)
        #expect(listener.heard == ["finished", "failed", "failed", "finished", "failed"])
    }

    @Test func optionalCallsReachAnObserver() {
        let listener = Listener()
        let observer: SKPaymentTransactionObserver = listener
        observer.paymentQueue(queue, updatedTransactions: [])
        observer.paymentQueue?(queue, removedTransactions: [])
        observer.paymentQueue?(queue, restoreCompletedTransactionsFailedWithError: error)
        observer.paymentQueueRestoreCompletedTransactionsFinished?(queue)
        observer.paymentQueue?(queue, updatedDownloads: [])
        let isWanted = observer.paymentQueue?(queue, shouldAddStorePayment: SKPayment(), for: FakeProduct())
        observer.paymentQueueDidChangeStorefront?(queue)
        observer.paymentQueue?(queue, didRevokeEntitlementsForProductIdentifiers: ["a"])
        #expect(isWanted == true)
        #expect(
            listener.heard == [
                "updated", "removed", "restoreFailed", "restored", "downloads", "promoted", "storefront", "revoked",
            ])
    }

    // The same without a question mark, on the concrete type and on the protocol.
    @Test func ordinaryCallsReachTheSameOptionalMethods() {
        let listener = Listener()
        let observer: SKPaymentTransactionObserver = listener
        listener.paymentQueue(queue, removedTransactions: [])
        observer.paymentQueue(queue, removedTransactions: [])
        observer.paymentQueueRestoreCompletedTransactionsFinished(queue)
        listener.paymentQueueDidChangeStorefront(queue)
        #expect(observer.paymentQueue(queue, shouldAddStorePayment: SKPayment(), for: FakeProduct()))
        #expect(listener.heard == ["removed", "removed", "restored", "storefront", "promoted"])
    }

    @Test func unimplementedOptionalMethodsHaveDefaults() {
        let minimal = Minimal()
        let observer: SKPaymentTransactionObserver = minimal
        let delegate: SKPaymentQueueDelegate = minimal
        observer.paymentQueue?(queue, removedTransactions: [])
        #expect(observer.paymentQueue?(queue, shouldAddStorePayment: SKPayment(), for: FakeProduct()) == false)
        #expect(delegate.paymentQueue?(queue, shouldContinue: SKPaymentTransaction(), in: FakeStorefront()) == true)
        #expect(delegate.paymentQueueShouldShowPriceConsent?(queue) == true)
        #expect(minimal.updates == 0)
    }

    // An app's own `paymentQueue` and `request` are what it means by those names.
    @Test func appsOwnPropertiesHideStoreKitsMethods() {
        let manager = Manager(queue: queue)
        manager.lookUp()
        #expect(manager.request == nil && manager.errors.isEmpty)
        manager.paymentQueue(queue, updatedTransactions: [SpyTransaction(state: .purchased)])
        #expect(queue.finished.count == 1 && queue.observers.count == 1)
        #expect(manager.paymentQueue === queue)
        #expect(
            queue.delegate?.paymentQueue?(queue, shouldContinue: SKPaymentTransaction(), in: FakeStorefront()) == false)
        #expect(manager.storefronts == ["FRA"])
    }
}
