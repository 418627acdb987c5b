// The device of the tests, used through StoreKit only.
// Confined to the test that made it.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

/// The products by their identifiers.
extension Goods {
    static let coins = identifier(0)
    static let hat = identifier(1)
    static let pass = identifier(2)
    static let pro = identifier(3)
    static let unknown = "com.example.nothing"

    static func index(_ identifier: String) -> ProductIndex {
        catalog().index(of: identifier)!  // The tests name what the catalog holds.
    }
}

extension TestConditions {
    /// Of the catalog as it stands at this moment.
    mutating func own(_ identifiers: [String]) { owned = identifiers.map(index) }

    /// Of the catalog as it stands at this moment.
    mutating func leaveUnfinished(_ identifiers: [String]) { unfinished = identifiers.map(index) }

    private func index(_ identifier: String) -> ProductIndex {
        catalog.index(of: identifier)!  // The tests name what their catalog holds.
    }
}

extension TestDevice {
    /// Launches the app and puts an observer on its queue.
    @discardableResult
    func launch(_ shopper: Shopper = Shopper()) -> Shopper {
        launchWithoutObserver()
        keep(shopper)
        return shopper
    }

    func launchWithoutObserver() { _ = device.launch() }

    /// Puts an observer of the bench's own on the queue, for tests that are about something else.
    func keepObserving() { keep(Shopper(finishes: true)) }

    /// The queue does not keep its observers (R2).
    private func keep(_ shopper: Shopper) {
        kept.append(shopper)
        add(shopper)
    }

    @discardableResult
    func relaunch(_ shopper: Shopper = Shopper()) -> Shopper {
        device.terminate()
        return launch(shopper)
    }

    /// The value that client code in the running process computes.
    func inside<Value>(_ body: () -> Value) -> Value {
        var value: Value?
        process.enter(.launch) { value = body() }
        return value!  // A live process runs what it is given.
    }

    var queue: SKPaymentQueue { inside { SKPaymentQueue.default() } }

    func add(_ shopper: Shopper) { queue.add(shopper) }

    func buy(_ identifier: String, quantity: Int = 1, username: String? = nil) {
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = quantity
        payment.applicationUsername = username
        queue.add(payment)
    }

    /// Buys and waits for the outcome.
    func buyToTheEnd(_ identifier: String, quantity: Int = 1) {
        buy(identifier, quantity: quantity)
        runUntilQuiet()
    }

    /// What ended the app as an exception would have.
    var exceptions: [ClientException] {
        device.events.compactMap { if case .raised(let exception) = $0.event { exception } else { nil } }
    }

    func charges() -> Int { statement().charges.count }
}
