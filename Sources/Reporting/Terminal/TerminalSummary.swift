// What the terminal shows when a run is over, worst news first.
// Pure: the report is all it knows.

import Judgement
import Metrics
package import ReportModel
import Text

/// A report as text of about eighty columns.
package enum TerminalSummary {
    /// Timeline lines shown of one violation; longer ones lose what they are not about.
    package static let timelineMax = 25

    /// Everything there is to say.
    ///
    /// - Parameter location: the path of the report's folder; nil when it was not written.
    package static func render(
        _ report: Report, style: TerminalStyle, width: Int = 80, location: String? = nil
    ) -> String {
        var writer = SummaryWriter(style: style, width: max(40, width))
        writer.verdict(report)
        writer.section(HarnessFaultWords.heading.uppercased(), HarnessFaultWords.lines(report), tone: .bad)
        writer.violations(report.violations)
        writer.warnings(report.warnings)
        writer.thresholds(report.thresholdsByGravity)
        writer.metrics("METRICS", report.metrics)
        writer.metrics("SUB-METRICS", (report.subMetrics ?? []) + (report.host.subMetrics ?? []))
        writer.metrics("METRICS OF THIS MACHINE", report.host.metrics)
        writer.host(report.host)
        writer.section("NOTES", report.notes + report.host.notes)
        if let location { writer.section("REPORT", [location]) }
        writer.closing(report, location)
        return writer.text
    }
}

/// Collects the lines. Every section begins with an empty line and a heading.
struct SummaryWriter {
    let style: TerminalStyle
    let width: Int
    private(set) var lines: [String] = []

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func section(_ heading: String, _ texts: [String], tone: Tone = .heading) {
        guard !texts.isEmpty else { return }
        lines += ["", style.paint(heading, tone)]
        for text in texts { lines += wrap(text, indent: 2) }
    }

    /// The answer once more, where it is read first: the line above the prompt.
    mutating func closing(_ report: Report, _ location: String?) {
        let outcome = report.verdict.outcome
        let sentence = "\(outcome.headline)  \(ClosingWords.sentence(report))"
        let next = ClosingWords.next(report, location: location)
        lines += [""] + ClosingWords.lines(sentence, outcome.tone, next: next, style: style, width: width)
    }

    mutating func line(_ text: String) { lines += wrap(text, indent: 2) }

    /// Lines that are laid out already.
    mutating func add(_ more: [String]) { lines += more }

    func wrap(_ text: String, indent: Int) -> [String] {
        style.wrapped(text, width: width, indent: indent)
    }

    mutating func verdict(_ report: Report) {
        head(report)
        for reason in report.verdict.sentences { lines += self.reason(reason) }
    }

    /// What was run, and what came of it.
    mutating func head(_ report: Report) {
        let (word, tone) = (report.verdict.outcome.headline, report.verdict.outcome.tone)
        let exit = "exit code \(report.verdict.exitCode)"
        let name = TextLayout.safe(report.scenario.name)
        let gap = width - word.count - 2 - name.count - exit.count
        if gap >= 2 {
            lines.append(style.paint(word, tone) + "  " + name + String(repeating: " ", count: gap) + exit)
        } else {
            lines.append(style.paint(word, tone) + "  " + exit)
            lines += wrap(name, indent: 2)
        }
        var facts = [
            report.run.client, report.run.seedsPhrase, "\(report.run.clock) clock",
            HumanNumbers.quantity(report.run.users, "user"),
            "\(HumanNumbers.duration(nanoseconds: report.simulatedDurationNs)) simulated",
        ]
        if let user = report.run.onlyUser { facts.append("only user \(user)") }
        lines += wrap(facts.joined(separator: " · "), indent: 2)
        lines += wrap(report.run.tagTexts.joined(separator: " · "), indent: 2)
    }

    func reason(_ sentence: String) -> [String] {
        let wrapped = wrap(sentence, indent: 4)
        return wrapped.prefix(1).map { "  - " + $0.dropFirst(4) } + wrapped.dropFirst()
    }

