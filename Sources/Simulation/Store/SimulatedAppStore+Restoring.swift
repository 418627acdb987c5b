// What a restore brings back.
// Part of `SimulatedAppStore`; confined as it is.

extension SimulatedAppStore {
    /// R26, R27: a new transaction for each finished purchase of a restorable kind, after the password (R29).
    func restore(
        _ username: String?, _ account: Account, healed: Bool, _ reply: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        let wait = buyers.decideAfter.drawSpan(&account.buyerStream)
        lane.schedule(after: wait) { [self] in
            if account.buyerStream.hits(buyers.cancelRestore) {
                return reply(.failed(.store(.paymentCancelled)))
            }
            if let failure = conditions.simulated.sync { return reply(.failed(failure)) }
            let fails = !healed && account.storeStream.hits(conditions.errors.restore)
            let completed = account.statement.transactions.filter {
                ($0.isCharged || $0.origin == .familySharing) && $0.finishedAt != nil && $0.revokedAt == nil
                    && stock[$0.product].kind.isRestorable
                    && (username == nil || !behaviour.restoreFiltersUsername || $0.applicationUsername == username)
            }
            let delivered = fails ? completed.prefix((completed.count + 1) / 2) : completed[...]
            let restored = delivered.map { first in
                var transaction = StoreTransaction(
                    id: takeID(), original: first.id, originalDate: first.at, product: first.product,
                    quantity: first.quantity, at: lane.now, origin: first.origin, payment: nil,
                    applicationUsername: first.applicationUsername, isCharged: false)
                if let end = first.expiresAt {
                    transaction.expiresAt = end
                    transaction.subscriptionStart = first.subscriptionStart
                }
                return transaction
            }
            records?.restored += restored
            reply(fails ? .partlyRestored(restored, .store(.unknown)) : .restored(restored))
        }
    }

    /// S80: after the password, which can be cancelled.
    func synchronise(_ account: Account, healed: Bool, _ reply: @escaping @Sendable (StoreAnswer) -> Void) {
        lane.schedule(after: buyers.decideAfter.drawSpan(&account.buyerStream)) { [self] in
            if account.buyerStream.hits(buyers.cancelRestore) { return reply(.failed(.store(.paymentCancelled))) }
            if let failure = conditions.simulated.sync { return reply(.failed(failure)) }
            let fails = !healed && account.storeStream.hits(conditions.errors.restore)
            reply(fails ? .failed(.store(.unknown)) : .news(news(for: account, withRecord: true)))
        }
    }

    /// R56: after the password, which can be cancelled.
    func refreshReceipt(_ account: Account, healed: Bool, _ reply: @escaping @Sendable (StoreAnswer) -> Void) {
        lane.schedule(after: buyers.decideAfter.drawSpan(&account.buyerStream)) { [self] in
            if account.buyerStream.hits(buyers.cancelRestore) { return reply(.failed(.store(.paymentCancelled))) }
            if let failure = conditions.simulated.sync { return reply(.failed(failure)) }
            let fails = !healed && account.storeStream.hits(conditions.errors.receipt)
            reply(fails ? .failed(.store(.unknown)) : .receiptRefreshed)
        }
    }
}
