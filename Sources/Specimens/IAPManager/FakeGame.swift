// The tutorial's game on top of its purchase manager.
// Confined to the device's main queue.

package import ClientKit
import Foundation
import StoreKit

/// What the player has; saved as a property list after every change.
struct GameData: Codable {
    var extraLives = 0
    var superPowers = 0
    var didUnlockAllMaps = false

    static let path = "GameData.plist"

    static func load(from files: AppFiles) -> GameData {
        guard let data = files.read(path), let saved = try? PropertyListDecoder().decode(GameData.self, from: data)
        else { return GameData() }
        return saved
    }

    func save(to files: AppFiles) {
        guard let data = try? PropertyListEncoder().encode(self) else { return }
        files.write(data, to: Self.path)
    }
}

/// The game, driven by the harness.
package final class IAPManagerClient: StoreClient {
    package static let name = "iap-manager"
    package static let summary = "A tutorial's IAPManager with its game: one handler, finishes before it delivers."
    package static let options = [
        ClientOption(
            name: "product_ids", values: ["consistent", "as_published"],
            meaning: "as_published spells extra-lives so that the game's own keyword does not match it")
    ]

    private let environment: AppEnvironment
    private var gameData: GameData
    private var products: [SKProduct] = []
    private var manager: IAPManager { .shared }

    package init(environment: AppEnvironment) {
        self.environment = environment
        gameData = GameData.load(from: environment.files)
    }

    package func launch() {
        manager.productIDList = Self.productIDList(isPublished: environment.options["product_ids"] == "as_published")
        manager.startObserving()
    }

    package func willTerminate() { manager.stopObserving() }

    // MARK: Shop

    package func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        manager.getProducts { [weak self] result in
            self?.environment.main.async {
                switch result {
                case .success(let products):
                    self?.products = products
                    completion(.fetched(products.map(\.productIdentifier)))
                case .failure(let error):
                    completion(.failed(message: error.localizedDescription))
                }
            }
        }
    }

    package func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        guard manager.canMakePayments() else { return completion(.refused(reason: "Payments are not allowed.")) }
        if products.isEmpty {
            return fetchProducts(nil) { [weak self] outcome in
                switch outcome {
                case .fetched: self?.buy(productIdentifier, completion)
                case .failed(let message): completion(.failed(message: message))
                }
            }
        }
        buy(productIdentifier, completion)
    }

    /// The quantity is ignored: the game sells one at a time.
    private func buy(_ identifier: String, _ completion: @escaping (PurchaseOutcome) -> Void) {
        guard let product = products.first(where: { $0.productIdentifier == identifier }) else {
            return completion(.refused(reason: "Not for sale."))
        }
        guard isSoldOut(identifier) else { return completion(.refused(reason: "You still have some.")) }
        manager.buy(product: product) { [weak self] result in
            self?.environment.main.async {
                switch result {
                case .success:
                    self?.updateGameData(with: product)
                    completion(.purchased)
                case .failure(IAPManagerError.paymentWasCancelled):
                    completion(.cancelled)
                case .failure(let error):
                    completion(.failed(message: error.localizedDescription))
                }
            }
        }
    }

    package func restore(completion: @escaping (RestoreOutcome) -> Void) {
        manager.restorePurchases { [weak self] result in
            self?.environment.main.async {
                switch result {
                case .success(let didRestore):
                    if didRestore { self?.unlockMaps() }
                    completion(.restored(count: didRestore ? self?.manager.totalRestoredPurchases ?? 0 : 0))
                case .failure(IAPManagerError.paymentWasCancelled):
                    completion(.cancelled)
                case .failure(let error):
                    completion(.failed(message: error.localizedDescription))
                }
            }
        }
    }

    // MARK: Goods

    private func isSoldOut(_ identifier: String) -> Bool {
        if identifier.contains("extra_lives") { return gameData.extraLives == 0 }
        if identifier.contains("superpowers") { return gameData.superPowers == 0 }
        return !gameData.didUnlockAllMaps
    }

    private func updateGameData(with product: SKProduct) {
        if product.productIdentifier.contains("extra_lives") {
            gameData.extraLives = 3
        } else if product.productIdentifier.contains("superpowers") {
            gameData.superPowers = 2
        } else {
            gameData.didUnlockAllMaps = true
        }
        gameData.save(to: environment.files)
    }

    private func unlockMaps() {
        gameData.didUnlockAllMaps = true
        gameData.save(to: environment.files)
    }

    package func use(_ productIdentifier: String) {
        if productIdentifier.contains("extra_lives"), gameData.extraLives > 0 {
            gameData.extraLives -= 1
        } else if productIdentifier.contains("superpowers"), gameData.superPowers > 0 {
            gameData.superPowers -= 1
        } else {
            return
        }
        gameData.save(to: environment.files)
    }

    package func holdings() -> [String: Int] {
        let saved = GameData.load(from: environment.files)
        var held: [String: Int] = [:]
        for product in environment.products {
            // Goods are told apart by their own names, whatever keyword the game looks for.
            let count: Int
            if product.identifier.hasSuffix("extra_lives") || product.identifier.hasSuffix("extra-lives") {
                count = saved.extraLives
            } else if product.identifier.hasSuffix("superpowers") {
                count = saved.superPowers
            } else if product.identifier.hasSuffix("unlock_maps") {
                count = saved.didUnlockAllMaps ? 1 : 0
            } else {
                count = 0
            }
            if count != 0 { held[product.identifier] = count }
        }
        return held
    }

    package static func goods(perPurchaseOf productIdentifier: String) -> Int {
        if productIdentifier.hasSuffix("extra_lives") || productIdentifier.hasSuffix("extra-lives") { return 3 }
        return productIdentifier.hasSuffix("superpowers") ? 2 : 1
    }

    /// `IAP_ProductIDs.plist` as the app's bundle holds it.
    private static func productIDList(isPublished: Bool) -> Data {
        isPublished ? publishedProductIDs : consistentProductIDs
    }

    private static let consistentProductIDs = propertyList(lives: "extra_lives")
    private static let publishedProductIDs = propertyList(lives: "extra-lives")

    private static func propertyList(lives: String) -> Data {
        let prefix = "com.appcoda.fakegame."
        let items = [lives, "superpowers", "unlock_maps"].map { "<string>\(prefix)\($0)</string>" }
        return Data(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><array>\(items.joined())</array></plist>"
                .utf8)
    }
}
