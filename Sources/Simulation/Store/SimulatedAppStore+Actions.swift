// What a person does with the account outside the app: on the store's own pages, on the web, in the settings.
// Part of `SimulatedAppStore`; confined as it is.

/// Something done to an account without the app.
package enum AccountAction: Sendable, Equatable {
    /// The latest purchase of a product is given back (R49).
    case refund(ProductIndex)
    /// Renewal is turned off: the subscription ends with its period.
    case cancelSubscription(ProductIndex)
    /// Another product of the group, as on the page that manages subscriptions (R47).
    case changeSubscription(to: ProductIndex)
    /// A code for an offer on a subscription (R42); without a name the first that the account may use.
    case redeemOffer(ProductIndex, name: String?)
    /// Bought without the app (R44).
    case buyOutside(ProductIndex)
    /// A member of the family begins to share what they have bought (R50).
    case shareInFamily(ProductIndex)
    /// The member of the family shares no longer (R49).
    case stopSharing(ProductIndex)
    /// The person moves to another country (R51).
    case changeStorefront(StorefrontValue)
}

extension SimulatedAppStore {
    /// Carries it out at once; what it leads to reaches the devices as news. On the store's lane.
    package func perform(_ action: AccountAction, user: Int) {
        guard let account = account(user), !account.isSettled else { return }
        switch action {
        case .refund(let product):
            let latest = account.statement.transactions.last {
                $0.product == product && $0.isCharged && $0.revokedAt == nil
            }
            if let latest { revoke(latest.id, account) }
        case .cancelSubscription(let product):
            if let place = account.place(of: group(of: product)) {
                account.subscriptions[place].renews = false
                tellStatus(account)
            }
        case .changeSubscription(let product):
            change(to: product, account)
        case .redeemOffer(let product, let name):
            redeem(product, name, account)
        case .buyOutside(let product):
            sell(product, origin: .outside, account)
        case .shareInFamily(let product):
            share(product, account)
        case .stopSharing(let product):
            let shared = account.statement.transactions.last {
                $0.product == product && $0.origin == .familySharing && $0.revokedAt == nil
            }
            if let shared { revoke(shared.id, account) }
        case .changeStorefront(let storefront):
            account.storefront = storefront
            tellNews(account)
        }
    }

    private func group(of product: ProductIndex) -> String {
        stock[product].subscription?.groupIdentifier ?? ""
    }

    /// A charge that no payment of a device asked for.
    @discardableResult
    func sell(
        _ product: ProductIndex, quantity: Int = 1, origin: StoreTransaction.Origin, offer: AppliedOffer? = nil,
        applicationUsername: String? = nil, _ account: Account
    ) -> StoreTransaction {
        var transaction = StoreTransaction(
            id: takeID(), original: nil, originalDate: nil, product: product, quantity: quantity, at: lane.now,
            origin: origin, payment: nil, applicationUsername: applicationUsername, isCharged: true)
        transaction.offer = offer
        if let terms = stock[product].subscription { beginPeriod(&transaction, terms, account) }
        account.statement.charges.append(
            Charge(at: lane.now, transaction: transaction.id, product: product, quantity: quantity))
        account.statement.transactions.append(transaction)
        account.unfinishedCount += 1
        tellNews(account)
        return transaction
    }

    private func change(to product: ProductIndex, _ account: Account) {
        guard let wanted = stock[product].subscription, let place = account.place(of: wanted.groupIdentifier),
            let had = stock[account.subscriptions[place].product].subscription
        else { return }
        account.subscriptions[place].renews = true
        let isSameService = wanted.level == had.level && wanted.period == had.period
        if account.subscriptions[place].product == product || !(wanted.level < had.level || isSameService) {
            account.subscriptions[place].nextProduct = product
        } else {
            sell(product, origin: .outside, account)
        }
    }

    /// Whether a code may be used depends on what the account has had of the group.
    private func redeem(_ product: ProductIndex, _ name: String?, _ account: Account) {
        guard let terms = stock[product].subscription else { return }
        let standing: CatalogOffer.Eligibility
        if account.place(of: terms.groupIdentifier) != nil {
            standing = .existing
        } else {
            standing = account.hasSubscribed(to: terms.groupIdentifier, stock) ? .expired : .new
        }
        let offer = terms.codeOffers.first {
            (name == nil || $0.referenceName == name) && ($0.eligibility.isEmpty || $0.eligibility.contains(standing))
        }
        guard let offer else { return }
        sell(product, origin: .offerCode, offer: .code(offer.referenceName ?? ""), account)
    }

    /// R42: the person types in the first code they may use, or closes the sheet.
    func redeemOnSheet(_ account: Account, _ done: @escaping @Sendable () -> Void) {
        lane.schedule(after: buyers.decideAfter.drawSpan(&account.buyerStream)) { [self] in
            if conditions.simulated.redemptionFails { return done() }
            let count = account.statement.transactions.count
            for product in stock.products where stock.sells(product) && account.statement.transactions.count == count {
                redeem(product.index, nil, account)
            }
            done()
        }
    }

    /// R50: a subscription arrives as purchased, a non-consumable too if sharing was on when it was bought.
    private func share(_ product: ProductIndex, _ account: Account) {
        guard stock[product].isFamilyShareable, stock[product].kind.isRestorable else { return }
        let transaction = StoreTransaction(
            id: takeID(), original: nil, originalDate: nil, product: product, quantity: 1, at: lane.now,
            origin: .familySharing, payment: nil, applicationUsername: nil, isCharged: false)
        account.statement.transactions.append(transaction)
        account.unfinishedCount += 1
        tellNews(account)
    }
}
