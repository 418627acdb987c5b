// The catalog between two changes, and how one catalog follows another.

import Foundation

/// The catalog that the store sells until a test session changes it. Any thread.
/// An object that keeps an edition, such as the products of an answer, reads from it whatever the store sells later.
package final class CatalogEdition: Sendable, Equatable {
    package let catalog: Catalog

    init(_ catalog: Catalog) { self.catalog = catalog }

    package static func == (left: CatalogEdition, right: CatalogEdition) -> Bool { left === right }
}

/// Which edition of a store's catalog is current, as the devices of its people learn it. Any thread.
struct CatalogEditions: Sendable {
    /// Nothing but the first is ever current where there is no shelf.
    private let first: CatalogEdition
    private let shelf: Shelf?

    private final class Shelf: @unchecked Sendable {  // Guard: `lock`.
        private let lock = NSLock()
        private var shown: CatalogEdition

        init(_ edition: CatalogEdition) { shown = edition }

        var edition: CatalogEdition {
            get { lock.withLock { shown } }
            set { lock.withLock { shown = newValue } }
        }
    }

    init(_ catalog: Catalog, canChange: Bool) {
        first = CatalogEdition(catalog)
        shelf = canChange ? Shelf(first) : nil
    }

    var current: CatalogEdition { shelf?.edition ?? first }

    func publish(_ next: CatalogEdition) {
        guard let shelf else { preconditionFailure("a catalog that never changes was changed") }
        shelf.edition = next
    }
}

extension Catalog {
    /// The catalog that sells `next` from now on. A product keeps its place for ever, because purchases refer to it by
    /// its place: a product that is no longer sold stays in its place, but cannot be found by its identifier.
    func followed(by next: Catalog, storefront: StorefrontValue, locale: String) -> Catalog {
        var all = products
        var places = Dictionary(all.map { ($0.identifier, $0.index) }) { first, _ in first }
        var sold: [String: ProductIndex] = [:]
        for product in next.products {
            let place = places[product.identifier] ?? all.count
            if place == all.count {
                all.append(product.moved(to: place))
            } else {
                all[place] = product.moved(to: place)
            }
            places[product.identifier] = place
            sold[product.identifier] = place
        }
        return Catalog(
            products: all, storefront: storefront, locale: locale, settings: next.settings, offerKey: next.offerKey,
            sold: sold)
    }

    /// Whether the product is on sale, and not just remembered.
    func sells(_ product: CatalogProduct) -> Bool { index(of: product.identifier) == product.index }
}

extension CatalogProduct {
    fileprivate func moved(to place: ProductIndex) -> CatalogProduct {
        CatalogProduct(
            index: place, identifier: identifier, kind: kind, referenceName: referenceName, price: price,
            isFamilyShareable: isFamilyShareable, localizations: localizations, subscription: subscription)
    }
}
