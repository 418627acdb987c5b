// R56 to R58: the receipt, and when it is fetched anew.

import DeviceSupport
import Foundation
import Simulation
import StoreKit
import Testing

/// Writes down how requests for the receipt end.
private final class Clerk: NSObject, SKRequestDelegate {
    private(set) var ends: [String] = []
    private(set) var errors: [any Error] = []

    func requestDidFinish(_ request: SKRequest) { ends.append("finished") }
    func request(_ request: SKRequest, didFailWithError error: any Error) {
        ends.append("failed")
        errors.append(error)
    }
}

@Suite struct ReceiptRulesTests {
    private let clerk = Clerk()

    private func refresh(_ bench: TestDevice) -> SKReceiptRefreshRequest {
        let request = bench.inside { SKReceiptRefreshRequest(receiptProperties: nil) }
        request.delegate = clerk
        request.start()
        return request
    }

    private func products(_ bench: TestDevice) -> [String]? {
        bench.device.receipt?.purchases.map(\.productIdentifier).sorted()
    }

    // MARK: Refreshing, R56

    // R56: after the password; nothing of it is on the queue.
    @Test func refreshAsksForThePasswordAndMakesNoTransactions() {
        let bench = TestDevice {
            $0.own([Goods.hat])
            $0.buyers.decideAfter = .span(.seconds(8))
        }
        let shopper = bench.launch()
        bench.runUntilQuiet()
        let request = refresh(bench)
        bench.run(for: .seconds(7))
        #expect(clerk.ends.isEmpty && products(bench) == nil)
        bench.run(for: .seconds(2))
        #expect(clerk.ends == ["finished"] && products(bench) == [Goods.hat])
        #expect(shopper.callbacks.isEmpty && bench.queue.transactions.isEmpty && request.delegate != nil)
    }

    // R56
    @Test func cancelledPasswordLeavesTheReceiptUnchanged() {
        let bench = TestDevice {
            $0.own([Goods.hat])
            $0.buyers.cancelRestore = .all
        }
        bench.launch()
        let request = refresh(bench)
        bench.runUntilQuiet()
        #expect(clerk.ends == ["failed"] && (clerk.errors.first as? SKError)?.code == .paymentCancelled)
        #expect(bench.device.receipt == nil && request.delegate != nil)
    }

    // R56
    @Test func rapidReceiptRefreshesAreRefused() throws {
        let bench = TestDevice()
        bench.launch()
        var requests = (0..<3).map { _ in refresh(bench) }
        bench.runUntilQuiet()
        #expect(clerk.ends.sorted() == ["failed", "failed", "finished"])
        for error in clerk.errors {
            let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
            #expect(cause?.domain == "ASDErrorDomain" && cause?.code == 603)
        }
        bench.run(for: .minutes(1))
        requests.append(refresh(bench))
        bench.runUntilQuiet()
        #expect(clerk.ends.last == "finished" && requests.count == 4)
    }

    // R56: a request that has failed is done with.
    @Test func failedRefreshRequestCannotBeRestarted() {
        let bench = TestDevice { $0.store.errors.receipt = .all }
        bench.launch()
        let request = refresh(bench)
        bench.runUntilQuiet()
        bench.run(for: .minutes(1))
        request.start()
        bench.runUntilQuiet()
        #expect(clerk.ends == ["failed"])
    }

    // MARK: When it is current, R57

    // R57
    @Test func receiptAppearsWithTheFirstPurchase() {
        let bench = TestDevice { $0.own([Goods.hat]) }
        bench.launch()
        bench.runUntilQuiet()
        #expect(bench.device.receipt == nil)
        bench.buyToTheEnd(Goods.coins)
        #expect(products(bench) == [Goods.coins, Goods.hat])
    }

