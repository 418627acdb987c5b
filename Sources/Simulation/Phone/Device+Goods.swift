// How many goods are held on a device, as far as that was looked at.
// Guard: confined to the device's lane.

extension Device {
    /// Notes how many goods of each product are held, before they are judged or deleted.
    package func recordGoods(_ held: [Int]) {
        for (product, count) in held.enumerated() { note(.goods(product, count: count)) }
    }

    /// The app is up: what it holds by what the one before has left is noted, once.
    package func noteGoodsKept(by app: any AppPort) {
        guard leftSecrets else { return }
        leftSecrets = false
        app.noteGoodsKept()
    }

    /// Whether an app on it has used StoreKit 2.
    package var usesStoreKit2: Bool { daemon.storeKit2 != nil }

    /// Of each product, how many goods were held when that was last noted.
    package var goodsSeen: [Int] {
        events.reduce(into: catalog.products.map { _ in 0 }) { seen, record in
            switch record.event {
            case .goods(let product, let count), .kept(let product, let count): seen[product] = count
            case .used(let product, let count): seen[product] -= count
            case .reinstalled: seen = seen.map { _ in 0 }
            default: break
            }
        }
    }
}
