// What a user can ask an app for, and what files call it.
// Values; any thread.

/// The raw values stand in reports, as the `request` of a reason for a verdict.
package enum RequestKind: String, Sendable, CaseIterable {
    case fetch
    case purchase
    case restore

    /// In scenarios: the step that asks for it, and the `outcome` that `wait_for` waits for.
    package var step: String {
        switch self {
        case .fetch: "fetch_products"
        case .purchase: "buy"
        case .restore: "restore"
        }
    }

    /// The member of `StoreClient` that answers it.
    package var member: String {
        switch self {
        case .fetch: "fetchProducts"
        case .purchase: "purchase"
        case .restore: "restore"
        }
    }

    /// In files of operations: what Jepsen keeps as `f`.
    package var function: String {
        switch self {
        case .fetch: "products_fetch"
        case .purchase: "purchase"
        case .restore: "restore"
        }
    }

    /// How the harness asks the client for it.
    package var call: ClientCall {
        switch self {
        case .fetch: .fetchProducts
        case .purchase: .purchase
        case .restore: .restore
        }
    }
}
