// Asynchronous code that does not come to its end.
// Each runs on its device's main queue.

import ClientKit
import Foundation
import Stampede
import StoreKit

final class UnfinishedClient: PlainClient, StoreClient {
    static let name = "unfinished"
    static let summary = "Waits for what never comes, or goes round for ever."
    static let options = [
        ClientOption(
            name: "how", values: ["forgets", "resumes-each", "resumes-twice", "polls", "spins", "yields"],
            meaning: "What is wrong with it.")
    ]

    private let ledger = PurchaseLedger()

    override func launch() {
        super.launch()
        switch environment.options["how"] {
        case "polls": ledger.watchForever()
        case "yields": ledger.yieldForever()
        case "spins": ledger.waitASecond()
        default: break
        }
    }

    override func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        guard ["forgets", "resumes-each", "resumes-twice"].contains(environment.options["how"]) else {
            return super.purchase(identifier, quantity: quantity, completion: completion)
        }
        let question = Question(client: self, completion: completion)
        Task { @MainActor [ledger] in
            let isBought = await ledger.bought(identifier) { question.client.pay(identifier, quantity) }
            question.completion(isBought ? .purchased : .cancelled)
        }
    }

    private func pay(_ identifier: String, _ quantity: Int) {
        super.purchase(identifier, quantity: quantity) { _ in }
    }

    /// Goes along with the task, which never leaves the main actor.
    private struct Question: @unchecked Sendable {
        let client: UnfinishedClient
        let completion: (PurchaseOutcome) -> Void
    }

    override func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        super.paymentQueue(queue, updatedTransactions: transactions)
        for transaction in transactions {
            let product = transaction.payment.productIdentifier
            switch transaction.transactionState {
            case .purchased:
                if environment.options["how"] == "resumes-twice" { ledger.resumeAndKeep(product, isBought: true) }
                ledger.resume(product, isBought: true)
            case .failed:
                queue.finishTransaction(transaction)
                if environment.options["how"] == "resumes-each" { ledger.resume(product, isBought: false) }
            default: break
            }
        }
    }
}

/// Confined to its device's main queue.
final class PurchaseLedger: @unchecked Sendable {
    private var waiting: [String: CheckedContinuation<Bool, Never>] = [:]
    private var isReady = false

    @MainActor func bought(_ identifier: String, begin: () -> Void) async -> Bool {
        await withCheckedContinuation { continuation in
            waiting[identifier] = continuation
            begin()
        }
    }

    func resume(_ identifier: String, isBought: Bool) {
        waiting.removeValue(forKey: identifier)?.resume(returning: isBought)
    }

    func resumeAndKeep(_ identifier: String, isBought: Bool) {
        waiting[identifier]?.resume(returning: isBought)
    }

    func watchForever() {
        Task { [self] in
            while !isReady { try? await Task.sleep(for: .seconds(1)) }
        }
    }

    func yieldForever() {
        Task { @MainActor [self] in
            while !isReady { await Task.yield() }
        }
    }

    func waitASecond() {
        let end = Date() + 1
        while Date() < end {}
    }
}
