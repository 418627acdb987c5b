// What Stampede's simulated users do, in words of the app.
import DelegateSingleton
import Stampede

final class LabyrinthClient: StoreClient, ShopDelegate {
    static let options = [ClientOption(name: "bug", values: ["none", "skips-old"], meaning: "What is wrong with it.")]
    private let shop = Shop()
    private var bought: [String: (PurchaseOutcome) -> Void] = [:]

    func launch() {
        Shop.skipsOldPurchases = environment.options["bug"] == "skips-old"
        shop.delegate = self
        shop.start()
    }
    func willTerminate() { shop.stop() }
    func purchase(_ product: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        bought[product] = completion
        shop.buy(product, quantity: quantity)
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) {
        shop.restore { count, error in completion(error.map { RestoreOutcome($0) } ?? .restored(count: count)) }
    }
    func use(_ product: String) { shop.inventory.use(product) }
    func holdings() -> [String: Int] { Inventory().owned }
    func shop(_ shop: Shop, didBuy product: String) { bought.removeValue(forKey: product)?(.purchased) }
    func shop(_ shop: Shop, didDefer product: String) { bought.removeValue(forKey: product)?(.deferred) }
    func shop(_ shop: Shop, didFailToBuy product: String, with error: Error) {
        bought.removeValue(forKey: product)?(PurchaseOutcome(error))
    }
}
