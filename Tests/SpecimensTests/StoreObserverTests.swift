// The vendor sample: sound, except that it does not remember what it has delivered.

import Engine
import Foundation
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

@testable import ClientKit
@testable import Specimens

@Suite struct StoreObserverTests {
    private static let buyOnce = ["launch", "fetch_products", "buy: {product: extra_lives, quantity: 2}", "think: 2s"]

    // MARK: What it loses

    @Test func storeObserverProvidesTwiceAfterACrashBeforeTheFinish() throws {
        let result = try journey(
            StoreObserverClient.self, Self.buyOnce, sections: ["faults: {crash: {share: 100%, at: before_finish}}"])
        #expect(result.violations[.duplicateDelivery] == 20)
        #expect(Set(result.violations.keys) == [.duplicateDelivery])
        for sentence in result.sentences(.duplicateDelivery) {
            #expect(sentence.contains("charged for only 2") && sentence.contains("crashed"), "\(sentence)")
        }
    }

    // The goods are not durable yet: the redelivery brings them once.
    @Test func storeObserverLosesNothingInACrashBeforeProviding() throws {
        let result = try journey(
            StoreObserverClient.self, Self.buyOnce, sections: ["faults: {crash: {share: 100%, at: after_charge}}"])
        #expect(result.count(.crashes) >= 20)
        #expect(result.violations.isEmpty, "\(result.story)")
    }

    // What is owned once cannot be owned twice.
    @Test func storeObserverKeepsNonConsumablesThroughEveryCrash() throws {
        let result = try journey(
            StoreObserverClient.self, ["launch", "fetch_products", "buy: unlock_maps", "think: 2s"],
            sections: ["faults: {crash: {share: 50%, at: any_effect}}"])
        #expect(result.count(.crashes) > 10)
        #expect(result.violations.isEmpty, "\(result.story)")
    }

    @Test(arguments: ["finish_fails: 100%", "duplicate: 100%, finish_delay: 3s"])
    func storeObserverProvidesARedeliveryAgain(delivery: String) throws {
        let result = try journey(
            StoreObserverClient.self, Self.buyOnce, sections: ["faults: {delivery: {\(delivery)}}"])
        #expect(result.violations[.duplicateDelivery] == 20)
    }

    // R22: the store has not heard of the finish yet, and hands out the same transaction.
    @Test func storeObserverProvidesTwiceIfRepurchasedBeforeTheFinish() throws {
        let steps = ["launch", "fetch_products", "buy: extra_lives", "buy: extra_lives", "think: 5s"]
        let slow = "faults: {delivery: {finish_delay: 3s}}"
        let hasty = try journey(StoreObserverClient.self, steps, sections: [slow])
        #expect(hasty.violations == [.duplicateDelivery: 20, .wrongAnswer: 20])
        var patient = steps
        patient.insert("think: 5s", at: 3)
        #expect(try journey(StoreObserverClient.self, patient, sections: [slow]).violations.isEmpty)
        // The sheet takes longer than the finish.
        #expect(try journey(StoreObserverClient.self, steps).violations.isEmpty)
    }

    @Test func storeObserverIgnoresARefund() throws {
        let result = try journey(
            StoreObserverClient.self,
            ["launch", "buy: unlock_maps", "think: 1s", "refund: unlock_maps", "think: 2s", "terminate"])
        #expect(result.violations == [.staleEntitlement: 20])
    }

    // MARK: What it does well