    mutating func violations(_ violations: Report.Violations) {
        guard violations.total > 0 || !violations.byRule.isEmpty else { return }
        lines += violationsHeading(violations)
        for rule in violations.rulesByGravity {
            lines.append(row(of: rule))
            let shown = violations.evidence.filter { $0.rule == rule.rule }
            if let first = shown.first { evidence(first) }
            // Each of them is a mistake of its own.
            let others = shown.dropFirst().filter { $0.cause != nil }
            for other in others.prefix(Self.othersMax) { evidence(other, isWhole: false) }
            if others.count > Self.othersMax {
                let more = HumanNumbers.count(others.count - Self.othersMax)
                lines += wrap("… and \(more) more with another cause: `stampede replay` shows each", indent: 4)
            }
        }
    }

    /// Of each rule the first one, without its timeline: `replay` shows it.
    mutating func warnings(_ warnings: Report.Violations) {
        if warnings.byRule.isEmpty { return }
        lines += warningsHeading(warnings)
        for rule in warnings.rulesByGravity {
            lines.append(row(of: rule))
            if let first = warnings.evidence.first(where: { $0.rule == rule.rule }) { evidence(first, isWhole: false) }
        }
    }

    func violationsHeading(_ violations: Report.Violations) -> [String] {
        ["", style.paint("VIOLATIONS  \(HumanNumbers.count(violations.total))", .bad)]
    }

    func warningsHeading(_ warnings: Report.Violations) -> [String] {
        ["", style.paint("WARNINGS  \(HumanNumbers.count(warnings.total))", .doubtful)]
    }

    func row(of rule: Report.RuleCount) -> String {
        let severity = TextLayout.padded(rule.severity.rawValue, to: 9)
        let name = TextLayout.padded(TextLayout.safe(rule.rule), to: 30)
        let count = TextLayout.paddedLeft(HumanNumbers.count(rule.count), to: 9)
        return "  " + style.paint(severity, rule.severity.tone) + " " + name + " " + count
    }

    /// On one line, however long: it is there to be copied.
    func replayLine(_ evidence: Report.Evidence) -> String { "    replay: " + TextLayout.safe(evidence.replay) }

    /// Of a rule whose breaches have causes, so many beside the first.
    private static let othersMax = 4

    /// - Parameter isWhole: with what happened on the device.
    private mutating func evidence(_ evidence: Report.Evidence, isWhole: Bool = true) {
        lines += wrap(evidence.sentence, indent: 4)
        lines += ClientFrames.lines(evidence.frames, indent: 6)
        var place = "#\(evidence.number)  user \(evidence.user)  device \(evidence.device)"
        if let process = evidence.process { place += "  process \(process)" }
        if let transaction = evidence.transaction { place += "  transaction \(transaction)" }
        place += "  cell \(evidence.cell)"
        if let times = evidence.times, times > 1 { place += "  \(HumanNumbers.count(times)) times alike" }
        lines += style.wrapped(place, width: width, indent: 4, .quiet)
        lines.append(replayLine(evidence))
        if let hint = evidence.hint { lines += wrap("hint: " + hint, indent: 4) }
        if !isWhole { return }
        lines += TimelineText.shortLines(of: evidence, count: TerminalSummary.timelineMax, style: style, width: width)
        guard let output = evidence.output else { return }
        lines.append(style.paint("      \(ClientOutput.heading)", .quiet))
        lines += ClientOutput.lines(output, indent: 6)
    }

    mutating func thresholds(_ thresholds: [(threshold: Report.Threshold, suffix: String)]) {
        guard !thresholds.isEmpty else { return }
        lines += thresholdsHeading
        for (threshold, suffix) in thresholds { lines += self.threshold(threshold, suffix: suffix) }
    }

    var thresholdsHeading: [String] { ["", style.paint("THRESHOLDS", .heading)] }

    func threshold(_ threshold: Report.Threshold, suffix: String) -> [String] {
        let mark = style.paint(threshold.outcome.tone.mark, threshold.outcome.tone)
        let actual = threshold.answerText
        let claim = TextLayout.safe("\(threshold.metric) \(threshold.expression)")
        let column = max(20, width - 32)
        if claim.count <= column, column + actual.count + suffix.count + 5 <= width {
            return ["  \(mark) \(TextLayout.padded(claim, to: column)) \(actual)\(suffix)"]
        }
        let wrapped = wrap(claim, indent: 4)
        return ["  \(mark) \(wrapped.first?.dropFirst(4) ?? "")"] + wrapped.dropFirst() + ["      \(actual)\(suffix)"]
    }

