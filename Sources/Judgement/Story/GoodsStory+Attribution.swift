// What explains goods that are seen, and what an app may do about them.

import Simulation

extension GoodsStory {
    /// Goods were seen. An increase belongs to the oldest delivered purchases of the product that have no goods yet,
    /// then to the newest purchases that the app has finished without goods.
    mutating func observed(_ product: ProductIndex, _ count: Int, _ moment: Moment) {
        follow(moment)
        let process = moment.process
        var gain = count - now.held[product]
        if gain != 0 {
            changes.append(
                Change(
                    moment: moment, product: product, before: now.held[product], after: count,
                    isExact: writes.last?.moment.at == moment.at))
        }
        now.held[product] = count
        isNoted[product] = true
        if isEntitlement[product] { noteGrant(of: product, count, gain: gain, moment) }
        if gain <= 0 { return }
        if assignWhole(gain, of: product, moment) { return }
        assign(&gain, of: product, moment, areOpen: true)
        assign(&gain, of: product, moment, areOpen: false)
        if gain > 0, unverified.hasPending, grantUnverified(gain, of: product, moment) { return }
        // A product that a restore has delivered needs no purchase to explain it.
        if gain <= 0 || now.restored[product] != nil || restoring.contains(product)
            || mayBeInReceipt(product, at: moment.at) || mayComeBack(product, count, gain: gain, in: process)
        {
            return
        }
        // Nothing of this product was bought, but something else was, in this launch, and waits for its goods.
        let doubledAt = doubling(of: product, in: process)
        let other = now.purchases.firstIndex {
            mayBeMixedUp($0, in: process) && $0.toldAt ?? .never > doubledAt ?? .start
        }
        if let other {
            now.purchases[other].mixedUpWith = product
            now.purchases[other].mixedUpGain = gain
            now.mixedUp[product] += gain
        } else if isRestoring, !isToldAgain(product, in: process) {
            now.overreach[product] += gain
        } else {
            now.unexplained[product] += gain
            if isUnpaid(product, in: process) { now.unpaid[product] += gain }
        }
    }

    /// S73: goods that only a purchase explains which could not be verified.
    private mutating func grantUnverified(_ gain: Int, of product: ProductIndex, _ moment: Moment) -> Bool {
        // A purchase that entitles the user may be read elsewhere, and be verified there.
        if isEntitlement[product],
            boughtElsewhere.contains(product) || now.purchases.contains(where: { $0.product == product })
        {
            return false
        }
        let id = unverified.pending(of: product).first { id in
            place(of: id).map { now.need(now.purchases[$0]) == gain } ?? id.isForged
        }
        guard let id else { return false }
        unverified.noteGrant(id, of: product, moment)
        guard let place = place(of: id) else {
            now.forged[product, default: 0] += gain
            return true
        }
        now.purchases[place].delivered = gain
        hasCome(place, moment)
        return true
    }

    /// An entitlement of an earlier time, from another device, or paid for by a payment whose answer was lost: an app may find
    /// it in the receipt whenever it looks, and hold it until it hears that it was taken back. StoreKit 2's record has
    /// each (S25), paid for or shared.
    private func mayBeInReceipt(_ product: ProductIndex, at instant: Instant) -> Bool {
        isEntitlement[product]
            && (boughtElsewhere.contains(product)
                || now.purchases.contains {
                    $0.product == product
                        && ($0.isClosed || $0.isLeftOver
                            || ($0.isCharged || readsEntitlements) && $0.toldAt == nil && $0.boughtAt <= instant)
                        && !$0.isKnownRevoked
                })
    }

    /// What an app took away because StoreKit did not know of it, or does not store: StoreKit delivers that again, or the app
    /// reads its record (S25), when the network is back (S28) or the account (S31).
    private func mayComeBack(_ product: ProductIndex, _ count: Int, gain: Int, in process: Int32) -> Bool {
        guard isEntitlement[product], count == gain else { return false }
        if isToldAgain(product, in: process) { return true }
        return (now.hasSwitchedAccounts || now.wasRecordHidden || readsEntitlements)
            && now.purchases.contains { $0.product == product && $0.isDelivered && !$0.isKnownRevoked }
    }

