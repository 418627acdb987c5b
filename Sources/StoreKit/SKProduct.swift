// A product as the App Store describes it.
// Immutable; any thread.

public import Foundation
import Simulation

/// Information about a product registered in the catalog.
open class SKProduct: NSObject, @unchecked Sendable {  // Guard: constants only.
    private let product: CatalogProduct?
    private let storefront: Storefront
    private let locale: String

    /// A product that is not in any catalog, for subclasses that override the getters.
    public override init() {
        product = nil
        storefront = .unitedStates
        locale = "en_US"
        super.init()
    }

    init(product: CatalogProduct, storefront: Storefront, locale: String) {
        self.product = product
        self.storefront = storefront
        self.locale = locale
        super.init()
    }

    open var productIdentifier: String { product?.identifier ?? "" }
    /// In the device's language.
    open var localizedTitle: String {
        guard let product else { return "" }
        return product.localization(for: locale)?.displayName ?? product.referenceName
    }
    /// In the device's language.
    open var localizedDescription: String { product?.localization(for: locale)?.description ?? "" }
    /// In the storefront's currency (R55).
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: product?.price ?? 0) }
    /// Formats `price`: the device's language, the storefront's country and currency (R55).
    open var priceLocale: Locale {
        let language = locale.prefix { $0 != "_" && $0 != "-" }
        return Locale(identifier: "\(language)_\(storefront.regionCode)@currency=\(storefront.currencyCode)")
    }
    open var isFamilyShareable: Bool { product?.isFamilyShareable ?? false }
    /// Nil unless the product is an auto-renewable subscription.
    open var subscriptionGroupIdentifier: String? { product?.subscription?.groupIdentifier }
}

/// The store's answer to an `SKProductsRequest`.
open class SKProductsResponse: NSObject, @unchecked Sendable {  // Guard: constants only.
    private let found: [SKProduct]
    private let invalid: [String]

    public override init() {
        found = []
        invalid = []
        super.init()
    }

    init(products: [SKProduct], invalidProductIdentifiers: [String]) {
        found = products
        invalid = invalidProductIdentifiers
        super.init()
    }

    /// In no promised order (R54).
    open var products: [SKProduct] { found }
    /// What the store does not know; all of them unknown is still a success (R54).
    open var invalidProductIdentifiers: [String] { invalid }
}
