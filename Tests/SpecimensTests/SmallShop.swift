// The smallest clients that lose nothing: three members, in callbacks and `async`, over one little desk.
// Everything belongs to the device's main queue.

import Foundation
import StoreKit

@testable import ClientKit

/// Talks to StoreKit, delivers before it finishes, answers each purchase.
final class SmallDesk: NSObject, SKPaymentTransactionObserver {
    let goods: Goods
    private let main = AppEnvironment.current.main
    private lazy var hops = MainQueueHops(main)
    private var waiting: [(payment: SKPayment, transaction: SKPaymentTransaction?, answer: (PurchaseOutcome) -> Void)] =
        []
    private var restores: [(RestoreOutcome) -> Void] = []
    private var restored = 0

    init(_ goods: Goods) {
        self.goods = goods
        super.init()
        SKPaymentQueue.default().add(self)
        goods.followReceipt()
    }

    func buy(_ identifier: String, _ quantity: Int, _ answer: @escaping (PurchaseOutcome) -> Void) {
        AppEnvironment.current.withProduct(identifier) { [self] result in
            switch result {
            case .success(let product?):
                let payment = SKMutablePayment(product: product)
                payment.quantity = quantity
                waiting.append((payment, nil, answer))
                SKPaymentQueue.default().add(payment)
            case .success(nil): answer(.refused(reason: "Not for sale."))
            case .failure(let error): answer(PurchaseOutcome(error))
            }
        }
    }

    func restore(_ answer: @escaping (RestoreOutcome) -> Void) {
        restores.append(answer)
        guard restores.count == 1 else { return }
        restored = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        let told = transactions.map { ($0, $0.payment, $0.transactionState) }
        hops.inOrder { [self] in
            for (transaction, payment, state) in told { handle(transaction, payment, state) }
        }
    }

    private func handle(_ transaction: SKPaymentTransaction, _ payment: SKPayment, _ state: SKPaymentTransactionState) {
        if state == .purchasing {
            let place = waiting.firstIndex {
                $0.transaction == nil && $0.payment.productIdentifier == payment.productIdentifier
                    && $0.payment.quantity == payment.quantity
            }
            if let place { waiting[place].transaction = transaction }
            return
        }
        if state == .restored { restored += 1 }
        if state == .purchased || state == .restored { goods.grant(transaction) }
        if state != .deferred { SKPaymentQueue.default().finishTransaction(transaction) }
        goods.giveUpWhatIsOver()
        guard let outcome = PurchaseOutcome(transaction),
            let place = waiting.firstIndex(where: { $0.transaction === transaction })
        else { return }
        waiting.remove(at: place).answer(outcome)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        hops.inOrder { [self] in endRestores(.restored(count: restored)) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        hops.inOrder { [self] in endRestores(RestoreOutcome(error)) }
    }

    private func endRestores(_ outcome: RestoreOutcome) {
        let waiting = restores
        restores = []
        for answer in waiting { answer(outcome) }
    }
}

/// Three members and nothing else; the name, `init()` and the products are Stampede's.
final class SmallShopClient: StoreClient {
    let desk = SmallDesk(Goods())

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        desk.buy(productIdentifier, quantity, completion)
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) { desk.restore(completion) }
    func holdings() -> [String: Int] { desk.goods.held }
}

/// The same in tasks. A class that others inherit from, with the initializer that an Objective-C object has.
class SmallAsyncClient: NSObject, AsyncStoreClient {
    let desk: SmallDesk

    required init(environment: AppEnvironment) {
        // Products that were fetched through one are found through the other.
        precondition(environment === AppEnvironment.current)
        desk = SmallDesk(Goods(environment, in: Self.place))
    }

    class var place: Goods.Place { .device }

    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        await withCheckedContinuation { continuation in
            desk.buy(productIdentifier, quantity) { continuation.resume(returning: $0) }
        }
    }
    func restore() async throws -> RestoreOutcome {
        await withCheckedContinuation { continuation in desk.restore { continuation.resume(returning: $0) } }
    }
    func holdings() throws -> [String: Int] { desk.goods.held }
}

final class SmallDefaultsClient: SmallAsyncClient {
    override class var place: Goods.Place { .defaults() }
}

final class SmallFileClient: SmallAsyncClient {
    override class var place: Goods.Place { .file() }
}

/// Goods in a store of the app's own.
final class SmallOwnStoreClient: SmallAsyncClient {
    override class var place: Goods.Place {
        let files = AppEnvironment.current.files
        return .own(load: { files.read("shop.db") }, save: { files.write($0, to: "shop.db") })
    }
}

/// Cannot tell what is held until there is a file.
final class SmallThrowingClient: SmallAsyncClient {
    struct NoFile: LocalizedError {
        var errorDescription: String? { "there is no record yet" }
    }

    override class var place: Goods.Place { .file() }
    override func holdings() throws -> [String: Int] {
        if AppEnvironment.current.files.read("goods.json") == nil { throw NoFile() }
        return desk.goods.held
    }
}

/// Throws where others return an outcome.
final class SmallFailingClient: AsyncStoreClient {
    func purchase(_ productIdentifier: String, quantity: Int) async throws -> PurchaseOutcome {
        throw SKError(.paymentCancelled)
    }
    func restore() async throws -> RestoreOutcome { throw SKError(.cloudServiceNetworkConnectionFailed) }
    func holdings() -> [String: Int] { [:] }
}
