// What the daemon does for StoreKit 2: purchases that answer their call, and the record of what was bought.
// Guard: as the daemon, confined to the device's lane.

extension PaymentDaemon {
    func handle(_ request: StoreKit2Request, from app: any AppPort) {
        switch request {
        case .products(let call, let identifiers): products(identifiers, for: call, app)
        case .buy(let call, let payment, let token, let asksToContinue):
            use(by: app)
            let handle = put(payment, token).handle
            let waiting = StoreKit2Payment(
                call: call, handle: handle, token: token, app: app, asksToContinue: asksToContinue)
            // S59.
            if device.rules.concurrentPurchase == .unknownError, storeKit2?.isPaying(app) == true {
                return fail(waiting, transactions.count - 1, .store(.unknown))
            }
            storeKit2?.add(waiting)
            var order = PaymentOrder(token: token, payment, countryCode: device.storefront?.countryCode)
            order.isStoreKit2 = true
            pay(handle, order)
        case .finish(let id): finish(id, from: app)
        case .read(let call):
            use(by: app)
            // S102: what a test session has just done counts.
            let reader = StoreKit2Part.Reader(call: call, app: app)
            if storeKit2?.isAsked == true, !device.isStandalone { return answer(reader) }
            storeKit2?.readers.append(reader)
            if device.isStandalone { sync() }
        case .appTransaction(let call):
            use(by: app)
            let reader = StoreKit2Part.Reader(call: call, app: app, wantsApp: true)
            if storeKit2?.hasStoresRecord == true { return answer(reader) }
            storeKit2?.readers.append(reader)
            // A device that was out of reach when the launch asked tries again.
            if storeKit2?.isAsked == true { sync() }
        case .synchronise(let call): synchronise(call, app)
        case .replay(let call): post(.replayed(call: call, unfinished), to: app)
        case .awaitFinish(let call, let id):
            guard app.isAlive else { return }
            storeKit2?.finishing.append((id, call, app))
            returnFromFinishes()
        case .listenForStatuses:
            use(by: app)
            storeKit2?.tellsStatuses = true
            if storeKit2?.isAsked == true { tellStatuses(to: app) }
        case .listenForIntents:
            guard app.isAlive else { return }
            use(by: app)
            storeKit2?.hearsIntents = true
            for payment in takePromoted() { post(intentFor: payment, to: app) }
        case .listenForMessages: listenForMessages(app)
        case .show(let message): show(message)
        case .refund(let call, let id):
            ask(.refund(id), for: call, app) {
                if case .refundAnswered(let answer) = $0 { .refund(call: call, answer) } else { nil }
            }
        case .redeem(let call):
            ask(.redeemOffer, for: call, app) { if case .redemptionEnded = $0 { .redeemed(call: call) } else { nil } }
        }
    }

    /// S84: the person tapped a promoted product. False if the app does not read intents.
    func offersIntent(_ payment: PaymentValue, to app: any AppPort) -> Bool {
        guard storeKit2?.hearsIntents == true else { return false }
        post(intentFor: payment, to: app)
        return true
    }

    private func post(intentFor payment: PaymentValue, to app: any AppPort) {
        guard let product = device.edition.catalog.index(of: payment.productIdentifier) else { return }
        post(.intent(product), to: app)
    }

    /// S2: everything unfinished, at once as far as it is known, and then what the store has.
    func listenForUpdates(_ app: any AppPort) {
        guard app.isAlive else { return }
        app.listening.insert(.storeKit2)
        use(by: app)
        tellUnfinished()
    }

    /// The first use in a launch asks the store (S28).
    func use(by app: any AppPort) {
        if storeKit2 == nil {
            let part = StoreKit2Part()
            part.note(queueNews.filter { news in transactions.contains { $0.id == news.id && !isFinished($0) } })
            queueNews = []
            storeKit2 = part
        }
        guard storeKit2?.isInUse == false, app.isAlive else { return }
        storeKit2?.isInUse = true
        sync()
    }

