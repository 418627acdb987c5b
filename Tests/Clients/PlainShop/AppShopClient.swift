// The five shops behind the harness's protocol: what apps of their own would write once.
// Everything here belongs to the device's main queue.

import Stampede
import StoreKit

/// What an app's screens ask of any of the shops. Completions come on the main queue.
struct AppShop {
    let records: ShopRecords
    let start, stop, refresh: () -> Void
    let fetch: (Set<String>, @escaping (Result<[String], any Error>) -> Void) -> Void
    let buy: (String, Int, @escaping (ShopOutcome) -> Void) -> Void
    let restore: (@escaping (Result<Int, any Error>) -> Void) -> Void
}

public class AppShopClient: StoreClient {
    public class var name: String { "app-shop" }
    public class var summary: String { "A shop of an app." }

    private let environment: AppEnvironment
    private let shop: AppShop

    /// The shop of a launch.
    class func open() -> AppShop { fatalError("each has its own") }

    public required init(environment: AppEnvironment) {
        self.environment = environment
        shop = Self.open()
        shop.records.sell(
            environment.products.map {
                ShopRecords.Goods(
                    identifier: $0.identifier, isConsumable: $0.kind == .consumable,
                    isRenewed: $0.kind == .autoRenewableSubscription)
            })
    }

    public func launch() { shop.start() }
    public func willTerminate() { shop.stop() }
    public func willEnterForeground() { shop.refresh() }

    public func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        shop.fetch(identifiers.map { Set($0) } ?? shop.records.products) { result in
            switch result {
            case .success(let found): completion(.fetched(found))
            case .failure(let error): completion(.failed(message: error.localizedDescription))
            }
        }
    }

    public func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        shop.buy(identifier, quantity) { outcome in
            switch outcome {
            case .bought: completion(.purchased)
            case .cancelled: completion(.cancelled)
            case .deferred: completion(.deferred)
            case .notSold: completion(.refused(reason: "The store does not sell \(identifier)."))
            case .notAllowed: completion(.refused(reason: "Payments are not allowed on this device."))
            case .failed(let message): completion(.failed(message: message))
            }
        }
    }

    public func restore(completion: @escaping (RestoreOutcome) -> Void) {
        shop.restore { result in
            switch result {
            case .success(let count): completion(.restored(count: count))
            case .failure(let error):
                let isCancelled = (error as? SKError)?.code == .paymentCancelled
                completion(isCancelled ? .cancelled : .failed(message: error.localizedDescription))
            }
        }
    }

    public func use(_ identifier: String) { shop.records.use(identifier) }

    public func holdings() -> [String: Int] {
        Dictionary(uniqueKeysWithValues: environment.products.map { ($0.identifier, shop.records.held($0.identifier)) })
    }
}
