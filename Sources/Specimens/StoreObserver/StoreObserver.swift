// The vendor sample's observer of the payment queue.
// Called wherever StoreKit calls; tells its delegate on the device's main queue.

import ClientKit
import Foundation
import StoreKit

/// Called on the main queue.
protocol StoreObserverDelegate: AnyObject {
    /// Something for the user to read.
    func storeObserverDidReceiveMessage(_ message: String)
    /// Transactions moved on: the screen that lists them is out of date.
    func storeObserverDidUpdate(_ updates: [StoreObserver.Update])
    /// A restore has ended, perhaps with nothing restored.
    func storeObserverRestoreDidEnd(with error: (any Error)?)
}

final class StoreObserver: NSObject {
    static var shared: StoreObserver { perDevice { StoreObserver() } }

    /// A transaction as it was told: on the way to the main queue the object may move on.
    struct Update {
        let transaction: SKPaymentTransaction
        let payment: SKPayment
        let state: SKPaymentTransactionState
    }

    weak var delegate: (any StoreObserverDelegate)?
    /// Both set by the app before the observer is added to the queue.
    var content: Goods?
    var main: AppMainQueue?

    private(set) var purchased: [SKPaymentTransaction] = []
    private(set) var restored: [SKPaymentTransaction] = []
    /// Whether a restore of this launch has brought anything; stays set from then on.
    private(set) var hasRestorablePurchases = false

    var isAuthorizedForPayments: Bool { SKPaymentQueue.canMakePayments() }

    func buy(_ product: SKProduct, quantity: Int) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    func restore() {
        restored.removeAll()
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    // MARK: Outcomes

    private func handlePurchased(_ transaction: SKPaymentTransaction) {
        purchased.append(transaction)
        provide(transaction)
        // Hosted content has to be loaded before the transaction is finished: afterwards it is out of reach.
        if transaction.downloads.isEmpty {
            SKPaymentQueue.default().finishTransaction(transaction)
        } else {
            SKPaymentQueue.default().start(transaction.downloads)
        }
    }

    private func handleFailed(_ transaction: SKPaymentTransaction) {
        if !Self.isCancel(transaction.error) {
            show("\(transaction.payment.productIdentifier): \(transaction.error?.localizedDescription ?? "failed")")
        }
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    private func handleRestored(_ transaction: SKPaymentTransaction) {
        hasRestorablePurchases = true
        restored.append(transaction)
        provide(transaction)
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    /// Product × quantity, and nothing about where it came from: the same transaction provides again when it comes again.
    private func provide(_ transaction: SKPaymentTransaction) {
        content?.add(transaction.payment.productIdentifier, count: transaction.payment.quantity)
    }

    private func show(_ message: String) {
        main?.async { [weak self] in self?.delegate?.storeObserverDidReceiveMessage(message) }
    }

    private func endRestore(_ error: (any Error)?) {
        main?.async { [weak self] in self?.delegate?.storeObserverRestoreDidEnd(with: error) }
    }

    static func isCancel(_ error: (any Error)?) -> Bool { (error as? SKError)?.code == .paymentCancelled }
}

extension StoreObserver: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let updates = transactions.map {
            Update(transaction: $0, payment: $0.payment, state: $0.transactionState)
        }
        for update in updates {
            switch update.state {
            case .purchasing: break
            // The shop stays open: when this is decided is unknown.
            case .deferred: show("\(update.transaction.payment.productIdentifier) waits for approval.")
            case .purchased: handlePurchased(update.transaction)
            case .failed: handleFailed(update.transaction)
            case .restored: handleRestored(update.transaction)
            @unknown default: break
            }
        }
        main?.async { [weak self] in self?.delegate?.storeObserverDidUpdate(updates) }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        if !hasRestorablePurchases { show("There is nothing to restore.") }
        endRestore(nil)
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error
    ) {
        if !Self.isCancel(error) { show(error.localizedDescription) }
        endRestore(error)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads where Self.hasEnded(download) {
            let transaction = download.transaction
            if transaction.downloads.allSatisfy(Self.hasEnded) {
                SKPaymentQueue.default().finishTransaction(transaction)
            }
        }
    }

    private static func hasEnded(_ download: SKDownload) -> Bool {
        switch download.state {
        case .finished, .failed, .cancelled: return true
        case .waiting, .active, .paused: return false
        }
    }
}
