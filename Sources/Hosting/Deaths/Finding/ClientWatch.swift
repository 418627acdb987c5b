// Watches that calls into client code return.
// On a ticker's thread: every other thread may be stuck.

import Foundation
import Host
package import Simulation
import Synchronization

/// Looks at the slots of a run's threads at intervals, and declares lost what has stood in one call for too long.
///
/// A call is measured in looks, not from a clock: a process that was stopped for an hour has not made its client wait.
// Unchecked: `ticker` is set before anybody else has the watch; what else changes belongs to the ticker's thread.
package final class ClientWatch: @unchecked Sendable {
    private let limit: Int64
    private let patience: @Sendable (Int64) -> Int64
    private let period: Int64
    private let slots: @Sendable () -> [CallSlot]
    private let pulse: Pulse?
    private let memory: WatchedMemory?
    private let interrupt: @Sendable (CallSlot, CallSlot.Sight, HungCall) -> Bool
    private let onLost: @Sendable (LostClient) -> Void
    private var ticker: Ticker?
    private var latest = HostClock.nanoseconds
    private var waits: [ObjectIdentifier: Wait] = [:]

    private struct Wait {
        let sight: CallSlot.Sight
        var nanoseconds: Int64
        /// What was held when it was first seen; nil: that is not known.
        let heldBefore: Int?
        var isLost = false
    }

    /// Between looks, at most.
    private static let periodMax: Int64 = 100_000_000
    /// How long to look whether an abandoned thread moves; a thread that takes memory meanwhile has less time.
    private static let (grace, shortGrace) = (0.25, 0.01)

    /// - Parameters:
    ///   - conditions: how long calls may take.
    ///   - patience: how long calls may take now, where more is known; argument and result in nanoseconds.
    ///   - memory: how much memory is held, and how much may be; nil: memory is not counted.
    ///   - slots: the slots that exist at the moment.
    ///   - pulse: learns when the watch wakes up, which shows how busy the machine is.
    ///   - interrupt: makes a thread leave the call that was seen, if it can; true if it has.
    ///   - onLost: called on the watch's thread, once for each thread that does not return.
    package init(
        _ conditions: AppConditions, pulse: Pulse? = nil, memory: WatchedMemory? = nil,
        patience: @escaping @Sendable (_ limit: Int64) -> Int64 = { $0 }, slots: @escaping @Sendable () -> [CallSlot],
        interrupt: @escaping @Sendable (CallSlot, CallSlot.Sight, HungCall) -> Bool = { _, _, _ in false },
        onLost: @escaping @Sendable (LostClient) -> Void
    ) {
        limit = conditions.hangLimit.nanoseconds
        let shortest = pulse == nil ? limit / 4 : min(limit / 4, conditions.mainQueueLimit.nanoseconds / 2)
        period = max(1_000_000, min(Self.periodMax, shortest))
        self.patience = patience
        self.slots = slots
        self.interrupt = interrupt
        self.pulse = pulse
        self.memory = memory
        self.onLost = onLost
        pulse?.begin(
            at: HostClock.nanoseconds, allowance: period + max(1_000_000, conditions.mainQueueLimit.nanoseconds / 4))
        ticker = Ticker(every: Double(period) / 1e9) { [self] in look() }
    }

    /// Returns when nothing more will be found.
    package func stop() { ticker?.stop() }

    private func look() {
        let now = HostClock.nanoseconds
        pulse?.beat(at: now)
        look(min(now - latest, 2 * period))
        latest = now
    }

    private func look(_ passed: Int64) {
        let slots = slots()
        for slot in slots {
            let sight = slot.sight
            let key = ObjectIdentifier(slot)
            guard sight.word != 0 else {
                waits[key] = nil
                continue
            }
            var wait =
                waits[key].flatMap { $0.sight == sight ? $0 : nil }
                ?? Wait(sight: sight, nanoseconds: -passed, heldBefore: memory?.held(slot))
            wait.nanoseconds += passed
            let overrun = overrun(slot, since: wait.heldBefore)
            if overrun != nil || wait.nanoseconds >= patience(limit), !wait.isLost {
                wait.isLost = declareLost(slot, wait, overrun)
            }
            waits[key] = wait
        }
        if let memory, let overrun = memory.all(), slots.contains(where: { $0.sight.word != 0 }) {
            memory.onOverrunOfAll(HungCall(waited: .zero, wait: .unknown, overrun: overrun))
        }
    }

    /// What a call has come to hold, if that is too much.
    private func overrun(_ slot: CallSlot, since before: Int?) -> MemoryOverrun? {
        guard let memory, let before, let now = memory.held(slot), now - before > memory.limit else { return nil }
        return MemoryOverrun(held: now - before)
    }

    /// Asks the thread of a slot to leave the call that was seen, again and again: it can at some moments only.
    ///
    /// - Returns: whether it has.
    static func leaves(_ slot: CallSlot, _ seen: CallSlot.Sight, askedBy ask: () -> Void) -> Bool {
        for _ in 0..<asksMax {
            ask()
            _ = poll(nil, 0, askPeriod)
            if slot.sight != seen { return true }
        }
        return false
    }

    private static let asksMax = 400
    /// In milliseconds.
    private static let askPeriod: Int32 = 2

    /// False if the call came back in the last moment.
    private func declareLost(_ slot: CallSlot, _ wait: Wait, _ overrun: MemoryOverrun?) -> Bool {
        let hang = HungCall(waited: Span(nanoseconds: wait.nanoseconds), wait: .unknown, overrun: overrun)
        if interrupt(slot, wait.sight, hang) { return false }
        slot.abandon()
        let grace = overrun == nil ? Self.grace : Self.shortGrace
        Thread.sleep(forTimeInterval: grace)
        guard slot.isLost(since: wait.sight), let call = LostCall(word: slot.sight.word) else { return false }
        // It holds up no other call, and may return to an app that has ended.
        if slot.isAside {
            if call.process.isAlive { call.process.isGivenUp(hang, in: call.call) }
            slot.letGo()
            return true
        }
        call.process.fence()
        // What was about to take hold a moment ago has by then.
        Thread.sleep(forTimeInterval: grace)
        onLost(LostClient(call, slot: slot, hang))
        return true
    }
}

