// Mistakes of the careful client in what it does unasked, what it does not hear, and what it shows.
// Confined to the device's main queue.

import ClientKit
import Foundation
import StoreKit

extension MutableClient {
    /// What some mistakes need to remember.
    struct Memory {
        var wasCancelled = false
        var hasPaidAgain = false
        var listener: PlainListener?
    }

    /// Listens without the question that comes with promoted purchases.
    final class PlainListener: NSObject, SKPaymentTransactionObserver {
        private unowned let client: MutableClient
        init(_ client: MutableClient) { self.client = client }

        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
            client.paymentQueue(queue, updatedTransactions: transactions)
        }

        func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
            client.paymentQueueRestoreCompletedTransactionsFinished(queue)
        }

        func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
            client.paymentQueue(queue, restoreCompletedTransactionsFailedWithError: error)
        }
    }

    func launchUnasked() {
        giveUpWhatRanOut()
        switch mistake {
        case .doesNotHearPromotions:
            let listener = PlainListener(self)
            memory.listener = listener
            queue.add(listener)
        case .restoresAtLaunch: queue.restoreCompletedTransactions()
        case .refreshesReceiptAtLaunch: SKReceiptRefreshRequest(receiptProperties: nil).start()
        case .paysAtLaunch:
            fetchProducts(nil) { [weak self] _ in
                guard let self, let product = products.values.first(where: { self.isConsumable($0.productIdentifier) })
                else { return }
                queue.add(SKPayment(product: product))
            }
        case .grantsAgainAtLaunch:
            let had = environment.products.filter { environment.hasDurable("had." + $0.identifier) }
            environment.write(had.map { (key($0.identifier), .integer(1)) })
        default: break
        }
    }

    /// What the receipt shows as over, and nothing else there pays for.
    private func giveUpWhatRanOut() {
        if mistake == .ignoresExpiry { return }
        guard let receipt = environment.receipt else { return }
        for product in environment.products where product.kind == .autoRenewableSubscription {
            let isListed = receipt.inApp.contains { $0.productIdentifier == product.identifier }
            if holdings(of: product.identifier) == 0 || !isListed { continue }
            if mistake == .grantsAgainAtLaunch { environment.write([("had." + product.identifier, .flag(true))]) }
            if !isEntitled(to: product.identifier) { environment.write([(key(product.identifier), .integer(0))]) }
        }
    }

    func didEnterBackground() {
        if mistake == .deafAfterBackground || mistake == .hearsLateAfterBackground { queue.remove(self) }
    }

    func willEnterForeground() {
        giveUpWhatRanOut()
        if mistake == .hearsLateAfterBackground {
            environment.main.asyncAfter(seconds: 2) { [self] in queue.add(self) }
        }
    }

    var refuses: Bool { mistake == .refusesAlways || mistake == .busyAfterCancel && memory.wasCancelled }

    /// Tries a payment again without a pause, whatever it failed of.
    func paysAgain(_ transaction: SKPaymentTransaction) -> Bool {
        guard mistake == .paysAgainAtOnce,
            (transaction.error as? URLError)?.code == .notConnectedToInternet
                || (transaction.error as NSError?)?.code == NSURLErrorNotConnectedToInternet
        else { return false }
        queue.add(transaction.payment)
        return true
    }

    func fetchesAgain(_ request: SKRequest) -> Bool {
        guard mistake == .fetchesAgainAtOnce, let place = fetches.firstIndex(where: { $0.0 === request }) else {
            return false
        }
        let completion = fetches.remove(at: place).1
        fetchProducts(nil, completion: completion)
        return true
    }

    func outcome(of response: SKProductsResponse) -> FetchOutcome {
        switch mistake {
        case .showsCachedProducts: return .fetched(environment.products.map(\.identifier))
        case .showsNothing: return .fetched([])
        case .saysFetchFailed: return .failed(message: "no products")
        default: return .fetched(response.products.map(\.productIdentifier))
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool { mistake != .putsPromotionsOff }

    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        guard mistake == .paysAgainWhenRemoved, !memory.hasPaidAgain else { return }
        let bought = transactions.first {
            $0.transactionState == .purchased && isConsumable($0.payment.productIdentifier)
        }
        guard let bought else { return }
        memory.hasPaidAgain = true
        queue.add(bought.payment)
    }
}