    // R57: whoever looks when told finds the purchase.
    @Test func receiptIsCurrentBeforeAPurchaseIsDelivered() {
        let bench = TestDevice()
        let shopper = bench.launch()
        var seen: [[String]?] = []
        shopper.onUpdate = { transactions in
            if transactions.contains(where: { $0.transactionState == .purchased }) { seen.append(products(bench)) }
        }
        bench.buy(Goods.coins)
        bench.buy(Goods.hat)
        bench.runUntilQuiet()
        #expect(seen == [[Goods.coins], [Goods.coins, Goods.hat]])
    }

    enum UpdateTrigger: CaseIterable { case restore, refresh, unfinished, elsewhere }

    // R57: on a restore, on a refresh, at a start with something unfinished, with news from elsewhere.
    @Test(arguments: UpdateTrigger.allCases)
    func receiptIsUpdatedByEveryTrigger(_ trigger: UpdateTrigger) {
        let bench = TestDevice {
            $0.own([Goods.hat])
            if trigger == .unfinished { $0.leaveUnfinished([Goods.pass]) }
        }
        let shopper = bench.launch()
        #expect(bench.device.receipt == nil)
        var seen: [String]?
        shopper.onUpdate = { _ in seen = products(bench) }
        var request: SKReceiptRefreshRequest?
        switch trigger {
        case .restore: bench.queue.restoreCompletedTransactions()
        case .refresh: request = refresh(bench)
        case .unfinished: break
        case .elsewhere: bench.store.perform(.buyOutside(Goods.index(Goods.pass)), user: 0)
        }
        bench.runUntilQuiet()
        let bought = trigger == .unfinished || trigger == .elsewhere ? [Goods.hat, Goods.pass] : [Goods.hat]
        #expect(products(bench) == bought && (trigger == .refresh) == (request != nil))
        // Whatever was told, was told afterwards.
        if trigger != .refresh { #expect(seen == bought) }
    }

    // R57: it should be current before the callback, and has been seen to be late.
    @Test func receiptMayLagBehind() {
        let bench = TestDevice { $0.delivery.receiptLag = .span(.seconds(5)) }
        let shopper = bench.launch()
        bench.buy(Goods.hat)
        bench.run(for: .seconds(4))
        #expect(shopper.states == [.purchasing, .purchased] && bench.device.receipt == nil)
        bench.run(for: .seconds(2))
        #expect(products(bench) == [Goods.hat])
    }

    // R57: it goes with the app.
    @Test func newInstallationHasNoReceipt() {
        let bench = TestDevice()
        bench.launch(Shopper(finishes: true))
        bench.buyToTheEnd(Goods.hat)
        bench.device.terminate()
        bench.device.reinstall()
        bench.launch()
        bench.runUntilQuiet()
        #expect(bench.device.receipt == nil)
    }

    // MARK: What it lists, R58

    // R58: consumables until the first update after their finish, everything else for ever.
    @Test func receiptDropsFinishedConsumablesAtTheNextUpdate() throws {
        let bench = TestDevice()
        let shopper = bench.launch()
        for product in [Goods.coins, Goods.hat, Goods.pass, Goods.pro] { bench.buyToTheEnd(product) }
        let all = [Goods.coins, Goods.hat, Goods.pass, Goods.pro]
        #expect(products(bench) == all)
        bench.run(for: .seconds(1))
        for transaction in shopper.told(.purchased) { bench.queue.finishTransaction(transaction) }
        bench.runUntilQuiet()
        #expect(bench.queue.transactions.isEmpty && products(bench) == all)
        bench.run(for: .seconds(1))
        let request = refresh(bench)
        bench.runUntilQuiet()
        #expect(products(bench) == Array(all.dropFirst()) && request.delegate != nil)
    }

    // R58: also one that was paid for after it.
    @Test func unfinishedConsumableStaysInTheReceipt() {
        let bench = TestDevice()
        bench.launch()
        bench.buyToTheEnd(Goods.coins)
        bench.run(for: .hours(1))
        bench.buyToTheEnd(Goods.hat)
        #expect(products(bench) == [Goods.coins, Goods.hat])
    }
}
