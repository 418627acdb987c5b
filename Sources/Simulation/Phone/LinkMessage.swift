// What a device sends over its link.
// Values.

/// A message on its way.
package enum LinkMessage: Sendable {
    case store(StoreRequest)
    /// To the receipt validator, or another server on the web.
    case post(WebAddress)

    var kind: LinkMessageKind {
        switch self {
        case .post: return .post
        case .store(let request):
            switch request {
            case .products: return .products
            case .purchase: return .purchase
            case .restore: return .restore
            case .sync: return .sync
            case .synchronise: return .restore
            case .finish: return .finish
            case .redeemOffer: return .redeemOffer
            case .refund: return .refund
            case .refreshReceipt: return .refreshReceipt
            case .priceConsent: return .priceConsent
            }
        }
    }
}

/// What a message is about.
package enum LinkMessageKind: Sendable, CaseIterable {
    case products
    case purchase
    case restore
    case sync
    case finish
    case redeemOffer
    case refund
    case refreshReceipt
    case priceConsent
    case post
}
