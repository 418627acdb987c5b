// Durations, shares, counts and their distributions, wherever they stand in a scenario.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

/// What kind of whole number a distribution is over.
enum Quantity: Equatable {
    case duration
    case count(ClosedRange<Int64>)

    var noun: String {
        switch self {
        case .duration: "a duration"
        case .count: "a whole number"
        }
    }

    var rangeHint: String {
        switch self {
        case .duration: "ranges look like 1s..5s"
        case .count: "ranges look like 1..5"
        }
    }

    /// For the schema.
    var value: SchemaValue {
        switch self {
        case .duration: .reference("duration")
        case .count(let range): ScenarioSchema.whole(range)
        }
    }

    func parse(_ text: String) throws(ValueProblem) -> Int64 {
        switch self {
        case .duration: try ValueParser.span(text).nanoseconds
        case .count(let range): try ValueParser.count(text, in: range)
        }
    }
}

extension ScenarioReader {
    func span(_ node: SourceNode, _ path: String, zero: ValueParser.Zero = .allowed) -> Span? {
        value(node, path, as: "a duration") { text throws(ValueProblem) in try ValueParser.span(text, zero: zero) }
    }

    func share(_ node: SourceNode, _ path: String) -> Share? {
        value(node, path, as: "a share", ValueParser.share)
    }

    func rate(_ node: SourceNode, _ path: String) -> ArrivalRate? {
        value(node, path, as: "a rate", ValueParser.rate)
    }

    /// A point of a ramp, which may be none at all, in millionths of an arrival an hour.
    func rateOfRamp(_ node: SourceNode, _ path: String) -> Int64? {
        value(node, path, as: "a rate", ValueParser.rateOfRamp)
    }

    func count(_ node: SourceNode, _ path: String, in range: ClosedRange<Int64>) -> Int? {
        let count: Int64? = value(node, path, as: "a whole number") { text throws(ValueProblem) in
            try ValueParser.count(text, in: range)
        }
        return count.map { Int($0) }
    }

    func bytes(_ node: SourceNode, _ path: String) -> Int? {
        value(node, path, as: "an amount of memory", ValueParser.bytes)
    }

    // MARK: Distributions

    func spans(_ node: SourceNode, _ path: String) -> Distribution? { distribution(node, path, of: .duration) }

    /// `bounded`: whether every draw must lie in the range, which a median or a mean cannot promise.
    func counts(
        _ node: SourceNode, _ path: String, in range: ClosedRange<Int64>, bounded: Bool
    ) -> Distribution? {
        guard let distribution = distribution(node, path, of: .count(range)) else { return nil }
        switch distribution {
        case .logNormal, .exponential:
            guard bounded else { break }
            report(
                node.position, "a mean or a median\(Self.place(path)) can exceed \(range.upperBound)",
                hint: "write \(range.lowerBound)..\(range.upperBound), or weights such as {1: 80%, 2: 20%}")
            return nil
        case .constant, .uniform, .weighted: break
        }
        return distribution
    }

    private func distribution(_ node: SourceNode, _ path: String, of quantity: Quantity) -> Distribution? {
        if case .mapping = node.content { return mappedDistribution(node, path, of: quantity) }
        return value(node, path, as: "\(quantity.noun) or a distribution") { text throws(ValueProblem) in
            try Self.range(text, of: quantity)
        }
    }

    /// `1s..5s`, or a single value.
    private static func range(_ text: String, of quantity: Quantity) throws(ValueProblem) -> Distribution {
        guard let dots = text.firstRange(of: "..") else {
            do {
                return .constant(try quantity.parse(text))
            } catch {
                guard let meant = ValueParser.rewrittenRange(text, of: quantity),
                    (try? range(meant, of: quantity)) != nil
                else { throw error }
                throw ValueProblem(message: error.message, hint: "did you mean '\(meant)'?")
            }
        }
        let low = try bound(text[..<dots.lowerBound], quantity)
        let high = try bound(text[dots.upperBound...], quantity)
        guard low <= high else {
            let turned = "\(text[dots.upperBound...])..\(text[..<dots.lowerBound])"
            throw ValueProblem(
                message: "the range \(quoted(text)) ends before it begins", hint: "did you mean '\(turned)'?")
        }
        return low == high ? .constant(low) : .uniform(low, high)
    }

    /// For `{min: 1s, max: 5s}`, which is a range here.
    private static func hint(forBounds entries: [SourceNode.Entry], of quantity: Quantity) -> String? {
        func bound(_ names: [String]) -> String? {
            let node = entries.first { names.contains($0.key) }?.value
            guard case .scalar(let text, _)? = node?.content else { return nil }
            return text
        }
        guard let low = bound(["min", "from"]), let high = bound(["max", "to"]) else { return nil }
        let written = "\(low)..\(high)"
        return (try? range(written, of: quantity)) != nil ? "write '\(written)'" : quantity.rangeHint
    }

    private static func bound(_ text: Substring, _ quantity: Quantity) throws(ValueProblem) -> Int64 {
        let bare = String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        guard !bare.isEmpty else {
            throw ValueProblem(message: "a range without an end", hint: quantity.rangeHint)
        }
        return try quantity.parse(bare)
    }

