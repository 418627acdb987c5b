// The controls of the test environment: which configuration file it sells, and under which settings.
// Any thread; every change is in force for whatever the same thread does next.

import CatalogFile
public import Foundation
import Simulation
@_exported public import StoreKit

/// Controls the environment that StoreKit works in while no harness runs, such as in a unit test.
///
/// There is one environment, the store behind `SKPaymentQueue.default()`, and every session controls it: the session
/// that was made last decides what is sold. A property that is set overrides the configuration file until
/// `resetToDefaultState()`, also for sessions that are made later. Tests that change the environment must not run at
/// the same time.
///
/// Callbacks arrive on the main queue, as always: a test has to leave it free while it waits for them.
open class SKTestSession: NSObject, @unchecked Sendable {  // Guard: constant; the environment has a lock.
    private let catalog: Catalog

    /// Sells what the configuration file of this name lists, with or without its extension.
    ///
    /// It is looked for in the main bundle and beside the executable, with the resource bundles there; in the folder of
    /// the environment variable `STAMPEDE_CATALOG`; in the current directory, its `Tests`, and the folders in that. The
    /// name may have folders before it, such as `Fixtures/Shop`. Throws `SKTestError.fileNotFound`, or what
    /// `init(contentsOf:)` does.
    public convenience init(configurationFileNamed filename: String) throws {
        guard let file = ConfigurationSearch.find(filename) else {
            throw SKTestError.make(.fileNotFound, "There is no configuration file named \(filename).")
        }
        try self.init(contentsOf: file)
    }

    /// Sells what the configuration file lists; its extension is `storekit`.
    ///
    /// Throws `SKTestError.fileNotFound` if nothing is there, and `SKTestError.invalidURL` if it is something else; the
    /// description then tells of every mistake.
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

    /// Takes back what was set, simulated errors included: everything is as in this session's file again, which is sold
    /// again. Transactions stay.
    open func resetToDefaultState() { TestEnvironment.shared.reset(to: catalog) }

    // MARK: The store

    /// ISO 3166-1 alpha-3. A country that no storefront is known for changes nothing. Observers are told
    /// `paymentQueueDidChangeStorefront` (R51, R55).
    open var storefront: String {
        get { TestEnvironment.shared.settings.storefront.countryCode }
        set {
            guard let storefront = Storefront(countryCode: newValue) else {
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

    /// Whether dialogs are skipped. No sheet is ever shown here: without it, every question is answered by yes at once.
    /// The one difference is a price increase, which then waits for the session's answer (R52).
    open var disableDialogs: Bool {
        get { TestEnvironment.shared.settings.file.disablesDialogs }
        set { TestEnvironment.shared.override(\.file.disablesDialogs, newValue) }
    }

    // MARK: Purchases

    /// Whether every payment fails, with `failureError`.
    open var failTransactionsEnabled: Bool {
        get { TestEnvironment.shared.settings.file.failsTransactions }
        set { TestEnvironment.shared.override(\.file.failsTransactions, newValue) }
    }

    /// `.unknown` or one of the four about offers, 11 to 14; another changes nothing.
    open var failureError: SKError.Code {
        get { SKError.Code(rawValue: TestEnvironment.shared.settings.failureError.rawValue) ?? .unknown }
        set {
            guard Self.failureErrors.contains(newValue.rawValue), let code = StoreErrorCode(rawValue: newValue.rawValue)
            else { return TestEnvironment.complain("transactions do not fail with SKError \(newValue.rawValue)") }
            TestEnvironment.shared.override(\.failureError, code)
        }
    }

    private static let failureErrors: Set<Int> = [0, 11, 12, 13, 14]

    /// Whether every purchase fails until its issue is resolved, and those after it too (R40, R41).
    open var interruptedPurchasesEnabled: Bool {
        get { TestEnvironment.shared.settings.file.interruptsPurchases }
        set { TestEnvironment.shared.override(\.file.interruptsPurchases, newValue) }
    }

    /// Whether every purchase is deferred until it is approved (R35). The payments' own
    /// `simulatesAskToBuyInSandbox` means nothing to a session (R38).
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

    /// Whether renewals fail, and are tried again until their issue is resolved (R48).
    open var shouldEnterBillingRetryOnRenewal: Bool {
        get { TestEnvironment.shared.settings.file.failsRenewals }
        set { TestEnvironment.shared.override(\.file.failsRenewals, newValue) }
    }

    /// Whether a renewal that fails leaves a period of grace. Means nothing without
    /// `shouldEnterBillingRetryOnRenewal` (R48).
    open var billingGracePeriodIsEnabled: Bool {
        get { TestEnvironment.shared.settings.file.hasBillingGracePeriod }
        set { TestEnvironment.shared.override(\.file.hasBillingGracePeriod, newValue) }
    }
}