    private func products(_ identifiers: [String], for call: Int, _ app: any AppPort) {
        // R53: it hangs for ever, without an error.
        if delivery.staysUnanswered() { return }
        ask(.products(identifiers: identifiers), for: call, app) {
            guard case .products(let found, let invalid, let edition) = $0 else { return nil }
            return .products(call: call, found: found, unsold: invalid.count, edition)
        }
    }

    /// Puts a question to the store for a call of the app.
    ///
    /// - Parameter understand: what the app hears of the store's answer; nil: it is none to this question.
    private func ask(
        _ request: StoreRequest, for call: Int, _ app: any AppPort,
        _ understand: @escaping @Sendable (StoreAnswer) -> StoreKit2Event?
    ) {
        questions += 1
        device.link.send(request) { [self] answer in
            questions -= 1
            if case .failed(let failure) = answer { return post(.failed(call: call, failure), to: app) }
            guard let event = understand(answer) else { preconditionFailure("\(request) was answered with \(answer)") }
            post(event, to: app)
        }
    }

    func post(_ event: StoreKit2Event, to app: any AppPort) {
        device.post(.storeKit2(event), to: app, for: .storeKit2)
    }

    // MARK: Buying

    func settle(_ payment: StoreKit2Payment, _ answer: StoreAnswer) {
        guard let place = transactions.lastIndex(where: { $0.handle == payment.handle }) else { return }
        switch answer {
        case .purchased(let purchase):
            complete(place, with: purchase)
            self.answer(payment, with: purchase, at: place)
        case .subscribed(let purchase, let record):
            complete(place, with: purchase)
            self.answer(payment, with: purchase, at: place, record: record)
        case .failed(let failure): fail(payment, place, failure)
        case .nothing: fail(payment, place, .store(.unknown))
        case .deferred:
            transactions.remove(at: place)
            post(.pending(call: payment.call, handle: payment.handle, payment.token), to: payment.app)
            // An approval that was quicker than this answer has been overlooked.
            hearNews()
        default: preconditionFailure("a payment was answered with \(answer)")
        }
    }

    private func fail(_ payment: StoreKit2Payment, _ place: Int, _ failure: StoreFailure) {
        transactions.remove(at: place)
        post(
            .notBought(call: payment.call, handle: payment.handle, payment.token, failure), to: payment.app)
    }

    /// S5: the app that called gets it, and not from `updates`. If that launch has ended, the next one does (S2).
    ///
    /// - Parameter record: what the store knows now, if a subscription has changed.
    func answer(
        _ payment: StoreKit2Payment, with purchase: StoreTransaction, at place: Int, record: PurchaseRecord? = nil
    ) {
        // R23 is the queue's.
        transactions[place].state = .purchased
        let before = record.flatMap { replaceRecord($0) }
        storeKit2?.note(purchase)
        if unconfirmed.contains(purchase.id) { storeKit2?.record?.note(purchase.id, finishedAt: device.lane.now) }
        let fact = PurchaseFact(
            purchase, handle: payment.handle, token: payment.token, in: storeKit2?.record)
        // S46, S57: what was bought before stands where it stood, or nowhere if it was finished.
        let isKnown = transactions.contains { $0.id == purchase.id && $0.handle != payment.handle }
        if isKnown || purchase.finishedAt != nil { transactions.remove(at: place) }
        guard payment.app.isAlive else { return tellUnfinished() }
        storeKit2?.told.insert(purchase.id)
        post(.bought(call: payment.call, fact), to: payment.app)
        // S91.
        if device.rules.purchaseOnQueue == .emitted, let known = transactions.last(where: { $0.id == purchase.id }) {
            post(known)
        }
        if record != nil { tellChanges(since: before) }
        for number in 0..<device.rules.purchaseEcho.count {
            device.schedule(after: .seconds(2 * (number + 1))) { [self] in echo(fact, to: payment.app) }
        }
    }

