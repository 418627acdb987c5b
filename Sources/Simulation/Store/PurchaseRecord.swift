// What the store tells a device of an account's purchases, for an API that reads them.
// Values.

/// The purchases and subscriptions of an account at one moment (S28).
package struct PurchaseRecord: Sendable, Equatable {
    /// As the store's books have them, oldest first.
    package internal(set) var purchases: [StoreTransaction]
    /// The running subscription of each group, or its latest one if none runs.
    package internal(set) var subscriptions: [SubscriptionFacts]
    /// When the store said so.
    package internal(set) var asOf: Instant

    package static let empty = PurchaseRecord(purchases: [], subscriptions: [], asOf: .start)

    package subscript(id: TransactionID) -> StoreTransaction? { place(of: id).map { purchases[$0] } }

    private func place(of id: TransactionID) -> Int? {
        // What is asked for is nearly always among the latest.
        purchases.lastIndex { $0.id == id }
    }

    /// Takes in what the store has answered to a payment.
    mutating func note(_ purchase: StoreTransaction) {
        if let place = place(of: purchase.id) {
            purchases[place] = purchase
        } else {
            let place = purchases.lastIndex { $0.id < purchase.id }.map { $0 + 1 } ?? 0
            purchases.insert(purchase, at: place)
        }
    }

    /// The device has noted a finish, or has to forget a finish that failed.
    mutating func note(_ id: TransactionID, finishedAt instant: Instant?) {
        if let place = place(of: id), purchases[place].finishedAt == nil || instant == nil {
            purchases[place].finishedAt = instant
        }
    }
}

extension PurchaseRecord {
    /// R23, S56: what is owned, bought again for nothing, is shown only where the first purchase is not known.
    private func isCopy(_ purchase: StoreTransaction) -> Bool {
        guard let original = purchase.original, !purchase.isCharged, purchase.origin == .payment else { return false }
        return self[original] != nil
    }

    /// S22, S23.
    ///
    /// - Parameter keepsConsumables: whether finished consumables are listed.
    package func history(keepsConsumables: Bool, _ catalog: Catalog) -> [StoreTransaction] {
        purchases.filter {
            !isCopy($0)
                && (keepsConsumables || $0.finishedAt == nil || $0.revokedAt != nil
                    || catalog[$0.product].kind != .consumable)
        }
    }

    /// S25, S27, S30: what entitles to a product at that moment, oldest first.
    package func entitlements(at now: Instant, _ catalog: Catalog) -> [StoreTransaction] {
        var found: [StoreTransaction] = []
        /// Products and groups of which the latest is known.
        var seen: Set<String> = []
        for purchase in purchases.reversed() where !isCopy(purchase) && !purchase.isUpgraded {
            let product = catalog[purchase.product]
            switch product.kind {
            case .consumable: continue
            case .nonConsumable: if purchase.revokedAt != nil { continue }
            case .nonRenewingSubscription:
                guard purchase.revokedAt == nil, seen.insert(product.identifier).inserted else { continue }
            case .autoRenewableSubscription:
                // What family members share stands beside the person's own, and beside each other's.
                let isShared = purchase.origin == .familySharing
                let group = product.subscription?.groupIdentifier ?? product.identifier
                guard isShared || seen.insert(group).inserted, !purchase.isOver(at: now) else { continue }
            }
            found.append(purchase)
        }
        return found.reversed()
    }
}

/// A subscription as its status tells it (S64 to S69).
package struct SubscriptionFacts: Sendable, Equatable {
    /// Why a subscription ended (S67).
    package enum Ending: Sendable { case autoRenewDisabled, billingError, noConsent }

    package let group: String
    package let start: TransactionID
    /// S69.
    package let recentStart: Instant
    package let latest: TransactionID
    package let product: ProductIndex
    /// What the next period will be of (R47).
    package let nextProduct: ProductIndex
    /// The offer that it will be under.
    package let nextOffer: AppliedOffer?
    package let expiresAt: Instant
    package let renews: Bool
    package let isInRetry: Bool
    /// R52: a higher price has to be agreed to; true once it was.
    package let hasConsent: Bool?
    /// Nil while it runs.
    package let ending: Ending?

    init(_ subscription: Subscription, ending: Ending? = nil) {
        group = subscription.group
        start = subscription.start
        recentStart = subscription.recentStart
        latest = subscription.latest
        product = subscription.product
        nextProduct = subscription.nextProduct
        nextOffer = subscription.offerPeriodsLeft > 0 ? subscription.offer : nil
        expiresAt = subscription.expiresAt
        renews = subscription.renews && ending == nil
        isInRetry = subscription.isInRetry && ending == nil
        switch subscription.consent {
        case .notNeeded: hasConsent = nil
        case .needed, .refused: hasConsent = false
        case .given: hasConsent = true
        }
        self.ending = ending
    }
}

extension Account {
    /// Takes a subscription off the list and keeps how it ended.
    @discardableResult
    func endSubscription(_ place: Int, _ ending: SubscriptionFacts.Ending?) -> Subscription {
        let subscription = subscriptions.remove(at: place)
        ended.removeAll { $0.group == subscription.group }
        ended.append(SubscriptionFacts(subscription, ending: ending ?? .autoRenewDisabled))
        return subscription
    }

    /// For devices on which an app reads purchases.
    func record(asOf instant: Instant) -> PurchaseRecord {
        let running = subscriptions.map { SubscriptionFacts($0) }
        let over = ended.filter { end in !running.contains { $0.group == end.group } }
        return PurchaseRecord(purchases: statement.transactions, subscriptions: running + over, asOf: instant)
    }
}
