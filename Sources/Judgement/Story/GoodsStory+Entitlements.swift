// Entitlements that were granted after their end, or taken away before it.

import Simulation

extension GoodsStory {
    /// An entitlement that was granted anew although every purchase of it had run out, or that the app holds on to after
    /// StoreKit has told it that the last purchase was taken back.
    struct LateGrant: Sendable {
        let moment: Moment
        /// The purchase that was over last, by its place.
        let purchase: Int
        let held: Int
        /// How long it may be held: until the app has looked.
        let mayLast: Span
    }

    /// An entitlement that was taken away although a purchase of it had not run out.
    struct Withdrawal: Sendable {
        let moment: Moment
        /// That purchase, by its place.
        let purchase: Int
        /// The app wrote nothing, or has just been launched: what was in memory only is read again.
        let isForgotten: Bool
    }

    /// What a look at the receipt may take.
    static let receiptTime = Span.seconds(5)
    /// What a look at StoreKit 2's record may take: it comes when the store has answered.
    static let recordTime = Span.minutes(5)

    /// The app has other goods of an entitlement than before: they may belong to a purchase that is over.
    mutating func noteGrant(of product: ProductIndex, _ count: Int, gain: Int, _ moment: Moment) {
        if count == 0 {
            if !lateGrants.isEmpty { lateGrants.removeAll { now.purchases[$0.purchase].product == product } }
            if gain < 0 { noteWithdrawal(of: product, moment) }
            return
        }
        if !withdrawals.isEmpty { withdrawals.removeAll { now.purchases[$0.purchase].product == product } }
        guard gain > 0, knowsReceipts, !now.hasSwitchedAccounts, !boughtElsewhere.contains(product) else { return }
        var latest: Int?
        for place in now.purchases.indices where now.purchases[place].product == product {
            if now.purchases[place].boughtAt > moment.at { continue }
            guard let end = now.purchases[place].expiresAt, end + staleness < moment.at else { return }
            if latest.map({ end > now.purchases[$0].expiresAt ?? .start }) ?? true { latest = place }
        }
        guard let latest, let end = now.purchases[latest].expiresAt else { return }
        let isKnown = syncedAt.map { end + staleness < $0 } ?? false
        let mayLast = isKnown ? Self.receiptTime : lookTime
        lateGrants.append(LateGrant(moment: moment, purchase: latest, held: count, mayLast: mayLast))
    }

    /// S12: the app hears that a purchase was taken back, and holds what it brought. Without another purchase it has to let
    /// go of it in this launch: the next one may be days away.
    mutating func noteHeld(afterRevocationOf purchase: Int, _ moment: Moment) {
        let product = now.purchases[purchase].product
        guard readsRecord, isEntitlement[product], now.held[product] > 0, knowsReceipts, !now.hasSwitchedAccounts,
            !boughtElsewhere.contains(product)
        else { return }
        // As far as the app knows: by its dates, whatever took its place since.
        let isEntitled = now.purchases.contains { track in
            if track.product != product || track.boughtAt > moment.at { return false }
            if track.isRevoked { return track.revocationToldAt == nil }
            return track.expiresAt.map { $0 + staleness >= now.launchedAt } ?? true
        }
        if isEntitled { return }
        lateGrants.append(
            LateGrant(moment: moment, purchase: purchase, held: now.held[product], mayLast: Self.recordTime))
    }

    /// S25, S68: the app takes away what the record still has. What StoreKit has not told this app of, it need not know.
    private mutating func noteWithdrawal(of product: ProductIndex, _ moment: Moment) {
        guard readsRecord, !now.hasSwitchedAccounts, !now.isRecordHidden, !boughtElsewhere.contains(product) else {
            return
        }
        let place = now.purchases.lastIndex { track in
            guard track.product == product, !track.isClosed, let told = track.toldAt else { return false }
            // The device has yet to hear of the grace period.
            if let began = track.graceBeganAt, began <= moment.at, now.entitlementsAsOf < began { return false }
            // A look that began before StoreKit delivered it may end after it, or after the grace period has begun.
            let hasSettled = [told, track.graceBeganAt ?? .start].allSatisfy {
                $0 > moment.at || $0 + Self.receiptTime < moment.at
            }
            return told < moment.at && hasSettled && moment.at < track.overAt ?? .never
        }
        guard let place else { return }
        let isForgotten =
            writes.last?.moment.at != moment.at || moment.at == now.launchedAt && now.entitlementsRead == nil
        withdrawals.append(Withdrawal(moment: moment, purchase: place, isForgotten: isForgotten))
    }

    /// What StoreKit 2 entitles to is read, by the app itself or for its user.
    mutating func entitlementsRead(areVerified: Bool, asOf: Instant, _ moment: Moment) {
        now.entitlementsAsOf = asOf
        now.isRecordUnverified = !areVerified
        readsEntitlements = true
        if now.entitlementsRead == nil { now.entitlementsRead = moment }
    }

    /// Something of the launch that has ended goes by how long it lasted.
    var mustLookAtLaunch: Bool { !lateGrants.isEmpty || !withdrawals.isEmpty }

    mutating func processEnded(at end: Instant, _ launches: LaunchStory) {
        grantedLate += lateGrants.filter { grant in
            // What was in memory when it crashed was not seen.
            if readsEntitlements, launches.crashes.last?.process == grant.moment.process { return false }
            let product = now.purchases[grant.purchase].product
            // A renewal that was late entitles again.
            let renewals = now.purchases.filter { $0.product == product && $0.boughtAt > grant.moment.at }
            let until = renewals.map(\.boughtAt).min() ?? end
            return launches.timeAwake(from: grant.moment, to: min(until, end)) >= grant.mayLast
        }
        lateGrants.empty()
        withheld += withdrawals.filter { isWithheld($0, at: end, launches) }
        withdrawals.empty()
    }

    /// Whether the launch that ends then had time to give it back.
    private func isWithheld(_ withdrawal: Withdrawal, at end: Instant, _ launches: LaunchStory) -> Bool {
        let until = min(now.purchases[withdrawal.purchase].overAt ?? .never, end)
        func lasts(_ time: Span, from moment: Moment) -> Bool { launches.timeAwake(from: moment, to: until) >= time }
        guard withdrawal.isForgotten, readsEntitlements else {
            return lasts(Self.receiptTime, from: withdrawal.moment)
        }
        // What was in memory when it crashed was not seen.
        if now.isRecordHidden || launches.crashes.last?.process == withdrawal.moment.process { return false }
        guard let read = now.entitlementsRead else { return lasts(Self.recordTime, from: withdrawal.moment) }
        return lasts(Self.receiptTime, from: withdrawal.moment < read ? read : withdrawal.moment)
    }
}
