// How values are written in scenarios, as patterns: durations, shares, counts, rates, distributions.
// Pure; any thread. A test holds the patterns and `ValueParser` together.

import Simulation

extension ScenarioSchema {
    // MARK: Patterns

    private static let number = #"[0-9]+(_[0-9]+)*(\.[0-9]+(_[0-9]+)*)?"#
    private static let duration = "(?=[0-9])" + ["d", "h", "m", "s", "ms", "us"].map { "(\(number)\($0))?" }.joined()
    private static let percentage = #"(0*100(\.0+)?|0*[0-9]{1,2}(\.[0-9]+(_[0-9]+)*)?)%"#
    private static let wholeNumber = "[0-9]+(_[0-9]+)*"
    /// Numbers are written without quotes: the texts among them are those that YAML takes for text, for their `_`.
    private static let grouped = "(?=.*_)"
    static let name = "[A-Za-z0-9_-]{1,64}"

    private static func range(of value: String) -> String { " *(\(value)) *\\.\\. *(\(value)) *" }

    // MARK: Definitions

    static let values: [String: SchemaValue] = [
        "text": .scalar(SchemaScalar(kinds: [.string, .number, .boolean])),
        // Of a program, which knows their names.
        "client": .reference("text"),
        "name": .scalar(SchemaScalar(kinds: [.string, .integer, .boolean], pattern: "^\(name)$")),
        // A bare zero needs no unit.
        "duration": .scalar(SchemaScalar(kinds: [.string, .integer], pattern: "^\(duration)$", range: 0...0)),
        "duration_above_zero": .scalar(SchemaScalar(kinds: [.string], pattern: "^(?=.*[1-9])\(duration)$")),
        "time_rate": .scalar(
            SchemaScalar(
                kinds: [.string], pattern: #"^\s*(?=[^=]*[1-9])\#(duration)\s*=\s*(?=.*[1-9])\#(duration)\s*$"#)),
        "window": .scalar(SchemaScalar(kinds: [.string], pattern: "^\(range(of: "\(duration)|0"))$")),
        "share": .scalar(
            SchemaScalar(
                kinds: [.string, .number], pattern: "^(\(percentage)|\(grouped)[01]\\.[0-9]+(_[0-9]+)+)$", range: 0...1)
        ),
        "weight": .scalar(
            SchemaScalar(
                kinds: [.string, .number], pattern: "^(\(number)%|\(grouped)\(number))$",
                range: 0...UInt64(ScenarioLimits.weightMax))),
        "bytes": .scalar(SchemaScalar(kinds: [.string], pattern: "^(?=.*[1-9])\(number)(KiB|MiB|GiB)$")),
        "rate": .scalar(SchemaScalar(kinds: [.string], pattern: "^\(number)/(s|m|h)$")),
        "rate_above_zero": .scalar(SchemaScalar(kinds: [.string], pattern: "^(?=[^/]*[1-9])\(number)/(s|m|h)$")),
        "durations": .choice(
            [
                .scalar(
                    SchemaScalar(
                        kinds: [.string, .integer], pattern: "^(\(duration)|\(range(of: "\(duration)|0")))$",
                        range: 0...0))
            ] + endless(.reference("duration")) + [
                .dictionary(keys: "^(\(duration)|0)$", to: .reference("weight"))
            ]),
        "shares_of_products": .map(to: .reference("share")),
    ]

    /// A distribution by two of its percentiles.
    static func logNormal(_ value: SchemaValue) -> [KeyFacts] {
        [
            KeyFacts(
                "median", value, "", "Half of the values are below it. Log-normal, together with p99.", required: true,
                example: "100ms"),
            KeyFacts("p99", value, "", "99 of 100 values are below it.", required: true, example: "1s"),
        ]
    }

    /// A distribution without memory.
    static func mean(_ value: SchemaValue) -> KeyFacts {
        KeyFacts("mean", value, "", "The mean of an exponential distribution.", required: true)
    }

    private static func endless(_ value: SchemaValue) -> [SchemaValue] {
        [.object(logNormal(value).map(\.field)), .object([mean(value).field])]
    }

    // MARK: Counts

    static func whole(_ range: ClosedRange<Int64>) -> SchemaValue {
        .scalar(
            SchemaScalar(
                kinds: [.string, .integer], pattern: "^\(grouped)\(wholeNumber)$",
                range: UInt64(range.lowerBound)...UInt64(range.upperBound)))
    }

    /// A whole number or a distribution over such; where every draw has to lie in the range, one that has an end.
    static func wholes(_ range: ClosedRange<Int64>, bounded: Bool) -> SchemaValue {
        // Texts have no bounds but those of their pattern.
        let value = range.count <= 10 ? range.map(String.init).joined(separator: "|") : wholeNumber
        let single = SchemaValue.scalar(
            SchemaScalar(
                kinds: [.string, .integer], pattern: "^(\(grouped)(\(value))|\(Self.range(of: value)))$",
                range: UInt64(range.lowerBound)...UInt64(range.upperBound)))
        let weighted = SchemaValue.dictionary(keys: "^(\(value))$", to: .reference("weight"))
        return .choice([single, weighted] + (bounded ? [] : endless(whole(range))))
    }

    static let seed = SchemaValue.scalar(
        SchemaScalar(kinds: [.string, .integer], pattern: "^\(grouped)\(wholeNumber)$", range: 0...UInt64.max))

    // MARK: Durations

    static func span(_ zero: ValueParser.Zero) -> SchemaValue {
        .reference(zero == .allowed ? "duration" : "duration_above_zero")
    }

    static let aDuration = "A duration, such as 150ms, 3s, 1m30s or 30d."
    static let someDurations = """
        A duration, such as 150ms or 3s, or a distribution: 1s..5s, {median: 80ms, p99: 1s}, {mean: 2s} or \
        {1s: 80%, 9s: 20%}.
        """
    static let aShare = "A share, such as 2.5% or 0.025."

    // MARK: Defaults

    static func written(_ share: Share) -> String { "\(share.partsPerBillion / 10_000_000)%" }

    static func written(bytes: Int) -> String {
        let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)]
        let unit = units.first { bytes.isMultiple(of: 1 << $0.1) }
        return unit.map { "\(bytes >> $0.1)\($0.0)" } ?? "\(bytes)"
    }

    static func written(_ span: Span) -> String {
        if span == .zero { return "0s" }
        let units: [(String, Span)] = [
            ("h", .hours(1)), ("m", .minutes(1)), ("s", .seconds(1)), ("ms", .milliseconds(1)),
        ]
        let unit = units.first { span.nanoseconds.isMultiple(of: $0.1.nanoseconds) }
        return unit.map { "\(span.nanoseconds / $0.1.nanoseconds)\($0.0)" } ?? "\(span.nanoseconds / 1_000)us"
    }

    static func written(_ distribution: Distribution) -> String? {
        switch distribution {
        case .constant(let value): written(Span(nanoseconds: value))
        case .uniform(let low, let high):
            "\(written(Span(nanoseconds: low)))..\(written(Span(nanoseconds: high)))"
        default: nil
        }
    }
}
