// Who begins which journey when.
// Part of `DrawingPen`; confined as it is.

/// Where a load entry stands while it is drawn.
struct DrawnEntry {
    /// Users it may take at most.
    var users = 1
    /// The names of the entries before it.
    var earlier: [String] = []
}

extension DrawingPen {
    /// The entries, and the journeys that they begin; true: users may do it over and over until their time is up.
    mutating func load() -> (entries: ScenarioOutline, journeys: [(name: String, isEndless: Bool)]) {
        let executors = LoadExecutors.all
        let journeyCount = number(1...2)
        var journeys = (1...journeyCount).map { (name: "j\($0)", isEndless: false) }
        let count = min(users, hits(60) ? 1 : number(2...3))
        var entries: [ScenarioOutline] = []
        entry = DrawnEntry()
        entry.users = users / count
        for place in 0..<count {
            // Everyone at once is what most scenarios begin with.
            let executor = hits(30) ? LoadExecutors.plainest : executors[number(0...(executors.count - 1))]
            let journey = number(0...(journeyCount - 1))
            if executor.repeatsForItsTime { journeys[journey].isEndless = true }
            let given = [
                ScenarioOutline.Entry("name", .scalar("e\(place + 1)")),
                ScenarioOutline.Entry("journey", .scalar(journeys[journey].name)),
                ScenarioOutline.Entry(KeySection.executor.name, .scalar(executor.name)),
            ]
            let rest = KeySection.entry.facts.keys.filter { key in !given.contains { $0.key == key.name } }
            entries.append(.mapping(given + (draw((rest + executor.everyKey).map(\.field)) ?? [])))
            entry.earlier.append("e\(place + 1)")
        }
        let used = Set(entries.compactMap { $0["journey"] })
        return (.list(entries), journeys.filter { used.contains(.scalar($0.name)) })
    }

    /// How many users the entry that is being drawn takes.
    mutating func usersOfEntry() -> ScenarioOutline { .scalar("\(number(1...entry.users))") }

    /// Stages of a ramp. The first one takes time and reaches something: a load that never has a user is none.
    ///
    /// - Parameter levels: what they come to, beginning with one above zero.
    mutating func stages(to levels: [String]) -> ScenarioOutline {
        var stages = [stage(over: ["5s", "20s"], to: [levels[0]])]
        for _ in 0..<number(0...2) { stages.append(stage(over: ["0s", "2s", "10s"], to: levels)) }
        return .list(stages)
    }

    private mutating func stage(over: [String], to levels: [String]) -> ScenarioOutline {
        .mapping([.init("over", scalar(over) ?? .scalar("5s")), .init("to", scalar(levels) ?? .scalar(levels[0]))])
    }
}
