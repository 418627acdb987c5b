// Payments under the settings of a session, and purchases outside the app.

import Foundation
import StandaloneUse
import StoreKit
import StoreKitTest
import Testing

@Suite(.serialized, .aloneOnTheDevice) struct PurchaseTests {
    @Test func purchaseIsListedUnderItsIdentifier() async throws {
        try await inShop { session, shopper in
            let before = Date()
            shopper.buy(Goods.coins, quantity: 3)
            try await shopper.until("the coins are bought") { $0.states == [.purchasing, .purchased] }
            let bought = try shopper.transaction(Goods.coins)
            let listed = try session.transaction(Goods.coins)
            #expect(bought.transactionIdentifier == String(listed.identifier))
            #expect(listed.originalTransactionIdentifier == listed.identifier && listed.state == .purchased)
            #expect(listed.purchaseDate == bought.transactionDate)
            #expect(abs(listed.purchaseDate.timeIntervalSince(before)) < 600, "the calendar is the machine's")
            #expect(listed.expirationDate == nil && listed.cancelDate == nil && !listed.autoRenewingEnabled)
            #expect(!listed.hasPurchaseIssue && !listed.pendingAskToBuyConfirmation)
            #expect(!listed.isPendingPriceIncreaseConsent)
            #expect(bought.payment.quantity == 3)
            try await shopper.finish(Goods.coins)
            #expect(session.allTransactions().count == 1, "consumables are listed after they left the receipt")
        }
    }

