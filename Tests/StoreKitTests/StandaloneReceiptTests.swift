// The standalone device's receipt follows what a test session does to the store's transactions.

import DeviceSupport
import Foundation
import Simulation
import StandaloneUse
import StoreKit
import Testing

@Suite struct StandaloneReceiptTests {
    @Test(.aloneOnTheDevice) func clearedHistoryLeavesAnEmptyReceipt() async throws {
        let catalog = Goods.catalog()
        TestControls.adopt(TestSettings(catalog), selling: catalog)
        let keeper = Keeper()
        SKPaymentQueue.default().add(keeper)
        let id = try TestControls.perform { store, user throws(TestSessionFailure) in
            try store.buyOutside(Goods.hat, quantity: 1, applicationUsername: nil, user: user)
        }
        let device = StandaloneDevice.process(for: "a test").device
        try await until { device.receipt?.purchases.map(\.transactionIdentifier).contains(id.text) == true }
        TestControls.clear()
        try await until { device.receipt?.purchases.isEmpty == true }
        SKPaymentQueue.default().remove(keeper)
        TestControls.adopt(TestSettings(.empty), selling: .empty)
    }

    /// The deadline is only for a test that fails.
    private func until(_ holds: () -> Bool) async throws {
        let deadline = Date().addingTimeInterval(60)
        while !holds() {
            try #require(Date() < deadline, "the receipt never changes")
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Synchronising takes an observer (R3).
    private final class Keeper: NSObject, SKPaymentTransactionObserver {
        func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
    }
}
