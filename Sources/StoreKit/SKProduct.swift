// A product as the App Store describes it.
// Constants, except values that a test sets by key before it shares the object; any thread.

@_exported public import CStoreKit
public import Foundation
import Simulation

/// A product of the catalog, as the store describes it.
open class SKProduct: NSObject, @unchecked Sendable {  // Guard: constants.
    /// The unit of a subscription's period.
    public typealias PeriodUnit = SKProductPeriodUnit

    // Set where the product is made, and never again.
    @exclusivity(unchecked) private var product: CatalogProduct?
    @exclusivity(unchecked) private var storefront: StorefrontValue
    @exclusivity(unchecked) private var locale: String
    @exclusivity(unchecked) private var period: SKProductSubscriptionPeriod?
    @exclusivity(unchecked) private var introductory: SKProductDiscount?
    @exclusivity(unchecked) private var promotional: [SKProductDiscount]
    @exclusivity(unchecked) private var keyed = KeyedValues()

    /// A product that is not in any catalog, for subclasses that override the getters.
    public override init() {
        product = nil
        storefront = .unitedStates
        locale = "en_US"
        period = nil
        introductory = nil
        promotional = []
        super.init()
    }

    convenience init(product: CatalogProduct, storefront: StorefrontValue, locale: String) {
        self.init()
        self.product = product
        self.storefront = storefront
        self.locale = locale
        let subscription = product.subscription
        period = subscription.map { SKProductSubscriptionPeriod($0.period) }
        introductory = subscription?.introductoryOffer.map {
            SKProductDiscount($0, type: .introductory, storefront: storefront, locale: locale)
        }
        promotional =
            subscription?.promotionalOffers.map {
                SKProductDiscount($0, type: .subscription, storefront: storefront, locale: locale)
            } ?? []
    }

    /// The identifier by which payments name the product.
    open var productIdentifier: String { keyed["productIdentifier"] ?? product?.identifier ?? "" }
    /// The title in the device's language.
    open var localizedTitle: String {
        if let set: String = keyed["localizedTitle"] { return set }
        guard let product else { return "" }
        return product.localization(for: locale)?.displayName ?? product.referenceName
    }
    /// The description in the device's language.
    open var localizedDescription: String {
        keyed["localizedDescription"] ?? product?.localization(for: locale)?.description ?? ""
    }
    /// The price in the storefront's currency (R55).
    open var price: NSDecimalNumber { keyed["price"] ?? NSDecimalNumber(decimal: product?.price ?? 0) }
    /// The locale that formats `price`: the device's language, the storefront's country and currency (R55).
    open var priceLocale: Locale { keyed["priceLocale"] ?? storefront.priceLocale(language: locale) }
    /// Whether purchases of the product may be shared with the family (R50).
    open var isFamilyShareable: Bool { keyed["isFamilyShareable"] ?? product?.isFamilyShareable ?? false }

    /// The length of a period; nil unless the product is an auto-renewable subscription.
    open var subscriptionPeriod: SKProductSubscriptionPeriod? { keyed.value("subscriptionPeriod", else: period) }
    /// The offer for new subscribers. It does not say whether this user is a new subscriber (R55).
    open var introductoryPrice: SKProductDiscount? { keyed.value("introductoryPrice", else: introductory) }
    /// The subscription group; nil unless the product is an auto-renewable subscription.
    open var subscriptionGroupIdentifier: String? {
        keyed.value("subscriptionGroupIdentifier", else: product?.subscription?.groupIdentifier)
    }
    /// The promotional offers, in the catalog's order. Buying under an offer needs a signature (R60).
    open var discounts: [SKProductDiscount] { keyed["discounts"] ?? promotional }

    /// False: Apple no longer hosts content (R61).
    open var isDownloadable: Bool { keyed["isDownloadable"] ?? false }
    /// Empty: nothing can be downloaded (R61).
    open var downloadContentLengths: [NSNumber] { keyed["downloadContentLengths"] ?? [] }
    /// Empty: nothing can be downloaded (R61).
    open var downloadContentVersion: String { keyed["downloadContentVersion"] ?? "" }
    /// The version of downloadable content, under its older name; empty (R61).
    open var contentVersion: String { keyed["contentVersion"] ?? "" }

    /// Sets a property by key, for a product that a test has made. `price` can be set from a `Double` too.
    open func setValue(_ value: Any?, forKey key: String) {
        switch key {
        case "productIdentifier", "localizedTitle", "localizedDescription", "downloadContentVersion",
            "contentVersion":
            keyed.set(key, to: value, as: String.self, of: self)
        case "price": keyed.set(key, to: value, as: NSDecimalNumber.self, of: self)
        case "priceLocale": keyed.set(key, to: value, as: Locale.self, of: self)
        case "isFamilyShareable", "isDownloadable": keyed.set(key, to: value, as: Bool.self, of: self)
        case "downloadContentLengths": keyed.set(key, to: value, as: [NSNumber].self, of: self)
        case "subscriptionPeriod": keyed.setOptional(key, to: value, as: SKProductSubscriptionPeriod.self, of: self)
        case "introductoryPrice": keyed.setOptional(key, to: value, as: SKProductDiscount.self, of: self)
        case "subscriptionGroupIdentifier": keyed.setOptional(key, to: value, as: String.self, of: self)
        case "discounts": keyed.set(key, to: value, as: [SKProductDiscount].self, of: self)
        default: KeyedValues.unknown(key, of: self)
        }
    }
}

extension StorefrontValue {
    /// The language of the device, this storefront's country and currency.
    func priceLocale(language locale: String) -> Locale {
        let language = locale.prefix { $0 != "_" && $0 != "-" }
        return Locale(identifier: "\(language)_\(regionCode)@currency=\(currencyCode)")
    }
}
