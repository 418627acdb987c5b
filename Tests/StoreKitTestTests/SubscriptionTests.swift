// Subscriptions under a session: renewals, billing, price increases, codes.

import Foundation
import StandaloneUse
import StoreKit
import StoreKitTest
import Testing

@Suite(.serialized, .aloneOnTheDevice) struct SubscriptionTests {
    // MARK: Renewals

    @Test func timeRateShortensPeriods() async throws {
        try await inShop { session, shopper in
            session.timeRate = .monthlyRenewalEveryFiveMinutes
            try await shopper.own(Goods.pro)
            let bought = try session.transaction(Goods.pro)
            #expect(bought.autoRenewingEnabled)
            let length = try #require(bought.expirationDate).timeIntervalSince(bought.purchaseDate)
            #expect(length.rounded() == 300)
        }
    }

    @Test func subscriptionRenewsByItself() async throws {
        try await inShop { session, shopper in
            session.timeRate = .oneRenewalEveryTwoSeconds
            try await shopper.own(Goods.pro)
            // On a machine with its hands full more than one may have come before anybody looks, to the purchase as well.
            try await shopper.until("it renews") { $0.count(of: Goods.pro, .purchased) >= 2 }
            let identifiers = session.allTransactions().map(\.identifier)
            #expect(identifiers.count >= 2 && Set(identifiers).count == identifiers.count)
            let listed = session.allTransactions()
            #expect(listed.allSatisfy { $0.originalTransactionIdentifier == listed[0].identifier })
            try session.expireSubscription(productIdentifier: Goods.pro)
        }
    }