    @Test func storeObserverAnswersPurchaseRestoreAndCancel() throws {
        let result = try journey(
            StoreObserverClient.self,
            [
                "launch", "fetch_products", "buy: {product: extra_lives, quantity: 3}",
                "expect: {answered: purchased, holds: {extra_lives: 3}}", "use: all", "think: 1s",
                "buy: {unknown_product: com.appcoda.fakegame.retired}", "expect: {answered: refused}", "restore",
                "expect: {answered: nothing_to_restore}", "buy: unlock_maps", "think: 1s", "terminate", "reinstall",
                "launch", "restore", "expect: {answered: restored, owns: unlock_maps}", "terminate",
            ])
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.meetsAllExpectations)
    }

    @Test func storeObserverDeliversARedeliveryAtLaunch() throws {
        let result = try journey(
            StoreObserverClient.self, ["launch", "think: 1s", "terminate"],
            sections: ["population: {users: 20, unfinished_at_start: {extra_lives: 100%, unlock_maps: 50%}}"])
        #expect(result.count(.redeliveries) >= 20)
        #expect(result.violations.isEmpty, "\(result.story)")
    }

    @Test func storeObserverDeliversALateApproval() throws {
        let result = try journey(
            StoreObserverClient.self,
            [
                "launch", "fetch_products", "buy: extra_lives", "expect: {answered: deferred}", "terminate",
                "think: 20s", "launch", "think: 1s", "expect: {holds: {extra_lives: 1}}", "terminate",
            ],
            sections: [
                "buyers: {decide_after: 200ms, ask_to_buy: {share: 100%, approve: 100%, decline: 0%, answer_after: 5s}}"
            ])
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.meetsAllExpectations)
    }

    @Test func storeObserverDeliversAResolvedInterruption() throws {
        let result = try journey(
            StoreObserverClient.self,
            ["launch", "fetch_products", "buy: extra_lives", "think: 10s", "expect: {holds: {extra_lives: 1}}"],
            sections: ["buyers: {decide_after: 200ms, interrupted: {share: 100%, resolve: 100%, resolve_after: 2s}}"])
        #expect(result.violations.isEmpty, "\(result.story)")
        #expect(result.meetsAllExpectations)
    }

    @Test(arguments: ["main", "background", "random"])
    func storeObserverAnswersOnTheMainQueueFromAnyQueue(queue: String) throws {
        let result = try journey(
            StoreObserverClient.self,
            [
                "launch", "together: [fetch_products, {buy: extra_lives}, {buy: superpowers}, restore]", "think: 1s",
                "terminate",
            ], sections: ["buyers: {decide_after: 200ms, cancel: 30%}"]
        ) { $0.store.behaviour.callbackQueue = queue == "main" ? .main : queue == "random" ? .random : .background }
        #expect(result.violations.isEmpty, "\(result.story)")
    }

    // MARK: What the screens show

    @Test func storeObserverShowsTheResponseInSections() {
        let bench = ClientBench(StoreObserverClient.self)
        bench.run { bench.client.fetchProducts([Shop.maps, "com.example.gone"]) { _ in } }
        #expect(
            bench.client.sections == [
                Section(kind: .availableProducts, elements: [Shop.maps]),
                Section(kind: .invalidProductIdentifiers, elements: ["com.example.gone"]),
            ])
        bench.run {
            #expect(StoreManager.shared.title(matchingIdentifier: Shop.maps) != nil)
            #expect(StoreManager.shared.title(matchingIdentifier: "com.example.gone") == nil)
        }
    }

    @Test(arguments: [true, false])
    func storeObserverShowsAMessageForEveryFailureButACancel(isCancel: Bool) {
        var buyers = BuyerBehaviour()
        var conditions = StoreConditions()
        if isCancel {
            buyers.cancel = .all
        } else {
            conditions.errors.purchase = [.init(error: .store(.paymentInvalid), share: .all)]
        }
        let bench = ClientBench(StoreObserverClient.self, conditions: conditions, buyers: buyers)
        var outcome: PurchaseOutcome?
        bench.run { bench.client.purchase(Shop.lives, quantity: 1) { outcome = $0 } }
        #expect(isCancel == (outcome == .cancelled))
        #expect(bench.client.messages.isEmpty == isCancel, "\(bench.client.messages)")
    }

    @Test func storeObserverRefillsItsRestoredList() {
        let bench = ClientBench(StoreObserverClient.self, owned: [2])
        for _ in 0..<2 {
            var outcome: RestoreOutcome?
            bench.run { bench.client.restore { outcome = $0 } }
            #expect(outcome == .restored(count: 1))
            bench.run {
                #expect(StoreObserver.shared.restored.count == 1 && StoreObserver.shared.hasRestorablePurchases)
                #expect(StoreObserver.shared.purchased.isEmpty)
            }
        }
        #expect(bench.client.messages.isEmpty)
    }

    @Test func storeObserverShowsAMessageForARestoreOfNothing() {
        let bench = ClientBench(StoreObserverClient.self)
        var outcome: RestoreOutcome?
        bench.run { bench.client.restore { outcome = $0 } }
        #expect(outcome == .restored(count: 0))
        #expect(bench.client.messages == ["There is nothing to restore."])
    }

    // Nobody hosts content any more (R61): the transaction and its downloads are the test's own, and that it is
    // finished shows as a finish of something that is not on the queue.
    @Test func storeObserverLoadsHostedContentBeforeTheFinish() {
        let bench = ClientBench(StoreObserverClient.self)
        let transaction = SKPaymentTransaction()
        let downloads = [SKDownload(), SKDownload()]
        for download in downloads { download.setValue(transaction, forKey: "transaction") }
        transaction.setValue(downloads, forKey: "downloads")
        transaction.setValue(SKPaymentTransactionState.purchased, forKey: "transactionState")
        func tell(_ download: SKDownload, _ state: SKDownloadState) {
            download.setValue(state, forKey: "state")
            bench.run { StoreObserver.shared.paymentQueue(.default(), updatedDownloads: [download]) }
        }
        bench.run { StoreObserver.shared.paymentQueue(.default(), updatedTransactions: [transaction]) }
        tell(downloads[0], .active)
        tell(downloads[0], .finished)
        #expect(bench.count { $0 == .foreignFinish } == 0)
        tell(downloads[1], .failed)
        #expect(bench.count { $0 == .foreignFinish } == 1)
    }
}
