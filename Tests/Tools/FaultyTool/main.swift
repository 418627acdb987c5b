// The `stampede` command with clients that do what they must not, and with a store that charges twice if the variable
// BROKEN_STORE is set, or workers that break down by themselves if BROKEN_WORKER is: for tests of how such runs end.
// The client runs on its device's main queue, and stays there.

import ClientKit
import Foundation
import Simulation
import Stampede
import StoreKit

/// Careful about nothing but its one mistake: the callback for a purchase never returns.
final class HangingClient: NSObject, StoreClient, SKPaymentTransactionObserver {
    static let name = "hanging"
    static let summary = "Never comes back from the callback that tells of a purchase."
    static let options = [
        ClientOption(name: "how", values: ["waits", "computes"], meaning: "What it does instead.")
    ]

    private let environment: AppEnvironment

    init(environment: AppEnvironment) { self.environment = environment }

    func launch() { SKPaymentQueue.default().add(self) }
    func willTerminate() { SKPaymentQueue.default().remove(self) }
    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        completion(.fetched([]))
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func holdings() -> [String: Int] { [:] }
    func holdings(of identifier: String) -> Int { 0 }
    func use(_ identifier: String) {}

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        guard transactions.contains(where: { $0.transactionState == .purchased }) else { return }
        if environment.options["how"] == "computes" {
            // With effects, which the harness reads all the same; so few that it has not livelocked before it hangs.
            var sum = 0
            while true {
                for number in 0..<20_000 { sum = sum &* 31 &+ number }
                environment.write([("turn", .integer(sum))])
            }
        }
        DispatchSemaphore(value: 0).wait()
    }
}

BrokenWorker.arrange()
Stampede.main(
    clients: [
        HangingClient.self, LeavingClient.self, PrintingClient.self, ReadingClient.self, CrashingClient.self,
        AssertingClient.self, UnfinishedClient.self, DozingClient.self, ThrowingClient.self, DyingClient.self,
        HostileClient.self, SubclassedClient.self, LaunchingClient.self,
        AskingClient.self, ReceiptFirstClient.self, CarelessClient.self,
    ],
    // Counts calls over all devices of a process.
    statics: .init(exclude: ["FaultyTool"]),
    storeDefects: ProcessInfo.processInfo.environment["BROKEN_STORE"] == nil ? [] : [.chargesTwice])
