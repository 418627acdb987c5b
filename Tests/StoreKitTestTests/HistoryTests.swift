// Refunds, restores, and histories that are wiped.

import Foundation
import StandaloneUse
import StoreKit
import StoreKitTest
import Testing

@Suite(.serialized, .aloneOnTheDevice) struct HistoryTests {
    @Test func refundRevokesThePurchase() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.hat)
            let bought = try session.transaction(Goods.hat)
            try session.refundTransaction(identifier: bought.identifier)
            let refunded = try session.transaction(Goods.hat)
            #expect(try #require(refunded.cancelDate) >= refunded.purchaseDate)
            try await shopper.until("the app is told") { $0.revoked == [Goods.hat] }
            #expect(throws: SKTestError(.invalidAction)) {
                try session.refundTransaction(identifier: bought.identifier)
            }
            #expect(throws: SKTestError(.noTransactionFound)) { try session.refundTransaction(identifier: 987_654) }
            SKPaymentQueue.default().restoreCompletedTransactions()
            try await shopper.until("the restore ends") { $0.endedRestores.count == 1 }
            #expect(shopper.count(of: Goods.hat, .restored) == 0)
        }
    }

    @Test func failedPaymentCannotBeRefunded() async throws {
        try await inShop { session, shopper in
            session.failTransactionsEnabled = true
            shopper.buy(Goods.coins)
            try await shopper.until("the coins fail") { $0.count(of: Goods.coins, .failed) == 1 }
            let failed = try session.transaction(Goods.coins)
            #expect(throws: SKTestError(.invalidAction)) {
                try session.refundTransaction(identifier: failed.identifier)
            }
        }
    }

    @Test func restoredTransactionIsListed() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.hat)
            SKPaymentQueue.default().restoreCompletedTransactions()
            try await shopper.until("the hat is restored") { $0.endedRestores.count == 1 }
            let listed = session.allTransactions()
            #expect(listed.map(\.state) == [.purchased, .restored])
            #expect(listed[1].originalTransactionIdentifier == listed[0].identifier)
            let restored = try shopper.transaction(Goods.hat)
            #expect(restored.transactionState == .restored)
            #expect(restored.transactionIdentifier == String(listed[1].identifier))
            #expect(restored.original?.transactionIdentifier == String(listed[0].identifier))
        }
    }

    @Test func simulatedSyncErrorFailsRestoresAndReceipts() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.hat)
            let timeOut = StoreKitError.networkError(URLError(.timedOut))
            try await session.setSimulatedError(.generic(timeOut), forAPI: .appStoreSync)
            SKPaymentQueue.default().restoreCompletedTransactions()
            try await shopper.until("the restore fails") { $0.endedRestores.count == 1 }
            #expect(shopper.endedRestores[0]?.domain == NSURLErrorDomain && shopper.endedRestores[0]?.code == -1001)
            #expect(shopper.count(of: Goods.hat, .restored) == 0)
            shopper.send(SKReceiptRefreshRequest())
            try await shopper.until("the refresh fails") { $0.requestFailures.count == 1 }
            try await session.setSimulatedError(nil, forAPI: .appStoreSync)
            SKPaymentQueue.default().restoreCompletedTransactions()
            try await shopper.until("the restore ends well") { $0.endedRestores.count == 2 }
            #expect(shopper.endedRestores[1] == nil && shopper.count(of: Goods.hat, .restored) == 1)
        }
    }

    // MARK: Wiping

    @Test func clearedHistoryIsEmpty() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.hat)
            shopper.buy(Goods.coins)
            try await shopper.until("the coins are bought") { $0.count(of: Goods.coins, .purchased) == 1 }
            session.failTransactionsEnabled = true
            shopper.buy(Goods.season)
            try await shopper.until("the season fails") { $0.count(of: Goods.season, .failed) == 1 }
            let last = try #require(session.allTransactions().last?.identifier)
            session.clearTransactions()
            #expect(session.allTransactions().isEmpty)
            try await shopper.until("the queue is empty") { shopper in
                shopper.removed == [Goods.hat, Goods.coins, Goods.season]
            }
            #expect(SKPaymentQueue.default().transactions.isEmpty)
            session.failTransactionsEnabled = false
            // Neither is owned any more, nor unfinished: both are charged.
            let hat = try await shopper.own(Goods.hat)
            let coins = try await shopper.own(Goods.coins)
            #expect(hat.original == nil)
            #expect(
                session.allTransactions().map { String($0.identifier) } == [
                    hat.transactionIdentifier, coins.transactionIdentifier,
                ])
            #expect(session.allTransactions().allSatisfy { $0.identifier > last })
        }
    }

    // What was refunded before is out of the way of what is refunded after.
    @Test func refundsAfterClearingAreDelivered() async throws {
        try await inShop { session, shopper in
            for turn in 1...2 {
                try await shopper.own(Goods.hat)
                try session.refundTransaction(identifier: session.transaction(Goods.hat).identifier)
                try await shopper.until("the app is told") { $0.revoked.count == turn }
                session.clearTransactions()
            }
        }
    }

    @Test func deletedPurchaseTakesItsRestoredTransactionsAlong() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.hat)
            SKPaymentQueue.default().restoreCompletedTransactions()
            try await shopper.until("the hat is restored") { $0.endedRestores.count == 1 }
            try await shopper.own(Goods.coins)
            let listed = session.allTransactions()
            try session.deleteTransaction(identifier: listed[0].identifier)
            #expect(session.allTransactions().map(\.productIdentifier) == [Goods.coins])
            try await shopper.until("the restored one leaves the queue") { shopper in
                shopper.removed.count { $0 == Goods.hat } == 2
            }
            #expect(try await shopper.own(Goods.hat).original == nil)
            #expect(throws: SKTestError(.noTransactionFound)) {
                try session.deleteTransaction(identifier: listed[0].identifier)
            }
        }
    }

    @Test func deletedRequestLeavesTheQueue() async throws {
        try await inShop { session, shopper in
            session.askToBuyEnabled = true
            shopper.buy(Goods.coins)
            try session.buyProduct(productIdentifier: Goods.hat)
            try await shopper.until("both are deferred") { $0.states.count { $0 == .deferred } == 2 }
            for transaction in session.allTransactions() {
                try session.deleteTransaction(identifier: transaction.identifier)
            }
            #expect(session.allTransactions().isEmpty)
            try await shopper.until("both leave the queue") { Set($0.removed) == [Goods.coins, Goods.hat] }
            try await shopper.settle()
            #expect(SKPaymentQueue.default().transactions.isEmpty)
        }
    }
}
