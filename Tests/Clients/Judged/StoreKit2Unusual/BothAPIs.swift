// A client of both APIs: coins at the old counter, everything else in the new library.
// The old counter on StoreKit's queue, behind a lock; the library is an actor.

import ClientKit
import Foundation
import StoreKit

/// Habit: The app sells consumables by the payment queue and everything else by StoreKit 2. Each API leaves to the
/// other what is the other's, and a transaction that both hand over has one number in the same storage.
final class CounterAndLibraryClient: AsyncStoreClient {
    static let name = "sk2-counter-and-library"
    static let summary = "The payment queue for consumables, StoreKit 2 for the rest."

    private let counter: CoinCounter
    private let library: Library

    init(environment: AppEnvironment) {
        let goods = Goods(environment)
        library = Library(Phone(environment), goods)
        counter = CoinCounter(environment, goods, library)
    }

    func launch() {
        SKPaymentQueue.default().add(counter)
        library.start(counter)
    }
    func willTerminate() { SKPaymentQueue.default().remove(counter) }
    func willEnterForeground() { Task { [library, counter] in await library.catchUp(counter) } }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        if counter.sells(productIdentifier) { return await counter.buy(productIdentifier, quantity) }
        guard let product = try await Till.product(productIdentifier) else { return .notSold }
        let result = try await product.purchase(options: Till.options(quantity))
        if case .success(let signed) = result { await library.receive(signed, counter) }
        return PurchaseOutcome(result)
    }
    func restore() async throws -> RestoreOutcome {
        try await AppStore.sync()
        return .restored(count: await library.catchUp(counter))
    }
    func use(_ productIdentifier: String) { counter.goods.use(productIdentifier) }
    func holdings() -> [String: Int] { counter.goods.held }

    /// Everything but coins.
    actor Library {
        private let goods: Goods
        private let lasting: LastingGoods
        private let secondLook = SecondLook()

        init(_ phone: Phone, _ goods: Goods) {
            self.goods = goods
            lasting = LastingGoods(goods, phone)
        }

        nonisolated func start(_ counter: CoinCounter) {
            Task { for await result in Transaction.updates { await receive(result, counter) } }
            Task { await catchUp(counter) }
        }

        @discardableResult
        func catchUp(_ counter: CoinCounter) async -> Int {
            for await result in Transaction.unfinished { await receive(result, counter) }
            return await lasting.read()
        }

        func receive(_ result: VerificationResult<Transaction>, _ counter: CoinCounter) async {
            guard case .verified(let transaction) = result else {
                return await secondLook.ask { await self.catchUp(counter) }
            }
            if transaction.productType != .consumable { return await deliver(transaction) }
            // The counter finishes it, for somebody may be waiting there.
            counter.receive(transaction)
        }

        private func deliver(_ transaction: Transaction) async {
            await lasting.take(transaction)
            await transaction.finish()
        }

        /// The queue has told of something that lasts. True once it is delivered, or known to be over.
        func settle(_ product: String, _ phone: Phone, _ counter: CoinCounter) async -> Bool {
            for _ in 0..<5 {
                await catchUp(counter)
                if goods.count(of: product) > 0 { return true }
                if await phone.over([product]).contains(product) { return true }
                try? await Task.sleep(for: .seconds(3))
            }
            return false
        }
    }
}

/// The payment queue's observer. Guard: `lock`.
final class CoinCounter: NSObject, SKPaymentTransactionObserver, @unchecked Sendable {
    let goods: Goods
    private let phone: Phone
    private let library: CounterAndLibraryClient.Library
    private let coins: Set<String>
    private let lock = NSLock()
    private var customers: [Customer] = []
    /// The coins' transactions that this launch has granted, in order.
    private var granted: [String] = []
    private var answered: Set<String> = []

    /// Somebody who has paid, and waits.
    private final class Customer {
        let payment: SKPayment
        /// How many grants there were before.
        let place: Int
        let continuation: CheckedContinuation<PurchaseOutcome, Never>
        var transaction: SKPaymentTransaction?

