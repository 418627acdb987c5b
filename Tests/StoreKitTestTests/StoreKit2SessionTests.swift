// StoreKit 2 under a test session (S100 to S105): what the session does, and what it makes fail.

import Foundation
import StandaloneUse
import StoreKit
import StoreKitTest
import Testing

/// A task that notes what `Transaction.updates` emits, and finishes nothing.
private actor Listener {
    private(set) var results: [VerificationResult<Transaction>] = []
    private var task: Task<Void, Never>?

    func start() {
        task = Task { for await result in Transaction.updates { self.results.append(result) } }
    }

    func stop() { task?.cancel() }

    func until(_ what: String, _ isThere: ([VerificationResult<Transaction>]) -> Bool) async throws {
        for _ in 0..<2_000 where !isThere(results) { try await Task.sleep(for: .milliseconds(5)) }
        #expect(isThere(results), "\(what): \(results.map(\.debugDescription))")
    }

    var products: [String] { results.map(\.unsafePayloadValue.productID) }
}

private func inListeningShop(_ body: (SKTestSession, Listener) async throws -> Void) async throws {
    let session = try SKTestSession(configurationFileNamed: "Shop")
    session.resetToDefaultState()
    session.disableDialogs = true
    session.clearTransactions()
    let listener = Listener()
    await listener.start()
    do {
        try await body(session, listener)
    } catch {
        Issue.record(error)
    }
    await listener.stop()
    session.resetToDefaultState()
    session.clearTransactions()
}

private func products(_ sequence: Transaction.Transactions) async -> [String] {
    await sequence.reduce(into: []) { $0.append($1.unsafePayloadValue.productID) }
}

private func product(_ identifier: String) async throws -> Product {
    try #require(try await Product.products(for: [identifier]).first)
}

private func statuses() async throws -> [Product.SubscriptionInfo.Status] {
    try await product(Goods.pro).subscription?.status ?? []
}

@Suite(.serialized, .aloneOnTheDevice) struct StoreKit2SessionTests {
    // MARK: Purchases

    // S101
    @Test func outsidePurchaseIsReturnedAndEmitted() async throws {
        try await inListeningShop { session, listener in
            let bought = try await session.buyProduct(identifier: Goods.hat)
            #expect(bought.productID == Goods.hat && bought.environment == .xcode)
            // S102: at once.
            #expect(await products(Transaction.currentEntitlements) == [Goods.hat])
            #expect(await products(Transaction.unfinished) == [Goods.hat])
            try await listener.until("the hat is emitted") { $0.map(\.unsafePayloadValue.id) == [bought.id] }
            await bought.finish()
            #expect(await products(Transaction.unfinished).isEmpty)
            #expect(session.allTransactions().map(\.identifier) == [UInt(bought.id)])
        }
    }

    // S101
    @Test func outsidePurchaseIsEmittedOnceItHasReturned() async throws {
        try await inListeningShop { session, listener in
            for _ in 0..<5 {
                let before = await listener.results.count
                let bought = try await session.buyProduct(identifier: Goods.coins)
                #expect(await listener.results.count == before)
                try await listener.until("the coins are emitted") { $0.last?.unsafePayloadValue.id == bought.id }
                await bought.finish()
            }
        }
    }

    @Test func offerOfWhatIsNoSubscriptionCountsForNothing() async throws {
        try await inListeningShop { _, _ in
            let signature = Product.SubscriptionOffer.Signature(
                keyID: "key", nonce: UUID(), timestamp: 1, signature: Data([1]))
            let coins = try await product(Goods.coins)
            guard
                case .success(let result) = try await coins.purchase(
                    options: [.promotionalOffer(offerID: "half", signature: signature)])
            else {
                Issue.record("no success")
                return
            }
            #expect(try result.payloadValue.offer == nil)
        }
    }

    // S5, S104
    @Test func ownPurchaseIsNotEmitted() async throws {
        try await inListeningShop { session, listener in
            guard case .success(.verified(let transaction)) = try await product(Goods.coins).purchase() else {
                Issue.record("no success")
                return
            }
            await transaction.finish()
            try await session.buyProduct(identifier: Goods.hat).finish()
            try await listener.until("the hat is emitted") { !$0.isEmpty }
            #expect(await listener.products == [Goods.hat])
        }
    }

