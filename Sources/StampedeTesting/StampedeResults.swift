// What a run, a sweep and a swarm found.
// Values.

public import Foundation
import Judgement
import Metrics
import ReportModel
import Reporting
import Text

/// A rule that was broken.
public struct StampedeViolation: Sendable, Equatable {
    /// As `stampede list rules` names it: `lost-purchase`.
    public let rule: String
    /// `critical`, `error` or `warning`.
    public let severity: String
    /// How often: in a run, in trials of a sweep, in scenarios of a swarm.
    public let count: Int
    /// The story of the first one, in one sentence.
    public let sentence: String
    /// The command that shows it again.
    public let replay: String
    /// The whole story: a line an event of the device; of a swarm the smallest scenario.
    public let story: String
}

/// A run that was judged.
public struct StampedeRun: Sendable {
    let report: Report

    public var passed: Bool { report.verdict.outcome == .passed }
    /// What `stampede run` would have ended with: `stampede list exit-codes`.
    public var exitCode: Int { report.verdict.exitCode }
    /// Why it has not passed, the gravest reason first.
    public var reasons: [String] { report.verdict.sentences }
    /// Of each broken rule one, the gravest first.
    public var violations: [StampedeViolation] { firsts(report.violations) }
    /// One warning of each rule. A warning fails no run by itself.
    public var warnings: [StampedeViolation] { firsts(report.warnings) }
    /// What else is worth knowing: rules that do not count as violations, what reached outside, what waited.
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

    /// One metric, or a part of one that a threshold of the scenario names, as `purchases_failed{phase:release}`.
    public func metric(_ name: String) throws -> StampedeMetric {
        let all = report.metrics + report.host.metrics + (report.subMetrics ?? []) + (report.host.subMetrics ?? [])
        if let metric = all.first(where: { $0.name == name }) { return StampedeMetric(metric: metric) }
        throw StampedeTestError.unknownMetric(name, near: closestMatch(to: name, in: all.map(\.name)))
    }
}

/// A sweep: a crash before every effect, every message lost, every answer lost, every connection reset.
public struct StampedeSweep: Sendable {
    let verdict: Report.Verdict
    public let violations: [StampedeViolation]
    /// Trials that were run.
    public let trials: Int

    public var passed: Bool { verdict.outcome == .passed }
    public var exitCode: Int { verdict.exitCode }
    public var reasons: [String] { verdict.sentences }
}

/// A swarm: scenarios drawn by chance.
public struct StampedeSwarm: Sendable {
    let verdict: Report.Verdict
    public let violations: [StampedeViolation]
    /// Scenarios that were drawn and run.
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

    /// - Parameter scenario: the smallest that shows it.
    init(_ finding: SwarmReport.Finding, scenario: String) {
        self.init(
            rule: finding.rule, severity: finding.severity.rawValue, count: finding.scenarios,
            sentence: finding.sentence, replay: finding.replay, story: scenario)
    }
}

/// Of a sweep's JSON, what tests are told.
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
