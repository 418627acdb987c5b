// Clients with unusual ways to take orders, to know their transactions, and to answer.
// Belongs to the main queue.

import Foundation
import Stampede
import StoreKit

// MARK: One at a time

/// Pays for one order after the other.
///
/// Habit: orders wait in line until the one before has been answered, or for thirty seconds.
final class LineShop: UnusualShop {
    override class var name: String { "unusual-one-at-a-time" }
    override class var summary: String { "Pays for one order after the other; the rest wait in line." }

    private var line: [Order] = []
    private var current: Order?

    override func begin(_ order: Order) {
        line.append(order)
        next()
    }

    private func next() {
        if let current, !current.isAnswered { return }
        current = nil
        guard !line.isEmpty else { return }
        let order = line.removeFirst()
        current = order
        super.begin(order)
        watch(order, for: 30)
    }

    /// Looks after the order until it has been answered or has had its time.
    private func watch(_ order: Order, for seconds: Double) {
        environment.main.asyncAfter(seconds: 0.1) { [weak self] in
            guard let self, current === order else { return }
            if !order.isAnswered, seconds > 0 { return watch(order, for: seconds - 0.1) }
            current = nil
            next()
        }
    }
}

// MARK: By user name

/// Knows its transactions by a name that each payment carries.
///
/// Habit: `applicationUsername` is a UUID of the order, and so an interrupted purchase is known again when it comes
/// after all; where the name is missing or old, the object tells.
final class UsernameShop: UnusualShop {
    override class var name: String { "unusual-username" }
    override class var summary: String { "Marks each payment with an identifier as its user name." }

    override func prepare(_ payment: SKMutablePayment, _ order: Order) { payment.applicationUsername = order.token }

    private func named(_ payment: SKPayment) -> Order? {
        guard let name = payment.applicationUsername else { return nil }
        return orders.first { $0.token == name }
    }

    override func bind(_ told: Delivery) {
        guard let order = named(told.payment) else { return super.bind(told) }
        order.transaction = told.transaction
    }

    override func order(for told: Delivery) -> Order? { super.order(for: told) ?? named(told.payment) }
}

// MARK: The latest first

/// Gives each transaction to the latest order that it fits.
///
/// Habit: orders lie on a stack. Alike orders that are open together may be answered in any order.
final class StackShop: UnusualShop {
    override class var name: String { "unusual-latest-first" }
    override class var summary: String { "Answers the latest of alike purchases first." }

    override func bind(_ told: Delivery) {
        if orders.contains(where: { $0.transaction === told.transaction }) { return }
        orders.last { $0.transaction == nil && $0.fits(told.payment) }?.transaction = told.transaction
    }
}

// MARK: Not twice at once

/// Turns a second purchase of a product down while one is open.
///
/// Habit: the button is dimmed; whoever gets through all the same is told why.
final class NoSecondShop: UnusualShop {
    override class var name: String { "unusual-refuse-second" }
    override class var summary: String { "Refuses a product of which a purchase is open." }

    private var open: Set<String> = []

    override func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        guard open.insert(productIdentifier).inserted else {
            return completion(.refused(reason: "You are buying this already."))
        }
        super.purchase(productIdentifier, quantity: quantity) { [weak self] outcome in
            self?.open.remove(productIdentifier)
            completion(outcome)
        }
    }
}

// MARK: Not what is owned

/// Turns purchases of what is owned already down.
///
/// Habit: what lasts is sold once. It asks its own books, before anything else.
final class NoRepurchaseShop: UnusualShop {
    override class var name: String { "unusual-refuse-owned" }
    override class var summary: String { "Refuses to sell what is held and lasts." }

    override func purchase(
        _ productIdentifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void
    ) {
        if !shelf.isConsumable(productIdentifier), shelf.held(productIdentifier) > 0 {
            return completion(.refused(reason: "You own this."))
        }
        super.purchase(productIdentifier, quantity: quantity, completion: completion)
    }
}

// MARK: We will let you know

/// Tells the user to wait, and delivers without another word.
///
/// Habit: an order without an outcome after three seconds is answered as deferred.
final class ImpatientShop: UnusualShop {
    override class var name: String { "unusual-deferred-after-a-while" }
    override class var summary: String { "Says deferred after three seconds, and delivers silently later." }

    override func pay(_ product: SKProduct, _ order: Order) {
        super.pay(product, order)
        environment.main.asyncAfter(seconds: 3) { [weak self] in
            if let self, orders.contains(where: { $0 === order }) { order.answer(.deferred) }
        }
    }
}

// MARK: A stream

/// Collects what StoreKit tells until the app is ready for it.
///
/// Habit: a bridge observes from the launch on and keeps everything in line; the app proper listens half a second
/// later and then gets all of it, in order.
final class BufferedShop: UnusualShop {
    override class var name: String { "unusual-buffered-stream" }
    override class var summary: String { "Observes at launch, and listens to what was told half a second later." }

    private var kept: [() -> Void]? = []

    override func launch() {
        super.launch()
        environment.main.asyncAfter(seconds: 0.5) { [weak self] in self?.listen() }
    }

    override func onHome(_ body: @escaping () -> Void) {
        super.onHome { [self] in
            if kept != nil { kept?.append(body) } else { body() }
        }
    }

    private func listen() {
        let all = kept ?? []
        kept = nil
        for body in all { body() }
    }
}
