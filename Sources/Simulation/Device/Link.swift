// The network between one device and the App Store.
// Guard: confined to the device's lane; requests run on the store's lane and come back.

package final class Link: @unchecked Sendable {
    private unowned let device: Device
    private let store: AppStore
    private let conditions: LinkConditions
    private var stream: RandomStream
    private var spells: OfflineClock?
    /// The final settling: nothing is lost any more, and the store serves at once.
    private(set) var isHealed = false

    init(device: Device, store: AppStore, conditions: LinkConditions, seed: UInt64) {
        self.device = device
        self.store = store
        self.conditions = conditions
        stream = RandomStream(seed: seed, user: device.user, purpose: .link)
        spells = conditions.offline.map {
            OfflineClock(spells: $0, stream: RandomStream(seed: seed, user: device.user, purpose: .offline))
        }
    }

    func heal() { isHealed = true }

    /// Sends a request. `completion` is called on the device's lane, exactly once, as long as the device exists.
    func send(_ request: StoreRequest, completion: @escaping @Sendable (StoreAnswer) -> Void) {
        device.counts.requests += 1
        let lane = device.lane
        let healed = isHealed
        if isOffline(at: lane.now) {
            device.counts.offlineRequests += 1
            device.schedule { self.complete(.failed(.offline), completion) }
            return
        }
        let there = conditions.latency.drawSpan(&stream)
        let back = conditions.latency.drawSpan(&stream)
        if !healed, stream.hits(conditions.loseRequest) {
            device.counts.lostRequests += 1
            return timeOut(completion)
        }
        let losesAnswer = !healed && stream.hits(conditions.loseAnswer)
        device.outstanding += 1
        let user = device.user
        store.lane.send(after: there) { [store, device] in
            store.handle(request, user: user, healed: healed) { answer in
                lane.send(after: back) {
                    device.outstanding -= 1
                    device.link.arrive(answer, isLost: losesAnswer, completion)
                    device.checkQuiet()
                }
            }
        }
    }

    private func arrive(
        _ answer: StoreAnswer, isLost: Bool, _ completion: @escaping @Sendable (StoreAnswer) -> Void
    ) {
        if isLost { device.counts.lostAnswers += 1 }
        if isLost || answer == .silence || isOffline(at: device.lane.now) { return timeOut(completion) }
        complete(answer, completion)
    }

    private func timeOut(_ completion: @escaping @Sendable (StoreAnswer) -> Void) {
        device.schedule(after: conditions.requestTimeout) { self.complete(.failed(.timedOut), completion) }
    }

    private func complete(_ answer: StoreAnswer, _ completion: @Sendable (StoreAnswer) -> Void) {
        switch answer {
        case .failed, .partlyRestored: device.counts.requestsFailed += 1
        default: break
        }
        completion(answer)
    }

    private func isOffline(at instant: Instant) -> Bool {
        if isHealed || spells == nil { return false }
        return spells?.isOffline(at: instant) ?? false
    }
}

/// When a device is offline: spells of the given length with gaps between, so that they fill their share of the time.
private struct OfflineClock {
    private let spells: OfflineSpells
    private var stream: RandomStream
    private var start: Instant
    private var end: Instant

    init(spells: OfflineSpells, stream: RandomStream) {
        self.spells = spells
        self.stream = stream
        // The first gap is entered somewhere in its middle, so that not all devices begin a spell together.
        start = .start
        end = .start
        if spells.share != .none { advance() }
    }

    /// Asked with instants that never go back.
    mutating func isOffline(at instant: Instant) -> Bool {
        if spells.share == .none { return false }
        if spells.share == .all { return true }
        while instant >= end { advance() }
        return instant >= start
    }

    private mutating func advance() {
        let length = max(1, spells.duration.draw(&stream))
        let online = Double(Share.whole) - Double(spells.share.partsPerBillion)
        let meanGap = Double(max(1, spells.duration.mean)) * online / Double(spells.share.partsPerBillion)
        let gap = Distribution.exponential(mean: Int64(min(meanGap, Double(Distribution.ceiling)))).draw(&stream)
        start = end + Span(nanoseconds: gap)
        end = start + Span(nanoseconds: length)
    }
}
