// The future of one cell under the wall clock: a hierarchical timing wheel driven by one timer source.
// Guard: `lock` around the wheel; events then run on their own lanes.

import Dispatch
import Foundation

/// One scheduled event under the wall clock. `body` belongs to the event's lane; nil once it ran or was cancelled.
package final class WallEvent: @unchecked Sendable {
    let due: Int64
    let sequence: UInt64
    let lane: WallLane
    /// Its body is called where the wheel turns, and hands over what is to be done.
    let isBeside: Bool
    var body: (() -> Void)?

    init(due: Int64, sequence: UInt64, lane: WallLane, isBeside: Bool = false, body: @escaping () -> Void) {
        self.due = due
        self.sequence = sequence
        self.lane = lane
        self.isBeside = isBeside
        self.body = body
    }
}

/// Four wheels of 256 slots; the first turns a slot every millisecond, each next one 256 times slower.
/// What lies beyond the last wheel (49 days) waits in its farthest slot and is sorted in again.
package final class TimingWheel: @unchecked Sendable {
    private static let tick: Int64 = 1_000_000
    private static let bits = 8
    private static let slotsPerWheel = 1 << bits
    private static let wheelCount = 4

    private let timeline: WallTimeline
    private let lock = NSLock()
    private let timer: any DispatchSourceTimer
    private var slots: [[WallEvent]]
    private var pending = 0
    private var currentTick: Int64 = 0
    private var armedTick: Int64 = .max
    private var nextSequence: UInt64 = 1

    /// The driver runs on the lanes' root queue.
    init(timeline: WallTimeline) {
        self.timeline = timeline
        slots = Array(repeating: [], count: Self.slotsPerWheel * Self.wheelCount)
        timer = DispatchSource.makeTimerSource(
            flags: .strict, queue: DispatchQueue(label: "stampede.wheel", target: timeline.root))
        timer.setEventHandler { [weak self] in self?.turn() }
        timer.schedule(deadline: .distantFuture)
        timer.activate()
    }

    deinit { timer.cancel() }

    func add(_ lane: WallLane, after delay: Span, isBeside: Bool = false, body: @escaping () -> Void) -> WallEvent {
        lock.lock()
        defer { lock.unlock() }
        // Read under the lock: a thread that loses its core between reading and adding would come due
        // before what a turn has handed over meanwhile.
        let now = timeline.now.nanoseconds
        let due = now + delay.nanoseconds
        let event = WallEvent(due: due, sequence: nextSequence, lane: lane, isBeside: isBeside, body: body)
        nextSequence += 1
        // An idle wheel may stand far behind; nothing lies between, so it can jump.
        if pending == 0 { currentTick = max(currentTick, now / Self.tick) }
        pending += 1
        place(event)
        arm(for: Self.tickOf(due))
        return event
    }

    /// The first tick that is not before `due`: an event is never early.
    private static func tickOf(_ due: Int64) -> Int64 { (due + tick - 1) / tick }

    /// For events due after `currentTick`: it never runs ahead of the clock that `add` reads.
    private func place(_ event: WallEvent) {
        let target = Self.tickOf(event.due)
        let distance = target - currentTick
        for wheel in 0..<Self.wheelCount {
            let span = Int64(1) << Int64(Self.bits * (wheel + 1))
            if distance < span || wheel == Self.wheelCount - 1 {
                let reachable = min(target, currentTick + span - 1)
                let slot = Int(reachable >> Int64(Self.bits * wheel)) & (Self.slotsPerWheel - 1)
                slots[wheel * Self.slotsPerWheel + slot].append(event)
                return
            }
        }
    }

    private func arm(for tick: Int64) {
        guard tick < armedTick else { return }
        armedTick = tick
        let wait = max(0, tick * Self.tick - timeline.now.nanoseconds)
        timer.schedule(deadline: .now() + .nanoseconds(Int(wait)), leeway: .nanoseconds(0))
    }

    /// Runs on the driver's queue: hands over all that is due, in order, and arms the timer again.
    private func turn() {
        lock.lock()
        armedTick = .max
        let target = timeline.now.nanoseconds / Self.tick
        var due: [WallEvent] = []
        while currentTick < target && pending > 0 {
            currentTick += 1
            cascade()
            let slot = Int(currentTick) & (Self.slotsPerWheel - 1)
            if !slots[slot].isEmpty {
                due += slots[slot]
                pending -= slots[slot].count
                slots[slot].removeAll(keepingCapacity: true)
            }
        }
        if pending > 0 { arm(for: nextOccupiedTick()) }
        // Still under the lock, so that two turns cannot hand over in the wrong order.
        due.sort { $0.due != $1.due ? $0.due < $1.due : $0.sequence < $1.sequence }
        for event in due { event.lane.handOver(event) }
        lock.unlock()
    }

    /// When a wheel has gone round, the next slot of the slower one is sorted into the faster ones.
    private func cascade() {
        for wheel in 1..<Self.wheelCount {
            guard currentTick & ((Int64(1) << Int64(Self.bits * wheel)) - 1) == 0 else { return }
            let slot = Int(currentTick >> Int64(Self.bits * wheel)) & (Self.slotsPerWheel - 1)
            let place = wheel * Self.slotsPerWheel + slot
            let events = slots[place]
            slots[place].removeAll(keepingCapacity: true)
            for event in events { settle(event) }
        }
    }

    /// Like `place`, for events that may be due in this very tick.
    private func settle(_ event: WallEvent) {
        if Self.tickOf(event.due) <= currentTick {
            slots[Int(currentTick) & (Self.slotsPerWheel - 1)].append(event)
        } else {
            place(event)
        }
    }

    /// The next tick at which something must be done: an event of the first wheel, or its going round.
    private func nextOccupiedTick() -> Int64 {
        let roundEnd = (currentTick | Int64(Self.slotsPerWheel - 1)) + 1
        var tick = currentTick + 1
        while tick < roundEnd {
            if !slots[Int(tick) & (Self.slotsPerWheel - 1)].isEmpty { return tick }
            tick += 1
        }
        return roundEnd
    }
}