    /// When goods came for a purchase of this product that is still open. More goods are that purchase's own, delivered
    /// twice, and not the goods of another purchase delivered by then.
    private func doubling(of product: ProductIndex, in process: Int32) -> Instant? {
        let doubled = open.last {
            now.purchases[$0].product == product && now.purchases[$0].isDelivered
                && now.purchases[$0].toldProcess == process
        }
        return doubled.flatMap { place in arrivals.last { $0.purchase == place }?.moment.at }
    }

    /// Whether goods of another product may have come in place of this purchase's. What was given again for free may
    /// need no goods, as long as the app holds them: then only until the app has finished it.
    private func mayBeMixedUp(_ track: PurchaseTrack, in process: Int32) -> Bool {
        track.toldAt != nil && !track.isDelivered && track.mixedUpWith == nil && track.toldProcess == process
            && (track.isCharged || track.finishCalledAt == nil)
            // A renewal brings nothing that is not there already.
            && !(isEntitlement[track.product] && track.isCharged && now.held[track.product] > 0)
    }

    /// Whether StoreKit's deliveries of a product give no reason to grant its goods even once: the purchase failed or
    /// waits for approval, or is being bought and StoreKit has delivered none as purchased in this launch.
    private func isUnpaid(_ product: ProductIndex, in process: Int32) -> Bool {
        let told = tellings[product]
        if told.isEmpty || told.contains(.delivery) { return false }
        return told.contains(.failure)
            || !now.purchases.contains { $0.product == product && $0.toldAt != nil && $0.toldProcess == process }
    }

    /// Goods that come twice for a purchase delivered twice are not a restore's, even if a restore is under way.
    private func isToldAgain(_ product: ProductIndex, in process: Int32) -> Bool {
        now.purchases.contains { $0.product == product && $0.isToldAgain && $0.toldProcess == process }
    }

    /// One purchase that lacks exactly so much, the oldest of them: no sharing out is needed then.
    private mutating func assignWhole(_ gain: Int, of product: ProductIndex, _ moment: Moment) -> Bool {
        let place = open.first {
            now.purchases[$0].product == product && !now.purchases[$0].isDelivered
                && now.need(now.purchases[$0]) == gain
        }
        guard let place else { return false }
        now.purchases[place].delivered = gain
        hasCome(place, moment)
        return true
    }

    /// Goods came for a purchase: what came before them, and seemed to come in their place, has no explanation then.
    private mutating func hasCome(_ place: Int, _ moment: Moment) {
        if !now.purchases[place].isDelivered {
            let request = now.purchases[place].awaitedBy.take()
            arrivals.append(Arrival(moment: moment, purchase: place, request: request))
        }
        now.purchases[place].isDelivered = true
        settlePlace(place)
        guard let other = now.purchases[place].mixedUpWith.take() else { return }
        now.mixedUp[other] -= now.purchases[place].mixedUpGain
        now.unexplained[other] += now.purchases[place].mixedUpGain
    }

    /// Goods of alike purchases cannot be told apart: those that an unfinished one was credited with are this one's,
    /// if the app delivers in another order than they were bought in.
    private mutating func takeOverGoods(_ place: Int) {
        let sibling = open.last {
            $0 != place && now.purchases[$0].product == now.purchases[place].product && now.purchases[$0].isDelivered
                && now.purchases[$0].finishCalledAt == nil
                && now.purchases[$0].delivered == now.need(now.purchases[place])
        }
        guard let sibling else { return }
        now.purchases[place].delivered = now.purchases[sibling].delivered
        now.purchases[place].isDelivered = true
        now.purchases[sibling].delivered = 0
        now.purchases[sibling].isDelivered = false
        moveArrival(from: sibling, to: place)
        settlePlace(sibling)
    }

