// Findings name the client's own code: the function that StoreKit raised an exception in, the observer that finished.

import ClientKit
import Engine
import Judgement
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import Statics
import StoreKit
import Testing

/// Finishes what is still being purchased.
final class ImpatientClient: CarelessClient {
    override class var name: String { "impatient" }

    override func begin(_ transaction: SKPaymentTransaction) { SKPaymentQueue.default().finishTransaction(transaction) }
}

/// Has a second observer, which finishes what the first one has yet to grant.
final class WatchedClient: CarelessClient {
    override class var name: String { "watched" }
    private let watcher = ReceiptWatcher()

    override func launch() {
        SKPaymentQueue.default().add(watcher)
        super.launch()
    }

    override func willTerminate() {
        SKPaymentQueue.default().remove(watcher)
        super.willTerminate()
    }

    override func handle(_ transaction: SKPaymentTransaction) {
        grant(transaction.payment.productIdentifier, transaction.payment.quantity)
        answer(transaction.payment.productIdentifier, .purchased)
    }
}

final class ReceiptWatcher: NSObject, SKPaymentTransactionObserver {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            queue.finishTransaction(transaction)
        }
    }
}

/// Says why it fails.
final class RefusingClient: CarelessClient {
    override class var name: String { "refusing" }

    override func purchase(_ identifier: String, quantity: Int, completion: @escaping (PurchaseOutcome) -> Void) {
        completion(.failed(message: String(repeating: "The shop is \"closed\". ", count: 20)))
    }
}

@Suite struct ClientCodeSentenceTests {
    private static func result(_ client: any StoreClient.Type) throws -> RunResult {
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives", "think: 5s", "terminate"], naming: client)
        return run(scenario, client, onlyUser: 0)
    }

    @Test func exceptionFindingNamesFunctionAndLineOfTheCall() throws {
        let result = try Self.result(ImpatientClient.self)
        let sentence = try #require(result.collector.evidence(of: .clientCrash).first, "\(result.story)").evidence
            .sentence
        #expect(sentence.hasPrefix("StoreKit raised an exception at "), "\(sentence)")
        #expect(sentence.contains(", which is purchasing, in `ImpatientClient.begin(_:)`"), "\(sentence)")
        if ClientCode.findsLines { #expect(sentence.contains(#/ClientCodeSentenceTests.swift:\d+\)/#), "\(sentence)") }
    }

    @Test func earlyFinishFindingNamesTheObserver() throws {
        let result = try Self.result(WatchedClient.self)
        let found = try #require(result.collector.evidence(of: .finishedBeforeDelivery).first, "\(result.story)")
            .evidence
        #expect(
            found.sentence.contains(#/the app's `ReceiptWatcher` finished it at \S+ without granting it/#),
            "\(found.sentence)")
        let lines = found.timeline.lines.map(\.text)
        #expect(lines.contains { $0.hasPrefix("the app's `ReceiptWatcher` finishes transaction ") }, "\(lines)")
    }

    // With one observer there is nothing to tell apart.
    @Test func findingDoesNotNameTheOnlyObserver() throws {
        let result = try Self.result(HastyClient.self)
        let found = try #require(result.collector.evidence(of: .finishedBeforeDelivery).first, "\(result.story)")
            .evidence
        #expect(!found.sentence.contains("`"), "\(found.sentence)")
    }

    @Test func storyKeepsTheClientsErrorMessage() throws {
        let result = try Self.result(RefusingClient.self)
        let names = try #require(result.collector.onlyUserStories.first).input.names
        let said = try #require(names.messages.names.first)
        #expect(said.hasPrefix("The shop is \"closed\". The shop") && said.hasSuffix("…") && said.count == 201)
    }
}
