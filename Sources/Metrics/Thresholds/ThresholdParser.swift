// Reads `aggregate operator value`, the expression of a threshold.
// Pure; any thread.

import Text

extension Threshold {
    /// Reads a threshold from its key and its expression.
    package init(key: String, expression: String) throws(ThresholdSyntaxError) {
        try self.init(key: ThresholdKey(parsing: key), expression: expression)
    }

    /// Reads the expression of a threshold whose key is known. Offsets in the error count Unicode scalars.
    package init(key: ThresholdKey, expression: String) throws(ThresholdSyntaxError) {
        var parser = ThresholdParser(metric: key.metric, expression: expression)
        let aggregate = try parser.aggregate()
        let comparison = try parser.comparison()
        let limit = try parser.limit(for: aggregate)
        self.init(key: key, aggregate: aggregate, comparison: comparison, limit: limit, source: expression)
    }
}

private struct ThresholdParser {
    let metric: MetricName
    let expression: String
    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(metric: MetricName, expression: String) {
        self.metric = metric
        self.expression = expression
        scalars = Array(expression.unicodeScalars)
    }

    // MARK: The three parts

    mutating func aggregate() throws(ThresholdSyntaxError) -> ThresholdAggregate {
        skipSpaces()
        guard place < scalars.count else { throw failure(.emptyExpression, at: 0) }
        let start = place
        let word = take { $0.properties.isAlphabetic || $0 == "_" }
        if word == "p", next == "(" {
            let percentile = try percentile()
            guard metric.kind == .trend else { throw failure(.aggregateDoesNotFit("p(N)", metric), at: start) }
            return percentile
        }
        let named: [String: ThresholdAggregate] = [
            "count": .count, "rate": .rate, "value": .value, "avg": .average, "min": .minimum, "med": .median,
            "max": .maximum,
        ]
        guard let aggregate = named[word] else {
            let end = scalars[start...].firstIndex { $0.properties.isWhitespace || "<>=!".unicodeScalars.contains($0) }
            throw failure(.unknownAggregate(text(start..<(end ?? scalars.count)), metric), at: start)
        }
        guard metric.kind.aggregateNames.contains(word) else {
            throw failure(.aggregateDoesNotFit(word, metric), at: start)
        }
        return aggregate
    }

    private mutating func percentile() throws(ThresholdSyntaxError) -> ThresholdAggregate {
        place += 1
        let start = place
        let rank = take { $0 != ")" }
        guard next == ")" else { throw failure(.malformedPercentile(rank), at: start) }
        place += 1
        guard let number = try? DecimalNumber(parsing: trimmed(rank)) else {
            throw failure(.malformedPercentile(rank), at: start)
        }
        guard number.value() <= 100 else { throw failure(.percentileOutOfRange(rank), at: start) }
        return .percentile(number.value())
    }

    mutating func comparison() throws(ThresholdSyntaxError) -> ThresholdComparison {
        skipSpaces()
        let start = place
        let sign = take { "<>=!≤≥".unicodeScalars.contains($0) }
        if let comparison = ThresholdComparison(rawValue: sign) { return comparison }
        if sign.isEmpty {
            let found = place < scalars.count ? text(place..<scalars.count) : ""
            throw failure(.missingOperator(found), at: start)
        }
        throw failure(.unknownOperator(sign), at: start)
    }

    mutating func limit(for aggregate: ThresholdAggregate) throws(ThresholdSyntaxError) -> Double {
        skipSpaces()
        let start = place
        guard place < scalars.count else { throw failure(.missingValue, at: start) }
        let digits = take { ("0"..."9").contains($0) || $0 == "." || $0 == "_" }
        let number: DecimalNumber
        do {
            number = try DecimalNumber(parsing: digits)
        } catch {
            switch error {
            case .tooManyDigits: throw failure(.tooManyDigits, at: start)
            case .malformed: throw failure(.malformedNumber(trimmed(text(start..<scalars.count))), at: start)
            }
        }
        skipSpaces()
        let unitStart = place
        let unit = take { !$0.properties.isWhitespace }
        skipSpaces()
        guard place == scalars.count else { throw failure(.trailingText(text(place..<scalars.count)), at: place) }

        let dimension = ThresholdDimension(metric: metric, aggregate: aggregate)
        guard ThresholdDimension.allCases.contains(where: { $0.units[unit] != nil }) else {
            throw failure(.unknownUnit(unit, dimension), at: unitStart)
        }
        guard let scale = dimension.units[unit] else {
            throw failure(.unitDoesNotFit(unit, dimension), at: unitStart)
        }
        let limit = number.value(times: scale.factor, over: scale.divisor)
        if dimension == .share, limit > 1 { throw failure(.shareOutOfRange(digits + unit), at: start) }
        return limit
    }

    // MARK: Scanning

    private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> String {
        let start = place
        while let scalar = next, belongs(scalar) { place += 1 }
        return text(start..<place)
    }

    private mutating func skipSpaces() {
        while let scalar = next, scalar.properties.isWhitespace { place += 1 }
    }

    private func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    private func trimmed(_ text: String) -> String {
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
        let length = start.reversed().drop { $0.properties.isWhitespace }.count
        return String(start.prefix(length))
    }

    private func failure(_ fact: ThresholdSyntaxError.Fact, at offset: Int) -> ThresholdSyntaxError {
        ThresholdSyntaxError(fact: fact, place: .expression, text: expression, offset: offset)
    }
}

/// What the limit of a threshold measures, and with that which units it may have.
package enum ThresholdDimension: Sendable, Equatable, CaseIterable {
    case time
    case size
    case share
    case plain

    package init(metric: MetricName, aggregate: ThresholdAggregate) {
        switch (metric.kind, aggregate) {
        case (.rate, _): self = .share
        case (.counter, _), (_, .count): self = .plain
        case (.trend, _), (.gauge, _):
            switch metric.unit {
            case .time: self = .time
            case .bytes: self = .size
            case .none: self = .plain
            }
        }
    }

    /// What one of each unit is worth, as a ratio. The empty name stands for a number without a unit.
    package var units: [String: (factor: Int64, divisor: Int64)] {
        switch self {
        case .time:
            [
                "": (1_000_000, 1), "us": (1_000, 1), "ms": (1_000_000, 1), "s": (1_000_000_000, 1),
                "m": (60_000_000_000, 1), "h": (3_600_000_000_000, 1),
            ]
        case .size:
            [
                "": (1, 1), "B": (1, 1), "KB": (1_000, 1), "MB": (1_000_000, 1), "GB": (1_000_000_000, 1),
                "KiB": (1 << 10, 1), "MiB": (1 << 20, 1), "GiB": (1 << 30, 1),
            ]
        case .share: ["": (1, 1), "%": (1, 100)]
        case .plain: ["": (1, 1)]
        }
    }
}
