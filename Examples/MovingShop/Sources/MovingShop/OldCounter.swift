// The counter that has always been there: single issues, by the payment queue.

import Foundation
import StoreKit

final class OldCounter: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {  // Guard: `lock`.
    private let shelf: Shelf
    private let till: Till
    private let newCounter: NewCounter
    private let lock = NSLock()
    private var taps: [Tap] = []

    private struct Tap {
        let payment: SKPayment
        let mark: Int
        let continuation: CheckedContinuation<Outcome, any Error>
        /// Known once StoreKit has shown it as purchasing.
        var transaction: SKPaymentTransaction?
    }

    init(_ shelf: Shelf, _ till: Till, _ newCounter: NewCounter) {
        (self.shelf, self.till, self.newCounter) = (shelf, till, newCounter)
    }

    func open() { SKPaymentQueue.default().add(self) }
    func close() { SKPaymentQueue.default().remove(self) }

    func buyIssues(_ quantity: Int) async throws -> Outcome {
        guard SKPaymentQueue.canMakePayments() else { throw TillError.notAllowed }
        let payment = SKMutablePayment()
        payment.productIdentifier = Ware.issues
        payment.quantity = quantity
        return try await withCheckedThrowingContinuation { continuation in
            lock.withLock { taps.append(Tap(payment: payment, mark: till.mark, continuation: continuation)) }
            SKPaymentQueue.default().add(payment)
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: begin(transaction)
            case .deferred: answer(transaction, .success(.waitsForApproval))
            case .failed:
                queue.finishTransaction(transaction)
                answer(transaction, .failure(transaction.error ?? SKError(.unknown)))
            case .purchased, .restored: deliver(transaction, queue)
            @unknown default: break
            }
        }
    }

    /// What the new counter sells may come here too.
    private func deliver(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
        let ware = transaction.payment.productIdentifier
        guard ware == Ware.issues else {
            shelf.add(ware)
            let handle = Handle(transaction: transaction)
            Task {
                // Whether it still entitles is the new counter's to say.
                guard await newCounter.readEntitlements().value || shelf.has(ware) else { return }
                SKPaymentQueue.default().finishTransaction(handle.transaction)
            }
            return
        }
        let identifier = transaction.transactionIdentifier ?? ""
        if shelf.deliver(transaction.payment.quantity, of: identifier, by: .old) { till.note(identifier) }
        queue.finishTransaction(transaction)
        let mark = lock.withLock { taps.first { $0.transaction === transaction }?.mark }
        let isAnswer = mark.map { till.answers(identifier, since: $0) } ?? false
        answer(transaction, isAnswer ? .success(.bought) : .failure(TillError.deliveredBefore))
    }

    private func begin(_ transaction: SKPaymentTransaction) {
        lock.withLock {
            let place = taps.firstIndex { $0.transaction == nil && $0.payment == transaction.payment }
            if let place { taps[place].transaction = transaction }
        }
    }

    private func answer(_ transaction: SKPaymentTransaction, _ result: Result<Outcome, any Error>) {
        let tap = lock.withLock { taps.firstIndex { $0.transaction === transaction }.map { taps.remove(at: $0) } }
        tap?.continuation.resume(with: result)
    }

    private struct Handle: @unchecked Sendable {  // It is only passed on.
        let transaction: SKPaymentTransaction
    }
}
