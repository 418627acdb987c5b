// The wall clock: a lane is a mailbox over one pool of threads, or a serial Dispatch queue over one root queue.
// Guard: everything below runs on the lane, except what says otherwise.

internal import CRuntime
package import Dispatch
import Foundation

/// What all wall lanes of a run share.
package final class WallTimeline: @unchecked Sendable {  // Guard: `origin` and `calendar` are set before any lane runs.
    /// A concurrent queue without overcommit: as many threads as cores, however many lanes are busy.
    package let root: DispatchQueue
    /// Instead of it the threads of lanes on which client code may wait; nil where the app runtime does not serve them.
    package let pool: ThreadPool?
    /// The start of the run on the host clock.
    package private(set) var origin: Int64
    /// An app under the wall clock reads the machine's date: what the store says has to agree with it.
    package private(set) var calendar: TimelineCalendar
    /// Called on any lane with how late a timed event ran.
    package let onLag: (@Sendable (Span) -> Void)?
    /// Called on a device's lane with how long an event that was due at once waited for it.
    package let onWait: (@Sendable (Span) -> Void)?
    /// Where calls into client code are noted; nil without a watch.
    let threadCalls: ThreadCalls?

    /// - Parameters:
    ///   - pool: what its lanes run on; nil: Dispatch queues.
    package init(
        pool: ThreadPool? = nil, threadCalls: ThreadCalls? = nil,
        onLag: (@Sendable (Span) -> Void)? = nil, onWait: (@Sendable (Span) -> Void)? = nil
    ) {
        self.onWait = onWait
        self.threadCalls = threadCalls
        self.pool = pool
        root = DispatchQueue(label: "stampede.root", attributes: .concurrent, target: .global())
        origin = HostClock.nanoseconds
        calendar = .real(at: .start)
        self.onLag = onLag
    }

    /// Time begins now: everything has been built, and nothing has been scheduled yet.
    package func begin() {
        origin = HostClock.nanoseconds
        calendar = .real(at: .start)
    }

    package var now: Instant { Instant(nanoseconds: HostClock.nanoseconds - origin) }

    /// One wheel for each cell.
    package func makeWheel() -> TimingWheel { TimingWheel(timeline: self) }

    package func makeLane(wheel: TimingWheel) -> WallLane {
        let place = pool.map { WallLane.Place.mailbox(Mailbox(pool: $0)) } ?? makePlace(over: root)
        return WallLane(timeline: self, wheel: wheel, place: place, onWait: nil)
    }

    private func makePlace(over target: DispatchQueue) -> WallLane.Place {
        .queue(DispatchQueue(label: "stampede.lane", target: target))
    }

    /// The lanes of one user's devices. They run one at a time, because a person does one thing after another.
    /// `onWait` receives their waits.
    package func makeDeviceLanes(_ count: Int, wheel: TimingWheel) -> [WallLane] {
        if let pool {
            let person = Mailbox(pool: pool)
            return (0..<count).map { _ in
                WallLane(timeline: self, wheel: wheel, place: .mailbox(person), onWait: onWait)
            }
        }
        let person = count == 1 ? root : DispatchQueue(label: "stampede.person", target: root)
        return (0..<count).map { _ in
            WallLane(timeline: self, wheel: wheel, place: makePlace(over: person), onWait: onWait)
        }
    }

    /// A lane over a queue that exists already, such as the process's main queue.
    package func makeLane(wheel: TimingWheel, queue: DispatchQueue) -> WallLane {
        WallLane(timeline: self, wheel: wheel, place: .queue(queue), onWait: nil)
    }
}

