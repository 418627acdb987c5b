// The controls of the test environment: which configuration file its store sells, and under which settings.
// Any thread. Every change is in force for the next call of the same thread.

import CatalogFile
public import Foundation
import Simulation
@_exported public import StoreKit

/// Controls StoreKit's store environment while no harness runs, as in a unit test.
///
/// There is one environment, the store behind `SKPaymentQueue.default()`, and every session controls it.
/// The session made last decides which products are sold.
/// A property that a test sets overrides the configuration file until `resetToDefaultState()`, also for sessions made
/// later. Tests that change the environment must not run at the same time.
///
/// Callbacks arrive on the main queue, as always: a test must not block it while it waits for them.
open class SKTestSession: NSObject, @unchecked Sendable {  // Guard: constant; the environment has a lock.
    private let catalog: Catalog

    /// Sells the products of the configuration file with this name; its extension may be left out.
    ///
    /// The session looks for the file in the main bundle and beside the executable, with the resource bundles there;
    /// then in the folder of the environment variable `STAMPEDE_CATALOG`;
    /// then in the current directory, its `Tests`, and the folders in `Tests`.
    /// The name may have folders before it, such as `Fixtures/Shop`.
    /// Throws `SKTestError.fileNotFound`, or the errors of `init(contentsOf:)`.
    public convenience init(configurationFileNamed filename: String) throws {
        guard let file = ConfigurationSearch.find(filename) else {
            throw SKTestError.make(.fileNotFound, "There is no configuration file named \(filename).")
        }
        try self.init(contentsOf: file)
    }

    /// Sells the products of a configuration file; its extension is `storekit`.
    ///
    /// Throws `SKTestError.fileNotFound` if the file does not exist.
    /// Throws `SKTestError.invalidURL` if it is no valid configuration file; the description lists every mistake.
    public init(contentsOf fileURL: URL) throws {
        guard fileURL.isFileURL, fileURL.pathExtension == ConfigurationSearch.fileExtension else {
            throw SKTestError.make(.invalidURL, "\(fileURL) is not the URL of a .storekit file.")
        }
        guard FileManager.default.fileExists(atPath: fileURL.path) else {
            throw SKTestError.make(.fileNotFound, "There is no file \(fileURL.path).")
        }
        do {
            catalog = try CatalogFile.load(path: fileURL.path)
        } catch {
            throw SKTestError.make(.invalidURL, "\(error)")
        }
        super.init()
        TestEnvironment.shared.open(catalog)
    }

    /// Undoes all settings and simulated errors, and sells this session's file again. Transactions stay.
    open func resetToDefaultState() { TestEnvironment.shared.reset(to: catalog) }

    // MARK: The store

    /// The country of the store, in ISO 3166-1 alpha-3. StoreKit calls `paymentQueueDidChangeStorefront` (R51, R55).
    /// A country without a known storefront changes nothing and is reported on standard error.
    open var storefront: String {
        get { TestEnvironment.shared.settings.storefront.countryCode }
        set {
            guard let storefront = StorefrontValue(countryCode: newValue) else {
                return TestEnvironment.complain("no storefront is known for \"\(newValue)\"")
            }
            TestEnvironment.shared.override(\.storefront, storefront)
        }
    }

    /// The language of titles and descriptions.
    open var locale: Locale {
        get { Locale(identifier: TestEnvironment.shared.settings.locale) }
        set { TestEnvironment.shared.override(\.locale, newValue.identifier) }
    }

    /// Whether dialogs are skipped.
    /// No sheet is ever shown here: if dialogs are not skipped, each is answered yes at once.
    /// The exception is a price increase, which then waits for the session's answer (R52).
    open var disableDialogs: Bool {
        get { TestEnvironment.shared.settings.file.disablesDialogs }
        set { TestEnvironment.shared.override(\.file.disablesDialogs, newValue) }
    }

    // MARK: Purchases

    /// Whether every payment fails with `failureError`.
    open var failTransactionsEnabled: Bool {
        get { TestEnvironment.shared.settings.file.failsTransactions }
        set { TestEnvironment.shared.override(\.file.failsTransactions, newValue) }
    }

    /// The error of failing payments.
    /// It is `.unknown` or an error about offers, 11 to 14.
    /// Another value changes nothing and is reported on standard error.
    open var failureError: SKError.Code {
        get { SKError.Code(rawValue: TestEnvironment.shared.settings.failureError.rawValue) ?? .unknown }
        set {
            guard Self.failureErrors.contains(newValue.rawValue), let code = StoreErrorCode(rawValue: newValue.rawValue)
            else { return TestEnvironment.complain("transactions do not fail with SKError \(newValue.rawValue)") }
            TestEnvironment.shared.override(\.failureError, code)
        }
    }

    private static let failureErrors: Set<Int> = [0, 11, 12, 13, 14]

    /// Whether purchases are interrupted (R40, R41).
    /// A purchase fails, and so does every later one, until the issue is resolved.
    open var interruptedPurchasesEnabled: Bool {
        get { TestEnvironment.shared.settings.file.interruptsPurchases }
        set { TestEnvironment.shared.override(\.file.interruptsPurchases, newValue) }
    }

    /// Whether every purchase is deferred until it is approved (R35).
    /// The payments' own `simulatesAskToBuyInSandbox` has no effect in a session (R38).
    open var askToBuyEnabled: Bool {
        get { TestEnvironment.shared.settings.file.asksToBuy }
        set { TestEnvironment.shared.override(\.file.asksToBuy, newValue) }
    }

    // MARK: Subscriptions

    /// How fast subscriptions renew. Periods that have begun keep their length.
    open var timeRate: TimeRate {
        get { TimeRate(TestEnvironment.shared.settings.file.timeRate) }
        set { TestEnvironment.shared.override(\.file.timeRate, newValue.rate) }
    }

    /// Whether renewals fail; the store tries them again until the issue is resolved (R48).
    open var shouldEnterBillingRetryOnRenewal: Bool {
        get { TestEnvironment.shared.settings.file.failsRenewals }
        set { TestEnvironment.shared.override(\.file.failsRenewals, newValue) }
    }

    /// Whether a failed renewal starts a grace period (R48).
    /// Has no effect without `shouldEnterBillingRetryOnRenewal`.
    open var billingGracePeriodIsEnabled: Bool {
        get { TestEnvironment.shared.settings.file.hasBillingGracePeriod }
        set { TestEnvironment.shared.override(\.file.hasBillingGracePeriod, newValue) }
    }
}
