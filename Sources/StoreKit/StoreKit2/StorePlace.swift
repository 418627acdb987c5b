// What StoreKit 2's values have in common on one device: catalog, country, calendar, app.
// Values; any thread.

import Simulation

/// Where a value of StoreKit 2 comes from.
struct StorePlace: Sendable {
    let catalog: Catalog
    let storefront: StorefrontValue
    let calendar: TimelineCalendar
    let app: AppIdentity
    let environment: AppStore.Environment
    /// As the store numbers it.
    let account: Int
    /// For which values are signed.
    let device: SigningDevice
    /// Why the signature of what comes from here does not hold; nil: it does (S73).
    var flaw: VerificationFlaw?

    /// The identifier of the app in the account.
    var appTransactionID: String { "\(704_000_000_000_000_000 + account)" }
}
