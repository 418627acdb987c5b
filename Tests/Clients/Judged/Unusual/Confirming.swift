// Clients that ask a server before they deliver, or before they answer; and one that finishes by the server's book.
// Belongs to the main queue.

import Foundation
import Stampede
import StoreKit

// MARK: Before the delivery

/// Delivers what the validator has confirmed, and looks at its receipt with it at every launch.
///
/// Habit: nothing is believed on the phone's word. While the server is out the user is told to wait, and the
/// transaction stays on the queue.
final class ValidatingShop: UnusualShop {
    override class var name: String { "unusual-validate-first" }
    override class var summary: String { "Has its receipt validated at launch and before each delivery." }

    private lazy var server = Server(environment)
    private var asking: [SKPaymentTransaction] = []

    override func launch() {
        super.launch()
        if environment.receipt != nil { server.ask { _ in } }
    }

    override func purchased(_ told: Delivery) {
        if let id = told.identifier, shelf.isGiven(id) { return super.purchased(told) }
        if asking.contains(where: { $0 === told.transaction }) { return }
        asking.append(told.transaction)
        server.confirm(told) { [weak self] isConfirmed in
            guard let self else { return false }
            // Paid and on its way: no more is known.
            guard isConfirmed else {
                answer(told, .deferred)
                return true
            }
            asking.removeAll { $0 === told.transaction }
            confirmed(told)
            return false
        }
    }

    private func confirmed(_ told: Delivery) { super.purchased(told) }
}

// MARK: Before the answer

/// Delivers and finishes at once, and tells the user when the server knows of it too.
///
/// Habit: the answer waits for the server, five tries at most, so that nobody waits for minutes; the goods do not.
final class ConfirmedAnswerShop: UnusualShop {
    override class var name: String { "unusual-answer-after-server" }
    override class var summary: String { "Delivers at once, and answers when the server has confirmed." }

    private lazy var server = Server(environment)

    override func purchased(_ told: Delivery) {
        let isNew = deliver(told)
        finish(told.transaction)
        guard let order = order(for: told) else { return }
        let outcome: PurchaseOutcome = isNew ? .purchased : repeated(told)
        // It has its transaction, and nobody else's may take its place.
        orders.removeAll { $0 === order }
        var tries = 0
        server.confirm(told) { isConfirmed in
            tries += 1
            if !isConfirmed, tries < 5 { return true }
            order.answer(outcome)
            return false
        }
    }
}

// MARK: Both observed and asked for

/// Leaves each transaction to whoever comes first: the observer, or a look at the queue.
///
/// Habit: besides listening it goes through `transactions` of the queue at every return to the foreground and every
/// time a purchase or a restore is asked for. Delivery is idempotent, so that this does no harm.
final class QueueSweepShop: UnusualShop {
    override class var name: String { "unusual-queue-sweep" }
    override class var summary: String { "Looks through the queue itself besides being told of changes." }

    override func willEnterForeground() {
        super.willEnterForeground()
        sweep()
    }

    override func restore(completion: @escaping (RestoreOutcome) -> Void) {
        sweep()
        super.restore(completion: completion)
    }

    override func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        sweep()
        super.purchase(productIdentifier, quantity: quantity, completion: completion)
    }

    private func sweep() {
        let ready = queue.transactions.map { Delivery($0) }.filter { $0.state == .purchased || $0.state == .failed }
        for told in ready where !mayBeAwaited(told) { handle(told) }
    }

    /// Whether it may be for an order whose beginning is still on its way here: that is the observer's to settle.
    private func mayBeAwaited(_ told: Delivery) -> Bool {
        order(for: told) == nil && orders.contains { $0.transaction == nil && $0.fits(told.payment) }
    }
}