    private func mappedDistribution(_ node: SourceNode, _ path: String, of quantity: Quantity) -> Distribution? {
        guard let entries = entries(node, path) else { return nil }
        let names = Set(entries.map(\.key))
        if names.contains("median") || names.contains("p99") { return logNormal(node, path, of: quantity) }
        if names.contains("mean") {
            guard let fields = fields(node, path, of: [ScenarioSchema.mean(quantity.value)]), let mean = fields["mean"]
            else { return nil }
            return quantityValue(mean, Self.join(path, "mean"), quantity).map { .exponential(mean: $0) }
        }
        return weighted(node, entries, path, of: quantity)
    }

    private func logNormal(_ node: SourceNode, _ path: String, of quantity: Quantity) -> Distribution? {
        guard let fields = fields(node, path, of: ScenarioSchema.logNormal(quantity.value)) else { return nil }
        let median = fields["median"].flatMap { quantityValue($0, Self.join(path, "median"), quantity) }
        let p99 = fields["p99"].flatMap { quantityValue($0, Self.join(path, "p99"), quantity) }
        guard let median, let p99, let p99Node = fields["p99"], let medianNode = fields["median"] else { return nil }
        guard median > 0 else {
            report(medianNode.position, "the median\(Self.place(path)) is zero", hint: "write 0 for none at all")
            return nil
        }
        guard p99 >= median else {
            report(
                p99Node.position, "p99 is below the median\(Self.place(path))",
                hint: "99 of 100 values are below p99, and only 50 below the median")
            return nil
        }
        return .logNormal(median: median, p99: p99)
    }

    private func weighted(
        _ node: SourceNode, _ entries: [SourceNode.Entry], _ path: String, of quantity: Quantity
    ) -> Distribution? {
        // A key that looks like no value at all is more likely a mistyped name than a wrong value.
        let names = ["median", "p99", "mean"]
        for entry in entries where entry.key.first?.isNumber != true && !entry.key.hasPrefix("-") {
            report(
                entry.keyPosition, "unknown key \(quoted(entry.key))\(Self.place(path))",
                hint: Self.hint(forBounds: entries, of: quantity)
                    ?? ForeignWords.hint(for: entry.key, in: ForeignWords.keys, accepting: names)
                    ?? closestMatch(to: entry.key, in: names).map { "did you mean '\($0)'?" }
                    ?? "distributions: {median:, p99:}, {mean:}, or values with weights such as {1: 80%, 2: 20%}")
            return nil
        }
        var values: [Int64] = []
        var isWhole = true
        for entry in entries {
            let key = SourceNode(scalar: entry.key, isPlain: entry.keyIsPlain, position: entry.keyPosition)
            let value = quantityValue(key, path, quantity)
            if let value, values.contains(value) {
                report(entry.keyPosition, "\(quoted(entry.key)) is listed twice\(Self.place(path))")
                isWhole = false
            }
            if let value { values.append(value) } else { isWhole = false }
        }
        let weights = self.weights(entries.map { ($0.value, Self.join(path, $0.key)) }, of: node, path)
        guard isWhole, let weights else { return nil }
        let choices = zip(values, weights).map { Distribution.Choice(value: $0, weight: $1) }
        // The mean of a distribution multiplies values by weights, and must not overflow.
        let products = zip(values, weights).map { Int128($0) * Int128($1) }
        guard products.reduce(0, +) <= Int128(Int64.max) else {
            report(
                node.position, "the weights\(Self.place(path)) are too fine for values this large",
                hint: "use whole percents")
            return nil
        }
        return .weighted(choices)
    }

    private func quantityValue(_ node: SourceNode, _ path: String, _ quantity: Quantity) -> Int64? {
        value(node, path, as: quantity.noun) { text throws(ValueProblem) in try quantity.parse(text) }
    }

    // MARK: Weights

    /// Weights in their lowest terms. All of them, or nil with what is wrong reported.
    func weights(_ nodes: [(node: SourceNode, path: String)], of owner: SourceNode, _ path: String) -> [Int64]? {
        guard !nodes.isEmpty, nodes.count <= ScenarioLimits.weightsMax else {
            let hint = "at least one, at most \(ScenarioLimits.weightsMax)"
            report(owner.position, "\(nodes.count) weights\(Self.place(path))", hint: hint)
            return nil
        }
        let weights = nodes.compactMap { weight($0.node, $0.path) }
        return weights.count == nodes.count ? inLowestTerms(weights, of: owner, path) : nil
    }

    func weight(_ node: SourceNode, _ path: String) -> Int64? {
        value(node, path, as: "a weight", ValueParser.weight)
    }

    /// Nil where they sum to zero, which is then reported.
    func inLowestTerms(_ weights: [Int64], of owner: SourceNode, _ path: String) -> [Int64]? {
        let divisor = weights.reduce(0) { greatestCommonDivisor($0, $1) }
        if divisor > 0 { return weights.map { $0 / divisor } }
        report(owner.position, "the weights\(Self.place(path)) sum to zero", hint: "give one of them a weight")
        return nil
    }
}
