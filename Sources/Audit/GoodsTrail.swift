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
        let before: Int64
        let after: Int64
        /// What the goods came for, as far as can be told.
        var transaction: Int64?
        /// The app wrote in the very instant; else the change was only noticed then.
        let isExact: Bool
    }

    /// More than before.
    private(set) var rises: [Change] = []
    /// Less than before, and not because the user used them.
    private(set) var drops: [Change] = []
    /// How often each transaction was told as purchased or restored.
    private(set) var tellings: [Int64: Int] = [:]
    /// How many are held, as far as the history knows.
    private(set) var held: Int64 = 0
    private let product: Int16
    private var isNoted = false
    private var writtenAt: Instant?
    /// Told in this launch, and neither finished nor followed by goods.
    private var waiting: [Int64] = []
    private var latest: Int64?

    init(of product: ProductIndex, _ history: [HistoryRecord], until end: Instant) {
        self.init(of: Int16(product))
        for (place, record) in history.enumerated() {
            if record.kind == .reinstalled {
                // Its own deletion ends an installation's trail.
                if record.at >= end { break }
                self = GoodsTrail(of: self.product)
            }
            read(record, place, history)
        }
    }

    private init(of product: Int16) { self.product = product }

    private mutating func read(_ record: HistoryRecord, _ place: Int, _ history: [HistoryRecord]) {
        switch record.kind {
        case .launched:
            waiting = []
            latest = nil
        case .stored:
            isNoted = false
            writtenAt = record.at
        case .used where record.product == product:
            if !isNoted { held -= record.number }
            isNoted = false
        case .told where record.product == product && record.other != 0:
            tellings[record.other, default: 0] += 1
            waiting.append(record.other)
            latest = record.other
        case .finishCalled where record.product == product && record.other != 0:
            waiting.removeAll { $0 == record.other }
            latest = record.other
        case .goods where record.product == product:
            note(record, place, history)
        default: break
        }
    }

    private mutating func note(_ record: HistoryRecord, _ place: Int, _ history: [HistoryRecord]) {
        var change = Change(
            place: place, at: record.at, process: record.process, before: held, after: record.number,
            transaction: nil, isExact: writtenAt == record.at)
        held = record.number
        isNoted = true
        if change.after > change.before {
            change.transaction = waiting.isEmpty ? latest : waiting.removeFirst()
            rises.append(change)
        } else if change.before - change.after > use(behind: place, history) {
            drops.append(change)
        }
    }

    /// How many the user used in the write whose outcome was noted at a place: that is told just after it.
    private func use(behind place: Int, _ history: [HistoryRecord]) -> Int64 {
        for record in history[(place + 1)...] {
            if record.kind == .used, record.product == product { return record.number }
            if record.kind == .stored || record.kind == .launched { return 0 }
            if record.kind == .goods, record.product == product { return 0 }
        }
        return 0
    }

    // MARK: Who had too much

    func gained(by transaction: Int64) -> Int64 {
        rises.reduce(0) { $1.transaction == transaction ? $0 + $1.after - $1.before : $0 }
    }

    /// When goods came for a transaction.
    func arrivals(for transaction: Int64) -> [Instant] {
        rises.filter { $0.transaction == transaction }.map(\.at)
    }

    /// Of these purchases the one that brought more goods than it should, or was told most often; nil: none did, and
    /// none was told twice.
    func witness(among purchases: [PurchaseTrack], need: (PurchaseTrack) -> Int) -> TransactionID? {
        var best: (id: TransactionID, surplus: Int64, tellings: Int)?
        for track in purchases where track.product == Int(product) && !track.isClosed {
            let surplus = max(0, gained(by: track.id.number) - Int64(need(track)))
            let count = tellings[track.id.number] ?? 0
            guard surplus > 0 || count > 1 else { continue }
            if let best, (surplus, count) <= (best.surplus, best.tellings) { continue }
            best = (track.id, surplus, count)
        }
        return best?.id
    }
}
