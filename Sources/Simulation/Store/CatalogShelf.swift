// The catalog of a store that is reconfigured while it is open, and how one catalog follows another.

import Foundation

/// What all lanes but the store's own read.
final class CatalogShelf: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var shown: Catalog

    init(_ catalog: Catalog) { shown = catalog }

    var catalog: Catalog {
        get { lock.withLock { shown } }
        set { lock.withLock { shown = newValue } }
    }
}

extension Catalog {
    /// What sells `next` from now on. A product keeps its place for ever, because purchases name it by its place:
    /// one that is sold no longer stays there, and only cannot be found any more.
    func followed(by next: Catalog, storefront: Storefront, locale: String) -> Catalog {
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
