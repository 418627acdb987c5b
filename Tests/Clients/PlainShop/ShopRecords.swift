// What the five shops of this folder keep: goods, the transactions that they came from, and what the receipt says of them.
// Any thread.

import StoreKit

/// A transaction as it was told: the object itself goes on.
struct Delivery: @unchecked Sendable {
    let transaction: SKPaymentTransaction
    let state: SKPaymentTransactionState
    let product: String
    let quantity: Int
    let identifier: String
    let date: Date
    /// Of a restored one, what it goes back to.
    let original: (identifier: String, date: Date)?
    let error: (any Error)?

    init(_ transaction: SKPaymentTransaction) {
        self.transaction = transaction
        state = transaction.transactionState
        product = transaction.payment.productIdentifier
        quantity = transaction.payment.quantity
        identifier = transaction.transactionIdentifier ?? ""
        date = transaction.transactionDate ?? .distantPast
        original = transaction.original.map { ($0.transactionIdentifier ?? "", $0.transactionDate ?? .distantPast) }
        error = transaction.error
    }
}

/// One write for everything: after a crash either all of it is there or none.
final class ShopRecords: @unchecked Sendable {
    /// As the app's authors know what they sell.
    struct Goods: Sendable {
        let identifier: String
        let isConsumable: Bool
        let isRenewed: Bool
    }

    private struct Source: Codable {
        let identifier: String
        let date: Date
    }

    private struct State: Codable {
        var held: [String: Int] = [:]
        var told: Set<String> = []
        var sources: [String: Source] = [:]
    }

    private let lock = NSLock()
    private var state: State
    private var sold: [String: Goods] = [:]
    private static let key = "purchases"

    init() {
        let data = UserDefaults.standard.data(forKey: Self.key)
        state = data.flatMap { try? JSONDecoder().decode(State.self, from: $0) } ?? State()
    }

    func sell(_ goods: [Goods]) {
        lock.withLock { sold = Dictionary(uniqueKeysWithValues: goods.map { ($0.identifier, $0) }) }
    }

    var products: Set<String> { lock.withLock { Set(sold.keys) } }

    func held(_ product: String) -> Int { lock.withLock { state.held[product] ?? 0 } }

    private func change(_ body: (inout State) -> Void) {
        body(&state)
        UserDefaults.standard.set(try? JSONEncoder().encode(state), forKey: Self.key)
    }

    // MARK: Goods come

    /// False if it had been delivered before.
    func deliver(_ told: Delivery) -> Bool {
        lock.withLock {
            guard let goods = sold[told.product], !state.told.contains(told.identifier) else { return false }
            change {
                $0.told.insert(told.identifier)
                if goods.isConsumable {
                    $0.held[told.product, default: 0] += told.quantity
                } else {
                    note(Source(identifier: told.identifier, date: told.date), of: told.product, in: &$0)
                    $0.held[told.product] = 1
                }
            }
            // It may have been taken back while it waited to be told.
            giveUpWhatIsOver([told.product])
            return true
        }
    }

    /// What was owned before, unless it has been taken back since.
    func restore(_ told: Delivery) {
        lock.withLock {
            guard let goods = sold[told.product], !goods.isConsumable, state.held[told.product, default: 0] == 0 else {
                return
            }
            let source = told.original ?? (told.identifier, told.date)
            if isOver(told.product, source.identifier, ShopReceipt.read()) { return }
            change {
                note(Source(identifier: source.identifier, date: source.date), of: told.product, in: &$0)
                $0.held[told.product] = 1
            }
        }
    }

    /// What is held goes back to the newest purchase of it: older ones may be told later.
    private func note(_ source: Source, of product: String, in state: inout State) {
        if let known = state.sources[product], state.held[product, default: 0] > 0, known.date > source.date { return }
        state.sources[product] = source
    }

    func use(_ product: String) {
        lock.withLock {
            guard sold[product]?.isConsumable == true, let held = state.held[product], held > 0 else { return }
            change { $0.held[product] = held - 1 }
        }
    }

    // MARK: Goods go

    /// For each launch, each return to the foreground, and whenever StoreKit says that something was taken back.
    func followReceipt() {
        lock.withLock {
            giveUpWhatIsOver(Array(sold.keys).sorted())
            guard let receipt = ShopReceipt.read() else { return }
            // Given up over a receipt that did not know yet of a period of grace.
            for goods in sold.values.sorted(by: { $0.identifier < $1.identifier })
            where goods.isRenewed && state.held[goods.identifier, default: 0] == 0 {
                guard let source = state.sources[goods.identifier]?.identifier else { continue }
                if receipt.purchases.contains(where: { $0.identifier == source && $0.isValid }) {
                    change { $0.held[goods.identifier] = 1 }
                }
            }
        }
    }

    private func giveUpWhatIsOver(_ products: [String]) {
        let held = products.filter { sold[$0]?.isConsumable == false && state.held[$0, default: 0] > 0 }
        guard !held.isEmpty, let receipt = ShopReceipt.read() else { return }
        for product in held where isOver(product, state.sources[product]?.identifier ?? "", receipt) {
            change { $0.held[product] = 0 }
        }
    }

    /// A receipt that does not know the purchase is older than it, and says nothing.
    private func isOver(_ product: String, _ source: String, _ receipt: ShopReceipt?) -> Bool {
        let purchases = receipt?.purchases.filter { $0.product == product } ?? []
        return purchases.contains { $0.identifier == source } && !purchases.contains { $0.isValid }
    }
}
