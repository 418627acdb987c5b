// What the daemon tells an app of StoreKit 2, and how it reaches client code.
// On the device's lane.

import Simulation

extension StoreKit2Receiver {
    func receive(_ event: DaemonEvent) {
        guard case .storeKit2(let event) = event else { return }
        switch event {
        case .products(let number, let found, let unsold, _):
            answer(number, event) { call in
                process.record(
                    .productsDelivered(.init(call.request, found: Int32(found.count), unsold: Int32(unsold))))
            }
        case .bought(let number, let fact):
            answer(number, event) { _ in
                process.awaitGoods(fact.purchase.product, count: 1)
                if device.rules.unfinishedLag > .zero { latestBought.append((fact, device.lane.now)) }
            }
        case .pending(let number, let handle, let token):
            answer(number, event) { call in
                process.awaitGoods(call.product, count: 1)
                process.record(.delivered(note(handle, token, call.product, .deferred)))
            }
        case .notBought(let number, let handle, let token, let failure):
            answer(number, event) { call in
                process.awaitGoods(call.product, count: 1)
                noteFailure(note(handle, token, call.product, .failed), failure)
            }
        case .mustAskToContinue(let number, let handle, let storefront):
            guard let rule = call(number)?.continuesIn else { return }
            var answer = true
            process.enter(.queueDelegate) { answer = rule.shouldContinue(Storefront(storefront)) }
            process.request(.mayContinue(handle: handle, answer))
        case .record(let number, _, _), .finished(let number), .appTransaction(let number), .notReached(let number, _),
            .refund(let number, _), .redeemed(let number):
            answer(number, event) { _ in }
        case .replayed(let number, let facts): replay(facts, number)
        case .synchronised(let number): answer(number, event) { _ in process.record(.restoreFinished) }
        case .failed(let number, let failure):
            answer(number, event) { call in
                if call.request > 0 {
                    process.record(.productsFailed(request: call.request, failure, isHeard: true))
                } else if call.isSynchronisation {
                    process.record(.restoreFailed(failure))
                }
            }
        case .updated(let facts):
            for fact in facts {
                process.awaitGoods(fact.purchase.product, count: 1)
                updates.put(fact, from: self)
                for place in replays.indices { replays[place].known.insert(fact.purchase.id) }
            }
        case .statusChanged(let groups): for group in groups { statuses.put(group, from: self) }
        case .storefrontChanged(let storefront): storefronts.put(storefront, from: self)
        case .intent(let product): intents.put(product, from: self)
        case .message(let message): messages.put(message, from: self)
        }
    }

    /// - Parameter prepare: records what the app now hears.
    private func answer(_ number: Int, _ event: StoreKit2Event, _ prepare: (Call) -> Void) {
        guard let call = takeCall(number) else { return }
        prepare(call)
        for continuation in [call.continuation] + call.joined { resume(continuation, with: event) }
    }

    private func note(
        _ handle: Int, _ token: PaymentToken, _ product: ProductIndex?, _ state: TransactionState
    ) -> DeviceEvent.TransactionNote {
        DeviceEvent.TransactionNote(
            nil, handle: Int32(handle), payment: Int32(token.number), product: product, state: state)
    }

    // MARK: Handing over

    /// The app now has a purchase that it has to deliver and finish, or hears that one was taken back.
    private func note(_ fact: PurchaseFact) {
        let purchase = fact.purchase
        // A purchase that was finished, and comes with its refund, brings nothing.
        if purchase.revokedAt == nil || purchase.finishedAt == nil {
            finished.remove(purchase.id)
            received.insert(purchase.id)
            process.record(.delivered(fact.note))
        }
        if purchase.revokedAt != nil { process.record(.revocationDelivered(purchase.id, purchase.product)) }
    }

    /// An element of a finite sequence. What is unfinished is noted the first time only: apps read again and again.
    func handOver(_ fact: PurchaseFact) -> VerificationResult<Transaction> {
        let id = fact.purchase.id
        if fact.handle != 0, unverified.contains(id) || !received.contains(id) && !finished.contains(id) {
            process.awaitGoods(fact.purchase.product, count: 1)
            return handOut(fact)
        }
        return result(fact)
    }

    /// S73: what cannot be verified is not for the app to deliver.
    func handOut(_ fact: PurchaseFact) -> VerificationResult<Transaction> {
        let result = result(fact)
        switch result {
        case .verified:
            unverified.remove(fact.purchase.id)
            note(fact)
        case .unverified:
            unverified.insert(fact.purchase.id)
            process.record(.unverifiedDelivered(fact.note))
        }
        return result
    }

    func result(_ fact: PurchaseFact) -> VerificationResult<Transaction> {
        var place = place
        if fact.purchase.id.isForged { place.flaw = .invalidSignature }
        return VerificationResult(Transaction(fact, place, signedAt: device.lane.now), from: place)
    }

    /// Drawn for each value that the app is handed (S73).
    var place: StorePlace {
        StorePlace(
            catalog: catalog, storefront: storefrontNow, calendar: device.lane.calendar,
            app: device.appIdentity, environment: device.isStandalone ? .xcode : .production,
            account: device.account, device: device.signingDevice,
            flaw: device.isStandalone ? SimulatedErrors.now.verification : device.drawVerificationFlaw())
    }

    // MARK: Finite sequences