    private mutating func moveArrival(from sibling: Int, to place: Int) {
        guard let index = arrivals.lastIndex(where: { $0.purchase == sibling }) else { return }
        let request = arrivals[index].request
        arrivals[index].purchase = place
        arrivals[index].request = now.purchases[place].awaitedBy.take()
        now.purchases[sibling].awaitedBy = request
    }

    /// Credits the oldest purchase that the app has not finished; among finished purchases the newest, because late
    /// goods come just after the finish.
    private mutating func assign(
        _ gain: inout Int, of product: ProductIndex, _ moment: Moment, areOpen: Bool
    ) {
        for place in areOpen ? open : lacking.reversed() where gain > 0 {
            // Goods may come in several writes.
            guard now.purchases[place].product == product,
                now.purchases[place].delivered < now.need(now.purchases[place])
            else {
                continue
            }
            let part = min(gain, now.need(now.purchases[place]) - now.purchases[place].delivered)
            now.purchases[place].delivered += part
            hasCome(place, moment)
            gain -= part
        }
    }

    /// - Parameter needsGoods: whether its goods have to be there by now.
    mutating func finishCalled(_ id: TransactionID, _ moment: Moment, needsGoods: Bool) {
        guard let place = place(of: id) else { return }
        let isFirst = now.purchases[place].finishCalledAt == nil
        if isFirst, !now.purchases[place].isDelivered { takeOverGoods(place) }
        now.purchases[place].finishCalledAt = moment.at
        now.purchases[place].isToldSinceFinish = false
        now.purchases[place].finishProcess = moment.process
        settlePlace(place)
        guard isFirst, needsGoods else { return }
        let track = now.purchases[place]
        // The app has taken away what StoreKit 2 does not show.
        if isEntitlement[track.product], now.isRecordHidden { return }
        // By itself: a call of the story's own would copy the story.
        if Self.isEarly(track, isEntitlement[track.product], held: now.held[track.product], at: moment.at) {
            early.append((place, moment))
        }
    }

    /// Whether the goods of an entitlement came as its receipt did, and the app wrote nothing for them: it reads them in
    /// the receipt, where no crash loses them.
    func cameWithReceipt(_ place: Int) -> Bool {
        guard isEntitlement[now.purchases[place].product],
            let arrival = arrivals.last(where: { $0.purchase == place })?.moment,
            let change = changes.last(where: { $0.moment == arrival }), !change.isExact
        else { return false }
        return receipts.contains { $0.moment < arrival && $0.moment.at == arrival.at }
    }

    /// S25: an app that reads its entitlements finds this one there, finished or not.
    func isReadAgain(_ place: Int) -> Bool { readsEntitlements && isEntitlement[now.purchases[place].product] }

    /// Whether a crash would lose the goods of a purchase that is finished now.
    private static func isEarly(_ track: PurchaseTrack, _ isEntitlement: Bool, held: Int, at instant: Instant) -> Bool {
        // An entitlement that is held already needs no new goods.
        if track.isDelivered || isEntitlement && held > 0 { return false }
        // Nor does an entitlement that is over: a crash could lose nothing.
        // What is left over may have been delivered once.
        let isOver = (track.overAt ?? .never) <= instant
        return !(isOver && (isEntitlement || track.isRevoked))
    }

    /// Whether the user has so much of a product, or of something that goes with it, that an app may leave it at that.
    func mayBeEnough(of product: ProductIndex, _ catalog: Catalog) -> Bool {
        if now.held[product] > 0 { return true }
        guard isEntitlement[product] else { return false }
        if boughtElsewhere.contains(product) || now.purchases.contains(where: { $0.product == product && !$0.isOver }) {
            return true
        }
        guard let group = catalog[product].subscription?.groupIdentifier else { return false }
        return now.held.indices.contains { now.held[$0] > 0 && catalog[$0].subscription?.groupIdentifier == group }
    }
}
