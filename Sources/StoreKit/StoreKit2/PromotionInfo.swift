// Which products the App Store's page promotes on this device, for StoreKit 2.
// Values; any thread.

import Simulation

extension Product {
    /// The promotion of a product on this device. Changes outlive the app. No call fails.
    public struct PromotionInfo: Equatable, Sendable {
        /// Whether a promoted product is shown.
        @nonexhaustive public enum Visibility: Int, Sendable {
            /// As the developer has set it up.
            case appStoreConnectDefault
            /// It is shown.
            case visible
            /// It is not shown.
            case hidden
        }

        /// The product's identifier.
        public let productID: Product.ID
        /// Whether the product is shown. A change counts once it is saved, by `update()` or `updateAll(_:)`.
        public var visibility: Visibility

        /// The products whose order the app has set, in that order.
        public static var currentOrder: [PromotionInfo] {
            get async throws {
                await StoreKit2Receiver.current(for: "PromotionInfo.currentOrder").promotions { promotions in
                    promotions.order.map { PromotionInfo($0, promotions) }
                }
            }
        }

        /// Sets the order in which products are shown; an empty list undoes the app's order.
        public static func updateProductOrder(byID productIDs: some Collection<Product.ID>) async throws {
            let order = Array(productIDs)
            await StoreKit2Receiver.current(for: "PromotionInfo.updateProductOrder(byID:)").promotions {
                $0.order = order
            }
        }

        /// Shows or hides a product; `.appStoreConnectDefault` undoes the app's choice.
        public static func updateProductVisibility(
            _ visibility: Visibility, for productID: Product.ID
        ) async throws {
            await StoreKit2Receiver.current(for: "PromotionInfo.updateProductVisibility(_:for:)").promotions {
                $0.visibility[productID] = visibility.choice
            }
        }

        /// Sets order and visibility of all; an empty collection undoes both.
        public static func updateAll(_ promotions: some Collection<PromotionInfo>) async throws {
            let all = Array(promotions)
            await StoreKit2Receiver.current(for: "PromotionInfo.updateAll(_:)").promotions { promotions in
                promotions.order = all.map(\.productID)
                promotions.visibility = [:]
                for promotion in all { promotions.visibility[promotion.productID] = promotion.visibility.choice }
            }
        }

        /// Saves the visibility.
        public func update() async throws { try await Self.updateProductVisibility(visibility, for: productID) }

        private init(_ productID: Product.ID, _ promotions: StorePromotions) {
            self.productID = productID
            switch promotions.visibility[productID] {
            case .shown: visibility = .visible
            case .hidden: visibility = .hidden
            case nil: visibility = .appStoreConnectDefault
            }
        }
    }
}

extension Product.PromotionInfo.Visibility {
    /// Nil: the app leaves the choice to the store.
    fileprivate var choice: StorePromotions.Visibility? {
        switch self {
        case .visible: .shown
        case .hidden: .hidden
        case .appStoreConnectDefault: nil
        }
    }
}