    func facts(
        _ query: Transaction.Transactions.Query, _ record: PurchaseRecord, _ unfinished: [PurchaseFact]
    ) -> [PurchaseFact] {
        switch query {
        case .updates: unfinished
        case .unfinished: device.rules.unfinishedLag == .zero ? unfinished : lagging(unfinished)
        case .all(let product):
            facts(
                record.history(keepsConsumables: device.rules.consumableHistory, catalog), of: product, record,
                unfinished)
        case .entitlements(let product):
            facts(record.entitlements(at: device.lane.now, catalog), of: product, record, unfinished)
        }
    }

    /// S21: this launch's own purchases and finishes count from `unfinished_lag` on.
    private func lagging(_ unfinished: [PurchaseFact]) -> [PurchaseFact] {
        let (now, lag) = (device.lane.now, device.rules.unfinishedLag)
        latestBought.removeAll { $0.at + lag <= now }
        latestFinished.removeAll { $0.at + lag <= now }
        let hidden = Set(latestBought.map(\.fact.purchase.id))
        let shown = Set(unfinished.map(\.purchase.id))
        let late = latestFinished.map(\.fact).filter { !shown.contains($0.purchase.id) }
        return (unfinished + late).filter { !hidden.contains($0.purchase.id) }
            .sorted { $0.purchase.id < $1.purchase.id }
    }

    private func facts(
        _ purchases: [StoreTransaction], of identifier: String?, _ record: PurchaseRecord,
        _ unfinished: [PurchaseFact]
    ) -> [PurchaseFact] {
        purchases.compactMap { purchase in
            if let identifier, catalog[purchase.product].identifier != identifier { return nil }
            return unfinished.first { $0.purchase.id == purchase.id } ?? PurchaseFact(purchase, handle: 0, in: record)
        }
    }

    // MARK: Readers of sequences without an end

    /// S1 to S5. The daemon is told when the first element is asked for, so that a late reader still receives what is unfinished (S3).
    func updatesFeed() -> Feed<PurchaseFact, VerificationResult<Transaction>> {
        Feed(
            self,
            FeedBehaviour(
                begins: { receiver, feed in
                    receiver.updates.add(feed)
                    guard receiver.process.passes(.storeKitCall) else { return }
                    receiver.noteUse(.updates)
                    if receiver.process.readsUpdates { return receiver.askForReplay(feed) }
                    receiver.process.willReadUpdates()
                    receiver.process.request(.listen(.storeKit2))
                    if let forgery = receiver.device.drawForgery() { feed.put(forgery, from: receiver) }
                },
                ends: { receiver in
                    guard receiver.process.readsUpdates, receiver.updates.isEmpty else { return }
                    receiver.process.endsReadingUpdates()
                    receiver.process.request(.unlisten(.storeKit2))
                },
                handsOver: { $0.handOut($1) }))
    }

    /// S4.
    private func askForReplay(_ feed: Feed<PurchaseFact, VerificationResult<Transaction>>) {
        if device.rules.updatesReplay == .onceAProcess { return }
        replays.append(Replay(number: nextCall, feed: feed))
        process.request(.storeKit2(.replay(call: nextCall)))
        nextCall += 1
    }

    private func replay(_ facts: [PurchaseFact], _ number: Int) {
        guard let place = replays.firstIndex(where: { $0.number == number }) else { return }
        let replay = replays.remove(at: place)
        for fact in facts where !replay.known.contains(fact.purchase.id) {
            process.awaitGoods(fact.purchase.product, count: 1)
            replay.feed?.put(fact, from: self)
        }
    }

    /// Tells the daemon, if the process still may.
    func request(_ request: StoreKit2Request) {
        if process.passes(.storeKitCall) { process.request(.storeKit2(request)) }
    }

    /// S84.
    func intentFeed() -> Feed<ProductIndex, PurchaseIntent> {
        Feed(
            self,
            FeedBehaviour(
                begins: { receiver, feed in
                    receiver.intents.add(feed)
                    receiver.request(.listenForIntents)
                },
                handsOver: { receiver, product in
                    // Whether and when the app buys is its own affair.
                    receiver.process.record(.promotionAsked(product, .notNow))
                    receiver.intended.append(product)
                    return PurchaseIntent(product: receiver.product(product))
                }))
    }

    func product(_ index: ProductIndex) -> Product {
        Product(catalog[index], storefront: storefrontNow, locale: catalog.locale)
    }

    /// S76.
    func messageFeed() -> Feed<SystemMessage, Message> {
        Feed(
            self,
            FeedBehaviour(
                begins: { receiver, feed in
                    receiver.messages.add(feed)
                    receiver.request(.listenForMessages)
                }, handsOver: { Message(reason: Message.Reason($1)) }))
    }

    /// S64.
    func statusFeed() -> Feed<String, String> {
        Feed(
            self,
            FeedBehaviour(
                begins: { receiver, feed in
                    let isFirst = receiver.statuses.isEmpty
                    receiver.statuses.add(feed)
                    guard isFirst, receiver.device.rules.statusAtStart == .emitted else { return }
                    receiver.process.request(.storeKit2(.listenForStatuses))
                }, handsOver: { $1 }))
    }

    /// S75.
    func storefrontFeed() -> Feed<StorefrontValue, Storefront> {
        Feed(self, FeedBehaviour(begins: { $0.storefronts.add($1) }, handsOver: { Storefront($1) }))
    }
}
