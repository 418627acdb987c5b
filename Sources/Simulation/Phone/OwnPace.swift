// Finds out whether an app's own work has any effect.
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

    /// Requests to servers that do not exist: of what they record nothing has come.
    private(set) var vainEvents = 0
    private(set) var vainEffects = 0
    /// Of these requests, how many have failed since something came of one.
    private var vainRequests = 0

    private static let fruitlessMin = 1_000
    private static let vainRequestsMin = 20
    private static let vainRequestsMax = 500
    private static let lastingMin = Span.seconds(600)

    func begins() { pending += 1 }

    func ends() { pending -= 1 }

    func ran(at now: Instant, mark: Int) {
        look(at: now, mark)
        fruitless += 1
    }

    /// The app asks a server that does not exist.
    func asksInVain() {
        vainEvents += 1
        vainEffects += 1
    }

    /// Such a request fails.
    func failsInVain() { vainEvents += 1 }

    /// The app has handled the failure.
    func failedInVain(at now: Instant, mark: Int) {
        look(at: now, mark)
        vainRequests += 1
    }

    private func look(at now: Instant, _ mark: Int) {
        if mark == self.mark { return }
        self.mark = mark
        (fruitless, vainRequests) = (0, 0)
        since = now
    }

    /// Whether the app goes round because it asks again and again for a server that does not exist.
    var asksForMissingServer: Bool { vainRequests >= Self.vainRequestsMin }

    /// - Parameter mark: as it is now.
    func isGoingRound(at now: Instant, mark: Int) -> Bool {
        if mark != self.mark { return false }
        if vainRequests >= Self.vainRequestsMax { return true }
        return (fruitless >= Self.fruitlessMin || asksForMissingServer) && now - since >= Self.lastingMin
    }
}

extension Device {
    /// Another one whenever something has happened that the run is about: an effect, a callback, whatever is recorded.
    private var mark: Int {
        let effects = (app?.effectCount ?? 0) - (pace?.vainEffects ?? 0)
        return events.count - (pace?.vainEvents ?? 0) &+ effects &* 1_000_003
    }

    var ownPace: OwnPace {
        if let pace { return pace }
        let made = OwnPace()
        pace = made
        return made
    }

    /// A turn or a timer of the app's own is under way.
    func beginsOwnWork() {
        beginsAppWork()
        ownPace.begins()
    }

    /// It has come, or never will.
    func endsOwnWork() {
        endsAppWork()
        pace?.ends()
    }

    /// It has run.
    func ranOwnWork() { pace?.ran(at: lane.now, mark: mark) }

    /// The app's request for a server that does not exist is under way, and fails after a while. What the app does then is
    /// done in `fail`.
    func failsInVain(after delay: Span, _ fail: @escaping () -> Void) {
        guard lane.isVirtual else {
            schedule(after: delay, fail)
            return
        }
        ownPace.begins()
        ownPace.asksInVain()
        schedule(after: delay) { [self] in
            pace?.ends()
            pace?.failsInVain()
            fail()
            pace?.failedInVain(at: lane.now, mark: mark)
        }
    }

    /// Whether it goes round because it asks for a server that does not exist.
    package var asksForMissingServer: Bool { pace?.asksForMissingServer ?? false }

    /// Whether all that is under way is the app's own, and leads nowhere.
    package var isGoingRound: Bool {
        guard let pace, outstanding > 0, outstanding == pace.pending + pendingBlocks else { return false }
        return pace.isGoingRound(at: lane.now, mark: mark)
    }
}