package final class WallLane: Lane, @unchecked Sendable {
    private let timeline: WallTimeline
    private let wheel: TimingWheel
    private let onWait: (@Sendable (Span) -> Void)?
    private let place: Place
    private var latest: Int64 = 0
    private var planned: Int64 = 0

    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    /// Where its events run.
    enum Place {
        case queue(DispatchQueue)
        /// A mailbox that the devices of one person share.
        case mailbox(Mailbox)

        func put(_ event: @escaping () -> Void) {
            switch self {
            case .queue(let queue):
                let transfer = UnsafeTransfer(event)
                queue.async { transfer.value() }
            case .mailbox(let mailbox): mailbox.put(event)
            }
        }
    }

    init(timeline: WallTimeline, wheel: TimingWheel, place: Place, onWait: (@Sendable (Span) -> Void)?) {
        self.timeline = timeline
        self.onWait = onWait
        self.wheel = wheel
        self.place = place
        super.init(threadCalls: timeline.threadCalls)
        queue?.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    /// The device's main queue as Dispatch sees it; nil where the app runtime serves it. Any thread.
    package var queue: DispatchQueue? {
        if case .queue(let queue) = place { queue } else { nil }
    }

    private var mailbox: Mailbox? {
        if case .mailbox(let mailbox) = place { mailbox } else { nil }
    }

    /// Whether the app runtime serves the apps that run here: client code may wait without keeping a thread of Dispatch's
    /// busy. Any thread.
    package var isServed: Bool { mailbox != nil }

    /// What the calling thread does from here on is as if it were an event. It waits until it may begin. Only where
    /// apps are served.
    func enter() {
        mailbox?.enter(.current)
        WallThread.lane = self
    }

    /// The lane goes on without the calling thread: after `enter`, or in the middle of an event.
    func leave() {
        WallThread.lane = nil
        mailbox?.leave()
    }

    /// Runs `body` as if it were an event. The caller is elsewhere, and waits until it may begin.
    package func sync<Value>(_ body: () throws -> Value) rethrows -> Value {
        if let queue { return try queue.sync(execute: body) }
        enter()
        defer { leave() }
        return try body()
    }

    package override var calendar: TimelineCalendar { timeline.calendar }

    package override var now: Instant {
        // The host clock is monotonic, but two threads' readings may differ by a few nanoseconds.
        latest = max(latest, HostClock.nanoseconds - timeline.origin)
        return Instant(nanoseconds: latest)
    }

    package override var plannedNow: Instant { Instant(nanoseconds: planned) }

    package override var isCurrent: Bool {
        isServed
            ? stampede_wall_lane_get() == Unmanaged.passUnretained(self).toOpaque()
            : DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
    }

    /// The time on any thread; it may be a little before what the lane has seen.
    var nowAnywhere: Instant { timeline.now }

    @discardableResult
    package override func schedule(after delay: Span = .zero, _ body: __owned @escaping () -> Void) -> Ticket {
        precondition(delay >= .zero, "an event \(delay.nanoseconds) ns in the past")
        let event: WallEvent
        if delay == .zero {
            event = WallEvent(due: HostClock.nanoseconds - timeline.origin, sequence: 0, lane: self, body: body)
            run(event)
        } else {
            event = wheel.add(self, after: delay, body: body)
        }
        return Ticket(sequence: 0, slot: 0, wallEvent: event)
    }

    /// Runs `body` beside the lane, on a thread of the pool. Any thread.
    func scheduleBeside(after delay: Span = .zero, _ body: @escaping @Sendable () -> Void) {
        guard let pool = timeline.pool else { preconditionFailure("only beside lanes of a pool") }
        if delay <= .zero { return pool.submit(body) }
        _ = wheel.add(self, after: delay, isBeside: true) { pool.submit(body) }
    }

    /// For what runs one after the other, and beside the lane.
    func makeMailbox() -> Mailbox? { timeline.pool.map(Mailbox.init) }

    package override func cancel(_ ticket: Ticket) { ticket.wallEvent?.body = nil }

    package override func send(after delay: Span = .zero, _ body: __owned @escaping @Sendable () -> Void) {
        schedule(after: delay, body)
    }

    package override func sendFromOutside(_ body: @escaping @Sendable () -> Void) {
        schedule(body)
    }

    /// Called by the wheel, in order of (due, sequence).
    func handOver(_ event: WallEvent) {
        if event.isBeside {
            event.body?()
            return
        }
        place.put { [self] in
            if let onLag = timeline.onLag {
                onLag(Span(nanoseconds: max(0, timeline.now.nanoseconds - event.due)))
            }
            fire(event)
        }
    }

    private func run(_ event: WallEvent) {
        place.put { [self] in
            if let onWait { onWait(Span(nanoseconds: max(0, timeline.now.nanoseconds - event.due))) }
            fire(event)
        }
    }

    private func fire(_ event: WallEvent) {
        guard let body = event.body.take() else { return }
        planned = event.due
        guard isServed else { return body() }
        WallThread.lane = self
        body()
        WallThread.lane = nil
    }
}
