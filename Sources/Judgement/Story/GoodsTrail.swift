// How many goods of one product were seen to be held, step by step, and the transaction for which they came.
// Read from a story when a violation is reported; a value.

package import Simulation

/// The goods of one product from the latest reinstall to a moment.
package struct GoodsTrail {
    package struct Step {
        package let moment: Moment
        package let before: Int
        package let after: Int
        /// What the goods came for, as far as can be told.
        package fileprivate(set) var transaction: TransactionID?
        /// Whether StoreKit had delivered that transaction more often than goods had come for it;
        /// otherwise it is a guess.
        package fileprivate(set) var isTold = false
        /// The app wrote in the very instant; else the change was only noticed then.
        package let isExact: Bool

        fileprivate init(_ change: GoodsStory.Change) {
            moment = change.moment
            before = change.before
            after = change.after
            isExact = change.isExact
        }
    }

    /// More than before.
    package private(set) var rises: [Step] = []
    /// Less than before, and not because the user used them.
    package private(set) var drops: [Step] = []
    /// How often StoreKit delivered each transaction as purchased or restored.
    package private(set) var tellings: [TransactionID: Int] = [:]
    /// How many are held, as far as the events tell.
    package private(set) var held = 0
    private let product: ProductIndex
    /// Transactions delivered in this launch, and neither finished nor followed by goods.
    private var waiting: [TransactionID] = []
    private var latest: TransactionID?
    /// How much more often StoreKit delivered each transaction than goods have come for it.
    private var pending: [TransactionID: Int] = [:]

    private enum Event {
        case launched
        case delivered(TransactionID)
        case finished(TransactionID)
        /// And what it was credited to, if anything explains it.
        case changed(GoodsStory.Change, for: TransactionID?)
    }

    package init(of product: ProductIndex, _ story: UserStory, until end: Instant) {
        self.product = product
        // Its own deletion ends an installation's trail.
        let last = story.launches.reinstalls.first { $0.at >= end }?.place ?? .max
        let first = story.launches.reinstalls.last { $0.place < last }?.place ?? -1
        var events: [(moment: Moment, event: Event)] = story.launches.launches.map { ($0, .launched) }
        for telling in story.queue.tellings where telling.note.product == product {
            if let id = telling.note.id { events.append((telling.moment, .delivered(id))) }
        }
        for finish in story.queue.finishes where finish.note.product == product {
            if let id = finish.note.id { events.append((finish.moment, .finished(id))) }
        }
        let credited = Dictionary(
            story.goods.arrivals.map { ($0.moment, story.goods.now.purchases[$0.purchase].id) },
            uniquingKeysWith: { first, _ in first })
        for change in story.goods.changes where change.product == product {
            events.append((change.moment, .changed(change, for: credited[change.moment])))
        }
        events = events.filter { first < $0.moment.place && $0.moment.place < last }
        for item in events.sorted(by: { $0.moment < $1.moment }) { read(item.event) }
    }

    private mutating func read(_ event: Event) {
        switch event {
        case .launched:
            waiting = []
            latest = nil
        case .delivered(let id):
            tellings[id, default: 0] += 1
            waiting.append(id)
            pending[id, default: 0] += 1
            latest = id
        case .finished(let id):
            waiting.removeAll { $0 == id }
            latest = id
        case .changed(let change, let explanation): note(change, explanation)
        }
    }

    private mutating func note(_ change: GoodsStory.Change, _ explanation: TransactionID?) {
        var step = Step(change)
        held = step.after
        if step.after > step.before {
            if let explanation, let place = waiting.firstIndex(of: explanation) { waiting.remove(at: place) }
            // Unexplained goods came, as far as can be seen, for a delivered transaction that has none yet.
            step.transaction = explanation ?? (waiting.isEmpty ? latest : waiting.removeFirst())
            if let id = step.transaction, let times = pending[id], times > 0 {
                pending[id] = times - 1
                step.isTold = true
            }
            rises.append(step)
        } else if step.before - step.after > change.used {
            drops.append(step)
        }
    }

    // MARK: Who had too much

    func gained(by transaction: TransactionID) -> Int {
        rises.reduce(0) { $1.transaction == transaction ? $0 + $1.after - $1.before : $0 }
    }

    /// The purchase of an installation that brought more goods than it should, or was delivered most often.
    /// Nil if none brought too much and none was delivered twice.
    func witness(in epoch: GoodsEpoch) -> TransactionID? {
        var best: (id: TransactionID, surplus: Int, tellings: Int)?
        for track in epoch.purchases where track.product == product && !track.isClosed {
            let surplus = max(0, gained(by: track.id) - epoch.need(track))
            let count = tellings[track.id] ?? 0
            guard surplus > 0 || count > 1 else { continue }
            if let best, (surplus, count) <= (best.surplus, best.tellings) { continue }
            best = (track.id, surplus, count)
        }
        return best?.id
    }
}
