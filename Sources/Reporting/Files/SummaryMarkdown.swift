// The report as Markdown that fits a CI step's summary or a comment on a pull request.
// Pure; any thread.

import Foundation
import Judgement
import Metrics
package import ReportModel
import Text

/// The verdict, what speaks for and against it, and the figures that matter; the rest is in report.html.
package enum SummaryMarkdown {
    /// A comment on GitHub has room for 65 536 characters.
    private static let rowsMax = 25
    private static let textMax = 400

    package static func render(_ report: Report) -> String {
        var lines = ["## \(report.verdict.outcome.tone.emoji) \(text(report.scenario.name))", ""]
        var facts = [
            "exit code \(report.verdict.exitCode)", code(report.run.client), report.run.seedsPhrase,
            "\(text(report.run.clock)) clock",
            "\(HumanNumbers.count(report.run.users)) users",
            "\(HumanNumbers.duration(nanoseconds: report.simulatedDurationNs)) simulated",
        ]
        if let user = report.run.onlyUser { facts.append("only user \(user)") }
        facts += report.run.tagTexts.map(code)
        let affected = report.violations.users.flatMap { $0 > 0 ? $0 : nil }
        if let affected { facts[4] = "\(HumanNumbers.count(affected)) of \(facts[4]) affected" }
        lines += ["**\(report.verdict.outcome.rawValue): \(text(ClosingWords.matter(report)))**", ""]
        lines += [facts.joined(separator: " · "), ""]
        lines += list(report.verdict.sentences.filter { $0 != ClosingWords.matter(report) })
        lines += breaches(report.violations, "Violations")
        lines += breaches(report.warnings, "Warnings")
        lines += thresholds(report)
        lines += metrics(report)
        if !report.harnessFaults.isEmpty {
            lines += ["### \(HarnessFaultWords.heading)", ""] + list(HarnessFaultWords.lines(report))
        }
        lines += list(report.notes + report.host.notes)
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Sections

    private static func breaches(_ violations: Report.Violations, _ heading: String) -> [String] {
        if violations.byRule.isEmpty { return [] }
        var lines = [
            "### \(heading): \(HumanNumbers.count(violations.total))", "",
            "| severity | rule | count | users | for example |",
            "| --- | --- | ---: | ---: | --- |",
        ]
        var replays: [String] = []
        for rule in violations.rulesByGravity.prefix(rowsMax) {
            let first = violations.evidence.first { $0.rule == rule.rule }
            lines.append(
                "| \(rule.severity.rawValue) | \(code(rule.rule)) | \(HumanNumbers.count(rule.count)) "
                    + "| \(HumanNumbers.count(rule.users)) | \(text(first?.sentence ?? "")) |")
            // A command that was cut would not run.
            guard let first, first.replay.count <= textMax else { continue }
            let replay = plain(first.replay)
            if !replays.contains(replay) { replays.append(replay) }
        }
        lines.append("")
        if !replays.isEmpty {
            lines += ["<details><summary>Commands to run them again</summary>", "", "````sh"] + replays
            lines += ["````", "", "</details>", ""]
        }
        return lines + output(violations)
    }

    /// What clients printed before the first of each rule.
    private static func output(_ violations: Report.Violations) -> [String] {
        var printed: [String] = []
        for rule in violations.byRule.prefix(rowsMax) {
            guard let first = violations.evidence.first(where: { $0.rule == rule.rule }) else { continue }
            for line in first.output ?? [] {
                printed.append(plain("\(rule.rule), user \(first.user), \(ClientOutput.text(line))"))
            }
        }
        if printed.isEmpty { return [] }
        return ["<details><summary>Client output</summary>", "", "````text"] + printed
            + ["````", "", "</details>", ""]
    }

    private static func thresholds(_ report: Report) -> [String] {
        let sorted = report.thresholdsByGravity.map(\.threshold)
        if sorted.isEmpty { return [] }
        var lines = ["### Thresholds", "", "| | threshold | actual |", "| --- | --- | ---: |"]
        for threshold in sorted.prefix(rowsMax) {
            let claim = code("\(threshold.metric) \(threshold.expression)")
            lines.append("| \(threshold.outcome.tone.emoji) | \(claim) | \(text(threshold.answerText)) |")
        }
        if sorted.count > rowsMax { lines.append("| | and \(sorted.count - rowsMax) more | |") }
        return lines + [""]
    }

    private static func metrics(_ report: Report) -> [String] {
        let metrics = report.metrics + (report.subMetrics ?? [])
        let trends = metrics.compactMap { metric in metric.response.map { (metric.name, $0) } }
        let counters = metrics.filter { $0.kind == .counter && ($0.count ?? 0) > 0 }
        let rates = metrics.filter { $0.kind == .rate }
        if trends.isEmpty, counters.isEmpty, rates.isEmpty { return [] }
        var lines = ["<details><summary>Metrics</summary>", ""]
        if !trends.isEmpty {
            lines += ["| | count | med | p95 | p99 | max |", "| --- | ---: | ---: | ---: | ---: | ---: |"]
            lines += trends.prefix(rowsMax).map { name, trend in
                let values = [trend.med, trend.p95, trend.p99, trend.max]
                    .map { HumanNumbers.duration(nanoseconds: $0) }
                return "| \(code(name)) | \(HumanNumbers.count(trend.count)) | \(values.joined(separator: " | ")) |"
            }
            lines.append("")
        }
        if !counters.isEmpty || !rates.isEmpty {
            lines += ["| | |", "| --- | ---: |"]
            lines += counters.prefix(rowsMax).map { "| \(code($0.name)) | \(HumanNumbers.count($0.count ?? 0)) |" }
            lines += rates.prefix(rowsMax).map {
                "| \(code($0.name)) | \(HumanNumbers.share(passes: $0.passes ?? 0, total: $0.total ?? 0)) |"
            }
            lines.append("")
        }
        return lines + ["</details>", ""]
    }

    private static func list(_ items: [String]) -> [String] {
        if items.isEmpty { return [] }
        var lines = items.prefix(rowsMax).map { "- \(text($0))" }
        if items.count > rowsMax { lines.append("- and \(items.count - rowsMax) more") }
        return lines + [""]
    }

    // MARK: Text from outside

    /// On one line, and nothing in it is taken for Markdown, HTML or somebody's name.
    private static func text(_ text: String) -> String {
        var result = ""
        var isInWord = false
        for scalar in plain(text).unicodeScalars {
            switch scalar {
            // Within a word it means nothing but itself.
            case "_" where isInWord: result += "_"
            case "&", "<", ">", "|", "`", "*", "_", "[", "]", "#", "@", "~", "\\", "$": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
            isInWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
        return result
    }

    /// A name as code; entities mean nothing there.
    private static func code(_ text: String) -> String {
        let safe = plain(text).map { $0 == "`" ? "'" : $0 == "|" ? "\\|" : String($0) }.joined()
        return "`\(safe)`"
    }

    private static func plain(_ text: String) -> String {
        let safe = TextLayout.safe(text).replacingOccurrences(of: "````", with: "'")
        return safe.count <= textMax ? safe : safe.prefix(textMax) + "…"
    }
}
