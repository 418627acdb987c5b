// How a test session wants its store to behave.
// Values.

/// The settings of a configuration file, as far as a test session has not overridden them.
package struct TestSettings: Sendable, Equatable {
    /// What the file can say, and a session has perhaps overridden.
    package var file: CatalogSettings
    /// What failing transactions fail with.
    package var failureError = StoreErrorCode.unknown
    package var storefront: StorefrontValue
    package var locale: String
    package var purchaseFailure: StoreFailure?
    package var simulated = SimulatedFailures()

    /// As the file of the catalog says. The failures it names are the caller's to add.
    package init(_ catalog: Catalog) {
        file = catalog.settings
        storefront = catalog.storefront
        locale = catalog.locale
    }

    /// What payments fail with, if they all do.
    var paymentFailure: StoreFailure? { file.failsTransactions ? .store(failureError) : purchaseFailure }
}

extension SimulatedAppStore {
    /// Sells `catalog` under these settings, from the next request on; periods of subscriptions that have begun keep
    /// their length. Returns the storefront if the person has moved to another. On the lane.
    package func adopt(_ settings: TestSettings, selling catalog: Catalog, user: Int) -> StorefrontValue? {
        guard let account = account(user) else { return nil }
        records?.isInSession = true
        records?.showsNoSheets = settings.file.disablesDialogs
        var conditions = conditions
        conditions.timeRate = settings.file.timeRate
        conditions.hasGracePeriod = settings.file.hasBillingGracePeriod
        conditions.simulated = settings.simulated
        conditions.errors.purchase = settings.paymentFailure.map { [.init(error: $0, share: .all)] } ?? []
        var buyers = buyers
        // What is interrupted, or could not be renewed, is mended by the session alone.
        buyers.interrupted =
            settings.file.interruptsPurchases
            ? Interruption(share: .all, resolve: .none, resolveAfter: .constant(0)) : nil
        buyers.subscriptions.billingFailure = settings.file.failsRenewals ? .all : .none
        buyers.subscriptions.recover = .none
        account.isInterrupted = false
        account.mustAsk = settings.file.asksToBuy
        let storefront = account.storefront ?? stock.storefront
        reconfigure(
            catalog: stock.followed(by: catalog, storefront: settings.storefront, locale: settings.locale),
            conditions: conditions, buyers: buyers)
        if settings.storefront == storefront { return nil }
        account.storefront = settings.storefront
        return settings.storefront
    }
}