    @Test func promotionalOfferNeedsNoSignature() async throws {
        try await inListeningShop { session, _ in
            let signature = Product.SubscriptionOffer.Signature(
                keyID: "key", nonce: UUID(), timestamp: 0, signature: Data())
            await #expect(throws: SKError(.invalidOfferIdentifier)) {
                try await session.buyProduct(
                    identifier: Goods.pro, options: [.promotionalOffer(offerID: "nothing", signature: signature)])
            }
        }
    }

    // S50, S8
    @Test func approvalIsEmitted() async throws {
        try await inListeningShop { session, listener in
            session.askToBuyEnabled = true
            guard case .pending = try await product(Goods.hat).purchase() else {
                Issue.record("not pending")
                return
            }
            // A purchase by the session itself needs none.
            #expect(try await session.buyProduct(identifier: Goods.coins).productID == Goods.coins)
            let asked = try #require(session.allTransactions().first { $0.productIdentifier == Goods.hat })
            try session.approveAskToBuyTransaction(identifier: asked.identifier)
            #expect(await products(Transaction.currentEntitlements) == [Goods.hat])
            try await listener.until("the hat is emitted") {
                $0.last?.unsafePayloadValue.id == UInt64(asked.identifier)
            }
        }
    }

    // S12
    @Test func refundIsEmittedAndEndsTheEntitlement() async throws {
        try await inListeningShop { session, listener in
            let bought = try await session.buyProduct(identifier: Goods.hat)
            await bought.finish()
            try session.refundTransaction(identifier: UInt(bought.id))
            #expect(await products(Transaction.currentEntitlements).isEmpty)
            try await listener.until("the refund is emitted") {
                $0.last?.unsafePayloadValue.revocationDate != nil && $0.last?.unsafePayloadValue.id == bought.id
            }
        }
    }

    // S105
    @Test func clearingLeavesNothing() async throws {
        try await inListeningShop { session, _ in
            try await session.buyProduct(identifier: Goods.hat).finish()
            _ = try await session.buyProduct(identifier: Goods.coins)
            session.clearTransactions()
            #expect(await products(Transaction.all).isEmpty)
            #expect(await products(Transaction.unfinished).isEmpty)
            let pass = try await session.buyProduct(identifier: Goods.season)
            try session.deleteTransaction(identifier: UInt(pass.id))
            #expect(await products(Transaction.all).isEmpty)
        }
    }

    // MARK: Subscriptions

    // S64, S66, S67
    @Test func sessionChangesTheStatus() async throws {
        try await inListeningShop { session, _ in
            let states = Notes()
            let reader = Task {
                for await status in Product.SubscriptionInfo.Status.updates { states.append(status) }
            }
            let bought = try await session.buyProduct(identifier: Goods.pro)
            #expect(try await statuses().map(\.state) == [.subscribed])
            try session.disableAutoRenewForTransaction(identifier: UInt(bought.id))
            #expect(try await statuses().first?.renewalInfo.payloadValue.willAutoRenew == false)
            try session.enableAutoRenewForTransaction(identifier: UInt(bought.id))
            try session.forceRenewalOfSubscription(productIdentifier: Goods.pro)
            let renewal = try #require(await Transaction.latest(for: Goods.pro)).payloadValue
            #expect(renewal.id > bought.id && renewal.originalID == bought.id && renewal.reason == .renewal)
            try session.expireSubscription(productIdentifier: Goods.pro)
            let end = try #require(try await statuses().first)
            let reason = try end.renewalInfo.payloadValue.expirationReason
            #expect(end.state == .expired && reason == .autoRenewDisabled)
            #expect(await products(Transaction.currentEntitlements).isEmpty)
            for _ in 0..<2_000 where states.last != .expired { try await Task.sleep(for: .milliseconds(5)) }
            #expect(states.last == .expired)
            reader.cancel()
        }
    }

    // S66
    @Test func failedRenewalIsRetriedUntilItIsResolved() async throws {
        try await inListeningShop { session, _ in
            session.shouldEnterBillingRetryOnRenewal = true
            session.billingGracePeriodIsEnabled = true
            let bought = try await session.buyProduct(identifier: Goods.pro)
            try session.forceRenewalOfSubscription(productIdentifier: Goods.pro)
            let status = try #require(try await statuses().first)
            let isRetried = try status.renewalInfo.payloadValue.isInBillingRetry
            #expect(status.state == .inGracePeriod && isRetried)
            try session.resolveIssueForTransaction(identifier: UInt(bought.id))
            #expect(try await statuses().map(\.state) == [.subscribed])
        }
    }

    // S67
    @Test func priceIncreaseAwaitsConsent() async throws {
        try await inListeningShop { session, _ in
            let bought = try await session.buyProduct(identifier: Goods.pro)
            func standing() async throws -> Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus? {
                try await statuses().first?.renewalInfo.payloadValue.priceIncreaseStatus
            }
            try session.requestPriceIncreaseConsentForTransaction(identifier: UInt(bought.id))
            #expect(try await standing() == .pending)
            try session.consentToPriceIncreaseForTransaction(identifier: UInt(bought.id))
            #expect(try await standing() == .agreed)
        }
    }

    // MARK: Purchases of the past

    @Test func subscriptionOfThePastHasRenewedUntilNow() async throws {
        try await inListeningShop { session, _ in
            let date = Date(timeIntervalSinceNow: -100 * 86_400)
            let bought = try await session.buyProduct(identifier: Goods.pro, options: [.purchaseDate(date)])
            #expect(abs(bought.purchaseDate.timeIntervalSince(date)) < 1)
            let all = await Transaction.all.reduce(into: []) { $0.append($1.unsafePayloadValue) }
            #expect(all.count == 4 && all.allSatisfy { $0.originalID == bought.id })
            let status = try #require(try await statuses().first)
            #expect(status.state == .subscribed)
            let renewal = try status.renewalInfo.payloadValue
            #expect(renewal.recentSubscriptionStartDate == bought.purchaseDate && renewal.willAutoRenew)
        }
    }

    @Test func subscriptionThatWasCancelledAtOnceHasEnded() async throws {
        try await inListeningShop { session, _ in
            let date = Date(timeIntervalSinceNow: -100 * 86_400)
            let pro = try await product(Goods.pro)
            let options: Set<Product.PurchaseOption> = [.purchaseDate(date, renewalBehavior: .cancelImmediately)]
            guard case .success(let result) = try await pro.purchase(options: options) else {
                Issue.record("no success")
                return
            }
            let bought = try result.payloadValue
            #expect(abs(bought.purchaseDate.timeIntervalSince(date)) < 1)
            #expect(bought.expirationDate ?? .now < .now)
            let status = try #require(try await statuses().first)
            #expect(status.state == .expired)
            #expect(await products(Transaction.currentEntitlements).isEmpty)
            // A purchase without a date is made now.
            let hat = try await session.buyProduct(identifier: Goods.hat)
            #expect(abs(hat.purchaseDate.timeIntervalSinceNow) < 60)
        }
    }

    // MARK: Simulated errors

    @Test func simulatedErrorsAreThrownAsTheyAre() async throws {
        try await inListeningShop { session, _ in
            let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))
            let hat = try await product(Goods.hat)
            try await session.setSimulatedError(.generic(offline), forAPI: .loadProducts)
            await #expect(throws: StoreKitError.self) { try await Product.products(for: [Goods.hat]) }
            try await session.setSimulatedError(.purchase(.productUnavailable), forAPI: .purchase)
            await #expect(throws: Product.PurchaseError.productUnavailable) { try await hat.purchase() }
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                try await session.buyProduct(identifier: Goods.hat)
            }
            try await session.setSimulatedError(.generic(.systemError(URLError(.badURL))), forAPI: .purchase)
            do {
                _ = try await hat.purchase()
                Issue.record("it was bought")
            } catch StoreKitError.systemError(let error) {
                #expect((error as? URLError)?.code == .badURL)
            }
            try await session.setSimulatedError(.generic(.userCancelled), forAPI: .appStoreSync)
            await #expect(throws: StoreKitError.self) { try await AppStore.sync() }
            try await session.setSimulatedError(.generic(.notEntitled), forAPI: .subscriptionStatus)
            await #expect(throws: StoreKitError.self) { try await Product.SubscriptionInfo.status(for: "any") }
            try await session.setSimulatedError(.generic(.notEntitled), forAPI: .appTransaction)
            do {
                _ = try await AppTransaction.shared
            } catch StoreKitError.notEntitled {
            }
            session.resetToDefaultState()
            session.disableDialogs = true
            guard case .success = try await hat.purchase() else {
                Issue.record("no success")
                return
            }
        }
    }

    // S103, S44
    @Test func unverifiedTransactionsStayUnfinished() async throws {
        try await inListeningShop { session, listener in
            try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
            guard case .success(let result) = try await product(Goods.coins).purchase() else {
                Issue.record("no success")
                return
            }
            #expect(throws: VerificationResult<Transaction>.VerificationError.invalidSignature) {
                try result.payloadValue
            }
            _ = try await session.buyProduct(identifier: Goods.pro)
            try await listener.until("the subscription is emitted") { !$0.isEmpty }
            for result in await listener.results {
                if case .verified = result { Issue.record("it is verified") }
            }
            let status = try #require(try await statuses().first)
            #expect(throws: VerificationResult<Product.SubscriptionInfo.RenewalInfo>.VerificationError.invalidSignature)
            {
                try status.renewalInfo.payloadValue
            }
            try await session.setSimulatedError(nil, forAPI: .verification)
            let unfinished = await products(Transaction.unfinished)
            #expect(unfinished == [Goods.coins, Goods.pro])
            for await result in Transaction.unfinished { _ = try result.payloadValue }
        }
    }
}

/// What a reader of statuses has heard. Guard: `lock`.
private final class Notes: @unchecked Sendable {
    private let lock = NSLock()
    private var states: [Product.SubscriptionInfo.RenewalState] = []

    func append(_ status: Product.SubscriptionInfo.Status) { lock.withLock { states.append(status.state) } }
    var last: Product.SubscriptionInfo.RenewalState? { lock.withLock { states.last } }
}
