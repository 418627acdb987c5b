// Clients that go by the receipt.
// Belongs to the main queue.

import Foundation
import Stampede
import StoreKit

// MARK: The receipt alone

/// Delivers what stands in the receipt, and takes a transaction only for a sign to look there.
///
/// Habit: product and quantity come from the receipt. A transaction that it does not list yet is looked up again later,
/// and is not finished before. Entitlements are all that the receipt shows as valid.
final class ReceiptShop: UnusualShop {
    override class var name: String { "unusual-receipt-driven" }
    override class var summary: String { "Delivers what the receipt lists, and finishes nothing that it does not." }

    private var looking: [SKPaymentTransaction] = []

    override func makeShelf() -> Shelf { ReceiptShelf(environment) }

    override func purchased(_ told: Delivery) {
        if looking.contains(where: { $0 === told.transaction }) { return }
        looking.append(told.transaction)
        look(told, pause: 0.5)
    }

    private func look(_ told: Delivery, pause: Double) {
        let shelf = shelf as? ReceiptShelf
        let isGiven = told.identifier.map { self.shelf.isGiven($0) } ?? true
        if isGiven || shelf?.lists(told.identifier ?? "") ?? false {
            looking.removeAll { $0 === told.transaction }
            return super.purchased(told)
        }
        environment.main.asyncAfter(seconds: pause) { [weak self] in self?.look(told, pause: min(pause * 2, 30)) }
    }

    override func restoredEarlier(_ told: Delivery) {
        (shelf as? ReceiptShelf)?.grantWhatIsValid()
        super.restoredEarlier(told)
    }

    override func launch() {
        super.launch()
        (shelf as? ReceiptShelf)?.grantWhatIsValid()
    }
}

/// A shelf that reads what it delivers from the receipt.
final class ReceiptShelf: Shelf {
    private var listed: [AppReceipt.Purchase] { environment.receipt?.inApp ?? [] }

    func lists(_ id: String) -> Bool { listed.contains { $0.transactionIdentifier == id } }

    override func deliver(_ told: Delivery) -> Bool {
        guard let id = told.identifier, !isGiven(id), sold.contains(told.product) else { return false }
        guard let purchase = listed.first(where: { $0.transactionIdentifier == id }) else { return false }
        let product = purchase.productIdentifier
        if isConsumable(product) {
            record(.sale(id: id, product: product, quantity: purchase.quantity))
        } else {
            record(.right(id: id, product: product, source: id, replaced: []))
        }
        return true
    }

    func grantWhatIsValid() {
        for purchase in listed where purchase.isValid(at: environment.now) {
            let product = purchase.productIdentifier
            guard sold.contains(product), !isConsumable(product) else { continue }
            let source = purchase.transactionIdentifier
            if rights(of: product).contains(source) { continue }
            record(.right(id: nil, product: product, source: source, replaced: rights(of: product)))
        }
    }
}

// MARK: Restoring by a refresh

/// Restores by refreshing its receipt.
///
/// Habit: `SKReceiptRefreshRequest` in place of `restoreCompletedTransactions`; what the fresh receipt shows as valid
/// is granted, and its products are counted.
final class RefreshRestoreShop: UnusualShop {
    override class var name: String { "unusual-refresh-to-restore" }
    override class var summary: String { "Restores by a refresh of the receipt, without any transactions." }

    private var refresh: SKReceiptRefreshRequest?

    override func makeShelf() -> Shelf { ReceiptGrantingShelf(environment) }

    override func beginRestore() {
        let request = SKReceiptRefreshRequest()
        request.delegate = self
        refresh = request
        request.start()
    }

    override func requestDidFinish(_ request: SKRequest) {
        onHome { [self] in
            guard request === refresh else { return }
            refresh = nil
            let count = (shelf as? ReceiptGrantingShelf)?.grantWhatIsValid() ?? 0
            endRestore(.restored(count: count))
        }
    }

    override func request(_ request: SKRequest, didFailWithError error: any Error) {
        onHome {
            guard request === self.refresh else { return super.request(request, didFailWithError: error) }
            self.refresh = nil
            self.restoreFailed(error)
        }
    }
}

/// A shelf that can take over what a receipt shows.
final class ReceiptGrantingShelf: Shelf {
    /// How many products the receipt entitles to.
    func grantWhatIsValid() -> Int {
        guard let receipt = environment.receipt else { return 0 }
        var products: Set<String> = []
        for purchase in receipt.inApp where purchase.isValid(at: environment.now) {
            let product = purchase.productIdentifier
            guard sold.contains(product), !isConsumable(product) else { continue }
            products.insert(product)
            let source = purchase.transactionIdentifier
            if rights(of: product).contains(source) { continue }
            record(.right(id: nil, product: product, source: source, replaced: []))
        }
        return products.count
    }
}
