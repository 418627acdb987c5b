// One Apple ID on the simulated App Store.
// Guard: confined to the store's lane.

final class Account: @unchecked Sendable {
    @exclusivity(unchecked) var statement = AccountStatement()
    @exclusivity(unchecked) var buyerStream: RandomStream
    @exclusivity(unchecked) var storeStream: RandomStream
    /// Lets the commonest question, "is anything unfinished?", be answered without a search.
    @exclusivity(unchecked) var unfinishedCount = 0

    init(user: Int, seed: UInt64) {
        buyerStream = RandomStream(seed: seed, user: user, purpose: .buyer)
        storeStream = RandomStream(seed: seed, user: user, purpose: .store)
    }

    /// The purchases that the app has not finished, oldest first (R5).
    func unfinished(redeliveringFinished: Bool) -> [StoreTransaction] {
        if redeliveringFinished, let last = statement.transactions.last { return [last] }
        if unfinishedCount == 0 { return [] }
        return statement.transactions.filter { $0.finishedAt == nil }
    }

    func unfinishedCharge(of product: ProductIndex) -> StoreTransaction? {
        if unfinishedCount == 0 { return nil }
        return statement.transactions.last { $0.product == product && $0.finishedAt == nil }
    }

    func firstPurchase(of product: ProductIndex) -> StoreTransaction? {
        statement.transactions.first { $0.product == product && $0.isCharged }
    }

    func finish(_ id: TransactionID, at instant: Instant) {
        // The one that is finished is nearly always among the latest.
        guard let place = statement.transactions.lastIndex(where: { $0.id == id }),
            statement.transactions[place].finishedAt == nil
        else { return }
        statement.transactions[place].finishedAt = instant
        unfinishedCount -= 1
    }
}
