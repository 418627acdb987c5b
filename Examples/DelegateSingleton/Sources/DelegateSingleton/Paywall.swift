// What the screen with the offers shows; the view draws it.

import Foundation
import StoreKit

/// Belongs to the main queue.
public final class Paywall: ShopDelegate {
    public struct Row {
        public let product: String
        public let title: String
        public let price: String
        public let owned: Int
    }

    public private(set) var rows: [Row] = []
    public private(set) var isBusy = false
    public private(set) var alert: String?
    /// The view draws itself anew.
    public var onChange: (() -> Void)?

    private let shop: Shop
    private var shown: [SKProduct] = []
    private var observation: NSObjectProtocol?

    public init(shop: Shop = .shared) {
        self.shop = shop
        shop.delegate = self
        observation = NotificationCenter.default.addObserver(
            forName: Inventory.didChange, object: shop.inventory, queue: .main
        ) { [weak self] _ in self?.refresh() }
    }

    deinit { observation.map { NotificationCenter.default.removeObserver($0) } }

    public func appear() {
        isBusy = true
        shop.loadProducts()
    }

    public func tap(_ row: Row) {
        guard SKPaymentQueue.canMakePayments() else { return show(alertText(for: SKError(.paymentNotAllowed))) }
        isBusy = true
        shop.buy(row.product)
    }

    public func tapRestore() {
        isBusy = true
        shop.restore { [weak self] count, error in
            if let error {
                self?.show(alertText(for: error))
            } else {
                self?.show(count == 0 ? "There was nothing to restore." : "Your levels are back.")
            }
        }
    }

    public func shop(_ shop: Shop, didLoad products: [SKProduct]) {
        shown = products.sorted { $0.price.compare($1.price) == .orderedAscending }
        isBusy = false
        refresh()
    }

    public func shop(_ shop: Shop, didFailToLoad error: Error) { show(alertText(for: error)) }

    public func shop(_ shop: Shop, didBuy product: String) { show(nil) }

    public func shop(_ shop: Shop, didDefer product: String) {
        show("Somebody in your family has to say yes first.")
    }

    public func shop(_ shop: Shop, didFailToBuy product: String, with error: Error) {
        show(alertText(for: error))
    }

    private func show(_ alert: String?) {
        isBusy = false
        self.alert = alert
        refresh()
    }

    private func refresh() {
        rows = shown.map {
            Row(
                product: $0.productIdentifier, title: $0.localizedTitle, price: $0.priceText,
                owned: shop.inventory.count(of: $0.productIdentifier))
        }
        onChange?()
    }
}
