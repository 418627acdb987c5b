// A product as StoreKit 2 describes it.
// Values; any thread.

public import Foundation
import Simulation

/// A product of the App Store.
public struct Product: Identifiable, Sendable {
    /// The identifier, as in App Store Connect.
    public let id: String
    let product: CatalogProduct
    let storefront: StorefrontValue
    let locale: String

    init(_ product: CatalogProduct, storefront: StorefrontValue, locale: String) {
        id = product.identifier
        self.product = product
        self.storefront = storefront
        self.locale = locale
    }

    /// The name in the device's language.
    public var displayName: String { product.localization(for: locale)?.displayName ?? product.referenceName }
    /// The description in the device's language.
    public var description: String { product.localization(for: locale)?.description ?? "" }
    /// The price in the storefront's currency.
    public var price: Decimal { product.price }
    /// The price as text, with its currency.
    public var displayPrice: String { price.formatted(priceFormatStyle) }
    /// Formats a price of this product.
    public var priceFormatStyle: Decimal.FormatStyle.Currency {
        Decimal.FormatStyle.Currency(
            code: storefront.currencyCode, locale: storefront.priceLocale(language: locale))
    }
    /// The kind of the product.
    public var type: ProductType { ProductType(product.kind) }
    /// Whether purchases may be shared with the family.
    public var isFamilyShareable: Bool { product.isFamilyShareable }
    /// The subscription; nil unless the product is auto-renewable.
    public var subscription: SubscriptionInfo? {
        product.subscription.map { SubscriptionInfo($0, storefront: storefront, locale: locale) }
    }
    /// The product as JSON, as the App Store describes it.
    public var jsonRepresentation: Data {
        SignedText.json([
            ("id", .text(id)), ("type", .text(type.rawValue)), ("displayName", .text(displayName)),
            ("description", .text(description)), ("price", .text("\(price)")), ("displayPrice", .text(displayPrice)),
            ("isFamilyShareable", .boolean(isFamilyShareable)),
        ])
    }

    /// The products that the store sells of these, in no promised order; others are left out (S63).
    ///
    /// Throws `StoreKitError.networkError` if the store cannot be reached.
    public static func products<Identifiers: Collection>(
        for identifiers: Identifiers
    ) async throws -> [Product] where Identifiers.Element == String {
        // A set has no order, and another one in each process.
        let asked = identifiers is Set<String> ? identifiers.sorted() : Array(identifiers)
        var seen: Set<String> = []
        return try await StoreKit2Receiver.current(for: "Product.products(for:)")
            .products(asked.filter { seen.insert($0).inserted })
    }

    /// What entitles the user to the product now; nil: nothing does (S25).
    @available(iOS, deprecated: 18.4)
    public var currentEntitlement: VerificationResult<Transaction>? {
        get async { await Transaction.currentEntitlement(for: id) }
    }

    /// What entitles the user to the product now (S25, S30).
    public var currentEntitlements: Transaction.Transactions { Transaction.currentEntitlements(for: id) }

    /// The latest purchase of the product; nil if there is none, or if it was a consumable that is finished (S24).
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }
}

extension Product: Hashable {
    public static func == (left: Product, right: Product) -> Bool {
        left.product === right.product && left.storefront == right.storefront && left.locale == right.locale
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Product: CustomDebugStringConvertible {
    public var debugDescription: String { "Product(\(id), \(type.rawValue), \(displayPrice))" }
}

extension Product {
    /// The kind of a product.
    public struct ProductType: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Used up, and bought again.
        public static let consumable = ProductType(rawValue: "Consumable")
        /// Bought once.
        public static let nonConsumable = ProductType(rawValue: "Non-Consumable")
        /// For a time that the app measures itself (S27).
        public static let nonRenewable = ProductType(rawValue: "Non-Renewing Subscription")
        /// For a period, and renewed until the user cancels.
        public static let autoRenewable = ProductType(rawValue: "Auto-Renewable Subscription")

        init(_ kind: ProductKind) {
            switch kind {
            case .consumable: self = .consumable
            case .nonConsumable: self = .nonConsumable
            case .nonRenewingSubscription: self = .nonRenewable
            case .autoRenewableSubscription: self = .autoRenewable
            }
        }
    }
}
