// What a person wants to buy when they tap a product in the App Store.
// Values; any thread.

import Simulation

/// A tap on a promoted product in the App Store (S84). Buying is up to the app, now or later.
public struct PurchaseIntent: Equatable, Identifiable, Sendable {
    /// The product.
    public let product: Product
    /// The offer that was tapped; nil: none was.
    public var offer: Product.SubscriptionOffer? { nil }
    /// The product's identifier.
    public var id: Product.ID { product.id }

    init(product: Product) { self.product = product }

    /// The intents of this launch, and those that no launch has read. It has no end.
    public static var intents: PurchaseIntents { PurchaseIntents() }

    /// A sequence of intents.
    public struct PurchaseIntents: AsyncSequence, Sendable {
        public typealias Element = PurchaseIntent

        public func makeAsyncIterator() -> AsyncIterator {
            AsyncIterator(feed: StoreKit2Receiver.current(for: "PurchaseIntent.intents").intentFeed())
        }

        /// One reader of the sequence.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let feed: Feed<ProductIndex, PurchaseIntent>

            /// The next intent; nil once the task is cancelled.
            public mutating func next() async -> PurchaseIntent? { await feed.next() }
        }
    }
}
