// A careful client with one switch for each mistake that purchase code is known for.
// Confined to the device's main queue.

import ClientKit
import Foundation
import StoreKit

enum Mistake: String, CaseIterable, Sendable {
    case none
    case finishesBeforeDelivering, neverFinishes, deliversTwice, deliversOnFailed, wrongProduct, ignoresQuantity
    case noObserverAtLaunch, addsObserverTwice, keepsObserverAtTermination
    case swallowsAnswer, answersTwice, saysPurchasedWhenFailed, saysFailedWhenPurchased, showsCancelAsError
    case restoreCreditsConsumable, restoreIgnored, restoreNotReported
    case finishesPurchasing, assertionFailed, dropsRedeliveries, forgetsWhatItDelivered, wipesGoodsAtLaunch,
        leavesItsQueue, ignoresRevocations
    case observesLate, finishesStrangers, deliversOnDeferred, swapsRepeats, restoreCreditsWhatIsNotOwned
    case deliversNothing, blocksMainQueue, neverReturns
    case paysAgainWhenRemoved, paysAtLaunch, paysTwiceForOneTap, putsPromotionsOff, doesNotHearPromotions
    case restoresAtLaunch, refreshesReceiptAtLaunch, deafAfterBackground, hearsLateAfterBackground
    case paysAgainAtOnce, fetchesAgainAtOnce
    case saysCancelledWhenFailed, saysDeferredWhenFailed, refusesAlways, busyAfterCancel
    case showsCachedProducts, showsNothing, saysFetchFailed, saysFailedRestoreIsNothing, showsCancelledRestoreAsError
    case ignoresExpiry, grantsAgainAtLaunch
    case trustsUnverified, holdsUnverified, finishesUnverified, clearsUnfinished
    case stopsListening, leavesLoop, locksAtReturn, locksWhatIsNotSold
}

final class MutableClient: NSObject, StoreClient {
    static let name = "mutable"
    static let summary = "Careful, but for one mistake."
    static let options = [ClientOption(name: "mistake", values: Mistake.allCases.map(\.rawValue), meaning: "Which.")]

    let environment: AppEnvironment
    let mistake: Mistake
    let queue = SKPaymentQueue.default()
    var products: [String: SKProduct] = [:]
    /// What the mistakes of `MutableClient+Unasked` keep in mind.
    var memory = Memory()
    var fetches: [(SKProductsRequest, (FetchOutcome) -> Void)] = []
    private var purchases:
        [(payment: SKPayment, transaction: SKPaymentTransaction?, answer: (PurchaseOutcome) -> Void)] = []
    private var restoreAnswer: ((RestoreOutcome) -> Void)?
    private var restoredCount = 0

    init(environment: AppEnvironment) {
        self.environment = environment
        mistake = Mistake(rawValue: environment.options["mistake"] ?? "") ?? .none
    }

    func launch() {
        if mistake == .wipesGoodsAtLaunch {
            environment.write(environment.products.map { (key($0.identifier), .integer(0)) })
        }
        switch mistake {
        case .noObserverAtLaunch: break
        case .observesLate: environment.main.asyncAfter(seconds: 0.05) { self.queue.add(self) }
        // Somebody else listens in its place.
        case .doesNotHearPromotions: break
        default: queue.add(self)
        }
        if mistake == .addsObserverTwice { queue.add(self) }
        launchUnasked()
    }

