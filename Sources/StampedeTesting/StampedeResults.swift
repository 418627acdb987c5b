// The results of a run, a sweep and a swarm.
// Values; any thread.

public import Foundation
import Judgement
import Metrics
import ReportModel
import Reporting
import Text

/// A rule that the client broke, with the story of one violation.
public struct StampedeViolation: Sendable, Equatable {
    /// The rule's name in `stampede list rules`, such as `lost-purchase`.
    public let rule: String
    /// `critical`, `error` or `warning`.
    public let severity: String
    /// How often the rule was broken.
    /// In a sweep it counts the trials, in a swarm the scenarios, that show a violation.
    public let count: Int
    /// The story of the first violation, in one sentence.
    public let sentence: String
    /// The command that shows the violation again.
    public let replay: String
    /// The whole story: one line for each event of the device. In a swarm, the smallest scenario.
    public let story: String
}

/// The result of a run that was judged.
public struct StampedeRun: Sendable {
    let report: Report

    public var passed: Bool { report.verdict.outcome == .passed }
    /// The exit code of `stampede run` for this result; `stampede list exit-codes` lists all codes.
    public var exitCode: Int { report.verdict.exitCode }
    /// Why the run did not pass, the gravest reason first.
    public var reasons: [String] { report.verdict.sentences }
    /// One violation of each broken rule, the gravest first.
    public var violations: [StampedeViolation] { firsts(report.violations) }
    /// One warning of each rule. Warnings alone do not fail a run.
    public var warnings: [StampedeViolation] { firsts(report.warnings) }
    /// Notes: rules that do not count as violations, calls that reached outside, code that waited.
    public var notes: [String] { report.notes + report.host.notes }
    /// The text of `report.json`.
    public var json: Data { get throws { try report.json() } }
    /// The page that `stampede run` writes as `report.html`.
    public var html: String { ReportPage.render(report) }

    private func firsts(_ breaches: Report.Violations) -> [StampedeViolation] {
        breaches.byRule.sorted { $0.severity > $1.severity }.compactMap { rule in
            breaches.evidence.first { $0.rule == rule.rule }.map { StampedeViolation($0, count: rule.count) }
        }
    }

    /// Returns one metric, or a part of it such as `purchases_failed{phase:release}`.
    /// A part must be named by a threshold of the scenario.
    /// Throws `StampedeTestError.unknownMetric` if the report has no such metric.
    public func metric(_ name: String) throws -> StampedeMetric {
        let all = report.metrics + report.host.metrics + (report.subMetrics ?? []) + (report.host.subMetrics ?? [])
        if let metric = all.first(where: { $0.name == name }) { return StampedeMetric(metric: metric) }
        throw StampedeTestError.unknownMetric(name, near: closestMatch(to: name, in: all.map(\.name)))
    }
}

/// The result of a sweep: trials with crashes, lost messages, lost answers and reset connections.
public struct StampedeSweep: Sendable {
    let verdict: Report.Verdict
    public let violations: [StampedeViolation]
    /// How many trials were run.
    public let trials: Int

    public var passed: Bool { verdict.outcome == .passed }
    public var exitCode: Int { verdict.exitCode }
    public var reasons: [String] { verdict.sentences }
}

/// The result of a swarm, whose scenarios are drawn at random.
public struct StampedeSwarm: Sendable {
    let verdict: Report.Verdict
    public let violations: [StampedeViolation]
    /// How many scenarios were drawn and run.
    public let scenarios: Int

    public var passed: Bool { verdict.outcome == .passed }
    public var exitCode: Int { verdict.exitCode }
    public var reasons: [String] { verdict.sentences }
}

extension StampedeViolation {
    init(_ evidence: Report.Evidence, count: Int) {
        self.init(
            rule: evidence.rule, severity: evidence.severity.rawValue, count: count, sentence: evidence.sentence,
            replay: evidence.replay, story: TimelineText.lines(evidence.timeline).joined(separator: "\n"))
    }

    init(_ story: SweepStories.Story) {
        self.init(
            rule: story.rule, severity: story.severity.rawValue, count: story.trials, sentence: story.sentence,
            replay: story.replay, story: TimelineText.lines(story.timeline).joined(separator: "\n"))
    }

    /// - Parameter scenario: the smallest scenario that shows the violation.
    init(_ finding: SwarmReport.Finding, scenario: String) {
        self.init(
            rule: finding.rule, severity: finding.severity.rawValue, count: finding.scenarios,
            sentence: finding.sentence, replay: finding.replay, story: scenario)
    }
}

/// The part of a sweep's JSON that tests read.
struct SweepStories: Decodable {
    let journeys: [Journey]
    let verdict: Report.Verdict

    struct Journey: Decodable {
        let done: Int
        let stories: [Story]
    }

    struct Story: Decodable {
        let rule: String
        let severity: Severity
        let trials: Int
        let sentence: String
        let timeline: [Report.TimelineEntry]
        let replay: String
    }
}
