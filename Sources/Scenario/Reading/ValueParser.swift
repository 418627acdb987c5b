// Texts such as `1m30s`, `2.5%` or `30/m` as checked values.
// Pure functions; any thread.

import Metrics
package import Simulation
import Text

/// Why a text is no value, with a hint where there is one.
package struct ValueProblem: Error, Equatable {
    package let message: String
    package var hint: String?
}

package enum ValueParser {
    // MARK: Durations

    /// Whether zero makes sense where a duration stands.
    package enum Zero { case allowed, refused }

    static let durationHint = "durations look like 150ms, 3s, 1m30s or 30d; units: us ms s m h d"

    private static let units: [Substring: Int64] = [
        "us": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000, "h": 3_600_000_000_000,
        "d": 86_400_000_000_000,
    ]

    /// One or more numbers with units, the larger units first; a bare zero needs no unit.
    package static func span(_ text: String, zero: Zero = .allowed) throws(ValueProblem) -> Span {
        var total: Int64 = 0
        var rest = text[...]
        var previousUnit = Int64.max
        guard !text.hasPrefix("-") else {
            throw ValueProblem(message: "\(quoted(text)) is negative", hint: "a duration is zero or more")
        }
        if let number = try? DecimalNumber(parsing: text) {
            guard number.isZero else {
                throw ValueProblem(message: "\(quoted(text)) has no unit", hint: hint(forSpan: text, zero))
            }
            rest = ""
        } else if rest.isEmpty {
            throw notADuration(text, zero)
        }
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "_") }
            let unitName = rest[digits.endIndex...].prefix { $0.isLetter }
            rest = rest[unitName.endIndex...]
            guard let unit = units[unitName], unit < previousUnit else { throw notADuration(text, zero) }
            previousUnit = unit
            let number = try number(digits, in: text, or: notADuration(text, zero))
            guard let part = number.times(unit), part <= ScenarioLimits.spanMax.nanoseconds - total else {
                throw ValueProblem(message: "\(quoted(text)) is longer than 400 days", hint: "at most 400d")
            }
            total += part
        }
        if total == 0, zero == .refused {
            throw ValueProblem(message: "\(quoted(text)) is zero", hint: "it must be longer than zero")
        }
        return Span(nanoseconds: total)
    }

    private static func notADuration(_ text: String, _ zero: Zero) -> ValueProblem {
        ValueProblem(message: "\(quoted(text)) is not a duration", hint: hint(forSpan: text, zero))
    }

    private static func hint(forSpan text: String, _ zero: Zero) -> String {
        hint(for: text, durationHint, rewritten: rewrittenSpan(text)) { text throws(ValueProblem) in
            _ = try span(text, zero: zero)
        }
    }

    // MARK: Memory

    private static let sizes: [Substring: Int64] = ["KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
    private static let bytesHint = "amounts of memory look like 512MiB or 1.5GiB; units: KiB MiB GiB"

    /// From a mebibyte to a tebibyte.
    static func bytes(_ text: String) throws(ValueProblem) -> Int {
        guard !text.hasPrefix("-") else {
            throw ValueProblem(message: "\(quoted(text)) is negative", hint: bytesHint)
        }
        let digits = text.prefix { !$0.isLetter }
        let unit = text[digits.endIndex...]
        if unit.isEmpty, (try? DecimalNumber(parsing: text)) != nil {
            throw ValueProblem(message: "\(quoted(text)) has no unit", hint: hint(forBytes: text))
        }
        guard let size = sizes[unit] else { throw notBytes(text) }
        let number = try number(digits, in: text, or: notBytes(text))
        guard let bytes = number.times(size), (ScenarioLimits.memoryMin...ScenarioLimits.memoryMax).contains(bytes)
        else { throw ValueProblem(message: "\(quoted(text)) is out of range", hint: "from 1MiB to 1024GiB") }
        return Int(bytes)
    }

    private static func notBytes(_ text: String) -> ValueProblem {
        ValueProblem(message: "\(quoted(text)) is not an amount of memory", hint: hint(forBytes: text))
    }

    private static func hint(forBytes text: String) -> String {
        hint(for: text, bytesHint, rewritten: rewrittenBytes(text)) { text throws(ValueProblem) in
            _ = try bytes(text)
        }
    }

    // MARK: Counts

    /// A whole number in a range.
    static func count(_ text: String, in range: ClosedRange<Int64>) throws(ValueProblem) -> Int64 {
        let hint = "a whole number from \(grouped(range.lowerBound)) to \(grouped(range.upperBound))"
        if text.hasPrefix("-"), (try? DecimalNumber(parsing: text.dropFirst())) != nil {
            throw ValueProblem(message: "\(quoted(text)) is negative", hint: hint)
        }
        let number = try number(text[...], in: text, or: notACount(text, in: range, hint))
        guard let whole = number.whole, number.scale == 0 else { throw notACount(text, in: range, hint) }
        guard range.contains(whole) else {
            throw ValueProblem(message: "\(quoted(text)) is out of range", hint: hint)
        }
        return whole
    }

    private static func notACount(_ text: String, in range: ClosedRange<Int64>, _ looks: String) -> ValueProblem {
        ValueProblem(
            message: "\(quoted(text)) is not a whole number",
            hint: hint(for: text, looks, rewritten: rewrittenCount(text)) { text throws(ValueProblem) in
                _ = try count(text, in: range)
            })
    }

    /// All 64 bits may be used.
    static func seed(_ text: String) throws(ValueProblem) -> UInt64 {
        let digits = text.replacing("_", with: "")
        let isWhole = digits.utf8.allSatisfy { (48...57).contains($0) } && !text.hasPrefix("_") && !text.hasSuffix("_")
        guard isWhole, let seed = UInt64(digits) else {
            throw ValueProblem(
                message: "\(quoted(text)) is not a seed", hint: "a whole number from 0 to \(UInt64.max)")
        }
        return seed
    }

    // MARK: Shares, weights

    static let shareHint = "shares look like 2.5% or 0.025"

    /// A part of a whole: a percentage, or a fraction in 0...1. To the nearest billionth.
    static func share(_ text: String) throws(ValueProblem) -> Share {
        guard !text.hasPrefix("-") else {
            throw ValueProblem(message: "\(quoted(text)) is negative", hint: "a share lies between 0% and 100%")
        }
        let isPercent = text.hasSuffix("%")
        let number = try number(
            isPercent ? text.dropLast() : text[...], in: text,
            or: ValueProblem(
                message: "\(quoted(text)) is not a share", hint: hint(forShare: text, rewritten: rewrittenShare(text))))
        let parts = number.times(isPercent ? 10_000_000 : Int64(Share.whole))
        guard let parts, parts <= Int64(Share.whole) else {
            let advice =
                isPercent ? "a share lies between 0% and 100%" : hint(forShare: text, rewritten: text + "%")
            throw ValueProblem(message: "\(quoted(text)) is more than the whole", hint: advice)
        }
        guard parts > 0 || number.isZero else {
            throw ValueProblem(message: "\(quoted(text)) is less than one in a billion", hint: "write 0 for never")
        }
        return Share(partsPerBillion: Int(parts))
    }

    private static func hint(forShare text: String, rewritten: String?) -> String {
        hint(for: text, shareHint, rewritten: rewritten) { text throws(ValueProblem) in _ = try share(text) }
    }

    /// A weight among others, in billionths: `80%` and `0.8` weigh the same, and `8` ten times as much.
    static func weight(_ text: String) throws(ValueProblem) -> Int64 {
        let looks = "weights look like 80%, 0.8 or 4"
        guard !text.hasPrefix("-") else { throw ValueProblem(message: "\(quoted(text)) is negative", hint: looks) }
        let isPercent = text.hasSuffix("%")
        let number = try number(
            isPercent ? text.dropLast() : text[...], in: text,
            or: notAWeight(text, looks))
        let weight = number.times(isPercent ? 10_000_000 : Int64(Share.whole))
        guard let weight, weight <= ScenarioLimits.weightMax * Int64(Share.whole) else {
            throw ValueProblem(
                message: "\(quoted(text)) is out of range",
                hint: "weights go up to \(grouped(ScenarioLimits.weightMax))")
        }
        guard weight > 0 || number.isZero else {
            throw ValueProblem(message: "\(quoted(text)) is less than one in a billion", hint: "write 0 for never")
        }
        return weight
    }

    private static func notAWeight(_ text: String, _ looks: String) -> ValueProblem {
        ValueProblem(
            message: "\(quoted(text)) is not a weight",
            hint: hint(for: text, looks, rewritten: rewrittenShare(text)) { text throws(ValueProblem) in
                _ = try weight(text)
            })
    }

    // MARK: Rates

    static let rateHint = "rates look like 500/s, 30/m or 10/h"

    /// So many in a second, a minute or an hour; more than none.
    static func rate(_ text: String) throws(ValueProblem) -> ArrivalRate {
        let (millionths, unit) = try millionths(ofRate: text, zero: .refused)
        guard millionths > 0 else {
            throw ValueProblem(message: "at a rate of \(quoted(text)) no journey ever starts", hint: rateHint)
        }
        return ArrivalRate(arrivals: millionths, period: Span(nanoseconds: unit * 1_000_000))
    }

    /// A point of a ramp, which may be none at all, in millionths of an arrival an hour.
    static func rateOfRamp(_ text: String) throws(ValueProblem) -> Int64 {
        let (millionths, unit) = try millionths(ofRate: text, zero: .allowed)
        return millionths * (3_600_000_000_000 / unit)
    }

    /// In millionths of an arrival, so that 0.5/s is one every two seconds.
    private static func millionths(
        ofRate text: String, zero: Zero
    ) throws(ValueProblem) -> (count: Int64, unit: Int64) {
        guard !text.hasPrefix("-") else {
            throw ValueProblem(message: "\(quoted(text)) is negative", hint: rateHint)
        }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let unit = units[parts[1]], ["s", "m", "h"].contains(parts[1]) else {
            throw notARate(text, zero)
        }
        let number = try number(parts[0], in: text, or: notARate(text, zero))
        let limit = ScenarioLimits.arrivalsPerSecondMax
        guard let millionths = number.times(1_000_000), millionths <= limit * 1_000_000 * (unit / 1_000_000_000) else {
            throw ValueProblem(message: "\(quoted(text)) is out of range", hint: "at most \(grouped(limit))/s")
        }
        guard millionths > 0 || number.isZero else {
            throw ValueProblem(message: "\(quoted(text)) is less than one in a million", hint: rateHint)
        }
        return (millionths, unit)
    }

    private static func notARate(_ text: String, _ zero: Zero) -> ValueProblem {
        let isNumber = (try? DecimalNumber(parsing: text)) != nil
        return ValueProblem(
            message: "\(quoted(text)) \(isNumber ? "has no unit" : "is not a rate")",
            hint: hint(for: text, rateHint, rewritten: rewrittenRate(text)) { text throws(ValueProblem) in
                switch zero {
                case .allowed: _ = try rateOfRamp(text)
                case .refused: _ = try rate(text)
                }
            })
    }

    // MARK: Numbers

    private static func number(
        _ digits: Substring, in text: String, or wrong: @autoclosure () -> ValueProblem
    ) throws(ValueProblem) -> DecimalNumber {
        do {
            return try DecimalNumber(parsing: digits)
        } catch {
            switch error {
            case .malformed: throw wrong()
            case .tooManyDigits:
                throw ValueProblem(
                    message: "\(quoted(text)) has too many digits",
                    hint: "write at most \(DecimalNumber.digitsMax) digits")
            }
        }
    }

    /// A number as scenarios write it: `1_000_000`.
    static func grouped(_ number: Int64) -> String {
        let digits = Array(String(number))
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3) { text.append("_") }
            text.append(digit)
        }
        return text
    }
}
