// What Stampede's simulated users do, in words of the app.

import Stampede
import WaitingShop

final class AtlasClient: StoreClient {
    static let options = [
        ClientOption(name: "bug", values: ["none", "waits-on-main"], meaning: "What is wrong with it.")
    ]
    private let store: MapStore

    init(environment: AppEnvironment) {
        store = MapStore(waitsForPrices: environment.options["bug"] == "waits-on-main")
    }

    func launch() { store.start() }
    func willTerminate() { store.stop() }

    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        store.fetch(identifiers.map { Set($0) } ?? Products.all) { result in
            switch result {
            case .success(let found): completion(.fetched(found))
            case .failure(let error): completion(FetchOutcome(error))
            }
        }
    }

    func purchase(_ product: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        store.buy(product, quantity: quantity) { outcome in
            switch outcome {
            case .bought: completion(.purchased)
            case .needsApproval: completion(.deferred)
            case .failed(let error): completion(PurchaseOutcome(error))
            }
        }
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        store.restore { result in
            switch result {
            case .success(let count): completion(.restored(count: count))
            case .failure(let error): completion(RestoreOutcome(error))
            }
        }
    }

    func use(_ product: String) { store.maps.use(product) }

    func holdings() -> [String: Int] { MapFile().owned }
}
