// The country whose App Store the user shops in, for StoreKit 2.
// Values; any thread.

public import Foundation
import Simulation

/// The App Store of one country.
public struct Storefront: Identifiable, Sendable {
    /// The country's code in ISO 3166-1 alpha-3, such as "USA".
    public let countryCode: String
    /// The store's own number for the country, such as "143441".
    public let id: String
    /// The currency of the storefront's prices.
    public let currency: Locale.Currency?

    init(_ storefront: StorefrontValue) {
        countryCode = storefront.countryCode
        id = SKStorefront(storefront).identifier
        currency = Locale.Currency(storefront.currencyCode)
    }

    /// The storefront of the account that is signed in (S75).
    public static var current: Storefront? {
        get async { Storefront(await StoreKit2Receiver.current(for: "Storefront.current").storefront()) }
    }

    /// The storefronts that the user moves to while the app runs (S75).
    public static var updates: Storefronts { Storefronts() }

    /// A sequence of storefronts. It has no end.
    public struct Storefronts: AsyncSequence, Sendable {
        public typealias Element = Storefront

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(feed: StoreKit2Receiver.current(for: "Storefront.updates").storefrontFeed())
        }

        /// One reader of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let feed: Feed<StorefrontValue, Storefront>

            /// The next storefront; nil once the task is cancelled.
            public mutating func next() async -> Storefront? { await feed.next() }
        }
    }
}
