// A comparison for the terminal and for Markdown.
// Pure; any thread.

import Text

package enum ComparisonText {
    /// - Parameters:
    ///   - showsAll: also what is the same, and what cannot be told; then all of it.
    ///   - reports: what was compared; nil where no report was kept.
    package static func render(
        _ comparison: Comparison, style: TerminalStyle, width: Int = 80, showsAll: Bool = false,
        extent: TextExtent = .whole, reports: (base: String, candidate: String)? = nil
    ) -> String {
        if extent == .problems, !comparison.isWorse { return "" }
        let counts = Comparison.Verdict.allCases.map { verdict in
            "\(HumanNumbers.count(comparison.lines.count { $0.verdict == verdict })) \(verdict.rawValue)"
        }
        let word = comparison.isWorse ? style.paint("✗ WORSE", .bad) : style.paint("✓ NOT WORSE", .good)
        var lines = ["\(word)  \(TextLayout.safe(comparison.scenario))"]
        lines += style.wrapped(
            "\(HumanNumbers.count(comparison.baseRuns)) against \(HumanNumbers.quantity(comparison.candidateRuns, "run")); noise up to "
                + "\(HumanNumbers.number(comparison.noise * 100)) %; " + counts.joined(separator: ", "),
            width: width)
        for note in comparison.notes { lines += style.wrapped(note, width: width, .doubtful) }
        let shown = comparison.lines.filter {
            extent == .problems ? $0.verdict == .worse : showsAll || isWorthShowing($0)
        }
        let heading = [""] + row("", "base", "candidate", "ratio", "95 %").map { style.paint($0, .quiet) }
        let rows = shown.map { line in
            var texts = row(
                line.name, line.text(of: line.base), line.text(of: line.candidate), ratio(line), interval(line))
            texts[texts.count - 1] += style.paint(line.verdict.rawValue, line.verdict.tone)
            return texts
        }
        let closing = [""] + closing(comparison, reports, style: style, width: width)
        if extent == .whole || showsAll || !comparison.isWorse {
            return (lines + (rows.isEmpty ? [] : heading) + rows.flatMap(\.self) + closing).joined(separator: "\n")
                + "\n"
        }
        return LineBudget.text(
            lines, [LineBudget.List(heading: heading, items: rows)],
            rest: { LineBudget.rest(left: $0, of: "figure", [], style: style, width: width) }, closing)
    }

    private static func closing(
        _ comparison: Comparison, _ reports: (base: String, candidate: String)?, style: TerminalStyle, width: Int
    ) -> [String] {
        let word = comparison.isWorse ? "✗ WORSE" : "✓ NOT WORSE"
        return ClosingWords.lines(
            "\(word) \(ClosingWords.sentence(comparison))", comparison.isWorse ? .bad : .good,
            next: ClosingWords.next(comparison, reports: reports), style: style, width: width)
    }

    package static func markdown(_ comparison: Comparison, showsAll: Bool = false) -> String {
        let shown = comparison.lines.filter { showsAll || isWorthShowing($0) }
        var lines = [comparison.isWorse ? "### ✗ Worse" : "### ✓ Not worse", ""]
        lines += comparison.notes.map { "- \(TextLayout.safe($0))" }
        if !comparison.notes.isEmpty { lines.append("") }
        if shown.isEmpty { return (lines + ["Nothing has changed."]).joined(separator: "\n") + "\n" }
        lines += ["| figure | base | candidate | ratio | 95 % | verdict |", "| --- | ---: | ---: | ---: | --- | --- |"]
        lines += shown.map {
            "| \($0.name) | \($0.text(of: $0.base)) | \($0.text(of: $0.candidate)) | \(ratio($0)) | \(interval($0)) | "
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
        _ name: String, _ base: String, _ candidate: String, _ ratio: String, _ interval: String
    ) -> [String] {
        let name = TextLayout.safe(name)
        // A name that is too long has a line to itself.
        let isLong = name.count > nameWidth
        let figures =
            TextLayout.paddedLeft(base, to: 8) + " " + TextLayout.paddedLeft(candidate, to: 9) + " "
            + TextLayout.paddedLeft(ratio, to: 7) + " " + TextLayout.padded(interval, to: 12) + " "
        return (isLong ? ["  \(name)"] : [])
            + ["  " + TextLayout.padded(isLong ? "" : name, to: nameWidth + 1) + figures]
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