    func willTerminate() {
        if mistake != .keepsObserverAtTermination { queue.remove(self) }
        if let listener = memory.listener { queue.remove(listener) }
    }

    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let request = SKProductsRequest(
            productIdentifiers: Set(identifiers ?? environment.products.map(\.identifier)))
        request.delegate = self
        fetches.append((request, completion))
        request.start()
    }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        if mistake == .noObserverAtLaunch, queue.transactionObservers.isEmpty { queue.add(self) }
        if refuses { return completion(.refused(reason: "busy")) }
        guard let product = products[identifier] else {
            return fetchProducts([identifier]) { [weak self] outcome in
                if self?.products[identifier] == nil { return completion(.failed(message: "\(outcome)")) }
                self?.purchase(identifier, quantity: quantity, completion: completion)
            }
        }
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        purchases.append((payment, nil, completion))
        queue.add(payment)
        // A button that hears one tap twice, and the store's "you own this" for both.
        if mistake == .paysTwiceForOneTap, holdings(of: identifier) > 0, !isConsumable(identifier) {
            queue.add(payment)
        }
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        restoreAnswer = completion
        restoredCount = 0
        queue.restoreCompletedTransactions()
    }

    // MARK: Goods

    func key(_ identifier: String) -> String { "goods." + identifier }
    func holdings(of identifier: String) -> Int { environment.durableInteger(key(identifier)) }

    func holdings() -> [String: Int] {
        Dictionary(uniqueKeysWithValues: environment.products.map { ($0.identifier, holdings(of: $0.identifier)) })
    }

    func use(_ identifier: String) {
        environment.write([(key(identifier), .integer(max(0, holdings(of: identifier) - 1)))])
    }

    func isConsumable(_ identifier: String) -> Bool {
        environment.products.contains { $0.identifier == identifier && $0.kind == .consumable }
    }

    private func deliver(_ identifier: String, _ quantity: Int, mark: String?) {
        var identifier = identifier
        if mistake == .wrongProduct, isConsumable(identifier) {
            identifier = environment.products.first { $0.identifier != identifier }?.identifier ?? identifier
        }
        if mistake == .deliversNothing, isConsumable(identifier) { return }
        // What is owned already is bought again, and brings something else.
        if mistake == .swapsRepeats, mark != nil, !isConsumable(identifier), holdings(of: identifier) > 0 {
            identifier = environment.products[0].identifier
        }
        if let mark, environment.hasDurable(mark), mistake != .forgetsWhatItDelivered { return }
        let times = mistake == .deliversTwice ? 2 : 1
        let count = mistake == .ignoresQuantity ? 1 : quantity
        let goods = isConsumable(identifier) ? holdings(of: identifier) + times * count : 1
        environment.write([(key(identifier), .integer(goods))] + (mark.map { [($0, .flag(true))] } ?? []))
    }
}

