// One page of advice about a client, for the terminal.
// Pure; any thread.

package import ReportModel
import Text

package enum DoctorText {
    /// - Parameter next: what to type where nothing stands in the way.
    package static func render(
        _ report: DoctorReport, next: String?, style: TerminalStyle, width: Int = 80, extent: TextExtent = .whole
    ) -> String {
        let isFine = report.obstacles == 0
        if isFine, extent == .problems { return "" }
        let end = closing(report, next: next, style: style, width: width)
        let whole = report.sections.flatMap { section in
            [style.paint(section.title, .heading)]
                + section.checks.flatMap { lines($0, style: style, width: width) } + [""]
        }
        if extent == .whole || isFine || extent == .brief && LineBudget.fits(whole + end) {
            return (whole + end).joined(separator: "\n") + "\n"
        }
        // A file to add is work too, though no obstacle.
        let obstacles = report.sections.flatMap(\.checks).filter {
            $0.state == .bad || $0.file != nil && extent == .brief
        }
        let others = extent == .problems ? [] : ["the checks that passed"]
        return LineBudget.text(
            [], [LineBudget.List(items: obstacles.map { lines($0, style: style, width: width) })],
            rest: { LineBudget.rest(left: $0, others, style: style, width: width) }, end)
    }

    private static func closing(
        _ report: DoctorReport, next: String?, style: TerminalStyle, width: Int
    ) -> [String] {
        let name = TextLayout.safe(report.client)
        if report.obstacles == 0 {
            return ClosingWords.lines(
                "Nothing prevents a verdict on \(name).", .good, next: next, style: style, width: width)
        }
        let things = HumanNumbers.quantity(report.obstacles, "thing")
        return ClosingWords.lines(
            "\(things) to fix before \(name) can be judged.", .bad, style: style, width: width)
    }

    private static func lines(_ check: DoctorReport.Check, style: TerminalStyle, width: Int) -> [String] {
        let (mark, tone): (String, Tone) =
            switch check.state {
            case .good: ("✓", .good)
            case .note: ("·", .quiet)
            case .bad: ("✗", .bad)
            }
        var lines = TextLayout.wrapped(TextLayout.safe(check.text), width: width, indent: 4)
        if let first = lines.first { lines[0] = "  \(style.paint(mark, tone)) " + first.dropFirst(4) }
        if let hint = check.hint { lines += style.wrapped("→ " + hint, width: width, indent: 4) }
        // As they are: they are pasted.
        lines += (check.file?.lines ?? []).map { "      " + TextLayout.safe($0) }
        return lines
    }
}