    @Test func identifiersCountUpThroughFailures() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.coins)
            session.failTransactionsEnabled = true
            shopper.buy(Goods.hat)
            try await shopper.until("the hat fails") { $0.count(of: Goods.hat, .failed) == 1 }
            session.failTransactionsEnabled = false
            try session.buyProduct(productIdentifier: Goods.season)
            let listed = session.allTransactions()
            let first = try #require(listed.first?.identifier)
            #expect(listed.map(\.identifier) == [first, first + 1, first + 2])
            #expect(listed.map(\.state) == [.purchased, .failed, .purchased])
            #expect(try shopper.transaction(Goods.hat).transactionIdentifier == nil)
        }
    }

    // MARK: Failing

    @Test(arguments: [0, 11, 12, 13, 14])
    func transactionsFailWithTheChosenError(code: Int) async throws {
        try await inShop { session, shopper in
            session.failTransactionsEnabled = true
            session.failureError = try #require(SKError.Code(rawValue: code))
            #expect(session.failureError.rawValue == code)
            shopper.buy(Goods.coins)
            try await shopper.until("the coins fail") { $0.states == [.purchasing, .failed] }
            #expect(shopper.told.last?.code == code && shopper.told.last?.domain == SKErrorDomain)
            #expect(try session.transaction(Goods.coins).state == .failed)
            #expect(try !session.transaction(Goods.coins).hasPurchaseIssue)
            try await shopper.finish(Goods.coins)
            session.failTransactionsEnabled = false
            try await shopper.own(Goods.coins)
        }
    }

    @Test func simulatedErrorFailsPayments() async throws {
        try await inShop { session, shopper in
            let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))
            try await session.setSimulatedError(.generic(offline), forAPI: .purchase)
            shopper.buy(Goods.coins)
            try await shopper.until("the coins fail") { $0.count(of: Goods.coins, .failed) == 1 }
            #expect(shopper.told.last?.domain == NSURLErrorDomain && shopper.told.last?.code == -1009)
            try await session.setSimulatedError(.purchase(.purchaseNotAllowed), forAPI: .purchase)
            shopper.buy(Goods.coins)
            try await shopper.until("the coins fail again") { $0.count(of: Goods.coins, .failed) == 2 }
            #expect(shopper.told.last?.code == SKError.paymentNotAllowed.rawValue)
            #expect(throws: SKError(.paymentNotAllowed)) { try session.buyProduct(productIdentifier: Goods.hat) }
            try await session.setSimulatedError(nil, forAPI: .purchase)
            try await shopper.own(Goods.coins)
        }
    }

    // MARK: Interrupted purchases

    @Test func interruptedPurchaseIsResolvedByANewOne() async throws {
        try await inShop { session, shopper in
            session.interruptedPurchasesEnabled = true
            shopper.buy(Goods.coins, quantity: 2)
            try await shopper.until("the coins fail") { $0.states == [.purchasing, .failed] }
            let failed = try session.transaction(Goods.coins)
            #expect(failed.state == .failed && failed.hasPurchaseIssue)
            shopper.buy(Goods.hat)
            try await shopper.until("so does everything else") { $0.count(of: Goods.hat, .failed) == 1 }
            try await shopper.finish(Goods.coins)
            try session.resolveIssueForTransaction(identifier: failed.identifier)
            try await shopper.until("the coins are bought") { $0.count(of: Goods.coins, .purchased) == 1 }
            #expect(try shopper.transaction(Goods.coins).payment.quantity == 2)
            let listed = session.allTransactions().filter { $0.productIdentifier == Goods.coins }
            #expect(listed.map(\.state) == [.failed, .purchased] && !listed.contains(where: \.hasPurchaseIssue))
            #expect(try shopper.transaction(Goods.coins).transactionIdentifier == String(listed[1].identifier))
            #expect(throws: SKTestError(.invalidAction)) {
                try session.resolveIssueForTransaction(identifier: failed.identifier)
            }
            shopper.buy(Goods.season)
            try await shopper.until("the next one is interrupted") { $0.count(of: Goods.season, .failed) == 1 }
            session.interruptedPurchasesEnabled = false
            try await shopper.own(Goods.hat)
        }
    }

    // MARK: Ask to Buy

    @Test func approvedRequestIsPurchased() async throws {
        try await inShop { session, shopper in
            session.askToBuyEnabled = true
            shopper.buy(Goods.hat)
            try await shopper.until("the hat is deferred") { $0.states == [.purchasing, .deferred] }
            let asked = try session.transaction(Goods.hat)
            #expect(asked.state == .deferred && asked.pendingAskToBuyConfirmation)
            let object = try shopper.transaction(Goods.hat)
            #expect(object.transactionIdentifier == nil)
            try session.approveAskToBuyTransaction(identifier: asked.identifier)
            try await shopper.until("the hat is bought") { $0.count(of: Goods.hat, .purchased) == 1 }
            #expect(try shopper.transaction(Goods.hat) === object)
            #expect(object.transactionIdentifier == String(asked.identifier))
            let bought = try session.transaction(Goods.hat)
            #expect(bought.identifier == asked.identifier && bought.state == .purchased)
            #expect(!bought.pendingAskToBuyConfirmation)
            #expect(throws: SKTestError(.invalidAction)) {
                try session.approveAskToBuyTransaction(identifier: asked.identifier)
            }
        }
    }

    @Test func declinedRequestStaysDeferred() async throws {
        try await inShop { session, shopper in
            session.askToBuyEnabled = true
            shopper.buy(Goods.hat)
            try await shopper.until("the hat is deferred") { $0.count(of: Goods.hat, .deferred) == 1 }
            let asked = try session.transaction(Goods.hat)
            try session.declineAskToBuyTransaction(identifier: asked.identifier)
            try await shopper.settle()
            #expect(shopper.states == [.purchasing, .deferred])
            #expect(try session.transaction(Goods.hat).state == .deferred)
            #expect(try !session.transaction(Goods.hat).pendingAskToBuyConfirmation)
            #expect(throws: SKTestError(.invalidAction)) {
                try session.approveAskToBuyTransaction(identifier: asked.identifier)
            }
            session.askToBuyEnabled = false
            try await shopper.own(Goods.coins)
        }
    }

    @Test func sessionIgnoresThePaymentsAskToBuyFlag() async throws {
        try await inShop { session, shopper in
            shopper.buy(Goods.coins, asksToBuy: true)
            try await shopper.until("the coins are bought") { $0.states == [.purchasing, .purchased] }
        }
    }

    // MARK: Outside the app

    @Test func outsidePurchaseArrivesWithoutAPayment() async throws {
        try await inShop { session, shopper in
            try session.buyProduct(productIdentifier: Goods.hat)
            let listed = try session.transaction(Goods.hat)
            #expect(listed.state == .purchased)
            try await shopper.until("the hat arrives") { $0.states == [.purchased] }
            #expect(shopper.told[0].identifier == String(listed.identifier))
            #expect(throws: SKTestError(.invalidProductIdentifier)) {
                try session.buyProduct(productIdentifier: "test.shop.nothing")
            }
        }
    }

    @Test func outsidePurchaseMayHaveOptions() async throws {
        try await inShop { session, shopper in
            let token = UUID()
            let bought = try await session.buyProduct(
                identifier: Goods.coins, options: [.quantity(4), .appAccountToken(token)])
            #expect(bought.productID == Goods.coins && bought.purchasedQuantity == 4 && bought.appAccountToken == token)
            try await shopper.until("the coins arrive") { $0.states == [.purchased] }
            let payment = try shopper.transaction(Goods.coins).payment
            #expect(payment.quantity == 4 && payment.applicationUsername == token.uuidString)
            try await session.buyProduct(identifier: Goods.hat)
            try await shopper.until("the hat arrives") { $0.count(of: Goods.hat, .purchased) == 1 }
        }
    }

    @Test func outsidePurchaseAwaitsApproval() async throws {
        try await inShop { session, shopper in
            session.askToBuyEnabled = true
            try session.buyProduct(productIdentifier: Goods.hat)
            let asked = try session.transaction(Goods.hat)
            #expect(asked.state == .deferred && asked.pendingAskToBuyConfirmation)
            try await shopper.until("the hat is deferred") { $0.states == [.deferred] }
            try session.approveAskToBuyTransaction(identifier: asked.identifier)
            try await shopper.until("the hat is bought") { $0.states == [.deferred, .purchased] }
            #expect(shopper.told[1].identifier == String(asked.identifier))
        }
    }

    @Test func outsidePurchaseCanBeInterrupted() async throws {
        try await inShop { session, shopper in
            session.interruptedPurchasesEnabled = true
            #expect(throws: SKError(.paymentCancelled)) { try session.buyProduct(productIdentifier: Goods.hat) }
            let failed = try session.transaction(Goods.hat)
            #expect(failed.hasPurchaseIssue)
            try session.resolveIssueForTransaction(identifier: failed.identifier)
            try await shopper.until("the hat is bought") { $0.states == [.purchased] }
        }
    }

    @Test func sessionDoesNotChargeAnOwnedProductAgain() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.hat)
            let first = try session.transaction(Goods.hat)
            try session.buyProduct(productIdentifier: Goods.hat)
            try await shopper.until("the hat comes again") { $0.count(of: Goods.hat, .purchased) == 2 }
            let again = try shopper.transaction(Goods.hat)
            #expect(again.original?.transactionIdentifier == String(first.identifier))
            #expect(session.allTransactions().last?.originalTransactionIdentifier == first.identifier)
        }
    }
}
