// Whether what an app does by itself comes to anything.
// Guard: confined to the device's lane.

/// Counts an app's own turns and timers under the virtual clock.
///
/// An app that looks at something each second, for ever, never has nothing under way. When it has done so for long, and
/// nothing has come of it, there is nothing left to wait for.
final class OwnPace {
    /// Of those that are still to come.
    private(set) var pending = 0
    /// Of those that have run since something came of one.
    private var fruitless = 0
    private var since = Instant.start
    /// What the device had told, and its app done, by then.
    private var mark = 0

    private static let fruitlessMin = 1_000
    private static let lastingMin = Span.seconds(600)

    func begins() { pending += 1 }

    func ends() { pending -= 1 }

    func ran(at now: Instant, mark: Int) {
        if mark != self.mark {
            self.mark = mark
            fruitless = 0
            since = now
        }
        fruitless += 1
    }

    /// - Parameter mark: as it is now.
    func isGoingRound(at now: Instant, mark: Int) -> Bool {
        mark == self.mark && fruitless >= Self.fruitlessMin && now - since >= Self.lastingMin
    }
}

extension Device {
    /// Another one whenever something has happened that the run is about: an effect, a callback, whatever is recorded.
    private var mark: Int { events.count &+ (process?.effectCount ?? 0) &* 1_000_003 }

    /// A turn or a timer of the app's own is under way.
    func beginsOwnWork() {
        beginsAppWork()
        if pace == nil { pace = OwnPace() }
        pace?.begins()
    }

    /// It has come, or never will.
    func endsOwnWork() {
        endsAppWork()
        pace?.ends()
    }

    /// It has run.
    func ranOwnWork() { pace?.ran(at: lane.now, mark: mark) }

    /// Whether all that is under way is the app's own, and leads nowhere.
    package var isGoingRound: Bool {
        guard let pace, outstanding > 0, outstanding == pace.pending else { return false }
        return pace.isGoingRound(at: lane.now, mark: mark)
    }
}
