// A swarm as the terminal shows it, worst news first.
// Pure; any thread.

import Judgement
package import ReportModel
import Text

package enum SwarmText {
    /// - Parameter perSecond: scenarios a second, where it was measured.
    package static func render(
        _ report: SwarmReport, perSecond: Double?, style: TerminalStyle, width: Int = 80, extent: TextExtent = .whole
    ) -> String {
        let writer = SwarmWriter(style: style, width: max(60, width))
        let hasPassed = report.verdict.outcome == .passed
        if hasPassed, extent == .problems { return "" }
        if hasPassed || extent == .whole { return writer.whole(report, perSecond) }
        return writer.brief(report, perSecond, isQuiet: extent == .problems)
    }
}

private struct SwarmWriter {
    let style: TerminalStyle
    let width: Int

    func whole(_ report: SwarmReport, _ perSecond: Double?) -> String {
        let accepted = report.findings.filter { $0.accepted != nil }
        var lines = head(report, perSecond) + reasons(report).flatMap(\.self)
        for (findings, heading) in [(report.openFindings, "FINDINGS"), (accepted, "ACCEPTED FINDINGS")]
        where !findings.isEmpty {
            lines += self.heading(heading, findings) + findings.flatMap { text($0, among: findings) }
        }
        return (lines + changes(report) + closing(report)).joined(separator: "\n") + "\n"
    }

    /// In few lines, without what is accepted.
    func brief(_ report: SwarmReport, _ perSecond: Double?, isQuiet: Bool) -> String {
        let findings = report.openFindings
        let reasons = reasons(report).map { LineBudget.cut($0, to: Self.reasonMax) }
        let others = isQuiet || findings.count == report.findings.count ? [] : ["the accepted findings"]
        return LineBudget.text(
            head(report, perSecond),
            [
                LineBudget.List(items: reasons),
                LineBudget.List(
                    heading: findings.isEmpty ? [] : heading("FINDINGS", findings),
                    items: findings.map { text($0, among: findings, sentenceMax: Self.sentenceMax) }),
                LineBudget.List(items: isQuiet ? [] : changes(report).map { [$0] }),
            ], rest: { LineBudget.rest(left: $0, others, style: style, width: width) }, closing(report))
    }

    /// Lines of one sentence.
    private static let (reasonMax, sentenceMax) = (2, 4)

    private func closing(_ report: SwarmReport) -> [String] {
        let outcome = report.verdict.outcome
        return [""]
            + ClosingWords.lines(
                "\(outcome.headline) \(ClosingWords.sentence(report))", outcome.tone, next: ClosingWords.next(report),
                style: style, width: width)
    }

    private func head(_ report: SwarmReport, _ perSecond: Double?) -> [String] {
        let outcome = report.verdict.outcome
        let scenarios = HumanNumbers.quantity(report.scenarios, "scenario")
        let speed = perSecond.map { " · \(HumanNumbers.number($0)) scenarios/s" } ?? ""
        return [
            style.paint(outcome.headline, outcome.tone)
                + "  swarm of \(scenarios), exit code \(report.verdict.exitCode)"
        ]
            + wrap(
                "\(report.client) · \(report.catalog) · seed \(report.seed) · "
                    + "\(HumanNumbers.quantity(report.users, "user")) each" + speed, indent: 2)
    }

    private func reasons(_ report: SwarmReport) -> [[String]] {
        var reasons = report.verdict.sentences
        if report.unjudged > 0 {
            let scenarios = HumanNumbers.quantity(report.unjudged, "scenario")
            reasons.append("\(scenarios) could not be judged: their journeys never end")
        }
        reasons += report.faults.map { "harness fault: \($0.sentence); \($0.file)" }
        return reasons.map { wrap($0, indent: 2) }
    }

    private func names(_ findings: [SwarmReport.Finding]) -> Int { max(7, findings.map(\.name.count).max() ?? 0) }

    /// One table: what, how often, how small, and the command that shows it.
    private func heading(_ heading: String, _ findings: [SwarmReport.Finding]) -> [String] {
        [
            "", style.paint(heading, .heading),
            style.paint(
                "  " + TextLayout.padded("FINDING", to: names(findings)) + "  " + TextLayout.padded("STATE", to: 5)
                    + "  "
                    + "SCENARIOS  SMALLEST CASE", .quiet),
        ]
    }

    private func text(
        _ finding: SwarmReport.Finding, among findings: [SwarmReport.Finding], sentenceMax: Int = .max
    ) -> [String] {
        var lines = [
            "  " + style.paint(TextLayout.padded(finding.name, to: names(findings)), role(finding)) + "  "
                + TextLayout.padded(finding.state.rawValue, to: 5) + "  "
                + TextLayout.paddedLeft(HumanNumbers.count(finding.scenarios), to: 9) + "  "
                + "\(HumanNumbers.quantity(finding.users, "user")), \(HumanNumbers.quantity(finding.steps, "step"))"
                + (finding.isMinimal ? "" : ", not fully shrunk")
        ]
        lines += LineBudget.cut(wrap(finding.sentence, indent: 4), to: sentenceMax)
        if let accepted = finding.accepted {
            lines += wrap("accepted until \(accepted.until): \(accepted.reason)", indent: 4)
        }
        return lines + ["    " + style.paint(finding.replay, .quiet)]
    }

    private func changes(_ report: SwarmReport) -> [String] {
        if report.fixed.isEmpty, report.stillFixed == 0 { return [] }
        var lines = [""] + report.fixed.map { "  " + style.paint("fixed", .good) + "  \($0)" }
        if report.stillFixed > 0 {
            lines.append("  \(HumanNumbers.quantity(report.stillFixed, "finding")) of earlier swarms stayed fixed")
        }
        return lines
    }

    private func role(_ finding: SwarmReport.Finding) -> Tone {
        finding.accepted != nil ? .quiet : finding.severity == .warning ? .doubtful : .bad
    }

    private func wrap(_ text: String, indent: Int) -> [String] {
        style.wrapped(text, width: width, indent: indent)
    }
}
