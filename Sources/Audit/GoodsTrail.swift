// How many goods of one product were seen to be held, step by step, and for which transaction they came.
// Read from a history after the fact, where a violation is told; a value.

import Simulation

/// The goods of one product from the latest reinstall to a moment.
struct GoodsTrail {
    struct Change {
        /// The record that shows it.
        let place: Int
        let at: Instant
        let process: Int32
        let before: Int
        let after: Int
        /// What the goods came for, as far as can be told.
        var transaction: TransactionID?
        /// That was told since goods last came for it; else it is a guess.
        var isTold = false
        /// The app wrote in the very instant; else the change was only noticed then.
        let isExact: Bool
    }

    /// More than before.
    private(set) var rises: [Change] = []
    /// Less than before, and not because the user used them.
    private(set) var drops: [Change] = []
    /// How often each transaction was told as purchased or restored.
    private(set) var tellings: [TransactionID: Int] = [:]
    /// How many are held, as far as the history knows.
    private(set) var held = 0
    private let product: ProductIndex
    private var isNoted = false
    private var writtenAt: Instant?
    /// Told in this launch, and neither finished nor followed by goods.
    private var waiting: [TransactionID] = []
    private var latest: TransactionID?
    /// Told, with no goods since.
    private var pending: Set<TransactionID> = []

    init(of product: ProductIndex, _ history: [HistoryRecord], until end: Instant) {
        self.init(of: product)
        for (place, record) in history.enumerated() {
            if record.event == .reinstalled {
                // Its own deletion ends an installation's trail.
                if record.at >= end { break }
                self = GoodsTrail(of: product)
            }
            read(record, place, history)
        }
    }

    private init(of product: ProductIndex) { self.product = product }

    private mutating func read(_ record: HistoryRecord, _ place: Int, _ history: [HistoryRecord]) {
        switch record.event {
        case .launched:
            waiting = []
            latest = nil
        case .stored:
            isNoted = false
            writtenAt = record.at
        case .used(product, let count):
            if !isNoted { held -= count }
            isNoted = false
        case .told(let transaction):
            guard transaction.product == product, let id = transaction.id else { return }
            tellings[id, default: 0] += 1
            waiting.append(id)
            pending.insert(id)
            latest = id
        case .finishCalled(let transaction):
            guard transaction.product == product, let id = transaction.id else { return }
            waiting.removeAll { $0 == id }
            latest = id
        case .goods(product, let count):
            note(count, record, place, history)
        case .used, .goods, .launchReturned, .willTerminate, .terminated, .crashed, .backgrounded, .foregrounded,
            .reinstalled, .settlingBegan, .accountSwitched, .settled, .asked, .answered, .observerAdded,
            .observerRemoved, .paymentAdded, .removedTold, .failureTold, .restoreCalled, .restoreFinishedTold,
            .restoreFailedTold, .receiptRefreshStarted, .receiptRefreshTold, .receiptRefreshFailedTold,
            .receiptArrived, .revokedTold, .promotionTapped, .promotionTold, .productsStarted, .productsTold,
            .productsFailedTold, .admitted, .requestLost, .answerLost, .posted, .postAnswered, .mainQueueHeld, .hung,
            .overworked, .calledOffLane, .raised, .foreignFinish:
            break
        }
    }

    private mutating func note(_ count: Int, _ record: HistoryRecord, _ place: Int, _ history: [HistoryRecord]) {
        var change = Change(
            place: place, at: record.at, process: record.process, before: held, after: count,
            transaction: nil, isExact: writtenAt == record.at)
        held = count
        isNoted = true
        if change.after > change.before {
            change.transaction = waiting.isEmpty ? latest : waiting.removeFirst()
            change.isTold = change.transaction.map { pending.remove($0) != nil } ?? false
            rises.append(change)
        } else if change.before - change.after > use(behind: place, history) {
            drops.append(change)
        }
    }

    /// How many the user used in the write whose outcome was noted at a place: that is told just after it.
    private func use(behind place: Int, _ history: [HistoryRecord]) -> Int {
        for record in history[(place + 1)...] {
            if case .used(product, let count) = record.event { return count }
            if record.event.isWrite || record.event == .launched { return 0 }
            if case .goods(product, _) = record.event { return 0 }
        }
        return 0
    }

    // MARK: Who had too much

    func gained(by transaction: TransactionID) -> Int {
        rises.reduce(0) { $1.transaction == transaction ? $0 + $1.after - $1.before : $0 }
    }

    /// Of these purchases the one that brought more goods than it should, or was told most often; nil: none did, and
    /// none was told twice.
    func witness(among purchases: [PurchaseTrack], need: (PurchaseTrack) -> Int) -> TransactionID? {
        var best: (id: TransactionID, surplus: Int, tellings: Int)?
        for track in purchases where track.product == product && !track.isClosed {
            let surplus = max(0, gained(by: track.id) - need(track))
            let count = tellings[track.id] ?? 0
            guard surplus > 0 || count > 1 else { continue }
            if let best, (surplus, count) <= (best.surplus, best.tellings) { continue }
            best = (track.id, surplus, count)
        }
        return best?.id
    }
}
