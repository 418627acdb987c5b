// What rules and words ask a story: where something stands, and what belongs to it.

package import Simulation

extension UserStory {
    package func transaction(_ id: TransactionID?) -> StoreTransaction? {
        input.statement.transactions.first { $0.id == id }
    }

    package func tellings(of id: TransactionID) -> [QueueStory.Telling] { queue.tellings.filter { $0.note.id == id } }

    package func finishes(of id: TransactionID) -> [QueueStory.Finish] { queue.finishes.filter { $0.note.id == id } }

    /// What StoreKit told of how a payment ended.
    package func endings(of payment: Int32) -> [QueueStory.Telling] {
        queue.tellings.filter { $0.note.payment == payment && $0.isEnding }
    }

    package func request(_ request: Violation.Request?) -> RequestTrack? {
        requests.all.first { $0.kind == request?.kind && $0.number == request?.number }
    }

    /// The request that a payment of this device was made for.
    package func request(ofPayment payment: Int32) -> RequestTrack? {
        requests.track(ofPayment: payment)?.request.map { requests.all[$0] }
    }

    /// Launches in which no observer was ever on the queue; of an app of StoreKit 2, launches that returned without a reader.
    package var unobservedLaunches: [Moment] {
        if input.usesStoreKit2 { return launches.unobserved }
        return launches.launches.filter { launch in
            !launches.observers.contains { $0.moment.process == launch.process && $0.count > 0 }
        }
    }

    /// The payments that were made for a request, in their order.
    package func payments(for request: Violation.Request?) -> [PaymentTrack] {
        requests.payments.filter { payment in
            payment.request.map { requests.all[$0].number == request?.number } ?? false
        }
    }

    package func answers(to request: Violation.Request?) -> [Answer] {
        requests.answers.filter { $0.note.kind == request?.kind && $0.note.number == request?.number }
    }

    /// Whether the app had added the transaction's payment in the launch in which StoreKit delivers it.
    package func wasAskedInItsLaunch(_ telling: QueueStory.Telling) -> Bool {
        telling.note.payment.flatMap { requests.track(ofPayment: $0) }?.added.process == telling.moment.process
    }

    /// Whether goods had come for the transaction by then, in the installation that finishes it.
    package func hadDelivered(_ finish: QueueStory.Finish) -> Bool {
        guard let place = finish.note.id.flatMap({ goods.place(of: $0) }) else { return false }
        let installed = launches.reinstalls.last { $0 < finish.moment }
        return goods.arrivals.contains {
            $0.purchase == place && $0.moment < finish.moment && (installed?.place ?? -1) < $0.moment.place
        }
    }

    /// When goods first came for a transaction after a moment.
    package func arrival(of id: TransactionID, after moment: Moment) -> Moment? {
        let place = goods.place(of: id)
        return goods.arrivals.first { $0.purchase == place && moment < $0.moment }?.moment
    }

    /// Whether the app finished a transaction in the launch that received it, with no goods of its product since and no
    /// request waiting for it.
    package func cameToNobody(_ told: QueueStory.Telling) -> Bool {
        let process = told.moment.process
        guard let id = told.note.id, finishes(of: id).contains(where: { $0.moment.process == process }) else {
            return false
        }
        let isAwaited = requests.all.contains {
            $0.kind == .purchase && $0.product == told.note.product && $0.process == process
                && $0.asked.at <= told.moment.at
                && ($0.answered.map { $0.at > told.moment.at } ?? true)
        }
        let hasCome = goods.changes.contains {
            $0.product == told.note.product && $0.after > $0.before && told.moment < $0.moment
                && $0.moment.process == process
        }
        return !isAwaited && !hasCome
    }

    /// The crash in which a launch ended just after it had finished a transaction, before any goods came: the app had no
    /// time to grant them.
    package func crash(afterFinishOf told: QueueStory.Telling) -> Moment? {
        let finish = queue.finishes.first { told.moment < $0.moment && $0.note.handle == told.note.handle }
        guard let finish = finish?.moment, finish.process == told.moment.process else { return nil }
        let crash = launches.crashes.first { finish < $0 && $0.process == finish.process }
        guard let crash, crash.at - finish.at <= Self.grantTime else { return nil }
        let hasCome = goods.changes.contains {
            $0.after > $0.before && told.moment < $0.moment && $0.moment < crash
        }
        return hasCome ? nil : crash
    }

    /// Goods that have not come by then are not on their way.
    private static let grantTime = Span.seconds(1)

    /// The user's restore that was under way at a moment.
    package func restore(at moment: Moment) -> RequestTrack? {
        let last = requests.all.last { $0.kind == .restore && $0.asked < moment }
        guard let last, last.asked.process == moment.process else { return nil }
        return last.answered.map { $0 < moment } ?? false ? nil : last
    }

    /// Whether no observer was on the queue at a moment.
    package func isDeaf(at moment: Moment) -> Bool {
        let last = launches.observers.last { $0.moment < moment }
        return last.map { $0.moment.process != moment.process || $0.count == 0 } ?? true
    }

    /// A purchase of a product, other than this one, that was finished and that no goods came for.
    package func undelivered(_ product: ProductIndex, besides transaction: TransactionID?) -> TransactionID? {
        goods.now.purchases.first {
            $0.product == product && $0.id != transaction && $0.finishCalledAt != nil && !$0.isDelivered && !$0.isClosed
        }?.id
    }

    /// What a restore last told of a product, up to an instant.
    package func lastRestored(_ product: ProductIndex?, until end: Instant) -> QueueStory.Telling? {
        queue.tellings.last { $0.moment.at <= end && $0.note.state == .restored && $0.note.product == product }
    }

    /// How many transactions StoreKit delivered in one call, of which this is the last.
    package func batch(endingWith last: QueueStory.Telling) -> Int {
        var next = last.moment.place
        var count = 0
        for telling in queue.tellings.reversed() where telling.moment.place <= last.moment.place {
            // The reason of a failure stands between two.
            let gap = next - telling.moment.place
            let isReasonBetween = gap == 2 && queue.failures.contains { $0.moment.place == next - 1 }
            guard gap <= 1 || isReasonBetween, telling.moment.at == last.moment.at else { break }
            count += 1
            next = telling.moment.place
        }
        return count
    }

    /// What happened on the device at an instant, in its order.
    ///
    /// - Parameter process: nil: in whatever launch.
    package func places(at instant: Instant, in process: Int? = nil) -> [Int] {
        input.events.indices.filter {
            input.events[$0].at == instant && (process == nil || Int(input.events[$0].process) == process)
        }
    }

    /// What the app had set in its defaults and a crash took; nil if it took nothing.
    package func loss(by crash: Moment) -> GoodsStory.Write? {
        goods.losses.last { $0.moment.place == crash.place - 1 }
    }

    /// What the app was about to do when it crashed; nil if nothing.
    package func missedEffect(of crash: Moment) -> MissedEffect? {
        if case .crashed(let effect) = input.events[Int(crash.place)].event { effect } else { nil }
    }

    /// What the app wrote between two moments.
    package func writes(after first: Moment, before last: Moment) -> [GoodsStory.Write] {
        goods.writes.filter { first < $0.moment && $0.moment < last }
    }

    /// What a write was about, the first few of many; empty where that is not known.
    package func places(of write: GoodsStory.Write) -> ArraySlice<WrittenPlace> {
        write.names.upperBound <= input.writtenPlaces.count ? input.writtenPlaces[write.names] : []
    }
}