    /// S90: what the queue has just told of.
    func noteQueuePurchase(_ id: TransactionID) {
        guard let part = storeKit2 else { return }
        switch device.rules.queuePurchaseUpdates {
        case .silent: part.told.insert(id)
        case .emitted: tellUnfinished()
        }
    }

    /// S6: the same purchase once more, finished or not.
    private func echo(_ fact: PurchaseFact, to app: any AppPort) {
        if app.isAlive, app.listening.contains(.storeKit2) { post(.updated([fact]), to: app) }
    }

    // MARK: Finishing

    /// S43: a purchase that is on no queue has been finished.
    private func finish(_ id: TransactionID, from app: any AppPort) {
        guard let transaction = transactions.last(where: { $0.id == id && isBought($0) }) else { return }
        storeKit2?.record?.note(id, finishedAt: device.lane.now)
        handle(.finish(handle: transaction.handle, state: transaction.state), from: app)
    }

    /// S42: a finish is under way until the store has heard of it, or cannot be reached, or the finish has failed.
    func returnFromFinishes() {
        guard let part = storeKit2, !part.finishing.isEmpty else { return }
        let isUnderWay = { [unconfirmed, delayedFinishes, retry] (id: TransactionID) in
            unconfirmed.contains(id) && retry == nil || delayedFinishes.contains { $0.purchase == id }
        }
        let returning = part.finishing.filter { !isUnderWay($0.purchase) }
        part.finishing.removeAll { !isUnderWay($0.purchase) }
        for call in returning { post(.finished(call: call.call), to: call.app) }
    }

    /// S64.
    private func tellStatuses(to app: any AppPort) {
        guard let part = storeKit2, part.tellsStatuses else { return }
        part.tellsStatuses = false
        let groups = part.record?.subscriptions.map(\.group) ?? []
        if !groups.isEmpty { post(.statusChanged(groups: groups), to: app) }
    }

    // MARK: The record

    /// S80, S81.
    private func synchronise(_ call: Int, _ app: any AppPort) {
        questions += 1
        use(by: app)
        device.link.send(.synchronise) { [self] answer in
            questions -= 1
            switch answer {
            case .news(let news):
                // S82.
                if device.rules.syncEmitsUnfinished { storeKit2?.told = [] }
                takeIn(news)
                // What waits for the first synchronisation of the launch need not wait any longer.
                answerReaders()
                post(.synchronised(call: call), to: app)
            case .failed(.network) where device.rules.syncOffline == .userCancelled:
                post(.failed(call: call, .store(.paymentCancelled)), to: app)
            case .failed(let failure): post(.failed(call: call, failure), to: app)
            default: preconditionFailure("a synchronisation was answered with \(answer)")
            }
        }
    }

    /// Takes the store's word, except for what the store had not heard of yet. Returns the record of before, unless it is of an
    /// earlier launch.
    func replaceRecord(_ news: PurchaseRecord) -> PurchaseRecord? {
        guard storeKit2 != nil else { return nil }
        var record = news
        let before = storeKit2?.record
        for purchase in before?.purchases ?? [] where purchase.at >= news.asOf && news[purchase.id] == nil {
            record.note(purchase)
        }
        let now = device.lane.now
        for id in unconfirmed { record.note(id, finishedAt: now) }
        for id in confirmedDuringSync { record.note(id, finishedAt: now) }
        for finish in delayedFinishes {
            if let id = finish.purchase { record.note(id, finishedAt: now) }
        }
        storeKit2?.record = record
        storeKit2?.hasStoresRecord = true
        return storeKit2?.isAsked == true || device.rules.refundAtLaunch == .emitted ? before : nil
    }

