// The list of executors.
// Constants; any thread.

package enum LoadExecutors {
    /// In the order in which lists show them.
    package static let all: [any LoadExecutor.Type] = [
        AtOnce.self, PerUserIterations.self, PerUserRate.self, SharedIterations.self, ConstantUsers.self,
        RampingUsers.self, ConstantArrivalRate.self, RampingArrivalRate.self,
    ]

    /// The one that has least to say: what others are made when scenarios are to become simpler.
    package static let plainest: any LoadExecutor.Type = AtOnce.self

    package static let names = all.map { $0.name }

    package static func named(_ name: String) -> (any LoadExecutor.Type)? { all.first { $0.name == name } }

    /// A load entry, as it is written, so that a population of so few users is enough for it.
    package static func shrunk(_ entry: ScenarioOutline, to users: Int) -> ScenarioOutline {
        guard case .scalar(let name)? = entry["executor"] else { return entry }
        return named(name)?.shrunk(entry, to: users) ?? entry
    }

    /// Of all of them, each name once.
    static let keys: [KeyFacts] = {
        var keys: [KeyFacts] = []
        for key in all.flatMap({ $0.ownKeys }) where !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
        return keys
    }()
}
