// Runs a body on a lane of either clock and waits until so many events have run.
// Guard: what the bench holds belongs to its lane; the test reads it when the lane is done.

import Dispatch
import Simulation
import Testing

enum Clock: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case virtual, wall
    /// The wall clock, on threads of a pool.
    case pool

    var testDescription: String { rawValue }
}

/// What one event saw when it ran.
struct Note: Equatable {
    let event: Int
    let now: Instant
    let planned: Instant
    let wasOnLane: Bool
}

final class LaneBench: @unchecked Sendable {
    let lane: Lane
    private(set) var notes: [Note] = []
    private var wanted = Int.max

    private let virtual: VirtualTimeline?
    private let wall: WallLane?
    private let wheel: TimingWheel?
    private let done = DispatchSemaphore(value: 0)

    /// A test waits no longer than this for its events; only a broken timeline lets it pass.
    private static let patience = Span.seconds(20)

    init(_ clock: Clock, onLag: (@Sendable (Span) -> Void)? = nil) {
        switch clock {
        case .virtual:
            let timeline = VirtualTimeline()
            (lane, virtual, wall, wheel) = (timeline, timeline, nil, nil)
        case .wall, .pool:
            let timeline = WallTimeline(pool: clock == .pool ? ThreadPool() : nil, onLag: onLag)
            let wheel = timeline.makeWheel()
            let wallLane = timeline.makeLane(wheel: wheel)
            (lane, virtual, wall, self.wheel) = (wallLane, nil, wallLane, wheel)
        }
    }

    /// Called by an event: it has run.
    func note(_ event: Int) {
        notes.append(Note(event: event, now: lane.now, planned: lane.plannedNow, wasOnLane: lane.isCurrent))
        if notes.count == wanted { done.signal() }
    }

    /// Schedules an event that does nothing but note itself.
    @discardableResult
    func schedule(_ event: Int, after delay: Span = .zero) -> Ticket {
        lane.schedule(after: delay) { [self] in note(event) }
    }

    /// Runs `body` on the lane, then its events until `count` of them have noted themselves.
    /// Nil if they have not within the patience.
    func run(until count: Int, _ body: @escaping @Sendable (LaneBench) -> Void) -> [Note]? {
        wanted = count
        if let virtual {
            body(self)
            return virtual.run(until: { self.notes.count >= count }, patience: Self.patience) ? notes : nil
        }
        guard let wall else { return nil }
        wall.send { body(self) }
        let deadline = DispatchTime.now() + .nanoseconds(Int(Self.patience.nanoseconds))
        guard done.wait(timeout: deadline) == .success else { return nil }
        return wall.sync { notes }
    }

    /// The same, when only the order of the events matters.
    func order(until count: Int, _ body: @escaping @Sendable (LaneBench) -> Void) -> [Int]? {
        run(until: count, body)?.map(\.event)
    }
}
