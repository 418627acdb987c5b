// The wall clock: a serial Dispatch queue a lane, all over one root queue.
// Guard: everything below runs on `queue`, except what says otherwise.

package import Dispatch
import Foundation

/// What all wall lanes of a run share.
package final class WallTimeline: @unchecked Sendable {  // Guard: `origin` is set before any lane runs.
    /// A concurrent queue without overcommit: as many threads as cores, however many lanes are busy.
    package let root: DispatchQueue
    /// The start of the run on the host clock.
    package private(set) var origin: Int64
    /// Called on any lane with how late a timed event ran.
    package let onLag: (@Sendable (Span) -> Void)?
    /// Called on a device's lane with how long an event that was due at once waited for it.
    package let onWait: (@Sendable (Span) -> Void)?
    /// Where calls into client code are noted; nil without a watch.
    let threadCalls: ThreadCalls?

    /// - Parameter startedAt: where on the calendar the timeline begins.
    package init(
        startedAt: Instant = .start, threadCalls: ThreadCalls? = nil, onLag: (@Sendable (Span) -> Void)? = nil,
        onWait: (@Sendable (Span) -> Void)? = nil
    ) {
        self.onWait = onWait
        self.threadCalls = threadCalls
        root = DispatchQueue(label: "stampede.root", attributes: .concurrent, target: .global())
        origin = HostClock.nanoseconds - startedAt.nanoseconds
        self.onLag = onLag
    }

    /// Time begins now: everything has been built, and nothing has been scheduled yet.
    package func begin() { origin = HostClock.nanoseconds }

    package var now: Instant { Instant(nanoseconds: HostClock.nanoseconds - origin) }

    /// One wheel for each cell.
    package func makeWheel() -> TimingWheel { TimingWheel(timeline: self) }

    package func makeLane(wheel: TimingWheel) -> WallLane {
        WallLane(
            timeline: self, wheel: wheel, queue: DispatchQueue(label: "stampede.lane", target: root), onWait: nil)
    }

    /// The lanes of one user's devices. One of them runs at a time: a person does one thing after the other. Their waits
    /// are told to `onWait`.
    package func makeDeviceLanes(_ count: Int, wheel: TimingWheel) -> [WallLane] {
        let person = count == 1 ? root : DispatchQueue(label: "stampede.person", target: root)
        return (0..<count).map { _ in
            WallLane(
                timeline: self, wheel: wheel, queue: DispatchQueue(label: "stampede.lane", target: person),
                onWait: onWait)
        }
    }

    /// A lane over a queue that exists already, such as the process's main queue.
    package func makeLane(wheel: TimingWheel, queue: DispatchQueue) -> WallLane {
        WallLane(timeline: self, wheel: wheel, queue: queue, onWait: nil)
    }
}

package final class WallLane: Lane, @unchecked Sendable {
    private let timeline: WallTimeline
    private let wheel: TimingWheel
    private let onWait: (@Sendable (Span) -> Void)?
    /// The device's main queue as Dispatch sees it.
    package let queue: DispatchQueue
    private var latest: Int64 = 0
    private var planned: Int64 = 0

    private static let key = DispatchSpecificKey<ObjectIdentifier>()

    init(timeline: WallTimeline, wheel: TimingWheel, queue: DispatchQueue, onWait: (@Sendable (Span) -> Void)?) {
        self.timeline = timeline
        self.onWait = onWait
        self.wheel = wheel
        self.queue = queue
        super.init(threadCalls: timeline.threadCalls)
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    }

    package override var now: Instant {
        // The host clock is monotonic, but two threads' readings may differ by a few nanoseconds.
        latest = max(latest, HostClock.nanoseconds - timeline.origin)
        return Instant(nanoseconds: latest)
    }

    package override var plannedNow: Instant { Instant(nanoseconds: planned) }

    package override var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

    @discardableResult
    package override func schedule(after delay: Span = .zero, _ body: __owned @escaping () -> Void) -> Ticket {
        precondition(delay >= .zero, "an event \(delay.nanoseconds) ns in the past")
        let event: WallEvent
        if delay == .zero {
            event = WallEvent(due: HostClock.nanoseconds - timeline.origin, sequence: 0, lane: self, body: body)
            run(event)
        } else {
            event = wheel.add(self, due: HostClock.nanoseconds - timeline.origin + delay.nanoseconds, body: body)
        }
        return Ticket(sequence: 0, slot: 0, wallEvent: event)
    }

    package override func cancel(_ ticket: Ticket) { ticket.wallEvent?.body = nil }

    package override func send(after delay: Span = .zero, _ body: __owned @escaping @Sendable () -> Void) {
        schedule(after: delay, body)
    }

    package override func sendFromOutside(_ body: @escaping @Sendable () -> Void) {
        schedule(body)
    }

    /// Called by the wheel, in order of (due, sequence).
    func handOver(_ event: WallEvent) {
        queue.async { [self] in
            if let onLag = timeline.onLag {
                onLag(Span(nanoseconds: max(0, timeline.now.nanoseconds - event.due)))
            }
            fire(event)
        }
    }

    private func run(_ event: WallEvent) {
        queue.async { [self] in
            if let onWait { onWait(Span(nanoseconds: max(0, timeline.now.nanoseconds - event.due))) }
            fire(event)
        }
    }

    private func fire(_ event: WallEvent) {
        guard let body = event.body.take() else { return }
        planned = event.due
        body()
    }
}
