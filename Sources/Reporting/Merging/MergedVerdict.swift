// The verdict over a merged report: thresholds held against what was measured in all, the rest as its parts found it.
// Pure; any thread.

import Metrics
import ReportModel

enum MergedVerdict {
    /// Judges the thresholds again, and writes the verdict.
    static func judge(_ report: inout Report, by measurements: Measurements, parts: [Report]) {
        let seconds = Double(report.simulatedDurationNs) / 1e9
        let (first, users) = (parts[0].run.population, report.run.population)
        func judged(_ thresholds: [Report.Threshold]) -> [Report.Threshold] {
            thresholds.map { Self.judged($0, as: $0.written?.users ?? first, for: users, measurements, seconds) }
        }
        report.thresholds = judged(report.thresholds)
        report.host.thresholds = judged(report.host.thresholds)
        let isBrokenOff = parts.contains(where: \.isBrokenOff)
        var reasons = parts.flatMap(othersReasons)
        for threshold in report.thresholds + report.host.thresholds {
            let isOfViolations = threshold.base == MetricName.violations.name
            // What a run that was broken off has not measured says nothing; what it found, it found.
            if isBrokenOff, !isOfViolations { continue }
            let text = Report.Reason.ThresholdText(metric: threshold.metric, expression: threshold.expression)
            switch threshold.outcome {
            case .passed, .notJudged: break
            case .failed:
                let isOfHost = report.host.thresholds.contains(threshold)
                let breach = Report.Reason.Breach(
                    isOfViolations: isOfViolations && report.violations.total > 0,
                    actual: isOfHost ? nil : threshold.actual, unit: isOfHost ? nil : threshold.unit)
                reasons.append(Report.Reason(.thresholdFailed(text, breach)))
            case .unknown: if !isBrokenOff { reasons.append(Report.Reason(.thresholdUnknown(text))) }
            }
        }
        report.verdict = Report.Verdict(reasons)
    }

    /// Unknown where the threshold cannot be read, which no report of ours gives reason to.
    ///
    /// - Parameters:
    ///   - before: the users that it was written for.
    ///   - users: those of all runs together.
    private static func judged(
        _ threshold: Report.Threshold, as before: Int, for users: Int, _ measurements: Measurements, _ seconds: Double
    ) -> Report.Threshold {
        var judged = threshold
        judged.tell(.unknown)
        guard let name = MetricName(name: threshold.base), before > 0,
            let parsed = try? Threshold(
                key: ThresholdKey(metric: name, tags: [], source: threshold.metric),
                expression: threshold.expressionWritten)
        else { return judged }
        let scaled = parsed.scaled(to: users, from: before)
        judged.rewrite(as: scaled)
        // A part of a metric is kept under the name that the threshold has for it.
        judged.tell(scaled.evaluate(measurements.named(threshold.metric)?.reading(seconds: seconds)))
        return judged
    }

    /// What a part's verdict rests on beside thresholds, which may come out another way in all.
    private static func othersReasons(_ part: Report) -> [Report.Reason] {
        part.verdict.reasons.filter { !$0.isOfThreshold }.map { reason in
            // What a merged report says names the seed already.
            part.run.parts == nil ? reason.found(underSeed: part.run.seed) : reason
        }
    }
}
