// The same shop in Swift's concurrency: a store on the main actor, and an actor that reads a stream of transactions.

import Stampede
import StoreKit

/// What was bought, in the defaults: one write for goods and the transactions that they came from.
enum ShopGoods {
    static func held(_ identifier: String) -> Int { state(identifier).held }

    private static func state(_ identifier: String) -> (held: Int, told: [String]) {
        let stored = UserDefaults.standard.dictionary(forKey: "goods \(identifier)") ?? [:]
        return (stored["held"] as? Int ?? 0, stored["told"] as? [String] ?? [])
    }

    static func deliver(_ identifier: String, _ quantity: Int, from transaction: String, isNew: Bool) {
        var (held, told) = state(identifier)
        if told.contains(transaction) { return }
        held = isNew ? held + quantity : max(1, held)
        told.append(transaction)
        UserDefaults.standard.set(["held": held, "told": told] as [String: Any], forKey: "goods \(identifier)")
    }
}

/// A transaction as it was told: the object goes on.
struct Told: @unchecked Sendable {
    let transaction: SKPaymentTransaction
    let state: SKPaymentTransactionState
    let product: String
    let quantity: Int
    let identifier: String

    init(_ transaction: SKPaymentTransaction) {
        self.transaction = transaction
        state = transaction.transactionState
        product = transaction.payment.productIdentifier
        quantity = transaction.payment.quantity
        identifier = transaction.transactionIdentifier ?? ""
    }
}

// MARK: On the main actor

@MainActor
final class MainActorShop: NSObject {
    static let shared = MainActorShop()

    private var products: [String: SKProduct] = [:]
    private var fetches: [ObjectIdentifier: (SKProductsRequest, CheckedContinuation<[SKProduct], any Error>)] = [:]
    private var purchases: [String: CheckedContinuation<Bool, Never>] = [:]
    private var restores: [CheckedContinuation<Int?, Never>] = []
    private var restored = 0

    func fetch(_ identifiers: Set<String>) async throws -> [String] {
        let found = try await withCheckedThrowingContinuation { continuation in
            let request = SKProductsRequest(productIdentifiers: identifiers)
            fetches[ObjectIdentifier(request)] = (request, continuation)
            request.delegate = self
            request.start()
        }
        for product in found { products[product.productIdentifier] = product }
        return found.map(\.productIdentifier)
    }

    func buy(_ identifier: String) async -> Bool {
        guard let product = products[identifier], purchases[identifier] == nil else { return false }
        return await withCheckedContinuation { continuation in
            purchases[identifier] = continuation
            SKPaymentQueue.default().add(SKPayment(product: product))
        }
    }

    func restore() async -> Int? {
        await withCheckedContinuation { continuation in
            restores.append(continuation)
            guard restores.count == 1 else { return }
            restored = 0
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
    }

    private func handle(_ told: Told) async {
        switch told.state {
        case .purchased, .restored:
            // As if a picture had to be fetched first.
            if told.state == .purchased { try? await Task.sleep(for: .milliseconds(20)) }
            ShopGoods.deliver(told.product, told.quantity, from: told.identifier, isNew: told.state == .purchased)
            if told.state == .restored { restored += 1 }
            end(told, isBought: true)
        case .failed: end(told, isBought: false)
        default: break
        }
    }

    private func end(_ told: Told, isBought: Bool) {
        SKPaymentQueue.default().finishTransaction(told.transaction)
        purchases.removeValue(forKey: told.product)?.resume(returning: isBought)
    }

    private func restoreEnded(_ count: Int?) {
        let waiting = restores
        restores = []
        for continuation in waiting { continuation.resume(returning: count) }
    }
}

extension MainActorShop: @preconcurrency SKProductsRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        fetches.removeValue(forKey: ObjectIdentifier(request))?.1.resume(returning: response.products)
    }

    func request(_ request: SKRequest, didFailWithError error: Error) {
        fetches.removeValue(forKey: ObjectIdentifier(request))?.1.resume(throwing: error)
    }
}

extension MainActorShop: @preconcurrency SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for told in transactions.map(Told.init) { Task { await handle(told) } }
    }

    // In tasks, behind those of the transactions that were told before.
    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { Task { restoreEnded(restored) } }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        Task { restoreEnded(nil) }
    }
}

public class MainActorShopClient: StoreClient {
    public class var name: String { "main-actor-shop" }
    public class var summary: String { "A shop on the main actor." }

    private let environment: AppEnvironment
    private let shop: MainActorShop

    /// The shop of a launch.
    @MainActor class var shop: MainActorShop { .shared }

    public required init(environment: AppEnvironment) {
        self.environment = environment
        shop = MainActor.assumeIsolated { Self.shop }
    }

    public func launch() { SKPaymentQueue.default().add(shop) }
    public func willTerminate() { SKPaymentQueue.default().remove(shop) }

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let wanted = Set(identifiers ?? environment.products.map(\.identifier))
        Task { @MainActor [shop] in
            do { completion(.fetched(try await shop.fetch(wanted))) } catch {
                completion(.failed(message: error.localizedDescription))
            }
        }
    }

    public func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        Task { @MainActor [shop] in
            completion(await shop.buy(identifier) ? .purchased : .failed(message: "It did not work."))
        }
    }

    public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        Task { @MainActor [shop] in
            completion(await shop.restore().map { .restored(count: $0) } ?? .failed(message: "It did not work."))
        }
    }

    public func use(_ identifier: String) {}

    public func holdings() -> [String: Int] {
        Dictionary(uniqueKeysWithValues: environment.products.map { ($0.identifier, ShopGoods.held($0.identifier)) })
    }
}

