// A swarm as the terminal shows it, worst news first.
// Pure; any thread.

import Judgement
import Text

package enum SwarmText {
    /// - Parameter perSecond: scenarios a second, where it was measured.
    package static func render(
        _ report: SwarmReport, perSecond: Double?, style: TerminalStyle, width: Int = 80
    ) -> String {
        var writer = SwarmWriter(style: style, width: max(60, width))
        writer.verdict(report, perSecond)
        writer.findings(report.findings.filter { $0.accepted == nil }, heading: "FINDINGS")
        writer.findings(report.findings.filter { $0.accepted != nil }, heading: "ACCEPTED FINDINGS")
        writer.changes(report)
        return writer.lines.joined(separator: "\n") + "\n"
    }
}

private struct SwarmWriter {
    let style: TerminalStyle
    let width: Int
    var lines: [String] = []

    mutating func verdict(_ report: SwarmReport, _ perSecond: Double?) {
        let outcome = report.verdict.outcome
        let scenarios = HumanNumbers.quantity(report.scenarios, "scenario")
        lines.append(
            style.paint(outcome.headline, outcome.tone)
                + "  swarm of \(scenarios), exit code \(report.verdict.exitCode)")
        let speed = perSecond.map { " · \(HumanNumbers.number($0)) scenarios/s" } ?? ""
        lines += wrap(
            "\(report.client) · \(report.catalog) · seed \(report.seed) · "
                + "\(HumanNumbers.quantity(report.users, "user")) each" + speed, indent: 2)
        for reason in report.verdict.sentences { lines += wrap(reason, indent: 2) }
        if report.unjudged > 0 {
            lines += wrap(
                "\(HumanNumbers.quantity(report.unjudged, "scenario")) could not be judged: their journeys go on without end",
                indent: 2)
        }
        for fault in report.faults {
            lines += wrap("harness fault: \(fault.sentence); \(fault.file)", indent: 2)
        }
    }

    /// One table: what, how often, how small, and the command that shows it.
    mutating func findings(_ findings: [SwarmReport.Finding], heading: String) {
        if findings.isEmpty { return }
        let names = max(7, findings.map(\.name.count).max() ?? 0)
        lines += [
            "", style.paint(heading, .heading),
            style.paint(
                "  " + TextLayout.padded("FINDING", to: names) + "  " + TextLayout.padded("STATE", to: 5) + "  "
                    + "SCENARIOS  SMALLEST CASE", .quiet),
        ]
        for finding in findings {
            lines.append(
                "  " + style.paint(TextLayout.padded(finding.name, to: names), role(finding)) + "  "
                    + TextLayout.padded(finding.state.rawValue, to: 5) + "  "
                    + TextLayout.paddedLeft(HumanNumbers.count(finding.scenarios), to: 9) + "  "
                    + "\(HumanNumbers.quantity(finding.users, "user")), \(HumanNumbers.quantity(finding.steps, "step"))"
                    + (finding.isMinimal ? "" : ", not shrunk to the end"))
            lines += wrap(finding.sentence, indent: 4)
            if let accepted = finding.accepted {
                lines += wrap("accepted until \(accepted.until): \(accepted.reason)", indent: 4)
            }
            lines.append("    " + style.paint(finding.replay, .quiet))
        }
    }

    mutating func changes(_ report: SwarmReport) {
        if !report.fixed.isEmpty || report.stillFixed > 0 { lines.append("") }
        for name in report.fixed { lines.append("  " + style.paint("fixed", .good) + "  \(name)") }
        if report.stillFixed > 0 {
            lines.append("  \(HumanNumbers.quantity(report.stillFixed, "finding")) of earlier times stayed fixed")
        }
    }

    private func role(_ finding: SwarmReport.Finding) -> Tone {
        finding.accepted != nil ? .quiet : finding.severity == .warning ? .doubtful : .bad
    }

    private func wrap(_ text: String, indent: Int) -> [String] {
        style.wrapped(text, width: width, indent: indent)
    }
}