        init(_ payment: SKPayment, _ place: Int, _ continuation: CheckedContinuation<PurchaseOutcome, Never>) {
            (self.payment, self.place, self.continuation) = (payment, place, continuation)
        }
    }

    init(_ environment: AppEnvironment, _ goods: Goods, _ library: CounterAndLibraryClient.Library) {
        (self.goods, self.library) = (goods, library)
        phone = Phone(environment)
        coins = Set(environment.products.filter { $0.kind == .consumable }.map(\.identifier))
    }

    func sells(_ product: String) -> Bool { coins.contains(product) }

    func buy(_ product: String, _ quantity: Int) async -> PurchaseOutcome {
        guard SKPaymentQueue.canMakePayments() else { return .refused(reason: "Payments are not allowed.") }
        guard (1...10).contains(quantity) else { return .refused(reason: "Ten at a time at most.") }
        return await withCheckedContinuation { continuation in
            let payment = SKMutablePayment()
            payment.productIdentifier = product
            payment.quantity = quantity
            lock.withLock { customers.append(Customer(payment, granted.count, continuation)) }
            SKPaymentQueue.default().add(payment)
        }
    }

    /// StoreKit 2 has handed over coins.
    func receive(_ transaction: Transaction) {
        lock.withLock { if goods.grant(transaction) { granted.append("\(transaction.id)") } }
    }

    // MARK: The queue

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: serve(transaction)
            case .deferred: answer(transaction) { _ in .deferred }
            case .failed:
                queue.finishTransaction(transaction)
                answer(transaction) { _ in PurchaseOutcome(transaction) ?? .failed(message: "The purchase failed.") }
            case .purchased, .restored:
                if coins.contains(transaction.payment.productIdentifier) {
                    deliver(transaction, queue)
                } else {
                    passOn(transaction)
                }
            @unknown default: break
            }
        }
    }

    /// What left the queue answers no request any more.
    func paymentQueue(_ queue: SKPaymentQueue, removedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { answer(transaction) { _ in .failed(message: "The purchase was dropped.") } }
    }

    private func deliver(_ transaction: SKPaymentTransaction, _ queue: SKPaymentQueue) {
        let identifier = transaction.transactionIdentifier ?? ""
        lock.withLock { if goods.grant(transaction) { granted.append(identifier) } }
        queue.finishTransaction(transaction)
        answer(transaction) { place in
            // One charge is one answer.
            granted[place...].contains(identifier) && answered.insert(identifier).inserted ? .purchased : .alreadyYours
        }
    }

    /// StoreKit 2 knows whether it still entitles. What cannot be told now comes again in the next launch.
    private func passOn(_ transaction: SKPaymentTransaction) {
        let passed = Passed(transaction: transaction)
        Task { [self] in
            guard await library.settle(passed.transaction.payment.productIdentifier, phone, self) else { return }
            SKPaymentQueue.default().finishTransaction(passed.transaction)
        }
    }

    private struct Passed: @unchecked Sendable {  // Guard: it is only passed on.
        let transaction: SKPaymentTransaction
    }

    private func serve(_ transaction: SKPaymentTransaction) {
        lock.withLock {
            customers.first { $0.transaction == nil && $0.payment == transaction.payment }?.transaction = transaction
        }
    }

    /// - Parameter outcome: called with the lock held, and where the customer's purchase began.
    private func answer(_ transaction: SKPaymentTransaction, _ outcome: (Int) -> PurchaseOutcome) {
        let served = lock.withLock { () -> (Customer, PurchaseOutcome)? in
            guard let place = customers.firstIndex(where: { $0.transaction === transaction }) else { return nil }
            let customer = customers.remove(at: place)
            return (customer, outcome(customer.place))
        }
        if let (customer, outcome) = served { customer.continuation.resume(returning: outcome) }
    }
}
