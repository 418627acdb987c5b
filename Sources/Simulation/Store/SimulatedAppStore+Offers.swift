// Which offer a payment may use.
// Part of `SimulatedAppStore`; confined as it is.

extension SimulatedAppStore {
    /// R60: why a payment's promotional offer is not taken; nil if it is, or if the payment has none.
    func offerFailure(_ order: PaymentOrder, _ product: ProductIndex, _ account: Account) -> StoreFailure? {
        guard let discount = order.payment.discount else { return nil }
        // StoreKit 2 has been seen to sell what is no subscription without a word on the offer.
        if order.isStoreKit2, stock[product].subscription == nil { return nil }
        if discount.isWinBack { return winBackFailure(discount.identifier, product, account) }
        guard !discount.identifier.isEmpty, !discount.keyIdentifier.isEmpty, !discount.signature.isEmpty,
            discount.timestamp != 0
        else { return .store(.missingOfferParams) }
        guard let terms = stock[product].subscription,
            let offer = terms.promotionalOffers.first(where: { $0.identifier == discount.identifier })
        else { return .store(.invalidOfferIdentifier) }
        if !isSigned(discount, order) { return .store(.invalidSignature) }
        if offer.price >= stock[product].price { return .store(.invalidOfferPrice) }
        // For present and former subscribers only.
        guard account.hasSubscribed(to: terms.groupIdentifier, stock) else { return .store(.ineligibleForOffer) }
        return nil
    }

    /// S79: why an offer for former subscribers is not taken; nil if it is.
    private func winBackFailure(_ identifier: String, _ product: ProductIndex, _ account: Account) -> StoreFailure? {
        guard let terms = stock[product].subscription, stock.offer(.winBack(identifier), of: product) != nil else {
            return .store(.invalidOfferIdentifier)
        }
        let isFormer = account.ended.contains { $0.group == terms.groupIdentifier }
        return isFormer && account.place(of: terms.groupIdentifier) == nil ? nil : .store(.ineligibleForOffer)
    }

    /// A catalog without a key signs nothing.
    private func isSigned(_ discount: PaymentDiscountValue, _ order: PaymentOrder) -> Bool {
        guard discount.keyIdentifier == stock.offerKey?.identifier, let offerVerifier,
            !OfferSignature.isExpired(discount, at: lane.date)
        else { return false }
        let payload = OfferSignature.payload(
            bundle: conditions.app.bundleIdentifier, product: order.payment.productIdentifier,
            username: order.payment.applicationUsername, discount)
        return offerVerifier.isValid(discount.signature, of: payload)
    }
}
