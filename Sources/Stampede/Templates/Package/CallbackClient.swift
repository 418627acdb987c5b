// The actions of Stampede's simulated users, in the words of the app.

import PackageName
import Stampede

final class PackageNameClient: StoreClient {
    /// The code under test: one for each launch of each simulated app.
    private let manager = PurchaseManager(receipt: simulatedReceipt)

    func launch() { manager.start() }
    func willEnterForeground() { manager.comesForward() }
    func willTerminate() { manager.stop() }

    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        manager.fetch(identifiers ?? Products.all) { result in
            switch result {
            case .success(let found): completion(.fetched(found))
            case .failure(let error): completion(FetchOutcome(error))
            }
        }
    }

    func purchase(_ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        manager.buy(productIdentifier, quantity: quantity) { result in
            switch result {
            case .success(.bought): completion(.purchased)
            case .success(.waitsForApproval): completion(.deferred)
            case .failure(let error): completion(PurchaseOutcome(error))
            }
        }
    }

    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        manager.restore { result in
            switch result {
            case .success(let count): completion(.restored(count: count))
            case .failure(let error): completion(RestoreOutcome(error))
            }
        }
    }

    func use(_ productIdentifier: String) { manager.inventory.use(productIdentifier) }

    /// Reads storage, as a launch after a crash would.
    func holdings() -> [String: Int] { Inventory().held }
}
