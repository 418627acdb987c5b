// The library on the payment queue: purchases wait here until the validator has confirmed them and the app has
// delivered.
// Confined to the device's main queue.

import ClientKit
import Foundation
import StoreKit

final class IAPTransactionObserver: NSObject, SKPaymentTransactionObserver {
    private let queue = SKPaymentQueue.default()
    private let receipts: IAPReceiptService
    private let main: MainQueueHops
    private weak var delegate: (any IAPPurchaseDelegate)?
    /// Purchased and not finished, by product.
    private var pending: [String: [SKPaymentTransaction]] = [:]
    /// One purchase at a time is answered: the latest that was asked for.
    private var purchasingProduct: String?
    private var purchaseCallback: IAPPurchaseCallback?

    init(receipts: IAPReceiptService, main: MainQueueHops, delegate: any IAPPurchaseDelegate) {
        self.receipts = receipts
        self.main = main
        self.delegate = delegate
        super.init()
        receipts.onValidated = { [weak self] in self?.announce($0) }
    }

    func start() { queue.add(self) }
    func stop() { queue.remove(self) }

    // MARK: Buying

    func purchase(_ product: SKProduct, quantity: Int, callback: @escaping IAPPurchaseCallback) {
        guard SKPaymentQueue.canMakePayments() else { return callback(.refused(.cannotMakePurchase)) }
        if queue.transactions.last?.transactionState == .purchasing { return callback(.refused(.alreadyPurchasing)) }
        purchasingProduct = product.productIdentifier
        purchaseCallback = callback
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        queue.add(payment)
    }

    private func answer(_ product: String, _ result: IAPPurchaseResult) {
        guard product == purchasingProduct else { return }
        purchasingProduct = nil
        let callback = purchaseCallback.take()
        callback?(result)
    }

    // MARK: Finishing

    /// All of the product's, whatever it was that the app delivered.
    func finishTransactions(for product: String) {
        for transaction in pending.removeValue(forKey: product) ?? [] { queue.finishTransaction(transaction) }
    }

    func hasDeferredTransaction(for product: String) -> Bool {
        queue.transactions.contains {
            $0.payment.productIdentifier == product && $0.transactionState == .deferred
        }
    }

    /// One announcement for a product, however many of its purchases are pending.
    private func announce(_ validated: Set<String>) {
        for product in pending.keys.sorted() where validated.contains(product) {
            delegate?.productPurchased(productIdentifier: product)
        }
    }

    // MARK: SKPaymentTransactionObserver

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        // Read here: on the way to the main queue they may move on to their next state.
        let told = transactions.map { ($0, $0.transactionState) }
        main.inOrder { [self] in
            for (transaction, state) in told { handle(transaction, state) }
        }
    }

    private func handle(_ transaction: SKPaymentTransaction, _ state: SKPaymentTransactionState) {
        let product = transaction.payment.productIdentifier
        switch state {
        case .purchasing:
            break
        case .purchased:
            hold(transaction, product)
            validate(product)
        case .restored:
            queue.finishTransaction(transaction)
            receipts.validate { _ in }
        case .failed:
            queue.finishTransaction(transaction)
            answer(product, Self.result(of: transaction.error))
        case .deferred:
            answer(product, IAPPurchaseResult(state: .deferred))
        @unknown default:
            break
        }
    }

    private func hold(_ transaction: SKPaymentTransaction, _ product: String) {
        if pending[product, default: []].contains(where: { $0 === transaction }) { return }
        pending[product, default: []].append(transaction)
    }

    private func validate(_ product: String) {
        receipts.validate { [weak self] validation in
            switch validation {
            case .success(let products) where products.contains(product):
                self?.answer(product, IAPPurchaseResult(state: .purchased))
            case .success:
                let reason = "The purchase is not in the receipt."
                self?.answer(product, IAPPurchaseResult(state: .failed, iapError: .validateReceiptFailed(reason)))
            case .failure(let error):
                self?.answer(product, IAPPurchaseResult(state: .failed, iapError: error))
            }
        }
    }

    private static func result(of error: (any Error)?) -> IAPPurchaseResult {
        if (error as? SKError)?.code == .paymentCancelled { return IAPPurchaseResult(state: .cancelled) }
        let reason = error?.localizedDescription ?? "The purchase failed."
        return IAPPurchaseResult(state: .failed, iapError: .purchaseFailed(reason))
    }
}

extension IAPPurchaseResult {
    /// Turned away before StoreKit was asked.
    static func refused(_ error: IAPError) -> IAPPurchaseResult {
        IAPPurchaseResult(state: .failed, iapError: error)
    }
}
