// Clients that end the process that they share with everybody, or write into its standard output.
// Each runs on its device's main queue.

import ClientKit
import Foundation
import Stampede
import StoreKit

/// Buys, delivers and finishes as it should; what is wrong stands in `mischief`.
class PlainClient: NSObject, SKPaymentTransactionObserver {
    let environment: AppEnvironment
    private var answers: [String: (PurchaseOutcome) -> Void] = [:]

    required init(environment: AppEnvironment) { self.environment = environment }

    /// Called with every callback.
    func mischief() {}

    func launch() {
        SKPaymentQueue.default().add(self)
        mischief()
    }
    func willTerminate() { SKPaymentQueue.default().remove(self) }
    func fetchProducts(_ identifiers: [String]?, completion: @escaping (FetchOutcome) -> Void) {
        completion(.fetched([]))
    }
    func restore(completion: @escaping (RestoreOutcome) -> Void) { completion(.restored(count: 0)) }
    func use(_ identifier: String) {}
    func holdings() -> [String: Int] {
        Dictionary(
            uniqueKeysWithValues: environment.products.map {
                ($0.identifier, environment.durableInteger($0.identifier))
            })
    }

    func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        answers[identifier] = completion
        let payment = SKMutablePayment()
        payment.productIdentifier = identifier
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        mischief()
        for transaction in transactions where transaction.transactionState == .purchased {
            let product = transaction.payment.productIdentifier
            environment.write([
                (product, .integer(environment.durableInteger(product) + transaction.payment.quantity))
            ])
            queue.finishTransaction(transaction)
            answers.removeValue(forKey: product)?(.purchased)
        }
    }
}

final class LeavingClient: PlainClient, StoreClient {
    static let name = "leaving"
    static let summary = "Ends the process instead of its app."
    static let options = [
        ClientOption(name: "how", values: ["exit", "_exit", "quick_exit", "thread"], meaning: "By which call.")
    ]

    override func mischief() {
        switch environment.options["how"] {
        case "_exit": _exit(0)
        case "quick_exit": quick_exit(0)
        case "thread":
            Thread { exit(0) }.start()
            DispatchSemaphore(value: 0).wait()
        default: exit(0)
        }
    }
}

/// Crashes as programs do: the process goes with it.
final class CrashingClient: PlainClient, StoreClient {
    static let name = "crashing"
    static let summary = "Takes its process along once it has been called some hundred times, or leaks."
    static let options = [
        ClientOption(
            name: "how", values: ["trap", "kill", "leak"], meaning: "By which signal, or whether it only leaks.")
    ]

    /// Callbacks in this process so far.
    nonisolated(unsafe) private static var callbacks = 0  // Guard: one worker is one thread.
    nonisolated(unsafe) private static var leaked: [[UInt8]] = []  // Guard: as above.

    private static let callbacksMax = 400

    override func mischief() {
        Self.callbacks += 1
        switch environment.options["how"] {
        case "leak": Self.leaked.append(Array(repeating: 1, count: 100_000))
        case "kill": if Self.callbacks > Self.callbacksMax { kill(getpid(), SIGKILL) }
        default: if Self.callbacks > Self.callbacksMax { fatalError("as programs crash") }
        }
    }
}

final class PrintingClient: PlainClient, StoreClient {
    static let name = "printing"
    static let summary = "Prints whatever happens."
    static let options = [
        ClientOption(name: "what", values: ["lines", "flood", "bytes"], meaning: "What it prints.")
    ]

    override func mischief() {
        switch environment.options["what"] {
        case "flood": for number in 0..<100_000 { print("line \(number)") }
        case "bytes":
            FileHandle.standardOutput.write(Data([0x1B, 0x5B, 0x32, 0x4A, 0xFF, 0x00, 0x0A]))
            print(String(repeating: "long ", count: 1_000))
            print("without an end", terminator: "")
        default:
            print("a callback, says print")
            puts("a callback, says puts")
            NSLog("a callback, says NSLog")
            FileHandle.standardOutput.write(Data("a callback, says FileHandle\n".utf8))
        }
    }
}

/// Sure to be where it is not.
final class AssertingClient: PlainClient, StoreClient {
    static let name = "asserting"
    static let summary = "Prints, and asserts that it is on a queue of its own at its second launch."

    override func launch() {
        super.launch()
        for number in 1...12 { print("step \(number)") }
        if environment.durableInteger("launches") > 0 {
            dispatchPrecondition(condition: .onQueue(DispatchQueue(label: "shop.work")))
        }
        environment.write([("launches", .integer(environment.durableInteger("launches") + 1))])
    }
}
