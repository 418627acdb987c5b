// Numbers as people read them: three digits and a unit.
// Pure; no locale, no format strings, the same text everywhere.

/// How every renderer writes numbers.
package import ReportModel

package enum HumanNumbers {
    /// `1 user`, `2,000 users`
    package static func quantity(_ value: Int, _ noun: String) -> String {
        "\(count(value)) \(noun)\(value == 1 ? "" : "s")"
    }

    /// `a, b and c`; of many the first ones and the last.
    package static func list(_ words: [String]) -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        let shown = words.count > 5 ? Array(words.prefix(3)) + ["…"] : Array(words.dropLast())
        return "\(shown.joined(separator: ", ")) and \(last)"
    }

    /// `12,345`
    package static func count(_ value: Int) -> String {
        var groups: [String] = []
        var rest = value.magnitude
        while rest >= 1_000 {
            groups.append(padded(Int(rest % 1_000), to: 3))
            rest /= 1_000
        }
        return (value < 0 ? "-" : "") + ([String(rest)] + groups.reversed()).joined(separator: ",")
    }

    /// `999`, `12.3k`, `1.2M`: three digits, where there is no room for more.
    package static func short(_ value: Int) -> String {
        if value.magnitude < 1_000 { return String(value) }
        var rest = Double(value.magnitude)
        var unit = ""
        for next in ["k", "M", "G", "T"] where rest >= 999.5 { (rest, unit) = (rest / 1_000, next) }
        let digits = rest >= 99.95 ? count(whole(rest.rounded())) : decimal(tenths: whole((rest * 10).rounded()))
        return (value < 0 ? "-" : "") + digits + unit
    }

    /// `0s`, `350ns`, `12µs`, `148ms`, `1.24s`, `2m05s`, `3h20m`, `12d4h`
    package static func duration(nanoseconds: Double) -> String {
        guard nanoseconds.isFinite else { return "?" }
        if nanoseconds < 0 { return "-" + duration(nanoseconds: -nanoseconds) }
        if nanoseconds == 0 { return "0s" }
        // The bounds are where rounding to three digits reaches the next unit.
        if nanoseconds < 999.5 { return digits(nanoseconds) + "ns" }
        if nanoseconds < 999.5e3 { return digits(nanoseconds / 1e3) + "µs" }
        if nanoseconds < 999.5e6 { return digits(nanoseconds / 1e6) + "ms" }
        if nanoseconds < 59.95e9 { return digits(nanoseconds / 1e9) + "s" }
        let seconds = whole((nanoseconds / 1e9).rounded())
        if seconds < 3_600 { return "\(seconds / 60)m\(twoDigits(seconds % 60))s" }
        if seconds < 100 * 3_600 { return "\(seconds / 3_600)h\(twoDigits(seconds / 60 % 60))m" }
        return "\(count(seconds / 86_400))d\(seconds / 3_600 % 24)h"
    }

    package static func duration(nanoseconds: Int64) -> String { duration(nanoseconds: Double(nanoseconds)) }

    /// For round durations, such as marks of an axis: `10s`, `1m`, `1m30s`, `2h`, never `1m00s`.
    package static func roundDuration(nanoseconds: Int64) -> String {
        let seconds = nanoseconds / 1_000_000_000
        if seconds < 60 { return duration(nanoseconds: Double(nanoseconds)) }
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s"),
        ]
        return parts.filter { $0.0 > 0 }.prefix(2).map { "\($0.0)\($0.1)" }.joined()
    }

    /// `512B`, `8KiB`, `1.5MiB`
    package static func bytes(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        if value < 0 { return "-" + bytes(-value) }
        var rest = value
        for unit in ["B", "KiB", "MiB", "GiB"] {
            if rest < 1_023.5 { return digits(rest) + unit }
            rest /= 1_024
        }
        return digits(rest) + "TiB"
    }

    /// `99.12%`. Only all is 100 %, only nothing is 0 %.
    package static func share(passes: Int, total: Int) -> String {
        guard total > 0 else { return "?" }
        if passes == total { return "100%" }
        if passes == 0 { return "0%" }
        let hundredths = min(9_999, max(1, whole((Double(passes) / Double(total) * 10_000).rounded())))
        return "\(hundredths / 100).\(twoDigits(hundredths % 100))%"
    }

    /// `123/s`, `0.4/s`
    package static func perSecond(_ value: Double) -> String { number(value) + "/s" }

    /// At most two decimals below ten, one below a hundred, none above.
    package static func number(_ value: Double) -> String {
        guard value.isFinite else { return "?" }
        if value < 0 { return "-" + number(-value) }
        return digits(value)
    }

    /// A number of a report in its unit.
    package static func value(_ value: Double, unit: ReportUnit) -> String {
        switch unit {
        case .nanoseconds: duration(nanoseconds: value)
        case .bytes: bytes(value)
        case .count: number(value)
        case .fraction: percentage(value)
        case .perSecond: perSecond(value)
        }
    }

    /// A point on the timeline: `00:03:12.480`
    package static func clock(nanoseconds: Int64) -> String {
        let milliseconds = Int(clamping: nanoseconds.magnitude / 1_000_000)
        let seconds = milliseconds / 1_000
        return (nanoseconds < 0 ? "-" : "")
            + "\(twoDigits(seconds / 3_600)):\(twoDigits(seconds / 60 % 60)):\(twoDigits(seconds % 60))."
            + padded(milliseconds % 1_000, to: 3)
    }

    private static func percentage(_ fraction: Double) -> String {
        guard fraction.isFinite, (0...1).contains(fraction) else { return number(fraction) }
        let parts = 1_000_000_000
        let passes = whole((fraction * Double(parts)).rounded())
        // Rounding must not make a whole or a nothing of what is none.
        return share(passes: fraction < 1 ? min(passes, parts - 1) : parts, total: parts)
    }

    private static func digits(_ value: Double) -> String {
        if value >= 99.95 { return count(whole(value.rounded())) }
        let hundredths = whole((value * 100).rounded())
        if value >= 9.995 { return decimal(tenths: whole((value * 10).rounded())) }
        // Too small for two decimals, and not nothing.
        if hundredths == 0 && value > 0 { return "<0.01" }
        if hundredths % 10 == 0 { return decimal(tenths: hundredths / 10) }
        return "\(hundredths / 100).\(twoDigits(hundredths % 100))"
    }

    private static func decimal(tenths: Int) -> String {
        tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }

    /// With so many decimals, for files that programs read: `0.000381`
    static func fixed(_ value: Double, decimals: Int) -> String {
        guard value.isFinite else { return "nan" }
        var parts = 1.0
        for _ in 0..<decimals { parts *= 10 }
        let scaled = (abs(value) * parts).rounded()
        guard scaled < 9e18 else { return "\(value)" }
        let digits = padded(Int(scaled), to: decimals + 1)
        let sign = value < 0 && scaled > 0 ? "-" : ""
        return sign + digits.dropLast(decimals) + (decimals > 0 ? "." + digits.suffix(decimals) : "")
    }

    static func twoDigits(_ value: Int) -> String { padded(value, to: 2) }

    /// With zeros in front.
    private static func padded(_ value: Int, to count: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }

    private static func whole(_ value: Double) -> Int { Int(exactly: value) ?? (value > 0 ? .max : .min) }
}
