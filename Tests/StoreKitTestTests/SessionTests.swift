// Sessions themselves: the file they are made from, its settings, and what overrides them.

import Foundation
import StandaloneUse
import StoreKit
import StoreKitTest
import Testing

@Suite(.serialized, .aloneOnTheDevice) struct SessionTests {
    private static var settingsFile: URL {
        get throws {
            try #require(
                Bundle.module.url(forResource: "Settings", withExtension: "storekit", subdirectory: "Fixtures"))
        }
    }

    // MARK: The file

    @Test(arguments: ["Shop", "Shop.storekit", "Fixtures/Settings"])
    func configurationFileIsFoundByName(name: String) throws {
        let session = try SKTestSession(configurationFileNamed: name)
        session.resetToDefaultState()
        #expect(session.storefront == (name == "Fixtures/Settings" ? "DEU" : "USA"))
    }

    @Test func missingConfigurationFileThrowsFileNotFound() {
        #expect(throws: SKTestError(.fileNotFound)) { try SKTestSession(configurationFileNamed: "Nowhere") }
        #expect(throws: SKTestError(.fileNotFound)) {
            try SKTestSession(contentsOf: URL(fileURLWithPath: "/nowhere/Shop.storekit"))
        }
    }

    @Test func invalidConfigurationFileIsRefused() throws {
        #expect(throws: SKTestError(.invalidURL)) {
            try SKTestSession(contentsOf: #require(URL(string: "https://example.com/Shop.storekit")))
        }
        #expect(throws: SKTestError(.invalidURL)) { try SKTestSession(contentsOf: URL(fileURLWithPath: "/etc/hosts")) }
        do {
            _ = try SKTestSession(configurationFileNamed: "Fixtures/ShopMistakes")
            Issue.record("a file with mistakes was taken")
        } catch SKTestError.invalidURL {
        }
        let error = #expect(throws: SKTestError.self) {
            try SKTestSession(configurationFileNamed: "Fixtures/ShopMistakes")
        }
        #expect(
            error?.localizedDescription.contains("ShopMistakes.storekit:1:74: error: products[0].displayPrice") == true)
    }

    @Test func testErrorsHaveTheirDomainAndCodes() throws {
        let codes: [SKTestError.Code] = [
            .serviceUnavailable, .invalidProductIdentifier, .invalidProductType, .invalidURL, .fileNotFound,
            .noSubscriptionFound, .noTransactionFound, .invalidAction,
        ]
        #expect(codes.map(\.rawValue) == Array(0...7))
        let plain: any Error = NSError(domain: SKTestErrorDomain, code: 6)
        #expect((plain as? SKTestError)?.code == .noTransactionFound)
        #expect((NSError(domain: SKErrorDomain, code: 6) as any Error) as? SKTestError == nil)
        let bridged = SKTestError(.invalidAction) as NSError
        #expect(bridged.domain == "SKTestErrorDomain" && bridged.code == 7)
        #expect(Set([SKTestError(.invalidURL), SKTestError(.invalidURL)]).count == 1)
    }

    // MARK: Settings

    @Test func sessionUsesTheSettingsOfTheFile() async throws {
        let session = try SKTestSession(contentsOf: Self.settingsFile)
        session.resetToDefaultState()
        #expect(session.askToBuyEnabled && session.billingGracePeriodIsEnabled && session.interruptedPurchasesEnabled)
        #expect(session.disableDialogs && session.failTransactionsEnabled && session.shouldEnterBillingRetryOnRenewal)
        #expect(session.storefront == "DEU" && session.locale.identifier == "de_DE")
        #expect(session.timeRate == .oneRenewalEveryTwoSeconds && session.failureError == .unknown)
        #expect(await session.simulatedError(forAPI: .loadProducts) == .generic(.unknown))
        #expect(await session.simulatedError(forAPI: .purchase) == nil)
    }

    @Test func sessionWithoutSettingsHasEverySettingOff() throws {
        let session = try SKTestSession(configurationFileNamed: "Shop")
        session.resetToDefaultState()
        #expect(!session.askToBuyEnabled && !session.billingGracePeriodIsEnabled)
        #expect(!session.interruptedPurchasesEnabled && !session.disableDialogs && !session.failTransactionsEnabled)
        #expect(!session.shouldEnterBillingRetryOnRenewal && session.timeRate == .realTime)
        #expect(session.storefront == "USA" && session.locale.identifier == "en_US")
    }

    @Test func settingsOutliveTheSessionUntilReset() async throws {
        let first = try SKTestSession(configurationFileNamed: "Shop")
        first.resetToDefaultState()
        first.askToBuyEnabled = true
        first.timeRate = .monthlyRenewalEveryThirtySeconds
        try await first.setSimulatedError(.generic(.notEntitled), forAPI: .purchase)
        let second = try SKTestSession(contentsOf: Self.settingsFile)
        #expect(second.askToBuyEnabled && second.timeRate == .monthlyRenewalEveryThirtySeconds)
        #expect(await second.simulatedError(forAPI: .purchase) == .generic(.notEntitled))
        #expect(first.storefront == "DEU", "there is one environment, and the file opened last is sold")
        second.askToBuyEnabled = false
        #expect(!first.askToBuyEnabled)
        second.resetToDefaultState()
        #expect(second.askToBuyEnabled && second.timeRate == .oneRenewalEveryTwoSeconds)
        first.resetToDefaultState()
        #expect(first.storefront == "USA" && !second.askToBuyEnabled)
        #expect(await first.simulatedError(forAPI: .purchase) == nil)
    }

    // What a property cannot be stays what it was.
    @Test func sessionIgnoresImpossibleValues() throws {
        let session = try SKTestSession(configurationFileNamed: "Shop")
        session.resetToDefaultState()
        session.storefront = "Atlantis"
        #expect(session.storefront == "USA")
        session.failureError = .invalidSignature
        session.failureError = .paymentCancelled
        #expect(session.failureError == .invalidSignature)
        session.resetToDefaultState()
    }

    @Test func timeRatesHaveTheirRawValues() throws {
        let session = try SKTestSession(configurationFileNamed: "Shop")
        for rate in SKTestSession.TimeRate.allCases {
            session.timeRate = rate
            #expect(session.timeRate == rate)
        }
        session.resetToDefaultState()
        #expect(
            SKTestSession.TimeRate.allCases.map(\.rawValue) == [
                0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 15, 1000, 1001, 1002, 1003, 1004, 1005,
            ])
        #expect(SKTestSession.TimeRate(rawValue: 14) == nil)
    }

    @Test func everyAPIKeepsItsSimulatedError() async throws {
        let session = try SKTestSession(configurationFileNamed: "Shop")
        session.resetToDefaultState()
        let offline = StoreKitError.networkError(URLError(.notConnectedToInternet))
        try await session.setSimulatedError(.generic(offline), forAPI: .loadProducts)
        try await session.setSimulatedError(SKTestFailures.Purchase.purchase(.productUnavailable), forAPI: .purchase)
        try await session.setSimulatedError(.verification(.invalidSignature), forAPI: .verification)
        try await session.setSimulatedError(.generic(.unknown), forAPI: .appStoreSync)
        try await session.setSimulatedError(.generic(.notEntitled), forAPI: .subscriptionStatus)
        try await session.setSimulatedError(.generic(.unsupported), forAPI: StoreKitAppTransactionAPI.appTransaction)
        try await session.setSimulatedError(.generic(.userCancelled), forAPI: .manageSubscriptions)
        try await session.setSimulatedError(.refundRequest(.duplicateRequest), forAPI: .refundRequest)
        try await session.setSimulatedError(.generic(.notAvailableInStorefront), forAPI: .offerCodeRedeem)
        #expect(await session.simulatedError(forAPI: .loadProducts) == .generic(offline))
        #expect(await session.simulatedError(forAPI: .purchase) == .purchase(.productUnavailable))
        #expect(await session.simulatedError(forAPI: .verification) == .verification(.invalidSignature))
        #expect(await session.simulatedError(forAPI: .appStoreSync) == .generic(.unknown))
        #expect(await session.simulatedError(forAPI: .subscriptionStatus) == .generic(.notEntitled))
        #expect(await session.simulatedError(forAPI: .appTransaction) == .generic(.unsupported))
        #expect(await session.simulatedError(forAPI: .manageSubscriptions) == .generic(.userCancelled))
        #expect(await session.simulatedError(forAPI: .refundRequest) == .refundRequest(.duplicateRequest))
        #expect(await session.simulatedError(forAPI: .offerCodeRedeem) == .generic(.notAvailableInStorefront))
        try await session.setSimulatedError(nil, forAPI: .verification)
        #expect(await session.simulatedError(forAPI: .verification) == nil)
        session.resetToDefaultState()
        #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
    }

    // A file's error can be switched off without another taking its place.
    @Test func simulatedErrorOfTheFileCanBeSwitchedOff() async throws {
        let session = try SKTestSession(contentsOf: Self.settingsFile)
        session.resetToDefaultState()
        try await session.setSimulatedError(nil, forAPI: .loadProducts)
        #expect(await session.simulatedError(forAPI: .loadProducts) == nil)
        try SKTestSession(configurationFileNamed: "Shop").resetToDefaultState()
    }
}
