// The one environment that all sessions share: the file that its store sells, and settings that override the file's.
// Any thread.

import Foundation
import Simulation

final class TestEnvironment: @unchecked Sendable {  // Guard: `lock`, held until the store has taken a change over.
    static let shared = TestEnvironment()

    private let lock = NSLock()
    private var catalog = Catalog.empty
    private var overrides: [AnyKeyPath: (inout TestSettings) -> Void] = [:]
    /// By the type of the API. A nil value switches the failure off, even if the file switches it on.
    private var failures: [ObjectIdentifier: (any SKTestFailure)?] = [:]

    private init() {}

    /// Sells another file. Overridden settings stay overridden.
    func open(_ catalog: Catalog) { change { self.catalog = catalog } }

    func reset(to catalog: Catalog) {
        change {
            self.catalog = catalog
            overrides = [:]
            failures = [:]
        }
    }

    /// The settings in force.
    var settings: TestSettings { lock.withLock { effective } }

    func override<Value>(_ setting: WritableKeyPath<TestSettings, Value>, _ value: Value) {
        change { overrides[setting] = { $0[keyPath: setting] = value } }
    }

    func setFailure<API: FailableStoreKitAPI>(_ failure: API.Failure?, of api: API.Type) {
        change { failures[ObjectIdentifier(api)] = .some(failure) }
    }

    func failure<API: FailableStoreKitAPI>(of api: API.Type) -> API.Failure? {
        lock.withLock { effectiveFailure(of: api) }
    }

    /// Reports a value that a test set and cannot have; a property has no other way to report it.
    static func complain(_ problem: String) {
        FileHandle.standardError.write(Data("StoreKitTest: \(problem)\n".utf8))
    }

    private func change(_ body: () -> Void) {
        lock.withLock {
            body()
            SimulatedErrors.now = effectiveErrors
            TestControls.adopt(effective, selling: catalog)
        }
    }

    private var effective: TestSettings {
        var settings = TestSettings(catalog)
        for override in overrides.values { override(&settings) }
        settings.purchaseFailure = effectiveFailure(of: StoreKitPurchaseAPI.self)?.storeFailure
        settings.simulated.products = effectiveFailure(of: StoreKitLoadProductsAPI.self)?.error.storeFailure
        settings.simulated.sync = effectiveFailure(of: StoreKitAppStoreSyncAPI.self)?.error.storeFailure
        settings.simulated.redemptionFails = effectiveFailure(of: StoreKitOfferCodeRedeemAPI.self) != nil
        return settings
    }

    /// Of StoreKit 2's calls, which throw them as they are.
    private var effectiveErrors: SimulatedErrors.Errors {
        var errors = SimulatedErrors.Errors()
        errors.products = effectiveFailure(of: StoreKitLoadProductsAPI.self)?.error
        errors.purchase = effectiveFailure(of: StoreKitPurchaseAPI.self)?.error
        errors.sync = effectiveFailure(of: StoreKitAppStoreSyncAPI.self)?.error
        errors.status = effectiveFailure(of: StoreKitSubscriptionStatusAPI.self)?.error
        errors.appTransaction = effectiveFailure(of: StoreKitAppTransactionAPI.self)?.error
        errors.manageSubscriptions = effectiveFailure(of: StoreKitManageSubscriptionsAPI.self)?.error
        errors.refundRequest = effectiveFailure(of: StoreKitRefundRequestAPI.self)?.error
        errors.offerCodeRedeem = effectiveFailure(of: StoreKitOfferCodeRedeemAPI.self)?.error
        errors.verification = effectiveFailure(of: StoreKitVerificationAPI.self).map { VerificationFlaw($0.reason) }
        return errors
    }

    private func effectiveFailure<API: FailableStoreKitAPI>(of api: API.Type) -> API.Failure? {
        if let override = failures[ObjectIdentifier(api)] { return override as? API.Failure }
        guard let named = api as? any NamedStoreKitAPI.Type else { return nil }
        return failureOfFile(named) as? API.Failure
    }

    private func failureOfFile<API: NamedStoreKitAPI>(_ api: API.Type) -> API.Failure? {
        catalog.settings.errors.contains { $0.call == api.fileName } ? .generic(.unknown) : nil
    }
}
