// What the screen with the offers shows; the view draws it.

import Foundation
import StoreKit

@MainActor
public final class Paywall {
    public enum Phase: Equatable { case loading, ready, buying, message(String) }

    public private(set) var phase = Phase.loading { didSet { onChange() } }
    public private(set) var products: [SKProduct] = []
    /// The view draws itself anew.
    public var onChange: () -> Void = {}

    private let purchases: Purchases

    public init(purchases: Purchases? = nil) { self.purchases = purchases ?? .shared }

    public func title(of product: SKProduct) -> String {
        let count = purchases.library.count(of: product.productIdentifier)
        return count == 0 ? product.localizedTitle : "\(product.localizedTitle) (you have \(count))"
    }

    public func appear() async {
        do {
            products = try await purchases.fetch()
            phase = .ready
        } catch {
            phase = .message(error.localizedDescription)
        }
    }

    public func buy(_ product: SKProduct) async {
        phase = .buying
        do {
            switch try await purchases.buy(product.productIdentifier) {
            case .bought: phase = .ready
            case .waitsForApproval: phase = .message("Your family has been asked.")
            }
        } catch let error as SKError where error.code == .paymentCancelled {
            phase = .ready
        } catch {
            phase = .message(error.localizedDescription)
        }
    }

    public func restore() async {
        phase = .buying
        do {
            let count = try await purchases.restore()
            phase = count == 0 ? .message("There was nothing to restore.") : .ready
        } catch {
            phase = .message(error.localizedDescription)
        }
    }
}
