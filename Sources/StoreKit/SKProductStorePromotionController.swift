// Which products the App Store's page promotes on this device, and in which order.
// Call its methods on any thread. Completion handlers are called on the device's main queue.

@_exported public import CStoreKit
public import Foundation
import Simulation

/// Changes the developer's product promotions for this device. The changes outlive the app.
///
/// No call fails. An `async` method does not return if the app's process ends first.
open class SKProductStorePromotionController: NSObject {
    private let connection: Connection

    /// Makes a controller of the device that the caller runs on.
    public override init() {
        connection = .making ?? .current
        super.init()
    }

    /// The controller of the device that the caller runs on.
    /// Without a harness, that of the process-wide default device.
    open class func `default`() -> Self {
        guard let controller = Connection.current.promotionController as? Self else {
            preconditionFailure("the default controller is an SKProductStorePromotionController, not a \(self)")
        }
        return controller
    }

    // MARK: Visibility

    /// Passes on whether the product is shown: `.default` unless the app has changed it.
    open func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: ((SKProductStorePromotionVisibility, (any Error)?) -> Void)? = nil
    ) {
        let identifier = product.productIdentifier
        connection.promote({ _ in }) { connection in
            let visibility = connection.process.device.promotions.visibility[identifier]
            completionHandler?(visibility.map(SKProductStorePromotionVisibility.init) ?? .default, nil)
        }
    }

    /// Shows or hides the product; `.default` undoes the app's choice.
    open func update(
        storePromotionVisibility promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct,
        completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        let identifier = product.productIdentifier
        let visibility = StorePromotions.Visibility(promotionVisibility)
        connection.promote({ $0.visibility[identifier] = visibility }) { _ in completionHandler?(nil) }
    }

    /// Whether the product is shown: `.default` unless the app has changed it.
    nonisolated(nonsending) open func promotionVisibility(
        for product: SKProduct
    ) async throws -> SKProductStorePromotionVisibility {
        // Unsafe: a process that ends drops its continuations, which is no mistake.
        await withUnsafeContinuation { continuation in
            fetchStorePromotionVisibility(for: product) { visibility, _ in continuation.resume(returning: visibility) }
        }
    }

    /// Shows or hides the product; `.default` undoes the app's choice.
    nonisolated(nonsending) open func update(
        promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct
    ) async throws {
        await withUnsafeContinuation { continuation in
            update(storePromotionVisibility: promotionVisibility, for: product) { _ in continuation.resume() }
        }
    }

    // MARK: Order

    /// Passes on the products whose order the app has set, in the order of display.
    open func fetchStorePromotionOrder(completionHandler: (([SKProduct], (any Error)?) -> Void)? = nil) {
        connection.promote({ _ in }) { connection in
            completionHandler?(connection.products(named: connection.process.device.promotions.order), nil)
        }
    }

    /// Sets the order in which products are shown; an empty list undoes the app's order.
    open func update(
        storePromotionOrder promotionOrder: [SKProduct], completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        let identifiers = promotionOrder.map(\.productIdentifier)
        connection.promote({ $0.order = identifiers }) { _ in completionHandler?(nil) }
    }

    /// The products whose order the app has set, in the order of display.
    nonisolated(nonsending) open func promotionOrder() async throws -> [SKProduct] {
        await withUnsafeContinuation { continuation in
            fetchStorePromotionOrder { products, _ in continuation.resume(returning: products) }
        }
    }

    /// Sets the order in which products are shown; an empty list undoes the app's order.
    nonisolated(nonsending) open func update(promotionOrder: [SKProduct]) async throws {
        await withUnsafeContinuation { continuation in
            update(storePromotionOrder: promotionOrder) { _ in continuation.resume() }
        }
    }
}

extension StorePromotions.Visibility {
    /// Nil for `.default`: the app leaves the choice to the store.
    fileprivate init?(_ visibility: SKProductStorePromotionVisibility) {
        switch visibility {
        case .show: self = .shown
        case .hide: self = .hidden
        case .default: return nil
        }
    }
}

extension SKProductStorePromotionVisibility {
    fileprivate init(_ visibility: StorePromotions.Visibility) {
        switch visibility {
        case .shown: self = .show
        case .hidden: self = .hide
        }
    }
}