/// Memory that interrupted client code held: it is not freed as long as the process lives.
final class LeftMemory: Sendable {
    private let bytes = Atomic<Int>(0)

    /// Of one process. What has come to so much is known well enough, and others need memory too.
    private static let bytesMax = min(4 << 30, ResidentMemory.ofMachine / 4)

    func add(_ overrun: MemoryOverrun) { bytes.add(overrun.held, ordering: .relaxed) }
    var isMuch: Bool { bytes.load(ordering: .relaxed) > Self.bytesMax }
}

/// What a watch sees of memory.
package struct WatchedMemory: Sendable {
    /// How many bytes one app may come to hold.
    let limit: Int
    /// What is held by the thread of a slot, or by all where one runs at a time; nil: that is not known.
    let held: @Sendable (CallSlot) -> Int?
    /// The memory of all apps of a piece of work, if it is too much for one app and is not counted for each app.
    let all: @Sendable () -> MemoryOverrun?
    let onOverrunOfAll: @Sendable (HungCall) -> Void

    package init(
        limit: Int, held: @escaping @Sendable (CallSlot) -> Int?,
        all: @escaping @Sendable () -> MemoryOverrun? = { nil },
        onOverrunOfAll: @escaping @Sendable (HungCall) -> Void = { _ in }
    ) {
        (self.limit, self.held, self.all, self.onOverrunOfAll) = (limit, held, all, onOverrunOfAll)
    }
}

/// A client that does not come back, with what its device knows.
package struct LostClient: Sendable {
    package let slot: CallSlot
    package let hang: HungCall
    package let user: Int
    /// Which of the user's devices, counted from 1.
    package let device: Int
    package let catalog: Catalog
    /// Ends with the call that was lost. Of a client that goes round in circles, the beginning and the end.
    package let events: [EventRecord]
    /// What their writes are about; empty where some are left out.
    package let writtenPlaces: [WrittenPlace]
    package let names: EventNames
    /// What it has printed.
    package let log: ClientLog

    private static let firstRecordsMax = 1_000
    private static let lastRecordsMax = 100

    /// - Parameters:
    ///   - slot: of a thread that can touch the device no more.
    package init(_ lost: LostCall, slot: CallSlot, _ hang: HungCall) {
        (self.slot, self.hang) = (slot, hang)
        let device = lost.process.device
        user = device.user
        self.device = device.number
        catalog = device.catalog
        var events = device.events
        let isWhole = events.count <= Self.firstRecordsMax + Self.lastRecordsMax
        writtenPlaces = isWhole ? device.writtenPlaces : []
        names = device.names
        if !isWhole {
            events = events.prefix(Self.firstRecordsMax) + events.suffix(Self.lastRecordsMax)
        }
        let now = device.lane.isVirtual ? device.lane.now : events.last?.at ?? .start
        self.events =
            events + [
                EventRecord(at: now, process: lost.process.number, hang.event(in: lost.call, on: device))
            ]
        log = device.takeLog()
    }

    /// A client that waits for ever, found without a watch.
    package init(_ client: HungClient) {
        self.init(client.lost, slot: CallSlot(), client.hang)
    }
}

/// Threads that this process cannot join any more: it has to end without them.
package enum LostThreads {
    private static let count = Atomic<Int>(0)

    package static var areThere: Bool { count.load(ordering: .relaxed) > 0 }
    /// More than a process should carry along.
    static var areMany: Bool { count.load(ordering: .relaxed) > 50 }
    package static func add() { count.add(1, ordering: .relaxed) }
}
