// One page of advice about a client, for the terminal.
// Pure; any thread.

import Text

package enum DoctorText {
    package static func render(_ report: DoctorReport, style: TerminalStyle, width: Int = 80) -> String {
        var lines: [String] = []
        for section in report.sections {
            lines.append(style.paint(section.title, .heading))
            for check in section.checks { lines += Self.lines(check, style: style, width: width) }
            lines.append("")
        }
        let name = TextLayout.safe(report.client)
        lines.append(
            report.obstacles == 0
                ? style.paint("Nothing stands in the way of judging \(name).", .good)
                : style.paint(
                    "\(HumanNumbers.quantity(report.obstacles, "thing")) to mend before \(name) can be judged.", .bad))
        return lines.joined(separator: "\n") + "\n"
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
        return lines
    }
}
