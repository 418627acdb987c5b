// What becomes of a payment at the store.
// Part of `SimulatedAppStore`; confined as it is.

extension SimulatedAppStore {
    /// - Parameter receivedAt: when the request reached the store, before it waited for its turn.
    func purchase(
        _ order: PaymentOrder, _ account: Account, receivedAt: Instant, healed: Bool,
        _ reply: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        let product = stock.index(of: order.payment.productIdentifier)
        let place = account.statement.attempts.count
        account.statement.attempts.append(
            PurchaseAttempt(
                payment: order.token, product: product, quantity: order.payment.quantity, receivedAt: receivedAt,
                arrivedAt: lane.now))
        func refuse(_ failure: StoreFailure) {
            account.statement.attempts[place].outcome = .refused(failure)
            reply(.failed(failure))
        }
        if !healed, let failure = injectedError(account) { return refuse(failure) }
        // R12: an unknown product is an invalid payment; R11: so is a quantity above ten, perhaps.
        let isTooMuch = order.payment.quantity > 10 && behaviour.quantityAboveTen == .failed
        guard let product, isOnSale(product), order.payment.quantity > 0, !isTooMuch else {
            return refuse(.store(.paymentInvalid))
        }
        if account.statement.isPaymentDisallowed { return refuse(.store(.paymentNotAllowed)) }

        if stock[product].kind == .nonConsumable, let first = account.firstPurchase(of: product) {
            return repeatPurchase(order, of: first, account, attempt: place, reply)
        }
        if let current = account.activeSubscription(stock[product].subscription?.groupIdentifier),
            settlesByItself(order, product, current, account, attempt: place, reply)
        {
            return
        }
        if let failure = offerFailure(order, product, account) { return refuse(failure) }
        let wait = buyers.decideAfter.drawSpan(&account.buyerStream)
        account.statement.attempts[place].sheetAt = lane.now
        lane.schedule(after: wait) { [self] in
            decide(order, product, account, attempt: place, healed: healed, reply)
        }
    }

    /// The buyer answers the payment sheet.
    private func decide(
        _ order: PaymentOrder, _ product: ProductIndex, _ account: Account, attempt place: Int, healed: Bool,
        _ reply: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        account.statement.attempts[place].decidedAt = lane.now
        if let storefront = account.storefront, storefront.countryCode != order.countryCode {
            account.statement.attempts[place].outcome = .refused(.store(.storeProductNotAvailable))
            return reply(.storefrontChanged(storefront))
        }
        if account.buyerStream.hits(buyers.cancel) {
            account.statement.attempts[place].outcome = .cancelled
            return reply(.failed(.store(.paymentCancelled)))
        }
        // R22, R24: "already been bought, it will be restored for free", said after the sheet: a finish that was on its way
        // when the payment came has mostly been heard of by then.
        if stock[product].kind == .consumable,
            let earlier = account.unfinishedCharge(of: product, device: order.token.device)
        {
            account.statement.attempts[place].outcome = .existing(earlier.id)
            // S46: `purchase` returns in any case.
            let isAnswered = order.isStoreKit2 || behaviour.unfinishedRepurchase == .existingTransaction
            return reply(isAnswered ? .purchased(earlier) : .nothing)
        }
        // R38: a test session decides by itself who has to ask.
        if account.mustAsk || (order.payment.simulatesAskToBuyInSandbox && records?.isInSession != true) {
            askForApproval(order, account, attempt: place)
            return reply(.deferred)
        }
        if interrupts(order, account, attempt: place, healed: healed, reply) { return }
        let transaction = charge(order, product: product, account)
        account.statement.attempts[place].outcome = .charged(transaction.id)
        let changesStatus = order.isStoreKit2 && transaction.expiresAt != nil
        reply(changesStatus ? .subscribed(transaction, account.record(asOf: lane.now)) : .purchased(transaction))
    }

    private func injectedError(_ account: Account) -> StoreFailure? {
        if conditions.errors.purchase.isEmpty { return nil }
        // One draw for all of them: the shares are of all purchases, and together at most the whole.
        var rest = Int(account.storeStream.below(Share.whole))
        for rate in conditions.errors.purchase {
            rest -= rate.share.partsPerBillion
            if rest < 0 { return rate.error }
        }
        return nil
    }

    func charge(
        _ order: PaymentOrder, product: ProductIndex, _ account: Account,
        origin: StoreTransaction.Origin = .payment, id: TransactionID? = nil
    ) -> StoreTransaction {
        var transaction = StoreTransaction(
            id: id ?? takeID(), original: nil, originalDate: nil, product: product, quantity: order.payment.quantity,
            at: lane.now, origin: origin, payment: order.token,
            applicationUsername: behaviour.client.persistent(order.payment.applicationUsername), isCharged: true)
        if let terms = stock[product].subscription {
            transaction.offer = order.payment.discount?.applied
            beginPeriod(&transaction, terms, account)
        }
        let charge = Charge(
            at: lane.now, transaction: transaction.id, product: product, quantity: order.payment.quantity)
        if !defects.contains(.forgetsCharge) { account.statement.charges.append(charge) }
        if defects.contains(.chargesTwice) { account.statement.charges.append(charge) }
        if !defects.contains(.forgetsTransaction) { account.statement.transactions.append(transaction) }
        if defects.contains(.notesTransactionTwice) { account.statement.transactions.append(transaction) }
        account.unfinishedCount += 1
        considerRefund(of: transaction, account)
        if records != nil, let past = order.payment.past { return backdate(transaction, past, account) }
        return transaction
    }

    /// R23, S56: what is owned is not charged again.
    private func repeatPurchase(
        _ order: PaymentOrder, of first: StoreTransaction, _ account: Account, attempt: Int,
        _ reply: @Sendable (StoreAnswer) -> Void
    ) {
        if order.isStoreKit2, behaviour.ownedRepurchase2 == .original {
            account.statement.attempts[attempt].outcome = .existing(first.id)
            return reply(.purchased(first))
        }
        let transaction = StoreTransaction(
            id: takeID(), original: first.id, originalDate: first.at, product: first.product, quantity: 1,
            at: lane.now, origin: .payment, payment: order.token,
            applicationUsername: behaviour.client.persistent(order.payment.applicationUsername), isCharged: false)
        account.statement.attempts[attempt].outcome = .repeated(transaction.id)
        account.statement.transactions.append(transaction)
        account.unfinishedCount += 1
        reply(.purchased(transaction))
    }

    /// A purchase made before the run.
    func recordPurchase(_ account: Account, product: ProductIndex, isFinished: Bool) -> TransactionID {
        let id = takeID()
        account.statement.charges.append(Charge(at: .start, transaction: id, product: product, quantity: 1))
        var transaction = StoreTransaction(
            id: id, original: nil, originalDate: nil, product: product, quantity: 1, at: .start, origin: .beforeRun,
            payment: nil, applicationUsername: nil, isCharged: true,
            finishedAt: isFinished ? StoreTransaction.finishedBeforeRun : nil)
        if let terms = stock[product].subscription { beginPeriod(&transaction, terms, account) }
        account.statement.transactions.append(transaction)
        if !isFinished { account.unfinishedCount += 1 }
        return id
    }

    func takeID() -> TransactionID {
        nextTransaction += 1
        return TransactionID(number: nextTransaction)
    }
}
