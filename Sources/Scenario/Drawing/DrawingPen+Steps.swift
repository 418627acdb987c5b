// What people do, step after step.
// Part of `DrawingPen`; confined as it is.

extension DrawingPen {
    mutating func journeys(_ wanted: [(name: String, isEndless: Bool)]) -> ScenarioOutline {
        stepsKnown = Self.always
        for name in ScenarioStep.drawn.map(\.name).sorted() where switchIsOn() { stepsKnown.insert(name) }
        let journeys = wanted.map { journey in
            var steps = hits(90) ? [ScenarioOutline.scalar("launch")] : []
            if case .list(let more)? = self.steps(number(2...8)) { steps += more }
            // Without a pause people who begin again and again would do so without end in one instant.
            if journey.isEndless || hits(30) { steps.append(.mapping([.init("think", .scalar("2s..6s"))])) }
            return ScenarioOutline.Entry(journey.name, .list(steps))
        }
        return .mapping(journeys)
    }

    private static let always: Set<String> = ["launch", "buy"]

    mutating func steps(_ count: Int) -> ScenarioOutline? {
        let steps = (0..<count).compactMap { _ in step() }
        return steps.isEmpty ? nil : .list(steps)
    }

    mutating func step() -> ScenarioOutline? {
        // People come to buy.
        if hits(25), let buy = ScenarioStep.named("buy") { return draw(buy) }
        let known = ScenarioStep.all.filter { stepsKnown.contains($0.name) }
        let words = known.filter(\.canBeBare)
        let valued = known.filter(\.takesValue)
        let place = number(0...(words.count + valued.count - 1))
        return place < words.count ? .scalar(words[place].name) : draw(valued[place - words.count])
    }

    /// What can be begun at the same time as others.
    mutating func request() -> ScenarioOutline? {
        let requests = ScenarioStep.requests.filter { stepsKnown.contains($0.name) }.sorted { $0.name < $1.name }
        guard let step = one(of: requests) else { return nil }
        if step.canBeBare, hits(30) { return .scalar(step.name) }
        return draw(step)
    }

    private mutating func draw(_ step: ScenarioStep) -> ScenarioOutline? {
        // Deeper ones say nothing that these do not, and multiply.
        if step.isNesting, depth >= 2 { return nil }
        if step.isNesting { depth += 1 }
        defer { if step.isNesting { depth -= 1 } }
        guard let value = draw(step.key.field) else { return nil }
        // Plain forms of what can be left empty.
        if value.isEmpty { return step.canBeBare ? .scalar(step.name) : nil }
        return .mapping([.init(step.name, value)])
    }
}
