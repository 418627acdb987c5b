// From what the schema says of a value to a value.
// Part of `DrawingPen`; confined as it is.

extension DrawingPen {
    /// A value of the kind that the schema says. Nil where there is none: the shop has no such product, or the key is
    /// not for chance to decide.
    ///
    /// - Parameter path: where it stands, such as `network.offline.for` or, within journeys, `step.buy.quantity`.
    mutating func draw(_ value: SchemaValue, at path: String) -> ScenarioOutline? {
        if DrawnKeys.isLeftOut(path) { return nil }
        if DrawnKeys.isByHand(path) { return byHand(path) }
        switch value {
        case .string(let values): return scalar(values ?? [])
        case .boolean: return scalar(["true", "false"])
        case .scalar(let scalar): return draw(scalar)
        case .words(let words): return scalar(words)
        case .integer(let least): return .scalar("\(number((least ?? 0)...((least ?? 0) + 4)))")
        case .list(let element, let count): return draw(listOf: element, count, at: path)
        case .object(let fields): return draw(fields, at: path).map { .mapping($0) }
        case .restricted(let fields, let rule): return draw(fields, rule, at: path)
        case .variants(let key, let common, let cases): return draw(key, common, cases, at: path)
        case .choice(let values):
            let drawn = values.compactMap { draw($0, at: path) }
            return one(of: drawn)
        case .reference(let name): return draw(reference: name, at: path)
        case .number, .array, .arrayWithGaps, .map, .dictionary, .openObject, .constant: return nil
        }
    }

    /// Few of them: the numbers of a scenario say how much there is of something.
    private mutating func draw(_ scalar: SchemaScalar) -> ScenarioOutline? {
        guard let range = scalar.range else { return nil }
        let low = Int(clamping: range.lowerBound)
        return .scalar("\(number(low...Int(clamping: min(range.upperBound, range.lowerBound + 12))))")
    }

    private mutating func draw(
        listOf element: SchemaValue, _ count: ClosedRange<Int>, at path: String
    ) -> ScenarioOutline? {
        let most = min(count.upperBound, max(count.lowerBound, 3))
        let items = (0..<number(count.lowerBound...most)).compactMap { _ in draw(element, at: path + "[]") }
        return items.count >= count.lowerBound ? .list(items) : nil
    }

    /// All that must be there, and some of the rest; nil where something must be there and cannot.
    mutating func draw(_ fields: [SchemaValue.Field], at path: String) -> [ScenarioOutline.Entry]? {
        var entries: [ScenarioOutline.Entry] = []
        for field in fields where field.isRequired || switchIsOn() {
            if let value = draw(field.value, at: Self.join(path, field.name)), !value.isEmpty {
                entries.append(.init(field.name, value))
            } else if field.isRequired {
                return nil
            }
        }
        return entries
    }

    private mutating func draw(
        _ fields: [SchemaValue.Field], _ rule: SchemaRule, at path: String
    ) -> ScenarioOutline? {
        switch rule {
        case .oneKey:
            guard let field = one(of: fields) else { return nil }
            return draw(field.value, at: Self.join(path, field.name)).map { .mapping([.init(field.name, $0)]) }
        case .anyKey:
            let entries = draw(fields, at: path) ?? []
            return entries.isEmpty ? nil : .mapping(entries)
        case .oneOf(let keys):
            let targets = fields.filter { keys.contains($0.name) }
            guard let target = one(of: targets), let value = draw(target.value, at: Self.join(path, target.name))
            else { return nil }
            let rest = draw(fields.filter { !keys.contains($0.name) }, at: path) ?? []
            return .mapping([.init(target.name, value)] + rest)
        }
    }

    private mutating func draw(
        _ key: SchemaValue.Field, _ common: [SchemaValue.Field], _ cases: [SchemaValue.Variant], at path: String
    ) -> ScenarioOutline? {
        guard let variant = one(of: cases), let entries = draw(common + variant.fields, at: path) else { return nil }
        return .mapping([.init(key.name, .scalar(variant.name))] + entries)
    }

    private mutating func draw(reference name: String, at path: String) -> ScenarioOutline? {
        let scale = DrawnKeys.scale(of: path)
        switch name {
        case "duration": return time(scale, canBeZero: true)
        case "duration_above_zero": return time(scale, canBeZero: false)
        case "durations": return times(scale)
        case "share": return share(DrawnKeys.shares(of: path))
        case "time_rate": return scalar(["1s = 1d", "10s = 1d", "1m = 30d", "1h = 30d"])
        case "rate", "rate_above_zero": return scalar(["20/m", "1/s", "5/s"])
        case "weight": return .scalar("\(number(1...9))")
        case "product": return scalar(products(of: path))
        case "products":
            let names = shop.all + ["com.example.not_sold"]
            return .list(some(number(1...names.count), of: names).map { .scalar($0) })
        case "step": return step()
        case "steps": return steps(number(1...3))
        case "request": return request()
        default: return ScenarioSchema.definition(name).flatMap { draw($0, at: path) }
        }
    }

    /// Where the next key stands.
    static func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private func products(of path: String) -> [String] {
        switch path {
        case "step.use": shop.consumables + ["all"]
        case "step.family_shares", "step.family_stops_sharing": shop.shareables
        case "step.change_subscription", "step.cancel_subscription": shop.subscriptions
        default: shop.all
        }
    }
}

extension ScenarioSchema {
    /// One of the definitions that a reference names.
    static func definition(_ name: String) -> SchemaValue? {
        switch name {
        case "crash": KeySection.crash.schema
        case "outages": outages
        default: steps[name] ?? values[name]
        }
    }
}