    private static let nameWidth = 26
    private static let columnWidth = 8

    mutating func metrics(_ heading: String, _ metrics: [ReportMetric]) {
        guard !metrics.isEmpty else { return }
        lines += ["", style.paint(heading, .heading)]
        let trends = metrics.filter { $0.kind == .trend }
        if !trends.isEmpty {
            let names = ["avg", "min", "med", "p95", "p99", "max"]
            lines.append(String(repeating: " ", count: Self.nameWidth + 2) + columns(names))
        }
        for metric in trends {
            if let response = metric.response { trend(metric.name, response) }
            // Nothing new unless something waited for its turn.
            if let service = metric.service, service != metric.response { trend("  service", service) }
            for (outcome, response) in metric.outcomesApart { trend("  " + outcome, response) }
            if let instant = metric.instantWords { lines += wrap(instant, indent: 4) }
        }
        for metric in metrics where metric.kind == .counter {
            row(metric.name, metric.count.map(HumanNumbers.count), metric.perSecond.map(HumanNumbers.perSecond))
            if let failures = metric.failureWords {
                lines += wrap(failures, indent: 4)
                continue
            }
            for (tag, count) in (metric.tags ?? [:]).sorted(by: { $0.key < $1.key }) {
                row("  " + tag, HumanNumbers.count(count), nil)
            }
        }
        for metric in metrics where metric.kind == .rate {
            guard let passes = metric.passes, let total = metric.total else { continue }
            row(
                metric.name, HumanNumbers.share(passes: passes, total: total),
                "\(HumanNumbers.count(passes)) of \(HumanNumbers.count(total))", detailIsLoose: true)
        }
        for metric in metrics where metric.kind == .gauge {
            let level = metric.value.map { HumanNumbers.value($0, unit: metric.unit) }
            guard let range = metric.levelRange else {
                row(metric.name, level, nil)
                continue
            }
            row(metric.name, level, "\(range.low)  \(range.high)", detailIsLoose: true)
        }
    }

    /// A name on a line of its own, where it is too long to stand before its figures.
    private mutating func fitted(_ name: String) -> String {
        let name = TextLayout.safe(name)
        if name.count < Self.nameWidth { return name }
        lines.append("  " + name)
        return "  "
    }

    private mutating func trend(_ name: String, _ trend: ReportMetric.Trend) {
        let name = fitted(name)
        let integers = [trend.min, trend.med, trend.p95, trend.p99, trend.max].map(Double.init)
        let values = ([trend.avg] + integers).map(HumanNumbers.duration(nanoseconds:))
        lines.append("  " + TextLayout.dotted(name, to: Self.nameWidth) + columns(values))
    }

    private func columns(_ texts: [String]) -> String {
        texts.map { " " + TextLayout.paddedLeft($0, to: Self.columnWidth - 1) }.joined()
    }

    private mutating func row(_ name: String, _ value: String?, _ detail: String?, detailIsLoose: Bool = false) {
        guard let value else { return }
        let start = "  " + TextLayout.dotted(fitted(name), to: Self.nameWidth)
        let line = start + " " + TextLayout.paddedLeft(value, to: 11)
        lines.append(line + (detail.map { "  " + (detailIsLoose ? $0 : TextLayout.paddedLeft($0, to: 9)) } ?? ""))
    }

    mutating func host(_ host: Report.Host) {
        var facts = [
            "\(HumanNumbers.quantity(host.workers, "worker")) on \(HumanNumbers.quantity(host.cores, "core"))",
            "\(HumanNumbers.duration(nanoseconds: host.durationSeconds * 1e9)) real time",
        ]
        if let rate = host.purchasesPerSecond { facts.append("\(HumanNumbers.number(rate)) purchases/s") }
        if let peak = host.memoryPeakBytes { facts.append("peak \(HumanNumbers.bytes(Double(peak)))") }
        section("MACHINE", [facts.joined(separator: " · ")])
    }
}