    /// The first synchronisation of the launch has ended, well or badly.
    func answerReaders() {
        guard let readers = storeKit2?.readers, storeKit2?.isInUse == true else { return }
        storeKit2?.isAsked = true
        storeKit2?.readers = []
        for reader in readers { answer(reader) }
        if let app = device.app { tellStatuses(to: app) }
    }

    private func answer(_ reader: StoreKit2Part.Reader) {
        guard let part = storeKit2 else { return }
        if reader.wantsApp {
            let isKnown = part.hasStoresRecord
            let event =
                isKnown ? StoreKit2Event.appTransaction(call: reader.call) : .notReached(call: reader.call, .offline)
            return post(event, to: reader.app)
        }
        let isHidden = device.rules.entitlementsOffline == .empty && !device.link.isUp
        // What the store has never told is missing as well.
        let isWithoutStore = isHidden || !part.hasStoresRecord
        if isWithoutStore != part.isWithoutStore {
            part.isWithoutStore = isWithoutStore
            device.record(.recordRead(isHidden: isWithoutStore), of: reader.app)
        }
        let record = isHidden ? nil : part.record
        post(
            .record(call: reader.call, record ?? .empty, unfinished: isHidden ? [] : unfinished), to: reader.app)
    }

    /// R23: what the queue tells as restored may have been bought for nothing.
    private func isBought(_ transaction: TransactionValue) -> Bool {
        transaction.state == .purchased || freeRepurchases.contains(transaction.handle)
    }

    /// S20: what stands on this device's queue.
    private var unfinished: [PurchaseFact] {
        guard let record = storeKit2?.record else { return [] }
        return transactions.compactMap { transaction in
            guard isBought(transaction), !isFinished(transaction), let id = transaction.id,
                let purchase = record[id], purchase.finishedAt == nil
            else { return nil }
            return PurchaseFact(
                purchase, handle: transaction.handle, token: transaction.token, state: transaction.state, in: record)
        }
    }

    /// S2, S8, S11: what this launch has not received yet.
    private func tellUnfinished() {
        guard let app = device.app, app.listening.contains(.storeKit2) else { return }
        // S2: what the first synchronisation of the launch brings is what was unfinished at the launch.
        if device.rules.updatesAtLaunch == .nothing, storeKit2?.isAsked == false {
            for fact in unfinished { storeKit2?.told.insert(fact.purchase.id) }
        }
        let fresh = unfinished.filter { storeKit2?.told.insert($0.purchase.id).inserted == true }
        if storeKit2?.held != nil {
            storeKit2?.held? += fresh
        } else if !fresh.isEmpty {
            post(.updated(fresh), to: app)
        }
    }

    /// What is new and unfinished, then what has changed since the record of before: S12, S13, S64.
    func tellChanges(since before: PurchaseRecord?) {
        tellUnfinished()
        guard let before, let record = storeKit2?.record, let app = device.app else { return }
        let tellsUpgrades = device.rules.upgradeEmitsOld
        let changed = record.purchases.filter { purchase in
            guard purchase.revokedAt != nil || tellsUpgrades && purchase.isUpgraded, let old = before[purchase.id]
            else { return false }
            return old.revokedAt != purchase.revokedAt || tellsUpgrades && old.isUpgraded != purchase.isUpgraded
        }
        // S3: what is only announced misses an app that does not listen.
        if !changed.isEmpty, app.listening.contains(.storeKit2) {
            post(.updated(changed.map { PurchaseFact($0, handle: handle(of: $0.id), in: record) }), to: app)
        }
        let groups = record.subscriptions.filter { !before.subscriptions.contains($0) }.map(\.group)
        if !groups.isEmpty { post(.statusChanged(groups: groups), to: app) }
    }

    /// What left the queue long ago gets a number of its own.
    private func handle(of id: TransactionID) -> Int {
        if let known = transactions.last(where: { $0.id == id }) { return known.handle }
        defer { nextHandle += 1 }
        return nextHandle
    }
}
