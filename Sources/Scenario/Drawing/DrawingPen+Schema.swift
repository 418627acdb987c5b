// From what the schema says of a value to a value.
// Part of `DrawingPen`; confined as it is.

extension DrawingPen {
    /// A value of the kind that the schema says. Nil where there is none: the shop has no such product, or the key is
    /// not for chance to decide.
    mutating func draw(_ field: SchemaValue.Field) -> ScenarioOutline? {
        switch field.drawing {
        case .leftOut: nil
        case .drawn(let draw): draw(&self)
        default: draw(field.value, field.drawing)
        }
    }

    private mutating func draw(_ value: SchemaValue, _ drawing: KeyDrawing) -> ScenarioOutline? {
        switch value {
        case .string(let values): return scalar(values ?? [])
        case .boolean: return scalar(["true", "false"])
        case .scalar(let scalar): return draw(scalar)
        case .words(let words): return scalar(words)
        case .integer(let least): return .scalar("\(number((least ?? 0)...((least ?? 0) + 4)))")
        case .list(let element, let count): return draw(listOf: element, count, drawing)
        case .object(let fields): return draw(fields).map { .mapping($0) }
        case .restricted(let fields, let rule): return draw(fields, rule)
        case .variants(let key, let common, let cases): return draw(key, common, cases)
        case .choice(let values):
            let drawn = values.compactMap { draw($0, drawing) }
            return one(of: drawn)
        case .reference(let name): return draw(reference: name, drawing)
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
        listOf element: SchemaValue, _ count: ClosedRange<Int>, _ drawing: KeyDrawing
    ) -> ScenarioOutline? {
        let most = min(count.upperBound, max(count.lowerBound, 3))
        let items = (0..<number(count.lowerBound...most)).compactMap { _ in draw(element, drawing) }
        return items.count >= count.lowerBound ? .list(items) : nil
    }

    /// All that must be there, and some of the rest; nil where something must be there and cannot.
    mutating func draw(_ fields: [SchemaValue.Field]) -> [ScenarioOutline.Entry]? {
        var entries: [ScenarioOutline.Entry] = []
        for field in fields where field.isRequired || switchIsOn() {
            if let value = draw(field), !value.isEmpty {
                entries.append(.init(field.name, value))
            } else if field.isRequired {
                return nil
            }
        }
        return entries
    }

    private mutating func draw(_ fields: [SchemaValue.Field], _ rule: SchemaRule) -> ScenarioOutline? {
        switch rule {
        case .oneKey:
            guard let field = one(of: fields) else { return nil }
            return draw(field).map { .mapping([.init(field.name, $0)]) }
        case .anyKey:
            let entries = draw(fields) ?? []
            return entries.isEmpty ? nil : .mapping(entries)
        case .oneOf(let keys):
            guard let target = one(of: fields.filter { keys.contains($0.name) }), let value = draw(target) else {
                return nil
            }
            let rest = draw(fields.filter { !keys.contains($0.name) }) ?? []
            return .mapping([.init(target.name, value)] + rest)
        }
    }

    private mutating func draw(
        _ key: SchemaValue.Field, _ common: [SchemaValue.Field], _ cases: [SchemaValue.Variant]
    ) -> ScenarioOutline? {
        guard let variant = one(of: cases), let entries = draw(common + variant.fields) else { return nil }
        return .mapping([.init(key.name, .scalar(variant.name))] + entries)
    }

    private mutating func draw(reference name: String, _ drawing: KeyDrawing) -> ScenarioOutline? {
        switch name {
        case "duration": return time(drawing.scale, canBeZero: true)
        case "duration_above_zero": return time(drawing.scale, canBeZero: false)
        case "durations": return times(drawing.scale)
        case "share": return share(drawing.shares)
        case "time_rate": return scalar(["1s = 1d", "10s = 1d", "1m = 30d", "1h = 30d"])
        case "rate", "rate_above_zero": return scalar(["20/m", "1/s", "5/s"])
        case "weight": return .scalar("\(number(1...9))")
        case "product": return scalar(drawing.products(of: shop))
        case "products":
            let names = shop.all + ["com.example.not_sold"]
            return .list(some(number(1...names.count), of: names).map { .scalar($0) })
        case "step": return step()
        case "steps": return steps(number(1...3))
        case "request": return request()
        default: return ScenarioSchema.definition(name).flatMap { draw($0, drawing) }
        }
    }
}

extension KeyDrawing {
    /// How long what the key is about lasts; for a person, unless it is known better.
    fileprivate var scale: TimeScale { if case .lasting(let scale) = self { scale } else { .pause } }

    /// In percent.
    fileprivate var shares: [Int] { if case .shares(let shares) = self { shares } else { [2, 10, 40, 100] } }

    fileprivate func products(of shop: DrawnShop) -> [String] {
        if case .products(let choose) = self { choose(shop) } else { shop.all }
    }
}
