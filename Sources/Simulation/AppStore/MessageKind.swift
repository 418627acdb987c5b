// What a message to the store is about, as one number for a device's history.
// A value.

package enum MessageKind: Int, Sendable, CaseIterable {
    case products = 1
    case purchase
    case restore
    case sync
    case finish
    case redeemOffer
    case refreshReceipt
    case priceConsent
    case settleAccount
}

extension StoreRequest {
    package var messageKind: MessageKind {
        switch self {
        case .products: return .products
        case .purchase: return .purchase
        case .restore: return .restore
        case .sync: return .sync
        case .finish: return .finish
        case .redeemOffer: return .redeemOffer
        case .refreshReceipt: return .refreshReceipt
        case .priceConsent: return .priceConsent
        case .settleAccount: return .settleAccount
        }
    }
}
