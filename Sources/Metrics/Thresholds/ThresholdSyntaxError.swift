// What is wrong with a threshold: the facts, and the one place that words them.
// Pure values; any thread.

import Text

package struct ThresholdSyntaxError: Error, Sendable, Equatable {
    package enum Place: Sendable, Equatable { case key, expression }

    package enum Fact: Sendable, Equatable {
        case unknownMetric(String)
        case malformedTag
        case unknownTag(String, of: MetricName, known: [String])
        case repeatedTag(String)
        case malformedTagValue(String)
        case emptyExpression
        case unknownAggregate(String, MetricName)
        case aggregateDoesNotFit(String, MetricName)
        case malformedPercentile(String)
        case percentileOutOfRange(String)
        case missingOperator(String)
        case unknownOperator(String)
        case missingValue
        case malformedNumber(String)
        case tooManyDigits
        case unknownUnit(String, ThresholdDimension)
        case unitDoesNotFit(String, ThresholdDimension)
        case shareOutOfRange(String)
        case trailingText(String)
    }

    package let fact: Fact
    /// Whether `text` and `offset` speak of the metric key or of the expression.
    package let place: Place
    /// The whole key or expression.
    package let text: String
    /// Unicode scalars before the mistake.
    package let offset: Int
}

extension ThresholdSyntaxError: CustomStringConvertible {
    package var description: String { "\(message) in threshold \(quoted(text)), character \(offset + 1); \(hint)" }

    /// What is wrong, without the text it is wrong in.
    package var message: String {
        switch fact {
        case .unknownMetric(let name): "unknown metric \(quoted(name))"
        case .malformedTag: "malformed tag"
        case .unknownTag(let name, let metric, _): "metric \(metric.name) has no tag \(quoted(name))"
        case .repeatedTag(let name): "the tag \(quoted(name)) is given twice"
        case .malformedTagValue(let value):
            value.isEmpty ? "the tag has no value" : "malformed tag value \(quoted(value))"
        case .emptyExpression: "empty threshold"
        case .unknownAggregate(let word, _): "unknown aggregate \(quoted(word))"
        case .aggregateDoesNotFit(let word, let metric):
            "aggregate \(quoted(word)) does not fit \(metric.name), which is a \(metric.kind)"
        case .malformedPercentile(let rank): "malformed percentile \(quoted(rank))"
        case .percentileOutOfRange(let rank): "percentile \(rank) is out of range"
        case .missingOperator(let found):
            found.isEmpty ? "the operator is missing" : "expected an operator, found \(quoted(found))"
        case .unknownOperator(let sign): "unknown operator \(quoted(sign))"
        case .missingValue: "the value is missing"
        case .malformedNumber(let text):
            text.hasPrefix("-") ? "the value is negative" : "\(quoted(text)) is not a number"
        case .tooManyDigits: "the value has too many digits"
        case .unknownUnit(let unit, _): "unknown unit \(quoted(unit))"
        case .unitDoesNotFit(let unit, let dimension):
            "unit \(quoted(unit)) does not fit \(dimension.noun)"
        case .shareOutOfRange(let text): "\(text) is more than the whole"
        case .trailingText(let text): "unexpected \(quoted(text)) after the value"
        }
    }

    /// How to put it right.
    package var hint: String {
        switch fact {
        case .unknownMetric(let name):
            suggestion(name, among: MetricName.allCases.map(\.name)) ?? "see `stampede list metrics`"
        case .malformedTag: "write it as metric{tag:value}, for example violations{rule:lost-purchase}"
        case .unknownTag(let name, let metric, let known):
            suggestion(name, among: known) ?? "tags of \(metric.name): " + known.joined(separator: " ")
        case .repeatedTag: "a sample has one value per tag; give the tag once"
        case .malformedTagValue: "use letters, digits and - _ ."
        case .emptyExpression: "write it like 'p(95) < 900ms' or 'count == 0'"
        case .unknownAggregate(let word, let metric):
            suggestion(word, among: metric.kind.aggregateNames.filter { $0 != "p(N)" }) ?? aggregateHint(metric)
        case .aggregateDoesNotFit(_, let metric): aggregateHint(metric)
        case .malformedPercentile: "write it like p(95) or p(99.9)"
        case .percentileOutOfRange: "percentiles go from 0 to 100"
        case .missingOperator: "operators: " + ThresholdComparison.allCases.map(\.rawValue).joined(separator: " ")
        case .unknownOperator(let sign): operatorHint(sign)
        case .missingValue: "write it like 'p(95) < 900ms' or 'count == 0'"
        case .malformedNumber(let text):
            text.hasPrefix("-") ? "no metric is ever below zero" : "numbers look like 5, 1_000 or 1.5"
        case .tooManyDigits: "write at most \(DecimalNumber.digitsMax) digits"
        case .unknownUnit(let unit, let dimension):
            dimension.meant(unit).map { "did you mean '\($0)'?" } ?? dimension.unitHint
        case .unitDoesNotFit(_, let dimension): dimension.unitHint
        case .shareOutOfRange(let text):
            text.hasSuffix("%") ? "shares end at 100%" : "did you mean '\(text)%'? Without a unit, 1 is the whole"
        case .trailingText: "write one threshold per entry, or several as a list"
        }
    }

    private func suggestion(_ name: String, among names: [String]) -> String? {
        closestMatch(to: name, in: names).map { "did you mean '\($0)'?" }
    }

    private func aggregateHint(_ metric: MetricName) -> String {
        "aggregates of \(metric.name): " + metric.kind.aggregateNames.joined(separator: " ")
    }

    private func operatorHint(_ sign: String) -> String {
        let meant: [String: ThresholdComparison] = [
            "=": .equal, "===": .equal, "!==": .notEqual, "<>": .notEqual, "=<": .lessOrEqual, "=>": .greaterOrEqual,
            "≤": .lessOrEqual, "≥": .greaterOrEqual, "!": .notEqual,
        ]
        if let meant = meant[sign] { return "did you mean '\(meant.rawValue)'?" }
        return "operators: " + ThresholdComparison.allCases.map(\.rawValue).joined(separator: " ")
    }
}

extension ThresholdDimension {
    fileprivate var noun: String {
        switch self {
        case .time: "a duration"
        case .size: "a size"
        case .share: "a share"
        case .plain: "a plain number"
        }
    }

    /// The unit that a word stands for.
    fileprivate func meant(_ word: String) -> String? {
        switch self {
        case .time: UnitWords.time(word).flatMap { units[$0] == nil ? nil : $0 }
        case .size: UnitWords.memory(word)
        case .share: UnitWords.isPercent(word) ? "%" : nil
        case .plain: nil
        }
    }

    fileprivate var unitHint: String {
        switch self {
        case .time: "units of durations: us ms s m h; without a unit, milliseconds"
        case .size: "units of sizes: B KB MB GB KiB MiB GiB; without a unit, bytes"
        case .share: "write shares as 95% or 0.95"
        case .plain: "this metric has no unit"
        }
    }
}
