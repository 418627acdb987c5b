// How much an app does by itself: more than a device could is a loop without a pause.
// A value of its process; confined to the device's lane.

/// What an app did since the person last did anything, in stretches of a simulated second.
struct Workload {
    /// Calls of StoreKit and of servers.
    private(set) var asked = 0
    /// Everything: those calls, writes, finishes, answers, blocks on queues.
    private(set) var done = 0
    private var weight = 0
    private var since = Instant.start

    /// A call that goes out weighs as much as so many things done on the device itself.
    private static let askingWeight = 200
    /// A thousand calls that go out, or two hundred thousand things done, within a second.
    private static let weightMax = 1_000 * askingWeight

    mutating func begin(at instant: Instant) {
        self = Workload()
        since = instant
    }

    /// Counts one more. False if there may be too many.
    mutating func takes(asking: Bool) -> Bool {
        done += 1
        if asking { asked += 1 }
        weight += asking ? Self.askingWeight : 1
        return weight <= Self.weightMax
    }

    /// Whether it took longer than a second to become so many: a new stretch begins then.
    mutating func hasRoom(at instant: Instant) -> Bool {
        guard instant - since >= .seconds(1) else { return false }
        begin(at: instant)
        return true
    }
}
