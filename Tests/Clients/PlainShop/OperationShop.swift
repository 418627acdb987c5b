// The shop in closures that are put together, in the manner of Combine, over an operation queue.

import StoreKit

/// Something that gives a value once, to whoever subscribes.
struct Future<Value> {
    private let attach: (@escaping (Value) -> Void) -> Void

    init(_ attach: @escaping (@escaping (Value) -> Void) -> Void) { self.attach = attach }

    init(value: Value) { attach = { $0(value) } }

    func sink(_ receive: @escaping (Value) -> Void) { attach(receive) }

    func map<Other>(_ transform: @escaping (Value) -> Other) -> Future<Other> {
        Future<Other> { receive in attach { receive(transform($0)) } }
    }

    func flatMap<Other>(_ transform: @escaping (Value) -> Future<Other>) -> Future<Other> {
        Future<Other> { receive in attach { transform($0).sink(receive) } }
    }

    func receive(on queue: OperationQueue) -> Future {
        Future { receive in attach { value in queue.addOperation { receive(value) } } }
    }

    func subscribe(on queue: OperationQueue) -> Future {
        Future { receive in queue.addOperation { attach(receive) } }
    }
}

/// Looks at the receipt, and ends when it has.
private final class ReceiptOperation: Operation, @unchecked Sendable {
    private let records: ShopRecords

    init(records: ShopRecords) { self.records = records }

    override func main() { records.followReceipt() }
}

final class OperationShop: NSObject, @unchecked Sendable {
    static let shared = OperationShop()
    static let hasty = OperationShop(isHasty: true)

    let records = ShopRecords()
    private let sales: ShopSales
    private let work = OperationQueue()

    init(isHasty: Bool = false) {
        sales = ShopSales(records: records, isHasty: isHasty)
        work.maxConcurrentOperationCount = 1
        work.name = "com.example.shop"
    }

    func start() {
        SKPaymentQueue.default().add(self)
        refresh()
    }

    func stop() { SKPaymentQueue.default().remove(self) }

    func refresh() { work.addOperation(ReceiptOperation(records: records)) }

    func fetch(_ identifiers: Set<String>) -> Future<Result<[String], any Error>> {
        Future { receive in ProductsFetch(identifiers, completion: receive) }
            .receive(on: work)
            .map { [sales] result in
                if case .success(let found) = result { sales.take(found) }
                return result.map { $0.map(\.productIdentifier) }
            }
    }

    func buy(_ identifier: String, _ quantity: Int) -> Future<ShopOutcome> {
        guard SKPaymentQueue.canMakePayments() else { return Future(value: .notAllowed) }
        return Future(value: ()).receive(on: work)
            .flatMap { [self] in
                if sales.product(identifier) != nil { return Future(value: .success([identifier])) }
                return fetch([identifier])
            }
            .flatMap { [sales] (found: Result<[String], any Error>) in
                if case .failure(let error) = found { return Future(value: .failed(error.localizedDescription)) }
                guard let product = sales.product(identifier) else { return Future(value: .notSold) }
                return Future { receive in sales.buy(product, quantity, completion: receive) }
            }
            .receive(on: .main)
    }

    func restore() -> Future<Result<Int, any Error>> {
        Future { [sales] receive in sales.restore(completion: receive) }.subscribe(on: work).receive(on: .main)
    }
}

extension OperationShop: SKPaymentTransactionObserver {
    /// Each transaction is an operation, which waits for the one before: they are told in their order.
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        var previous: Operation?
        for told in transactions.map(Delivery.init) {
            let operation = BlockOperation { [sales] in sales.handle(told) }
            if let previous { operation.addDependency(previous) }
            work.addOperation(operation)
            previous = operation
        }
    }

    func paymentQueue(_ queue: SKPaymentQueue, didRevokeEntitlementsForProductIdentifiers identifiers: [String]) {
        refresh()
    }

    func paymentQueue(
        _ queue: SKPaymentQueue, shouldAddStorePayment payment: SKPayment, for product: SKProduct
    ) -> Bool {
        let (identifier, quantity) = (payment.productIdentifier, payment.quantity)
        work.addOperations([BlockOperation { [sales] in sales.promote(identifier, quantity) }], waitUntilFinished: true)
        return true
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        work.addOperation { [sales] in sales.restoreEnded(nil) }
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        work.addOperation { [sales] in sales.restoreEnded(error) }
    }
}
