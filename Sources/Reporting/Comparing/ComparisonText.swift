// A comparison for the terminal and for Markdown.
// Pure; any thread.

import Text

package enum ComparisonText {
    /// - Parameter showsAll: also what is the same, and what cannot be told.
    package static func render(
        _ comparison: Comparison, style: TerminalStyle, width: Int = 80, showsAll: Bool = false
    ) -> String {
        let counts = Comparison.Verdict.allCases.map { verdict in
            "\(comparison.lines.count { $0.verdict == verdict }) \(verdict.rawValue)"
        }
        let word = comparison.isWorse ? style.paint("✗ WORSE", .bad) : style.paint("✓ NOT WORSE", .good)
        var lines = ["\(word)  \(TextLayout.safe(comparison.scenario))"]
        lines += style.wrapped(
            "\(comparison.baseRuns) against \(comparison.candidateRuns) runs; noise up to "
                + "\(HumanNumbers.number(comparison.noise * 100)) %; " + counts.joined(separator: ", "),
            width: width)
        for note in comparison.notes { lines += style.wrapped(note, width: width, .doubtful) }
        let shown = comparison.lines.filter { showsAll || isWorthShowing($0) }
        if shown.isEmpty { return lines.joined(separator: "\n") + "\n" }
        lines += ["", style.paint(row("", "base", "candidate", "ratio", "95 %", ""), .quiet)]
        lines += shown.map { line in
            let text = row(
                line.name, value(line.base, line), value(line.candidate, line), ratio(line), interval(line), "")
            return text + style.paint(line.verdict.rawValue, line.verdict.tone)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    package static func markdown(_ comparison: Comparison, showsAll: Bool = false) -> String {
        let shown = comparison.lines.filter { showsAll || isWorthShowing($0) }
        var lines = [comparison.isWorse ? "### ✗ Worse" : "### ✓ Not worse", ""]
        lines += comparison.notes.map { "- \(TextLayout.safe($0))" }
        if !comparison.notes.isEmpty { lines.append("") }
        if shown.isEmpty { return (lines + ["Nothing has changed."]).joined(separator: "\n") + "\n" }
        lines += ["| figure | base | candidate | ratio | 95 % | verdict |", "| --- | ---: | ---: | ---: | --- | --- |"]
        lines += shown.map {
            "| \($0.name) | \(value($0.base, $0)) | \(value($0.candidate, $0)) | \(ratio($0)) | \(interval($0)) | "
                + "\($0.verdict.rawValue) |"
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func isWorthShowing(_ line: Comparison.Line) -> Bool {
        switch line.verdict {
        case .worse, .better, .changed: return true
        case .unclear, .same: return false
        }
    }

    private static let nameWidth = 30

    private static func row(
        _ name: String, _ base: String, _ candidate: String, _ ratio: String, _ interval: String, _ verdict: String
    ) -> String {
        let name = TextLayout.safe(name)
        // A name that is too long has a line to itself.
        let isLong = name.count > nameWidth
        return (isLong ? "  \(name)\n" : "") + "  " + TextLayout.padded(isLong ? "" : name, to: nameWidth + 1)
            + TextLayout.paddedLeft(base, to: 8) + " "
            + TextLayout.paddedLeft(candidate, to: 9) + " " + TextLayout.paddedLeft(ratio, to: 7) + " "
            + TextLayout.padded(interval, to: 12) + " " + verdict
    }

    private static func value(_ value: Double?, _ line: Comparison.Line) -> String {
        value.map { HumanNumbers.value($0, unit: line.unit) } ?? "-"
    }

    private static func ratio(_ line: Comparison.Line) -> String { line.ratio.map(factor) ?? "-" }

    private static func interval(_ line: Comparison.Line) -> String {
        if line.isExact { return "exact" }
        guard let low = line.low, let high = line.high else { return "-" }
        return "\(factor(low))–\(factor(high))"
    }

    /// `1.023`
    private static func factor(_ value: Double) -> String {
        guard value.isFinite, value < 1_000 else { return value.isFinite ? HumanNumbers.number(value) : "-" }
        return HumanNumbers.fixed(value, decimals: 3)
    }
}
