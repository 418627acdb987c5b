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
        guard case .variants(let key, let common, _) = ScenarioSchema.loadEntry else {
            preconditionFailure("load entries differ by their executors")
        }
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
                ScenarioOutline.Entry(key.name, .scalar(executor.name)),
            ]
            let rest = common.filter { field in !given.contains { $0.key == field.name } }
            entries.append(.mapping(given + (draw(rest, at: "load[]") ?? []) + keys(of: executor)))
            entry.earlier.append("e\(place + 1)")
        }
        let used = Set(entries.compactMap { $0["journey"] })
        return (.list(entries), journeys.filter { used.contains(.scalar($0.name)) })
    }

    /// All that must be there, and some of the rest.
    private mutating func keys(of executor: any LoadExecutor.Type) -> [ScenarioOutline.Entry] {
        var entries: [ScenarioOutline.Entry] = []
        for key in executor.everyKey where key.isRequired || switchIsOn() {
            if let value = key.draw(&self) { entries.append(.init(key.name, value)) }
        }
        return entries
    }

    /// How many users the entry that is being drawn takes.
    mutating func usersOfEntry() -> ScenarioOutline { .scalar("\(number(1...entry.users))") }

    mutating func loadByHand(_ path: String) -> ScenarioOutline? {
        path == "load[].after" ? scalar(entry.earlier) : nil
    }
}
