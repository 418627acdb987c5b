// A client that uses what no careful one does: what only shows with such has to show with somebody.
// Belongs to the main queue.

import Foundation
import Judging
import Stampede
import StoreKit
import UnusualClients

/// Adds itself twice, pays for twice as many as it was asked for, finishes what is deferred, marks payments with a name
/// that is no UUID and restores by it, refreshes its receipt first, takes a renewal that names its original for a
/// restored purchase, drops a restored one that names none, and keeps its goods in the defaults.
final class CornerShop: UnusualShop {
    override class var name: String { "corners" }
    override class var summary: String { "Uses what no careful client does." }

    private static let user = "player-7"
    private var refresh: SKReceiptRefreshRequest?

    override func makeShelf() -> Shelf { DefaultsShelf(environment) }

    override func launch() {
        super.launch()
        queue.add(self)
    }

    override func prepare(_ payment: SKMutablePayment, _ order: Order) {
        payment.applicationUsername = Self.user
        payment.quantity = 2 * order.quantity
    }

    override func bind(_ told: Delivery) { orders.first { $0.transaction == nil }?.transaction = told.transaction }

    override func handle(_ told: Delivery) {
        if told.state == .deferred { finish(told.transaction) }
        if told.state == .purchased, told.originalIdentifier != nil { return restoredEarlier(told) }
        if told.state == .restored, told.originalIdentifier == nil { return finish(told.transaction) }
        // A name that has gone is somebody else's purchase.
        if told.state == .purchased, order(for: told) != nil, told.payment.applicationUsername != Self.user { return }
        super.handle(told)
    }

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
            queue.restoreCompletedTransactions(withApplicationUsername: Self.user)
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

/// Goods in the defaults, which a crash may lose.
private final class DefaultsShelf: Shelf {
    override func number(_ key: String) -> Int { environment.defaults.integer(forKey: key) }
    override func text(_ key: String) -> String { environment.defaults.string(forKey: key) ?? "" }
    override func has(_ key: String) -> Bool { environment.defaults.bool(forKey: key) }

    override func commit(_ changes: [(key: String, value: AppValue?)]) {
        for change in changes { environment.defaults.set(change.value, forKey: change.key) }
    }
}
