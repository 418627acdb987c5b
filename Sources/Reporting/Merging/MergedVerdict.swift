// The verdict over a merged report: thresholds held against what was measured in all, the rest as its parts found it.
// Pure; any thread.

import Metrics

enum MergedVerdict {
    /// Judges the thresholds again, and writes the verdict.
    static func judge(_ report: inout Report, parts: [Report]) {
        let metrics =
            report.metrics + (report.subMetrics ?? []) + report.host.metrics + (report.host.subMetrics ?? [])
        report.thresholds = report.thresholds.map { judged($0, metrics) }
        report.host.thresholds = report.host.thresholds.map { judged($0, metrics) }
        let isBrokenOff = parts.contains(where: \.isBrokenOff)
        var found = parts.flatMap(othersReasons)
        for threshold in report.thresholds + report.host.thresholds {
            let isOfViolations = threshold.metric.hasPrefix(MetricName.violations.name)
            // What a run that was broken off has not measured says nothing; what it found, it found.
            if isBrokenOff, !isOfViolations { continue }
            switch threshold.outcome {
            case .passed: break
            case .failed:
                found.append(
                    (
                        isOfViolations && report.violations.total > 0 ? .violationsFound : .thresholdFailed,
                        ThresholdWords.failed(threshold.metric, threshold.expression)
                    ))
            case .unknown where !isBrokenOff:
                found.append((.unknown, ThresholdWords.unknown(threshold.metric, threshold.expression)))
            case .unknown: break
            }
        }
        let (status, reasons) = ExitStatus.gravest(of: found)
        report.verdict = Report.Verdict(outcome: status.outcome, exitCode: Int(status.rawValue), reasons: reasons)
    }

    /// Unknown where the threshold cannot be read, which no report of ours gives reason to.
    private static func judged(
        _ threshold: Report.Threshold, _ metrics: [ReportMetric]
    ) -> Report.Threshold {
        var judged = threshold
        (judged.outcome, judged.actual) = (.unknown, nil)
        let whole = threshold.metric.prefix { $0 != "{" && $0 != " " }
        guard let name = MetricName(name: String(whole)),
            let parsed = try? Threshold(
                key: ThresholdKey(metric: name, tags: [], source: threshold.metric), expression: threshold.expression)
        else { return judged }
        // A part of a metric stands in the report under the name that the threshold has for it.
        switch parsed.evaluate(metrics.first { $0.name == threshold.metric }?.reading) {
        case .passed(let actual): (judged.outcome, judged.actual) = (.passed, actual)
        case .failed(let actual): (judged.outcome, judged.actual) = (.failed, actual)
        case .unknown: break
        }
        return judged
    }

    /// What a part's verdict rests on beside thresholds, which may come out another way in all.
    private static func othersReasons(_ part: Report) -> [(ExitStatus, String)] {
        let thresholds = part.thresholds + part.host.thresholds
        let ofThresholds = Set(
            thresholds.flatMap { threshold in
                [
                    ThresholdWords.failed(threshold.metric, threshold.expression),
                    ThresholdWords.unknown(threshold.metric, threshold.expression),
                ]
            })
        let reasons = part.verdict.reasons.filter { !ofThresholds.contains($0) }.map(part.prefixed)
        let status = ExitStatus(exitCode: part.verdict.exitCode)
        switch status {
        case .harnessFault?, .interrupted?, .clientCrashed?:
            // The gravest comes first; what follows it changes nothing.
            let all = reasons.isEmpty ? [part.prefixed("ended with exit code \(part.verdict.exitCode)")] : reasons
            return all.map { (status ?? .harnessFault, $0) }
        default: return reasons.map { (.unknown, $0) }
        }
    }
}