    @Test func renewalCanBeForced() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.pro)
            let first = try session.transaction(Goods.pro)
            try session.disableAutoRenewForTransaction(identifier: first.identifier)
            #expect(try !session.transaction(Goods.pro).autoRenewingEnabled)
            try session.forceRenewalOfSubscription(productIdentifier: Goods.pro)
            try await shopper.until("it renews") { $0.count(of: Goods.pro, .purchased) == 2 }
            let listed = session.allTransactions()
            #expect(listed.map(\.state) == [.purchased, .purchased] && listed[1].autoRenewingEnabled)
            #expect(try #require(listed[0].expirationDate) <= listed[1].purchaseDate)
            #expect(try #require(listed[1].expirationDate) > listed[1].purchaseDate.addingTimeInterval(86_400))
            #expect(listed[1].originalTransactionIdentifier == listed[0].identifier)
            try session.deleteTransaction(identifier: listed[0].identifier)
            #expect(session.allTransactions().isEmpty, "the renewal goes with the purchase")
        }
    }

    @Test func subscriptionWithoutRenewalEndsWithItsPeriod() async throws {
        try await inShop { session, shopper in
            session.timeRate = .oneRenewalEveryTwoSeconds
            try await shopper.own(Goods.pro)
            // On a machine with its hands full renewals may have come before.
            let bought = try #require(session.allTransactions().first { $0.productIdentifier == Goods.pro })
            try session.disableAutoRenewForTransaction(identifier: bought.identifier)
            let periods = session.allTransactions().count
            try await shopper.until("it ends") { _ in
                (try? session.disableAutoRenewForTransaction(identifier: bought.identifier)) == nil
            }
            #expect(throws: SKTestError(.noSubscriptionFound)) {
                try session.enableAutoRenewForTransaction(identifier: bought.identifier)
            }
            #expect(session.allTransactions().count == periods)
        }
    }

    @Test func renewalCanBeTurnedOnAgain() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.pro)
            let identifier = try session.transaction(Goods.pro).identifier
            try session.disableAutoRenewForTransaction(identifier: identifier)
            try session.enableAutoRenewForTransaction(identifier: identifier)
            #expect(try session.transaction(Goods.pro).autoRenewingEnabled)
        }
    }

    @Test func sessionSellsAnExpiredSubscriptionAgain() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.pro)
            try session.expireSubscription(productIdentifier: Goods.pro)
            let expired = try session.transaction(Goods.pro)
            #expect(try #require(expired.expirationDate) <= Date() && !expired.autoRenewingEnabled)
            #expect(throws: SKTestError(.noSubscriptionFound)) {
                try session.expireSubscription(productIdentifier: Goods.pro)
            }
            #expect(throws: SKTestError(.noSubscriptionFound)) {
                try session.forceRenewalOfSubscription(productIdentifier: Goods.pro)
            }
            try await shopper.own(Goods.pro)
            #expect(session.allTransactions().count == 2)
        }
    }

    @Test func onlySubscriptionsRenew() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.hat)
            let hat = try session.transaction(Goods.hat).identifier
            #expect(throws: SKTestError(.invalidProductType)) {
                try session.forceRenewalOfSubscription(productIdentifier: Goods.hat)
            }
            #expect(throws: SKTestError(.invalidProductType)) {
                try session.disableAutoRenewForTransaction(identifier: hat)
            }
            #expect(throws: SKTestError(.invalidProductIdentifier)) {
                try session.expireSubscription(productIdentifier: "test.shop.nothing")
            }
            #expect(throws: SKTestError(.noTransactionFound)) {
                try session.enableAutoRenewForTransaction(identifier: 987_654)
            }
        }
    }

    // MARK: Billing

    @Test(arguments: [false, true])
    func failedRenewalIsResolved(hasGrace: Bool) async throws {
        try await inShop { session, shopper in
            session.timeRate = .monthlyRenewalEveryHour
            try await shopper.own(Goods.pro)
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = hasGrace
            try session.forceRenewalOfSubscription(productIdentifier: Goods.pro)
            let unpaid = try session.transaction(Goods.pro)
            #expect(unpaid.hasPurchaseIssue && unpaid.autoRenewingEnabled)
            #expect(try (#require(unpaid.expirationDate) > Date()) == hasGrace)
            try await shopper.settle()
            #expect(shopper.count(of: Goods.pro, .purchased) == 1, "the queue hears nothing of it")
            try session.resolveIssueForTransaction(identifier: unpaid.identifier)
            try await shopper.until("it renews") { $0.count(of: Goods.pro, .purchased) == 2 }
            let listed = session.allTransactions()
            #expect(listed.count == 2 && !listed.contains(where: \.hasPurchaseIssue))
            // Nothing is left to resolve, and saying so does nothing.
            try session.resolveIssueForTransaction(identifier: listed[1].identifier)
            #expect(session.allTransactions().count == 2)
        }
    }

    @Test func subscriptionInRetryStaysThereIfForced() async throws {
        try await inShop { session, shopper in
            try await shopper.own(Goods.pro)
            session.shouldEnterBillingRetryOnRenewal = true
            try session.forceRenewalOfSubscription(productIdentifier: Goods.pro)
            try session.forceRenewalOfSubscription(productIdentifier: Goods.pro)
            #expect(try session.transaction(Goods.pro).hasPurchaseIssue)
            session.shouldEnterBillingRetryOnRenewal = false
            try session.forceRenewalOfSubscription(productIdentifier: Goods.pro)
            try await shopper.until("it renews") { $0.count(of: Goods.pro, .purchased) == 2 }
        }
    }

    // MARK: Price increases

    @Test func acceptedPriceIncreaseRenews() async throws {
        try await inShop { session, shopper in
            let identifier = try await Self.raisePrice(session, shopper)
            try session.consentToPriceIncreaseForTransaction(identifier: identifier)
            let agreed = try session.transaction(Goods.pro)
            #expect(!agreed.isPendingPriceIncreaseConsent && agreed.autoRenewingEnabled)
            #expect(throws: SKTestError(.invalidAction)) {
                try session.consentToPriceIncreaseForTransaction(identifier: identifier)
            }
            try session.forceRenewalOfSubscription(productIdentifier: Goods.pro)
            try await shopper.until("it renews") { $0.count(of: Goods.pro, .purchased) == 2 }
        }
    }

    @Test func declinedPriceIncreaseEndsRenewal() async throws {
        try await inShop { session, shopper in
            let identifier = try await Self.raisePrice(session, shopper)
            try session.declinePriceIncreaseForTransaction(identifier: identifier)
            let declined = try session.transaction(Goods.pro)
            #expect(!declined.isPendingPriceIncreaseConsent && !declined.autoRenewingEnabled)
            #expect(throws: SKTestError(.invalidAction)) {
                try session.declinePriceIncreaseForTransaction(identifier: identifier)
            }
        }
    }

    @Test func appIsAskedForPriceConsentEachTime() async throws {
        try await inShop { session, shopper in
            let identifier = try await Self.raisePrice(session, shopper)
            try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
            try await shopper.until("the app is asked again") { $0.consentQuestions == 2 }
        }
    }

    // With dialogs somebody is there to agree.
    @Test func priceConsentSheetIsAccepted() async throws {
        try await inShop { session, shopper in
            session.disableDialogs = false
            try await shopper.own(Goods.pro)
            let identifier = try session.transaction(Goods.pro).identifier
            try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
            try await shopper.until("the subscriber agrees") { shopper in
                shopper.consentQuestions == 1
                    && session.allTransactions().allSatisfy { !$0.isPendingPriceIncreaseConsent }
            }
        }
    }

    /// Subscribes, and leaves the subscriber to be asked; the transaction's identifier.
    private static func raisePrice(_ session: SKTestSession, _ shopper: Shopper) async throws -> UInt {
        try await shopper.own(Goods.pro)
        let identifier = try session.transaction(Goods.pro).identifier
        try session.requestPriceIncreaseConsentForTransaction(identifier: identifier)
        try await shopper.until("the app is asked") { $0.consentQuestions == 1 }
        try await shopper.settle()
        #expect(try session.transaction(Goods.pro).isPendingPriceIncreaseConsent)
        return identifier
    }

    // MARK: Codes

    @Test func offerCodeIsRedeemedUnlessAnErrorIsSimulated() async throws {
        try await inShop { session, shopper in
            try await session.setSimulatedError(.generic(.unknown), forAPI: .offerCodeRedeem)
            SKPaymentQueue.default().presentCodeRedemptionSheet()
            try await shopper.settle()
            #expect(session.allTransactions().isEmpty)
            try await session.setSimulatedError(nil, forAPI: .offerCodeRedeem)
            SKPaymentQueue.default().presentCodeRedemptionSheet()
            try await shopper.until("the subscription arrives") { $0.states == [.purchased] }
            #expect(try session.transaction(Goods.pro).state == .purchased)
        }
    }
}
