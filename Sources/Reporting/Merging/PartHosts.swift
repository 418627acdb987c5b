// The machines that shared the parts of one run: which had which, how far apart they began, and which of them was slow.
// Pure but for the machine's name.

import Foundation
import ReportModel

extension Report.Host {
    /// A part is called slow if a user took so many times as long there as in the middle one.
    private static let slowFactor = 1.5
    /// Parts that took less than this, in seconds, say nothing of their machines.
    private static let secondsMin = 1.0
    private static let slowNamed = 3

    /// With what tells it apart from the machines of other parts.
    func asShard(_ shard: Report.Shard?) -> Report.Host {
        guard let shard else { return self }
        var copy = self
        (copy.shard, copy.users, copy.machine) = (shard.text, shard.users, ProcessInfo.processInfo.hostName)
        return copy
    }

    init(ofParts machines: [Report.Host]) {
        self.init(of: machines)
        // What was noticed of client code is told of all of them together.
        notes = Self.spread(machines) + Self.slow(machines)
    }

    /// In real seconds.
    private var perUser: Double? {
        guard let users, users > 0, durationSeconds >= Self.secondsMin else { return nil }
        return durationSeconds / Double(users)
    }

    private static func spread(_ machines: [Report.Host]) -> [String] {
        let starts = machines.compactMap { try? Date($0.startedAt, strategy: .iso8601) }
        guard let first = starts.min(), let last = starts.max(), machines.count > 1 else { return [] }
        let apart = HumanNumbers.duration(nanoseconds: last.timeIntervalSince(first) * 1e9)
        let parts = HumanNumbers.quantity(machines.count, "part")
        return ["\(parts) of the run ran separately: the last part started \(apart) after the first."]
    }

    /// In real seconds for a user, of the part in the middle; nil where nobody knows what is usual.
    private static func usual(_ machines: [Report.Host]) -> Double? {
        let times = machines.compactMap(\.perUser).sorted()
        return times.count > 2 ? times[times.count / 2] : nil
    }

    /// Parts that took far longer than the others, the slowest first.
    static func slowParts(_ machines: [Report.Host]) -> [Report.Host] {
        guard let usual = usual(machines) else { return [] }
        return machines.filter { ($0.perUser ?? 0) > slowFactor * usual }
            .sorted { ($1.perUser ?? 0, $0.shard ?? "") < ($0.perUser ?? 0, $1.shard ?? "") }
    }

    private static func slow(_ machines: [Report.Host]) -> [String] {
        guard let usual = usual(machines) else { return [] }
        return slowParts(machines).prefix(slowNamed).map { machine in
            let factor = HumanNumbers.fixed((machine.perUser ?? 0) / usual, decimals: 1)
            return
                "Part \(machine.shard ?? "?") was slow: on \(machine.machine ?? "its machine") a user took \(factor) times as "
                + "long as in the median part."
        }
    }
}
