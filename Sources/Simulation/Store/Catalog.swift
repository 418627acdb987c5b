// What the simulated App Store sells.
// Immutable after loading; any thread.

package import Foundation

/// The place of a product in its catalog. Dense, so that tables can be arrays.
package typealias ProductIndex = Int

package enum ProductKind: String, Sendable, CaseIterable {
    case consumable
    case nonConsumable
    case nonRenewingSubscription
    case autoRenewableSubscription

    /// R26: a restore brings back non-consumables and auto-renewable subscriptions, nothing else.
    package var isRestorable: Bool { self == .nonConsumable || self == .autoRenewableSubscription }
    /// Held or not held, rather than counted.
    package var isEntitlement: Bool { self != .consumable }
}

/// A calendar period such as "P1M": subscriptions renew by the calendar.
package struct CalendarPeriod: Sendable, Hashable {
    package enum Unit: Int, Sendable { case day, week, month, year }

    package let count: Int
    package let unit: Unit

    package init(count: Int, unit: Unit) {
        precondition(count > 0, "a period of \(count) units")
        self.count = count
        self.unit = unit
    }
}

package final class CatalogProduct: Sendable {
    package struct Localization: Sendable, Equatable {
        package let locale: String
        package let displayName: String
        package let description: String

        package init(locale: String, displayName: String, description: String) {
            self.locale = locale
            self.displayName = displayName
            self.description = description
        }
    }

    /// Only auto-renewable subscriptions have one.
    package struct Subscription: Sendable, Equatable {
        package let groupIdentifier: String
        /// 1 is the highest level of service in the group.
        package let level: Int
        package let period: CalendarPeriod
        /// For those who have never subscribed in the group.
        package let introductoryOffer: CatalogOffer?
        /// For present and former subscribers, under a signature of the app's server (R60).
        package let promotionalOffers: [CatalogOffer]
        /// Redeemed by a code, outside the app or on its redemption sheet (R42).
        package let codeOffers: [CatalogOffer]
        /// For those who subscribed in the group once and do not now (S79).
        package let winBackOffers: [CatalogOffer]

        package init(
            groupIdentifier: String, level: Int, period: CalendarPeriod, introductoryOffer: CatalogOffer? = nil,
            promotionalOffers: [CatalogOffer] = [], codeOffers: [CatalogOffer] = [], winBackOffers: [CatalogOffer] = []
        ) {
            self.groupIdentifier = groupIdentifier
            self.level = level
            self.period = period
            self.introductoryOffer = introductoryOffer
            self.promotionalOffers = promotionalOffers
            self.codeOffers = codeOffers
            self.winBackOffers = winBackOffers
        }
    }

    package let index: ProductIndex
    package let identifier: String
    package let kind: ProductKind
    package let referenceName: String
    package let price: Decimal
    package let isFamilyShareable: Bool
    package let localizations: [Localization]
    package let subscription: Subscription?

    package init(
        index: ProductIndex, identifier: String, kind: ProductKind, referenceName: String, price: Decimal,
        isFamilyShareable: Bool, localizations: [Localization], subscription: Subscription?
    ) {
        precondition(
            (kind == .autoRenewableSubscription) == (subscription != nil),
            "subscription data belongs to auto-renewable subscriptions, and \(identifier) is a \(kind)")
        self.index = index
        self.identifier = identifier
        self.kind = kind
        self.referenceName = referenceName
        self.price = price
        self.isFamilyShareable = isFamilyShareable
        self.localizations = localizations
        self.subscription = subscription
    }

    /// The part after the last dot: what scenarios and reports call the product.
    package var shortName: String {
        identifier.lastIndex(of: ".").map { String(identifier[identifier.index(after: $0)...]) } ?? identifier
    }

    /// The texts for a locale such as "de_DE": the exact one, else its language, else the first there is.
    package func localization(for locale: String) -> Localization? {
        let language = locale.prefix { $0 != "_" && $0 != "-" }
        return localizations.first { $0.locale == locale }
            ?? localizations.first { $0.locale.prefix { $0 != "_" && $0 != "-" } == language }
            ?? localizations.first
    }
}

/// The products of one StoreKit configuration file, with the storefront they are sold in.
///
/// A class, because catalogs are handed around at every step: a copy is one reference.
package final class Catalog: Sendable {
    package let products: [CatalogProduct]
    package let storefront: StorefrontValue
    /// The language of titles and descriptions, such as "en_US".
    package let locale: String
    package let settings: CatalogSettings
    /// Nil: the file has none, and no promotional offer can be signed.
    package let offerKey: OfferKey?
    /// The text of the file, so that a report can be replayed without it; nil: made without a file.
    package let source: String?
    private let indexByIdentifier: [String: ProductIndex]

    /// - Parameters:
    ///   - sold: which of the products can be found by their identifiers; nil: all of them.
    ///   - source: the text of the file that it was read from, if it was.
    package init(
        products: [CatalogProduct], storefront: StorefrontValue, locale: String,
        settings: CatalogSettings = CatalogSettings(), offerKey: OfferKey? = nil,
        sold: [String: ProductIndex]? = nil, source: String? = nil
    ) {
        for (place, product) in products.enumerated() {
            precondition(product.index == place, "\(product.identifier) says \(product.index), stands at \(place)")
        }
        self.products = products
        self.storefront = storefront
        self.locale = locale
        self.settings = settings
        self.offerKey = offerKey
        self.source = source
        indexByIdentifier = sold ?? Dictionary(products.map { ($0.identifier, $0.index) }) { first, _ in first }
    }

    /// Sells nothing.
    package static var empty: Catalog {
        Catalog(products: [], storefront: .unitedStates, locale: "en_US")
    }

    package func index(of identifier: String) -> ProductIndex? { indexByIdentifier[identifier] }

    package subscript(index: ProductIndex) -> CatalogProduct { products[index] }

    /// What a scenario means by a name: a whole identifier, or a short name that only one product has.
    package func resolve(_ name: String) -> ProductIndex? {
        if let index = indexByIdentifier[name] { return index }
        let matches = products.filter { $0.shortName == name }
        return matches.count == 1 ? matches[0].index : nil
    }

    /// The shortest name that `resolve` knows a product by.
    package func shortestName(of product: CatalogProduct) -> String {
        let short = product.shortName
        return !short.isEmpty && resolve(short) == product.index ? short : product.identifier
    }
}
