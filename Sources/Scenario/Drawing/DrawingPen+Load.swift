// Who begins which journey when.
// Part of `DrawingPen`; confined as it is.

/// Where a load entry stands while it is drawn.
struct DrawnEntry {
    var number = 0
    /// Users it may take at most.
    var users = 1
    /// The names of the entries before it.
    var earlier: [String] = []
    var executor = ""
}

extension DrawingPen {
    /// The entries, and the journeys that they begin; true: users may do it over and over until their time is up.
    mutating func load() -> (entries: ScenarioOutline, journeys: [(name: String, isEndless: Bool)]) {
        guard case .variants(let key, let common, let cases) = ScenarioSchema.loadEntry else {
            preconditionFailure("load entries differ by their executors")
        }
        let journeyCount = number(1...2)
        var journeys = (1...journeyCount).map { (name: "j\($0)", isEndless: false) }
        let count = min(users, hits(60) ? 1 : number(2...3))
        var entries: [ScenarioOutline] = []
        entry = DrawnEntry()
        entry.users = users / count
        for place in 0..<count {
            // Everyone at once is what most scenarios begin with.
            let variant = cases[hits(30) ? 0 : number(0...(cases.count - 1))]
            entry.number = place + 1
            entry.executor = variant.name
            let journey = number(0...(journeyCount - 1))
            if Self.endless.contains(variant.name) { journeys[journey].isEndless = true }
            let given = [
                ScenarioOutline.Entry("name", .scalar("e\(place + 1)")),
                ScenarioOutline.Entry("journey", .scalar(journeys[journey].name)),
                ScenarioOutline.Entry(key.name, .scalar(variant.name)),
            ]
            let rest = (common + variant.fields).filter { field in !given.contains { $0.key == field.name } }
            entries.append(.mapping(given + (draw(rest, at: "load[]") ?? [])))
            entry.earlier.append("e\(place + 1)")
        }
        let used = Set(entries.compactMap { $0["journey"] })
        return (.list(entries), journeys.filter { used.contains(.scalar($0.name)) })
    }

    /// Their users begin again as soon as they are done.
    private static let endless: Set<String> = ["constant-users", "ramping-users"]

    mutating func loadByHand(_ path: String) -> ScenarioOutline? {
        switch path {
        case "load[].users", "load[].max_users", "load[].start_users": return .scalar("\(number(1...entry.users))")
        case "load[].after": return scalar(entry.earlier)
        case "load[].iterations":
            return .scalar("\(entry.executor == "shared-iterations" ? number(1...(2 * users)) : number(1...3))")
        case "load[].start_rate": return scalar(["0/s", "20/m", "2/s"])
        case "load[].stages": return stages()
        default: return nil
        }
    }

    /// The first one takes time and reaches something: a load that never has a user is none.
    private mutating func stages() -> ScenarioOutline {
        let levels = entry.executor == "ramping-users" ? ["\(entry.users)", "1", "0"] : ["2/s", "20/m", "0/s"]
        var stages = [stage(over: ["5s", "20s"], to: [levels[0]])]
        for _ in 0..<number(0...2) { stages.append(stage(over: ["0s", "2s", "10s"], to: levels)) }
        return .list(stages)
    }

    private mutating func stage(over: [String], to levels: [String]) -> ScenarioOutline {
        .mapping([.init("over", scalar(over) ?? .scalar("5s")), .init("to", scalar(levels) ?? .scalar(levels[0]))])
    }
}