/// The same where devices run at once, and statics are everybody's: under the wall clock.
public final class OwnMainActorShopClient: MainActorShopClient {
    override public class var name: String { "own-main-actor-shop" }
    @MainActor override class var shop: MainActorShop { perDevice { MainActorShop() } }
}

// MARK: An actor with a stream

/// Hands on what StoreKit tells.
final class TransactionStream: NSObject, SKPaymentTransactionObserver {
    enum Event: Sendable { case told(Told), restoreEnded(succeeded: Bool) }

    let events: AsyncStream<Event>
    private let sink: AsyncStream<Event>.Continuation

    override init() { (events, sink) = AsyncStream.makeStream() }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions { sink.yield(.told(Told(transaction))) }
    }

    func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        sink.yield(.restoreEnded(succeeded: true))
    }

    func paymentQueue(_ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error) {
        sink.yield(.restoreEnded(succeeded: false))
    }
}

/// One request for products.
final class ProductFetch: NSObject, SKProductsRequestDelegate {
    private let request: SKProductsRequest
    private let continuation: CheckedContinuation<[SKProduct], any Error>

    init(_ identifiers: Set<String>, _ continuation: CheckedContinuation<[SKProduct], any Error>) {
        request = SKProductsRequest(productIdentifiers: identifiers)
        self.continuation = continuation
        super.init()
        request.delegate = self
    }

    func start() { request.start() }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        continuation.resume(returning: response.products)
    }

    func request(_ request: SKRequest, didFailWithError error: Error) { continuation.resume(throwing: error) }
}

actor ActorShop {
    static let shared = ActorShop()

    nonisolated let stream = TransactionStream()
    private var products: [String: SKProduct] = [:]
    private var purchases: [String: CheckedContinuation<Bool, Never>] = [:]
    private var restores: [CheckedContinuation<Int?, Never>] = []
    private var restored = 0
    private var fetch: ProductFetch?

    nonisolated func start() {
        SKPaymentQueue.default().add(stream)
        Task.detached { [self] in
            for await event in stream.events { await handle(event) }
        }
    }

    func fetch(_ identifiers: Set<String>) async throws -> [String] {
        let found = try await withCheckedThrowingContinuation { continuation in
            fetch = ProductFetch(identifiers, continuation)
            fetch?.start()
        }
        for product in found { products[product.productIdentifier] = product }
        return found.map(\.productIdentifier)
    }

    func buy(_ identifier: String) async -> Bool {
        guard let product = products[identifier], purchases[identifier] == nil else { return false }
        return await withCheckedContinuation { continuation in
            purchases[identifier] = continuation
            SKPaymentQueue.default().add(SKPayment(product: product))
        }
    }

    func restore() async -> Int? {
        await withCheckedContinuation { continuation in
            restores.append(continuation)
            guard restores.count == 1 else { return }
            restored = 0
            SKPaymentQueue.default().restoreCompletedTransactions()
        }
    }

    private func handle(_ event: TransactionStream.Event) async {
        switch event {
        case .told(let told):
            switch told.state {
            case .purchased, .restored:
                ShopGoods.deliver(
                    told.product, told.quantity, from: told.identifier, isNew: told.state == .purchased)
                if told.state == .restored { restored += 1 }
                end(told, isBought: true)
            case .failed: end(told, isBought: false)
            default: break
            }
        case .restoreEnded(let succeeded):
            let waiting = restores
            restores = []
            for continuation in waiting { continuation.resume(returning: succeeded ? restored : nil) }
        }
    }

    private func end(_ told: Told, isBought: Bool) {
        SKPaymentQueue.default().finishTransaction(told.transaction)
        purchases.removeValue(forKey: told.product)?.resume(returning: isBought)
    }
}

public class ActorShopClient: StoreClient {
    public class var name: String { "actor-shop" }
    public class var summary: String { "A shop that is an actor, and reads a stream." }

    private let environment: AppEnvironment
    private let shop: ActorShop

    /// The shop of a launch.
    class var shop: ActorShop { .shared }

    public required init(environment: AppEnvironment) {
        self.environment = environment
        shop = Self.shop
    }

    public func launch() { shop.start() }
    public func willTerminate() { SKPaymentQueue.default().remove(shop.stream) }

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        let wanted = Set(identifiers ?? environment.products.map(\.identifier))
        answer { [shop] in
            do {
                let found = try await shop.fetch(wanted)
                return { completion(.fetched(found)) }
            } catch {
                return { completion(.failed(message: error.localizedDescription)) }
            }
        }
    }

    public func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        answer { [shop] in
            let isBought = await shop.buy(identifier)
            return { completion(isBought ? .purchased : .failed(message: "It did not work.")) }
        }
    }

    public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        answer { [shop] in
            let count = await shop.restore()
            return { completion(count.map { .restored(count: $0) } ?? .failed(message: "It did not work.")) }
        }
    }

    private func answer(_ work: @escaping @Sendable () async -> () -> Void) {
        Task {
            let completion = await work()
            await MainActor.run { completion() }
        }
    }

    public func use(_ identifier: String) {}

    public func holdings() -> [String: Int] {
        Dictionary(uniqueKeysWithValues: environment.products.map { ($0.identifier, ShopGoods.held($0.identifier)) })
    }
}

/// The same where devices run at once, and statics are everybody's: under the wall clock.
public final class OwnActorShopClient: ActorShopClient {
    override public class var name: String { "own-actor-shop" }
    override class var shop: ActorShop { perDevice { ActorShop() } }
}
