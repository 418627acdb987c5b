// What the terminal shows of a run that did not pass, where not all of it was asked for.
// Pure: the report is all it knows.

import Judgement
import Metrics
package import ReportModel
import Text

extension TerminalSummary {
    /// A run that passed, whole; of another one forty lines at most: the verdict, of each rule the first breach and how to see it
    /// again, thresholds that do not hold, the figures that are asked for first, and where the rest is.
    package static func brief(
        _ report: Report, style: TerminalStyle, width: Int = 80, location: String? = nil
    ) -> String {
        if report.verdict.outcome == .passed {
            return render(report, style: style, width: width, location: location)
        }
        return BriefWriter(report, style: style, width: max(40, width), location: location, isQuiet: false).text
    }

    /// The verdict, and what is wrong in forty lines at most; nothing of a run that passed.
    package static func problems(
        _ report: Report, style: TerminalStyle, width: Int = 80, location: String? = nil
    ) -> String {
        if [.passed, .part].contains(report.verdict.outcome) { return "" }
        return BriefWriter(report, style: style, width: max(40, width), location: location, isQuiet: true).text
    }
}

/// Lays out what is wrong in few lines.
private struct BriefWriter {
    let report: Report
    let location: String?
    /// Without figures, and without what only repeats.
    let isQuiet: Bool
    private let writer: SummaryWriter

    /// Lines of one sentence.
    private static let (reasonMax, faultMax, noteMax, headMax) = (2, 3, 5, 6)
    /// Of stories as many as there is room for.
    private static let storyMaxima = [8, 6, 5, 4, 3, 2]
    private static let keyMetrics: Set<String> = [
        MetricName.purchaseDuration.name, MetricName.purchases.name, MetricName.purchaseSuccess.name,
    ]

    init(_ report: Report, style: TerminalStyle, width: Int, location: String?, isQuiet: Bool) {
        (self.report, self.location, self.isQuiet) = (report, location, isQuiet)
        writer = SummaryWriter(style: style, width: width)
    }

    var text: String {
        var head = writer
        head.head(report)
        let start = LineBudget.cut(head.lines, to: Self.headMax)
        let end = end
        // As long as the line about the rest can be.
        let fixed = start.count + rest(findings: .max).count + end.count
        let figures = figures
        let (before, after) = ([reasons, faults], isQuiet ? [] : [thresholds, notes])
        var shares: [LineBudget.Share] = []
        var left = Int.max
        for storyMax in Self.storyMaxima where left > 0 {
            shares = LineBudget.shares(
                of: before + rules(storyMax) + after, lines: LineBudget.linesMax - fixed - figures.count)
            left = shares.reduce(0) { $0 + $1.left }
        }
        return (start + shares.flatMap(\.lines) + figures + rest(findings: left) + end).joined(separator: "\n") + "\n"
    }

    // MARK: What is wrong

    /// The line of a threshold that failed says what the reason says that it is.
    private var reasons: LineBudget.List {
        let told = Set(failing.map { "\($0.threshold.metric) \($0.threshold.expression)" })
        let others = report.verdict.reasons.filter { reason in
            guard !isQuiet, reason.seed == nil, !reason.hasEndedRun, let threshold = reason.threshold else {
                return true
            }
            return !told.contains("\(threshold.metric) \(threshold.expression)")
        }
        return LineBudget.List(
            items: others.map { LineBudget.cut(writer.reason($0.sentence), to: Self.reasonMax) }, turn: 2)
    }

    private var faults: LineBudget.List {
        // What to do about it belongs to the first.
        let items = report.harnessFaults.enumerated().map { place, fault in
            LineBudget.cut(writer.wrap(fault, indent: 2), to: Self.faultMax)
                + (place == 0 ? writer.wrap(HarnessFaultWords.appeal, indent: 2) : [])
        }
        let heading = writer.style.paint(HarnessFaultWords.heading.uppercased(), .bad)
        return LineBudget.List(heading: isQuiet ? [] : ["", heading], items: items)
    }

    /// Violations, and, unless nothing but them is asked for, warnings.
    private func rules(_ storyMax: Int) -> [LineBudget.List] {
        let violations = rules(report.violations, writer.violationsHeading(report.violations), storyMax)
        if isQuiet { return [violations] }
        return [violations, rules(report.warnings, writer.warningsHeading(report.warnings), storyMax)]
    }

    /// Of each rule, the first breach and how to see it again.
    private func rules(_ breaches: Report.Violations, _ heading: [String], _ storyMax: Int) -> LineBudget.List {
        LineBudget.List(
            heading: isQuiet ? [] : heading,
            items: breaches.rulesByGravity.map { rule in
                let shown = breaches.evidence.first { $0.rule == rule.rule }
                let replay = shown.map { [writer.replayLine($0)] } ?? []
                if isQuiet {
                    let words = "\(rule.rule), \(HumanNumbers.count(rule.count))"
                    let text = writer.wrap(words + (shown.map { ": \($0.sentence)" } ?? ""), indent: 2)
                    return LineBudget.cut(text, to: storyMax + 1) + replay
                }
                let story = shown.map { writer.wrap($0.sentence, indent: 4) } ?? []
                return [writer.row(of: rule)] + LineBudget.cut(story, to: storyMax) + replay
            })
    }

    private var failing: [(threshold: Report.Threshold, suffix: String)] {
        report.thresholdsByGravity.filter { $0.threshold.outcome == .failed }
    }

    private var thresholds: LineBudget.List {
        LineBudget.List(
            heading: writer.thresholdsHeading,
            items: failing.map { writer.threshold($0.threshold, suffix: $0.suffix) }, turn: 2)
    }

    /// What the run was like, and what to do about it.
    private var notes: LineBudget.List {
        LineBudget.List(
            heading: ["", writer.style.paint("NOTES", .heading)],
            items: (report.notes + report.host.notes).map {
                LineBudget.cut(writer.wrap($0, indent: 2), to: Self.noteMax)
            })
    }

    // MARK: The rest

    /// What is asked for first of a run's figures.
    private var figures: [String] {
        if isQuiet { return [] }
        var part = writer
        part.metrics("METRICS", report.metrics.filter { Self.keyMetrics.contains($0.name) })
        return part.lines
    }

    /// One sentence: how much is not shown, and where it is.
    private func rest(findings: Int) -> [String] {
        var parts = findings > 0 ? [HumanNumbers.quantity(findings, "more finding")] : []
        if !isQuiet {
            if !report.violations.evidence.isEmpty { parts.append("the timelines") }
            parts.append("all metrics")
        }
        if parts.isEmpty { return [] }
        let page = location.map { ", or the page \($0)/report.html" } ?? ""
        let way = isQuiet ? location.map { "\(CommandName.words) report \(ShellWord.quoted($0)) --verbose" } : nil
        let words = writer.wrap("… \(HumanNumbers.list(parts)): \(way ?? "--verbose")\(page)", indent: 2)
        return (isQuiet ? [] : [""]) + words
    }

    /// Where the report is, and the answer once more, where it is read first: the line above the prompt.
    private var end: [String] {
        var part = writer
        if isQuiet {
            if let next = ClosingWords.next(report, location: location) { part.line("next: \(next)") }
            if let location { part.line("report: \(location)") }
        } else {
            if let location { part.line("report: \(location)") }
            part.closing(report, location)
        }
        return part.lines
    }
}
