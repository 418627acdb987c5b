// The network between one device and the App Store.
// Guard: confined to the device's lane; requests run on the store's lane and come back. Whether it is up anybody may ask:
// `lock` guards what tells.

internal import Foundation

package final class Link: @unchecked Sendable {
    // Unsafe: the device owns its link, and whatever calls the link holds the device.
    private(set) unowned(unsafe) var device: Device!
    let store: SimulatedAppStore
    let conditions: LinkConditions
    @exclusivity(unchecked) private var stream: RandomStream
    @exclusivity(unchecked) private var spells: OfflineClock?
    /// The final settling: nothing is lost any more, and the store serves at once.
    private(set) var isHealed = false
    /// Guards `spells` and, against readers elsewhere, `isHealed`. One of a few that all links share: one for each would be two
    /// allocations for every device.
    private var lock: NSLock { Self.locks[device.user % Self.locks.count] }
    private static let locks = (0..<64).map { _ in NSLock() }
    /// The watches to notify when the network comes and goes.
    private var watches: [Weak] = []

    private struct Weak { weak var watch: LinkWatch? }

    init(store: SimulatedAppStore, user: Int, conditions: LinkConditions, seed: UInt64, stream number: Int) {
        self.store = store
        self.conditions = conditions
        stream = RandomStream(seed: seed, user: number, purpose: .link)
        spells = conditions.offline.map {
            OfflineClock(spells: $0, stream: RandomStream(seed: seed, user: number, purpose: .offline))
        }
    }

    /// Called once, by the device that owns it.
    func attach(to device: Device) { self.device = device }

    func heal() {
        if conditions.offline == nil { isHealed = true } else { lock.withLock { isHealed = true } }
        for entry in watches { entry.watch?.linkHealed() }
    }

    func add(_ watch: LinkWatch) {
        watches.removeAll { $0.watch == nil }
        watches.append(Weak(watch: watch))
    }

    /// Whether the device has a network now. Any thread.
    var isUp: Bool { !isOffline }

    /// When the network next goes or comes back; nil: it stays as it is.
    var nextChange: Instant? {
        lock.withLock { isHealed ? nil : spells?.nextChange(after: device.lane.now) }
    }

    /// Sends a request to the App Store. `completion` is called on the device's lane, exactly once, as long as the device
    /// exists.
    func send(_ request: StoreRequest, completion: @escaping @Sendable (StoreAnswer) -> Void) {
        device.counts.requests += 1
        StoreExchange(request, from: device, completion: completion).begin()
    }

    /// What becomes of a request on its way.
    enum Passage {
        case offline
        case lost
        /// - Parameter fault: what happens to the answer.
        case open(there: Span, back: Span, fault: FaultKind?)
    }

    /// Drawn for each request, in a fixed order.
    @inline(__always)
    func nextPassage(of exchange: Exchange) -> Passage {
        let device = exchange.device
        if isOffline {
            device.counts.note(.offline)
            return .offline
        }
        let there = conditions.latency.drawSpan(&stream)
        let back = conditions.latency.drawSpan(&stream)
        if isHealed { return .open(there: there, back: back, fault: nil) }
        let placed = device.script?.fault(of: exchange.message, from: device)
        if stream.hits(conditions[.lostRequest]) || placed == .lostRequest {
            note(.lostRequest, exchange.message)
            return .lost
        }
        if stream.hits(conditions[.lostAnswer]) { return .open(there: there, back: back, fault: .lostAnswer) }
        let fault: FaultKind? = stream.hits(conditions[.reset]) ? .reset : placed
        return .open(there: there, back: back, fault: fault)
    }

    /// What becomes of an answer.
    enum Reception {
        case arrives
        /// What the device hears in its place; nil: nothing, and it waits until its timeout.
        case fails(WebFailure?)
    }

    /// Whether an answer that has come this far gets through. Nothing would ask again after the settling: what was on
    /// its way when it began arrives.
    @inline(__always)
    func reception(of exchange: Exchange, fault: FaultKind?) -> Reception {
        if let fault, !isHealed {
            note(fault, exchange.message)
            return .fails(fault.wire.failure)
        }
        return isOffline ? .fails(nil) : .arrives
    }

    private func note(_ fault: FaultKind, _ message: LinkMessage) {
        device.counts.note(fault)
        device.noteOutside(.lost(note(of: message, fault)))
    }

    private func note(of message: LinkMessage, _ fault: FaultKind) -> DeviceEvent.LostNote {
        var transaction: TransactionID?
        var product: ProductIndex?
        var address: Int16?
        switch message {
        case .store(.finish(let id)): transaction = id
        case .store(.purchase(let order)): product = device.catalog.index(of: order.payment.productIdentifier)
        case .post(let server): address = device.names.addresses.add(server)
        default: break
        }
        return DeviceEvent.LostNote(
            fault, message.kind, transaction: transaction, product: product, address: address)
    }

    /// The store has news and notifies reachable devices; unreachable devices learn of it when they next ask.
    func newsArrived() {
        if isOffline { return }
        device.daemon.hearNews()
    }

    private var isOffline: Bool {
        // Most never are, and need no look at the time.
        if conditions.offline == nil { return false }
        let now = device.lane.now
        return lock.withLock { isHealed ? false : spells?.isOffline(at: now) ?? false }
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
        start = .start
        end = .start
        if spells.share == .none { return }
        advance()
        // A device is as likely to begin inside a spell as to be in one at any other time.
        if self.stream.hits(spells.share) { start = .start }
    }

    /// Asked with instants that never go back.
    mutating func isOffline(at instant: Instant) -> Bool {
        if spells.share == .none { return false }
        if spells.share == .all { return true }
        while instant >= end { advance() }
        return instant >= start
    }

    /// The end of the spell that an instant is in, or the beginning of the next.
    mutating func nextChange(after instant: Instant) -> Instant? {
        if spells.share == .none || spells.share == .all { return nil }
        while instant >= end { advance() }
        return instant < start ? start : end
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