extension MutableClient: SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: purchasing(transaction)
            case .purchased: purchased(transaction)
            case .deferred: deferred(transaction)
            case .failed: failed(transaction)
            case .restored: restored(transaction)
            default: break
            }
        }
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        if mistake == .ignoresRevocations { return }
        for identifier in productIdentifiers where !isEntitled(to: identifier) {
            environment.write([(key(identifier), .integer(0))])
        }
    }

    func isEntitled(to identifier: String) -> Bool {
        environment.receipt?.inApp.contains {
            $0.productIdentifier == identifier && $0.isValid(at: environment.now)
        } ?? false
    }

    private func purchasing(_ transaction: SKPaymentTransaction) {
        let payment = transaction.payment
        let place = purchases.firstIndex {
            $0.transaction == nil && $0.payment.productIdentifier == payment.productIdentifier
                && $0.payment.quantity == payment.quantity
        }
        if let place { purchases[place].transaction = transaction }
        if mistake == .finishesPurchasing { queue.finishTransaction(transaction) }
        if mistake == .assertionFailed { environment.assertionFailed() }
    }

    private func purchased(_ transaction: SKPaymentTransaction) {
        let identifier = transaction.payment.productIdentifier
        let mark = "delivered." + (transaction.transactionIdentifier ?? "")
        let isRepeated = environment.hasDurable(mark)
        let give = { self.deliver(identifier, transaction.payment.quantity, mark: mark) }
        let isAwaited = purchases.contains { $0.transaction === transaction }
        switch mistake {
        case .blocksMainQueue:
            computeForAWhile()
            give()
            queue.finishTransaction(transaction)
        case .neverReturns: DispatchSemaphore(value: 0).wait()
        case .finishesStrangers:
            give()
            queue.finishTransaction(transaction)
            queue.finishTransaction(SKPaymentTransaction())
        case .finishesBeforeDelivering:
            queue.finishTransaction(transaction)
            environment.main.async(give)
        case .dropsRedeliveries where !isAwaited: queue.finishTransaction(transaction)
        case .neverFinishes: give()
        case .leavesItsQueue:
            give()
            onAnotherThread { [queue] in queue.finishTransaction(transaction) }
        default:
            give()
            queue.finishTransaction(transaction)
        }
        let honest = isRepeated ? PurchaseOutcome.failed(message: "delivered before") : .purchased
        answer(transaction, mistake == .saysFailedWhenPurchased ? .failed(message: "no") : honest)
    }

    private func deferred(_ transaction: SKPaymentTransaction) {
        if mistake == .deliversOnDeferred {
            deliver(transaction.payment.productIdentifier, transaction.payment.quantity, mark: nil)
        }
        answer(transaction, .deferred)
    }

    /// Longer than any test allows, by the thread's own clock: that nobody else can slow down.
    private func computeForAWhile() {
        func computed() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
        }
        let end = computed() + 100
        while computed() < end {}
    }

    private func failed(_ transaction: SKPaymentTransaction) {
        if mistake == .deliversOnFailed {
            deliver(transaction.payment.productIdentifier, transaction.payment.quantity, mark: nil)
        }
        queue.finishTransaction(transaction)
        if paysAgain(transaction) { return }
        let isCancel = (transaction.error as? SKError)?.code == .paymentCancelled
        memory.wasCancelled = memory.wasCancelled || isCancel
        let honest =
            isCancel && mistake != .showsCancelAsError
            ? PurchaseOutcome.cancelled : .failed(message: "\(transaction.error?.localizedDescription ?? "")")
        switch mistake {
        case .saysPurchasedWhenFailed: answer(transaction, .purchased)
        case .saysCancelledWhenFailed: answer(transaction, .cancelled)
        case .saysDeferredWhenFailed: answer(transaction, isCancel ? honest : .deferred)
        default: answer(transaction, honest)
        }
    }

    private func restored(_ transaction: SKPaymentTransaction) {
        restoredCount += 1
        if mistake != .restoreIgnored { deliver(transaction.payment.productIdentifier, 1, mark: nil) }
        if mistake == .restoreCreditsConsumable, let lives = environment.products.first {
            deliver(lives.identifier, 1, mark: nil)
        }
        queue.finishTransaction(transaction)
    }

    /// What nobody has bought, and a restore brings all the same.
    private func creditWhatIsNotOwned() {
        for product in environment.products where !isConsumable(product.identifier) {
            if holdings(of: product.identifier) == 0 { deliver(product.identifier, 1, mark: nil) }
        }
    }

    private func answer(_ transaction: SKPaymentTransaction, _ outcome: PurchaseOutcome) {
        guard let place = purchases.firstIndex(where: { $0.transaction === transaction }) else { return }
        let answer = purchases.remove(at: place).answer
        if mistake == .swallowsAnswer { return }
        answer(outcome)
        if mistake == .answersTwice { answer(outcome) }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        if mistake == .restoreNotReported { return }
        if mistake == .restoreCreditsWhatIsNotOwned { creditWhatIsNotOwned() }
        restoreAnswer.take()?(.restored(count: restoredCount))
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        if mistake == .restoreNotReported { return }
        let isCancel = (error as? SKError)?.code == .paymentCancelled
        switch mistake {
        case .saysFailedRestoreIsNothing where !isCancel: restoreAnswer.take()?(.restored(count: 0))
        case .showsCancelledRestoreAsError: restoreAnswer.take()?(.failed(message: "error"))
        default: restoreAnswer.take()?(isCancel ? .cancelled : .failed(message: error.localizedDescription))
        }
    }

    /// Runs `body` elsewhere and waits for it, so that the mistake is the same in every run.
    private func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread {
            body()
            done.signal()
        }.start()
        done.wait()
    }
}

extension MutableClient: SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products { products[product.productIdentifier] = product }
        end(request, outcome(of: response))
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        if fetchesAgain(request) { return }
        end(request, .failed(message: error.localizedDescription))
    }

    private func end(_ request: SKRequest, _ outcome: FetchOutcome) {
        guard let place = fetches.firstIndex(where: { $0.0 === request }) else { return }
        fetches.remove(at: place).1(outcome)
    }
}
