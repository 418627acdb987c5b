// Values as people write them elsewhere, such as `15 seconds` or `20 per minute`, as they are written here.
// Part of `ValueParser`; pure.

import Text

extension ValueParser {
    /// How to write a text that is no value: that text rewritten, where the result is a value, and how values look.
    static func hint(
        for text: String, _ looks: String, rewritten: String?, as parse: (String) throws(ValueProblem) -> Void
    ) -> String {
        guard let rewritten, rewritten != text else { return looks }
        do {
            try parse(rewritten)
            return "did you mean '\(rewritten)'? \(looks)"
        } catch {
            return looks
        }
    }

    /// `15s` for `15 seconds`, `1m30s` for `1 min 30 sec`, `5s` for `5`.
    static func rewrittenSpan(_ text: String) -> String? {
        var rewritten = ""
        var rest = text[...]
        while let part = leadingNumber(rest) {
            let word = part.rest.prefix { $0.isLetter }
            // Only a number alone can be without a unit.
            guard let unit = word.isEmpty && rewritten.isEmpty && part.rest.isEmpty ? "s" : UnitWords.time(word) else {
                return nil
            }
            rewritten += part.number + unit
            rest = trimmed(part.rest[word.endIndex...])
        }
        return rest.isEmpty && !rewritten.isEmpty ? rewritten : nil
    }

    /// `1s..5s` for `1s - 5s` and `1s to 5s`.
    static func rewrittenRange(_ text: String, of quantity: Quantity) -> String? {
        for separator in [" to ", " - ", "-", "–", "…"] {
            guard let place = text.firstRange(of: separator) else { continue }
            let bounds = [text[..<place.lowerBound], text[place.upperBound...]].map { bound in
                let bound = String(trimmed(bound))
                return quantity == .duration ? rewrittenSpan(bound) ?? bound : bound
            }
            return bounds.joined(separator: "..")
        }
        return nil
    }

    /// `20/s` for `20` and `20 per second`, `30/m` for `30 rpm`.
    static func rewrittenRate(_ text: String) -> String? {
        guard let (number, rest) = leadingNumber(text[...]) else { return nil }
        let word = rest.lowercased().filter { $0 != " " }
        if word.isEmpty || ["rps", "qps", "tps", "hz", "ps"].contains(word) { return number + "/s" }
        if word == "rpm" { return number + "/m" }
        // What arrives may be named before the unit, and how many units after it, as in 20 users/1s.
        guard let mark = word.firstRange(of: "/") ?? word.firstRange(of: "per") else { return nil }
        let unit = word[mark.upperBound...]
        return UnitWords.time(unit.hasPrefix("1") ? unit.dropFirst() : unit).map { "\(number)/\($0)" }
    }

    /// `5%` for `5 percent`; a bare number stays what it is.
    static func rewrittenShare(_ text: String) -> String? {
        guard let (number, rest) = leadingNumber(text[...]) else { return nil }
        if rest.isEmpty { return number }
        return UnitWords.isPercent(rest) ? number + "%" : nil
    }

    /// `10_000` for `10,000` and `10k`.
    static func rewrittenCount(_ text: String) -> String? {
        var text = text
        var factor: Int64 = 1
        for (suffix, value) in [("k", Int64(1_000)), ("K", 1_000), ("M", 1_000_000)] where text.hasSuffix(suffix) {
            text.removeLast()
            factor = value
        }
        let digits = text.filter { !", '_".contains($0) }
        guard let number = try? DecimalNumber(parsing: digits), let whole = number.times(factor),
            // Nothing of it may be lost.
            number.times(factor * 1_000) == whole * 1_000
        else { return nil }
        return grouped(whole)
    }

    /// `512MiB` for `512 MB` and `512`.
    static func rewrittenBytes(_ text: String) -> String? {
        guard let (number, rest) = leadingNumber(text[...]) else { return nil }
        if rest.isEmpty { return number + "MiB" }
        return UnitWords.memory(rest).map { number + $0 }
    }

    // MARK: Numbers

    /// The number that a text begins with, as it is written here: `0.5` for `.5` and `1.5` for `1,5`.
    private static func leadingNumber(_ text: Substring) -> (number: String, rest: Substring)? {
        let text = trimmed(text)
        let digits = text.prefix { $0.isASCII && ($0.isNumber || ".,_".contains($0)) }
        let pointed = String(digits).replacing(",", with: ".")
        let number = pointed.hasPrefix(".") ? "0" + pointed : pointed
        guard (try? DecimalNumber(parsing: number)) != nil else { return nil }
        return (number, trimmed(text[digits.endIndex...]))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
