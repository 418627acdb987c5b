// What StoreKit 2's values have in common on one device: catalog, country, calendar, app.
// Values; any thread.

import Simulation

/// Where a value of StoreKit 2 comes from.
struct StorePlace: Sendable {
    let catalog: Catalog
    let storefront: StorefrontValue
    let calendar: TimelineCalendar
    let bundleIdentifier: String
    let environment: AppStore.Environment
}
