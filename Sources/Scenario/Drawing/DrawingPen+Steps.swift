// What people do, step after step.
// Part of `DrawingPen`; confined as it is.

extension DrawingPen {
    mutating func journeys(_ wanted: [(name: String, isEndless: Bool)]) -> ScenarioOutline {
        stepsKnown = Set(Self.words + Self.fields.map(\.name)).filter { Self.always.contains($0) }
        for name in (Self.words + Self.fields.map(\.name)).sorted() where switchIsOn() { stepsKnown.insert(name) }
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

    private static let stepValues: [SchemaValue] = {
        guard case .choice(let values)? = ScenarioSchema.steps["step"] else { return [] }
        return values
    }()

    /// Steps that are a word.
    private static let words: [String] = stepValues.flatMap { value -> [String] in
        if case .string(let words) = value { return words ?? [] }
        return []
    }

    /// Steps that have a value.
    private static let fields: [SchemaValue.Field] = stepValues.flatMap { value -> [SchemaValue.Field] in
        if case .restricted(let fields, _) = value { return fields }
        return []
    }

    /// Steps that hold steps.
    private static let nesting: Set<String> = ["repeat", "choose", "on_other_device"]

    mutating func steps(_ count: Int) -> ScenarioOutline? {
        let steps = (0..<count).compactMap { _ in step() }
        return steps.isEmpty ? nil : .list(steps)
    }

    mutating func step() -> ScenarioOutline? {
        // People come to buy.
        if hits(25) { return field("buy") }
        let words = Self.words.filter(stepsKnown.contains)
        let fields = Self.fields.filter { stepsKnown.contains($0.name) }
        let place = number(0...(words.count + fields.count - 1))
        return place < words.count ? .scalar(words[place]) : field(fields[place - words.count].name)
    }

    /// What can be begun at the same time as others.
    mutating func request() -> ScenarioOutline? {
        let names = ["buy", "fetch_products", "restore", "use"].filter(stepsKnown.contains)
        guard let name = one(of: names) else { return nil }
        if Self.words.contains(name), hits(30) { return .scalar(name) }
        return field(name)
    }

    private mutating func field(_ name: String) -> ScenarioOutline? {
        guard let field = Self.fields.first(where: { $0.name == name }) else { return nil }
        let isNesting = Self.nesting.contains(name)
        // Deeper ones say nothing that these do not, and multiply.
        if isNesting, depth >= 2 { return nil }
        if isNesting { depth += 1 }
        defer { if isNesting { depth -= 1 } }
        guard let value = draw(field.value, at: "step.\(name)") else { return nil }
        // Plain forms of what can be left empty.
        if value.isEmpty { return Self.words.contains(name) ? .scalar(name) : nil }
        return .mapping([.init(name, value)])
    }
}
