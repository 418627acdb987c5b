// The report as JUnit's XML, which every CI shows as tests.
// Pure; any thread.

import Judgement
import Metrics
package import ReportModel
import Text

/// A case for the verdict, one for each threshold, one for each rule of the audit.
package enum JUnit {
    package static func render(_ report: Report) -> String {
        let suites = [verdict(report), thresholds(report), rules(report)]
        let cases = suites.flatMap(\.cases)
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"stampede\"\(counts(cases)) time=\"\(seconds(report))\">",
        ]
        for suite in suites where !suite.cases.isEmpty { lines += render(suite, report) }
        lines.append("</testsuites>")
        return lines.joined(separator: "\n") + "\n"
    }

    private typealias Suite = (name: String, cases: [Case])

    private struct Case {
        let name: String
        var outcome = Outcome.passed
        var message = ""
        /// What more there is to say.
        var text = ""
    }

    private enum Outcome: String {
        case passed
        case failed = "failure"
        /// Of the tool, not of what it tests.
        case error
        case skipped
    }

    // MARK: Cases

    /// Fails whenever the run did, whatever the reason was.
    private static func verdict(_ report: Report) -> Suite {
        var item = Case(name: "verdict")
        switch report.verdict.outcome {
        case .passed: break
        case .failed, .unknown: item.outcome = .failed
        case .part: item.outcome = .skipped
        case .interrupted, .error: item.outcome = .error
        }
        if item.outcome != .passed {
            item.message =
                "\(report.verdict.outcome.rawValue), exit code \(report.verdict.exitCode): \(ClosingWords.matter(report))"
            item.text = (report.verdict.sentences + HarnessFaultWords.lines(report)).joined(separator: "\n")
        }
        return (name: "run", cases: [item])
    }

    private static func thresholds(_ report: Report) -> Suite {
        let cases = (report.thresholds + report.host.thresholds).map { threshold in
            var item = Case(name: "\(threshold.metric) - \(threshold.expression)")
            switch threshold.outcome {
            case .passed: break
            case .failed:
                item.outcome = .failed
                let actual = threshold.actual.map { HumanNumbers.value($0, unit: threshold.unit) } ?? "?"
                item.message = "\(threshold.metric) is \(actual), not \(threshold.expression)"
            case .unknown:
                item.outcome = .failed
                item.message = "\(threshold.metric) was not measured"
            case .notJudged:
                item.outcome = .skipped
                item.message = threshold.outcome.words
            }
            return item
        }
        return (name: "thresholds", cases: cases)
    }

    private static func rules(_ report: Report) -> Suite {
        let known = AuditRule.allCases.filter { $0.isViolation || $0.isWarning }.map(\.rawValue)
        let others = report.violations.byRule.map(\.rule).filter { !known.contains($0) }
        func isTolerated(_ metric: MetricName) -> Bool {
            !report.thresholds.contains { $0.base == metric.name && $0.outcome == .failed }
        }
        let cases = (known + others).map { rule in
            var item = Case(name: rule)
            let broken = report.violations.byRule.first { $0.rule == rule }
            guard let found = broken ?? report.warnings.byRule.first(where: { $0.rule == rule }), found.count > 0
            else { return item }
            let isTolerated = isTolerated(found.severity.isViolation ? .violations : .warnings)
            item.outcome = isTolerated ? .skipped : .failed
            let times = found.count == 1 ? "once" : "\(HumanNumbers.count(found.count)) times"
            let leave =
                broken == nil
                ? ", a warning: only a threshold on warnings would fail the run" : ", which the thresholds allow"
            item.message = "broken \(times)" + (isTolerated ? leave : "")
            item.text = report.evidence.filter { $0.rule == rule && $0.severity.isViolation == (broken != nil) }
                .map { "\($0.sentence)\n  replay: \($0.replay)" }.joined(separator: "\n")
            return item
        }
        return (name: "audit", cases: cases)
    }

    // MARK: XML

    private static func render(_ suite: Suite, _ report: Report) -> [String] {
        let started = HTMLText.escaped(report.host.startedAt)
        var lines = [
            "  <testsuite name=\"\(suite.name)\"\(counts(suite.cases)) time=\"\(seconds(report))\" "
                + "timestamp=\"\(started)\">",
            "    <properties>",
        ]
        // Names of tags hold nothing that XML minds.
        let tags = (report.run.tags ?? [:]).sorted { $0.key < $1.key }.map { ("tag.\($0.key)", $0.value) }
        for (name, value) in [
            ("scenario", report.scenario.file), ("client", report.run.client), ("seed", report.run.seedsText),
            ("clock", report.run.clock), ("users", "\(report.run.users)"), ("version", report.tool.version),
        ] + tags {
            lines.append("      <property name=\"\(name)\" value=\"\(HTMLText.escaped(value))\"/>")
        }
        lines.append("    </properties>")
        let place = HTMLText.escaped("\(ReportFolder.folderStem(report)).\(suite.name)")
        for item in suite.cases {
            let head = "    <testcase name=\"\(HTMLText.escaped(item.name))\" classname=\"\(place)\" time=\"0\""
            lines.append(item.outcome == .passed ? head + "/>" : head + ">" + element(item) + "</testcase>")
        }
        lines.append("  </testsuite>")
        return lines
    }

    private static func element(_ item: Case) -> String {
        let name = item.outcome.rawValue
        let message = "message=\"\(HTMLText.escaped(item.message))\""
        if item.outcome == .skipped { return "<skipped \(message)/>" }
        return "<\(name) \(message) type=\"\(name)\">\(HTMLText.escaped(item.text))</\(name)>"
    }

    private static func counts(_ cases: [Case]) -> String {
        func count(_ outcome: Outcome) -> Int { cases.count { $0.outcome == outcome } }
        return " tests=\"\(cases.count)\" failures=\"\(count(.failed))\" errors=\"\(count(.error))\""
            + " skipped=\"\(count(.skipped))\""
    }

    private static func seconds(_ report: Report) -> String {
        HumanNumbers.fixed(report.host.durationSeconds, decimals: 3)
    }
}
