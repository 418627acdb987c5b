// What StoreKit tells the app of what it was asked for: how payments, products requests and restores end.

import Simulation

extension RequestStory {
    /// - Parameter isRestored: whether the app has the queue restore: else what the queue delivers as restored is unfinished.
    mutating func delivered(_ transaction: DeviceEvent.TransactionNote, _ now: Moment, isRestored: Bool) {
        switch transaction.state {
        case .purchasing: return
        case .restored:
            let isOfRestore = transaction.payment == nil && isRestored
            for place in unanswered where all[place].kind == .restore {
                all[place].restoredCount += 1
                if !isOfRestore { all[place].repeatedCount += 1 }
            }
            if isOfRestore {
                for place in restoring where all[place].answers > 0 { all[place].restoredAfterAnswer += 1 }
            }
            end(transaction.payment, .restored, now)
        case .purchased: end(transaction.payment, .purchased, now)
        case .failed: end(transaction.payment, .failed, now)
        case .deferred: end(transaction.payment, .deferred, now)
        }
    }

    /// The request of the running process that a payment was made for.
    private func place(ofPayment payment: Int32) -> Int? {
        guard let place = track(ofPayment: payment)?.request, place >= firstOfProcess else { return nil }
        return place
    }

    private mutating func end(_ payment: Int32?, _ ending: RequestTrack.Ending, _ now: Moment) {
        guard let payment, let index = index(ofPayment: payment) else { return }
        payments[index].note(ending, now)
        guard let place = payments[index].request, place >= firstOfProcess else { return }
        // Told again, with nothing new in it.
        if all[place].ending != ending { ended(place, now) }
        all[place].ending = ending
        if ending == .deferred { all[place].wasDeferred = true }
    }

    /// The app hears that a payment waits for approval after it has heard how that ended.
    mutating func deferredLate(_ payment: Int32?, _ now: Moment) {
        guard let payment, let index = index(ofPayment: payment) else { return }
        payments[index].deferredAt = payments[index].deferredAt ?? now.at
        guard let place = payments[index].request, place >= firstOfProcess else { return }
        all[place].wasDeferred = true
    }

    /// What comes after the answer has not decided that.
    private mutating func ended(_ place: Int, _ now: Moment) {
        all[place].endedAt = now.at
        if all[place].answers == 0 { all[place].decidedAt = now.at }
    }

    /// An interrupted purchase came after all, in a transaction of its own: an app may know it by its user name.
    mutating func completed(_ payment: Int32, at instant: Instant) {
        guard let place = place(ofPayment: payment) else { return }
        if all[place].answers == 0 {
            all[place].isCompleted = true
            all[place].decidedAt = instant
        }
        all[place].endedAt = all[place].endedAt ?? instant
    }

    /// S73.
    mutating func unverified(payment: Int32?) {
        guard let place = payment.flatMap({ place(ofPayment: $0) }) else { return }
        all[place].wasUnverified = true
    }

    mutating func failureDelivered(_ payment: Int32?, _ failure: StoreFailure) {
        guard let place = payment.flatMap({ place(ofPayment: $0) }) else { return }
        all[place].failure = failure
    }

    mutating func finishCalled(_ transaction: DeviceEvent.TransactionNote, _ now: Moment) {
        // Also what an earlier launch has left unfinished.
        guard let place = transaction.payment.flatMap({ track(ofPayment: $0)?.request }) else { return }
        all[place].finished = now
    }

    // MARK: Products

    /// - Parameter sold: how many there are.
    mutating func productsDelivered(_ products: DeviceEvent.ProductsNote, sold: Int, _ now: Moment) {
        if products.found >= sold { hasProducts = true }
        if products.unsold > 0 { toldUnsold = ToldUnsold(at: now.at, count: products.unsold) }
        let found = Int(products.found)
        fetchEnded(products.request, Fetch.End(moment: now, result: .success(found), isHeard: products.isHeard))
        productsEnded(products.request, .products, found: found, now)
    }

    mutating func productsFailed(_ request: Int32, _ failure: StoreFailure, isHeard: Bool, _ now: Moment) {
        fetchEnded(request, Fetch.End(moment: now, result: .failure(failure), isHeard: isHeard))
        productsEnded(request, .productsFailed, found: 0, now)
    }

    private mutating func fetchEnded(_ request: Int32, _ end: Fetch.End) {
        // Each launch numbers its own.
        guard
            let place = fetches.lastIndex(where: {
                $0.request == request && $0.began.process == end.moment.process && $0.end == nil
            })
        else { return }
        fetches[place].end = end
    }

    private mutating func productsEnded(_ request: Int32, _ ending: RequestTrack.Ending, found: Int, _ now: Moment) {
        openFetches.removeAll { $0 == request }
        for place in awaiting {
            if all[place].joined == request {
                all[place].joined = nil
                if all[place].answers == 0, all[place].hasOnlyJoined { all[place].decidedAt = now.at }
            }
            guard all[place].productsRequest == request else { continue }
            all[place].awaitsProducts = false
            guard all[place].ending == nil, all[place].payment == nil else { continue }
            all[place].ending = ending
            ended(place, now)
            all[place].found = found
        }
        awaiting.removeAll { !all[$0].awaitsProducts && all[$0].joined == nil }
    }

    // MARK: Restores

    /// - Parameter failure: nil: it ended well.
    mutating func restoreEnded(_ failure: StoreFailure?, _ now: Moment) {
        Self.end(&restores, failure, now)
        endRestores(failure == nil ? .restoreFinished : .restoreFailed, failure, now) { _ in true }
    }

    mutating func refreshEnded(_ failure: StoreFailure?, _ now: Moment) {
        Self.end(&refreshes, failure, now)
        endRestores(failure == nil ? .receiptRefreshed : .restoreFailed, failure, now) { !$0.hasCalledRestore }
    }

    private static func end(_ restores: inout [Restore], _ failure: StoreFailure?, _ now: Moment) {
        guard let place = restores.firstIndex(where: { $0.end == nil && $0.called.process == now.process }) else {
            return
        }
        restores[place].end = Restore.End(moment: now, failure: failure)
    }

    private mutating func endRestores(
        _ ending: RequestTrack.Ending, _ failure: StoreFailure?, _ now: Moment,
        where isMeant: (RequestTrack) -> Bool
    ) {
        for place in restoring where isMeant(all[place]) {
            all[place].ending = ending
            all[place].endedAt = now.at
            if let failure { all[place].failure = failure }
        }
        restoring.removeAll { all[$0].ending != nil }
        // Also of those that the app has tried once more.
        for place in unanswered where all[place].kind == .restore && isMeant(all[place]) {
            all[place].decidedAt = now.at
        }
    }
}
