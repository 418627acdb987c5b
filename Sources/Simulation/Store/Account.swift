// One Apple ID on the simulated App Store.
// Guard: confined to the store's lane.

final class Account: @unchecked Sendable {
    @exclusivity(unchecked) var statement = AccountStatement()
    @exclusivity(unchecked) var buyerStream: RandomStream
    @exclusivity(unchecked) var storeStream: RandomStream
    /// Lets the commonest question, "is anything unfinished?", be answered without a search.
    @exclusivity(unchecked) var unfinishedCount = 0
    /// For receipts that are written at every exchange.
    @exclusivity(unchecked) var listed = ListedTransactions()
    /// R35: purchases need approval.
    var mustAsk = false
    /// R41: something must be mended before anything can be bought.
    var isInterrupted = false
    /// What the store will do by itself, in no particular order.
    var agenda: [AgendaItem] = []
    private var nextAgendaNumber = 0
    var closedRequests: [ClosedRequest] = []
    /// At most one a group.
    var subscriptions: [Subscription] = []
    /// The last one of each group that ended.
    var ended: [SubscriptionFacts] = []
    /// Whether a device reads how subscriptions stand, and hears when that changes (S64).
    var tellsStatus = false
    /// Groups in which an introductory offer was taken.
    var introducedGroups: Set<String> = []
    var revocations: [Revocation] = []
    /// S77: what its owner has asked to be given back.
    var refundRequests: Set<TransactionID> = []
    /// Where the person shops now; nil: where the catalog is sold.
    var storefront: StorefrontValue?
    /// The run is over: nothing new is begun.
    var isSettled = false
    /// Told when there is something to ask the store for: one for each device of the account.
    var newsListeners: [@Sendable () -> Void] = []

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

    /// On the queue of this device; another one's is not handed out here.
    func unfinishedCharge(of product: ProductIndex, device: Int) -> StoreTransaction? {
        if unfinishedCount == 0 { return nil }
        return statement.transactions.last {
            $0.product == product && $0.finishedAt == nil && ($0.payment?.device ?? 1) == device
        }
    }

    func firstPurchase(of product: ProductIndex) -> StoreTransaction? {
        statement.transactions.first {
            $0.product == product && ($0.isCharged || $0.origin == .familySharing) && $0.revokedAt == nil
        }
    }

    /// Puts an event on the agenda and returns its number there.
    func plan(_ event: AgendaItem.Event, at due: Instant) -> Int {
        nextAgendaNumber += 1
        agenda.append(AgendaItem(number: nextAgendaNumber, due: due, event: event))
        return nextAgendaNumber
    }

    /// Takes an item off the agenda; nil if it has been taken already.
    func takeAgendaItem(_ number: Int) -> AgendaItem? {
        agenda.firstIndex { $0.number == number }.map { agenda.remove(at: $0) }
    }

    func finish(_ id: TransactionID, at instant: Instant) {
        // The transaction to finish is nearly always among the latest.
        guard let place = statement.transactions.lastIndex(where: { $0.id == id }),
            statement.transactions[place].finishedAt == nil
        else { return }
        statement.transactions[place].finishedAt = instant
        unfinishedCount -= 1
    }
}

/// Something that happens at the store without a request at that moment.
struct AgendaItem {
    let number: Int
    let due: Instant
    let event: Event

    enum Event {
        /// Whether the event still happens once the run is over:
        /// work that has begun is completed, and no new work begins.
        var isScripted: Bool {
            switch self {
            case .approval, .expiry, .resolution: return true
            case .periodEnd, .recovery, .retryEnd, .refund, .priceIncrease: return false
            }
        }

        /// An Ask to Buy request is answered (R36, R37).
        case approval(PaymentOrder, attempt: Int, isApproved: Bool)
        /// It was never answered (R36).
        case expiry(PaymentOrder, attempt: Int)
        /// The buyer mends the account, and the interrupted purchase completes (R40).
        case resolution(PaymentOrder, attempt: Int, reply: (@Sendable (StoreAnswer) -> Void)?)
        /// The period that this transaction has paid is over, unless another has taken its place meanwhile.
        case periodEnd(of: TransactionID)
        /// A renewal that failed is paid after all (R48).
        case recovery(of: TransactionID)
        /// Billing is not tried any longer (R48).
        case retryEnd(of: TransactionID)
        case refund(TransactionID)
        case priceIncrease
    }
}
