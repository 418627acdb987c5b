// The clients that come with Stampede.
// Values; any thread.

package import ClientKit

extension ClientRegistry {
    package static let shipped: [any StoreClient.Type] = [
        ReferenceClient.self, PlainClient.self, IAPManagerClient.self, StoreObserverClient.self, PayAPIClient.self,
        PurchaseHelperClient.self, SilverShop.self, TemplateClient.self, StoreKit2Client.self,
    ]

    /// - Parameter additional: a user's own; one of the same name takes the place of one that ships.
    package init(additional: [any StoreClient.Type] = []) { self.init(Self.shipped, additional: additional) }
}
