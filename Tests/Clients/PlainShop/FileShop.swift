// A shop with callbacks that keeps what was bought in a file of its own.

import Stampede
import StoreKit

/// What was bought, in a file: goods and the transactions that they came from, written in one step.
struct Ledger: Codable {
    private var held: [String: Int] = [:]
    private var told: Set<String> = []

    private static var file: URL {
        FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0].appendingPathComponent("ledger.json")
    }

    static func read() -> Ledger {
        guard let data = try? Data(contentsOf: file) else { return Ledger() }
        return (try? JSONDecoder().decode(Ledger.self, from: data)) ?? Ledger()
    }

    func held(_ identifier: String) -> Int { held[identifier] ?? 0 }

    /// False if nothing could be written.
    mutating func deliver(_ identifier: String, _ quantity: Int, from transaction: String, isNew: Bool) -> Bool {
        guard told.insert(transaction).inserted else { return true }
        held[identifier] = isNew ? held(identifier) + quantity : max(1, held(identifier))
        guard let data = try? JSONEncoder().encode(self) else { return false }
        return (try? data.write(to: Self.file, options: .atomic)) != nil
    }
}

class FileShop: NSObject, SKProductsRequestDelegate, SKPaymentTransactionObserver {
    static let shared = FileShop()

    private var products: [String: SKProduct] = [:]
    private var request: SKProductsRequest?
    private var onProducts: ((Result<[String], any Error>) -> Void)?
    private var onPurchase: [String: (Bool) -> Void] = [:]
    private var onRestore: ((Int?) -> Void)?
    private var restored = 0
    lazy var ledger = Ledger.read()

    func fetch(_ identifiers: Set<String>, completion: @escaping (Result<[String], any Error>) -> Void) {
        onProducts = completion
        let request = SKProductsRequest(productIdentifiers: identifiers)
        self.request = request
        request.delegate = self
        request.start()
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products { products[product.productIdentifier] = product }
        onProducts?(.success(response.products.map(\.productIdentifier)))
        onProducts = nil
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        onProducts?(.failure(error))
        onProducts = nil
    }

    func buy(_ identifier: String, completion: @escaping (Bool) -> Void) {
        guard let product = products[identifier], onPurchase[identifier] == nil else { return completion(false) }
        onPurchase[identifier] = completion
        SKPaymentQueue.default().add(SKPayment(product: product))
    }

    func restore(completion: @escaping (Int?) -> Void) {
        onRestore = completion
        restored = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchased, .restored: deliver(transaction)
            case .failed:
                queue.finishTransaction(transaction)
                answer(transaction, isBought: false)
            default: break
            }
        }
    }

    func deliver(_ transaction: SKPaymentTransaction) {
        let isNew = transaction.transactionState == .purchased
        let isDelivered = ledger.deliver(
            transaction.payment.productIdentifier, transaction.payment.quantity,
            from: transaction.transactionIdentifier ?? "", isNew: isNew)
        guard isDelivered else { return }
        if !isNew { restored += 1 }
        SKPaymentQueue.default().finishTransaction(transaction)
        answer(transaction, isBought: true)
    }

    private func answer(_ transaction: SKPaymentTransaction, isBought: Bool) {
        onPurchase.removeValue(forKey: transaction.payment.productIdentifier)?(isBought)
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { restoreEnded(restored) }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: any Error) {
        restoreEnded(nil)
    }

    private func restoreEnded(_ count: Int?) {
        onRestore?(count)
        onRestore = nil
    }
}

public class FileShopClient: StoreClient {
    public class var name: String { "file-shop" }
    public class var summary: String { "A shop that keeps its goods in a file." }

    private let environment: AppEnvironment
    private let shop: FileShop

    /// The shop of a launch.
    class var shop: FileShop { .shared }

    public required init(environment: AppEnvironment) {
        self.environment = environment
        shop = Self.shop
    }

    public func launch() { SKPaymentQueue.default().add(shop) }
    public func willTerminate() { SKPaymentQueue.default().remove(shop) }

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        shop.fetch(Set(identifiers ?? environment.products.map(\.identifier))) { result in
            switch result {
            case .success(let found): completion(.fetched(found))
            case .failure(let error): completion(.failed(message: error.localizedDescription))
            }
        }
    }

    public func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        shop.buy(identifier) { completion($0 ? .purchased : .failed(message: "It did not work.")) }
    }

    public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        shop.restore { completion($0.map { .restored(count: $0) } ?? .failed(message: "It did not work.")) }
    }

    public func use(_ identifier: String) {}

    public func holdings() -> [String: Int] {
        let ledger = Ledger.read()
        return Dictionary(
            uniqueKeysWithValues: environment.products.map { ($0.identifier, ledger.held($0.identifier)) })
    }
}

/// The same where devices run at once, and statics are everybody's: under the wall clock.
public final class OwnFileShopClient: FileShopClient {
    override public class var name: String { "own-file-shop" }
    override class var shop: FileShop { perDevice { FileShop() } }
}

/// One that finishes before it writes.
final class HastyFileShop: FileShop {
    static let hasty = HastyFileShop()

    override func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            queue.finishTransaction(transaction)
        }
        super.paymentQueue(queue, updatedTransactions: transactions)
    }
}

public final class HastyFileShopClient: FileShopClient {
    override public class var name: String { "hasty-file-shop" }
    override class var shop: FileShop { HastyFileShop.hasty }
}
