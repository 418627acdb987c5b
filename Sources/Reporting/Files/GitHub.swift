// What GitHub Actions shows of a run: annotations, and the summary of its step.
// Pure but for `appendSummary`, which touches one file.

import Foundation
package import ReportModel

package enum GitHub {
    /// GitHub shows no more of one kind for a step.
    package static let annotationsMax = 10
    /// GitHub takes no more for a step's summary.
    private static let summaryBytesMax = 1_000_000

    package static func isPresent(in environment: [String: String]) -> Bool { environment["GITHUB_ACTIONS"] == "true" }

    /// Lines for the standard output: faults of the harness first, because nothing else counts then, and then
    /// violations; none of either when the run passed. Warnings come last.
    package static func annotations(_ report: Report) -> [String] {
        errors(report) + breaches(report.warnings).prefix(annotationsMax).map { annotation("warning", $0) }
    }

    private static func annotation(_ kind: String, _ found: (title: String, message: String)) -> String {
        "::\(kind) title=\(property(found.title))::\(data(found.message))"
    }

    /// Of each rule, the first breach.
    private static func breaches(_ violations: Report.Violations?) -> [(title: String, message: String)] {
        guard let violations else { return [] }
        return violations.rulesByGravity.map { rule in
            let first = violations.evidence.first { $0.rule == rule.rule }
            let users = ", \(HumanNumbers.quantity(rule.users, "user"))"
            let title = "\(rule.rule), \(HumanNumbers.quantity(rule.count, "time"))\(users)"
            return (title, [first?.sentence, first?.replay].compactMap { $0 }.joined(separator: "\n"))
        }
    }

    private static func errors(_ report: Report) -> [String] {
        if report.verdict.outcome == .passed { return [] }
        var found = report.harnessFaults.map {
            (title: "A fault of Stampede, not of the client", message: $0)
        }
        found += breaches(report.violations)
        for threshold in report.thresholds + report.host.thresholds where !threshold.outcome.isHarmless {
            let actual = threshold.actual.map { HumanNumbers.value($0, unit: threshold.unit) }
            found.append(
                ("\(threshold.metric) \(threshold.expression)", actual.map { "It is \($0)." } ?? "It was not measured.")
            )
        }
        if found.isEmpty { found = report.verdict.sentences.map { (report.verdict.outcome.rawValue, $0) } }
        if found.count > annotationsMax {
            let left = found.count - annotationsMax + 1
            found = Array(found.prefix(annotationsMax - 1))
            found.append(("\(left) more", "The summary of this step lists all of them."))
        }
        return found.map { annotation("error", $0) }
    }

    private static func data(_ text: String) -> String {
        text.replacingOccurrences(of: "%", with: "%25").replacingOccurrences(of: "\r", with: "%0D")
            .replacingOccurrences(of: "\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacingOccurrences(of: ":", with: "%3A").replacingOccurrences(of: ",", with: "%2C")
    }

    /// Adds a summary to those that earlier commands of the step have left in the file.
    package static func appendSummary(_ text: String, to path: String) throws {
        let bytes = Data(text.utf8)
        guard bytes.count <= summaryBytesMax else { throw CocoaError(.fileWriteOutOfSpace) }
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        try file.write(contentsOf: bytes)
    }
}
