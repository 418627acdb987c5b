// What an app has set, on one device, of the promotions on the App Store's page.
// A value; the device's lane guards it.

/// Outlives the app's processes, like everything that the system keeps for it.
package struct StorePromotions: Sendable, Equatable {
    package enum Visibility: Sendable { case shown, hidden }

    /// Product identifiers, first those to be shown first; empty while the app has not set an order.
    package var order: [String] = []
    /// By product identifier; what is missing is as the developer has set it up.
    package var visibility: [String: Visibility] = [:]
}
