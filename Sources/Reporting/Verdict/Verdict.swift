// From what was found to a verdict and an exit code.
// Pure; any thread.

package import Engine
import Hosting
import Judgement
package import Metrics
package import ReportModel
import Scenario
import Simulation

/// A threshold with what it was held against.
package struct JudgedThreshold: Sendable {
    package let threshold: Threshold
    package let outcome: ThresholdOutcome
}

extension RunResult {
    /// The thresholds in force, each held against what was measured.
    package func judge(_ thresholds: [Threshold]) -> [JudgedThreshold] {
        let seconds = Double(simulatedDuration.nanoseconds) / 1e9
        return thresholds.map { threshold in
            // What ended the run stands, whatever came while it ended.
            if let abort, abort.threshold == threshold {
                return JudgedThreshold(threshold: threshold, outcome: .failed(actual: abort.actual))
            }
            let reading = collector.tally.reading(of: threshold, seconds: seconds)
            return JudgedThreshold(threshold: threshold, outcome: threshold.evaluate(reading))
        }
    }

    /// What was not measured says nothing of the client.
    private var isBrokenOff: Bool { wasStopped || isHalted || death != nil || crashLimit != nil }
    private var hasViolations: Bool { !collector.violationCounts.isEmpty }
    /// Whether it is the threshold that ended the run; the others have seen a part of it only.
    private func hasEnded(_ threshold: Threshold) -> Bool { abort?.threshold == threshold }

    /// The gravest thing that holds decides: a fault of ours, a crashed client, violations, thresholds, doubt.
    ///
    /// - Parameter ignoresSaturation: judge although the machine could not keep up.
    package func verdict(_ judged: [JudgedThreshold], ignoresSaturation: Bool = false) -> Report.Verdict {
        Report.Verdict(of: faults + broken(judged) + doubts(judged, ignoresSaturation))
    }

    /// What no part of a run can say: the others are not known. What is certain of the whole all the same is named.
    package func verdictOfPart(_ judged: [JudgedThreshold]) -> Report.Verdict {
        let certain = faults + broken(judged.filter { $0.threshold.isLost($0.outcome) })
        var verdict = Report.Verdict(of: certain)
        (verdict.outcome, verdict.exitCode) = (.part, Int(ExitStatus.passed.rawValue))
        return verdict
    }

    /// Whether users are left who would be judged if it were gone on with.
    package var isUnfinished: Bool { wasStopped || unjudgedUsers > 0 && death?.blame == .nobody }

    /// What is wrong whatever the thresholds ask for.
    private var faults: [VerdictReason] {
        var found: [VerdictReason] = []
        if collector.faultCount > 0 {
            let first = collector.faults.first.map { VerdictReason.Fault(fault: $0.fault, user: $0.user) }
            found.append(.brokenInvariants(collector.faultCount, first: first))
        }
        if let cell = stuckCells.first { found.append(.usersStuck(cell: cell)) }
        if let stopCause { found.append(.stopped(unjudged: unjudgedUsers, by: stopCause)) }
        let counts = collector.violationCounts
        let ends: [VerdictReason?] = [
            counts[.clientCrash].map { .clientRaised(times: $0) }, counts[.clientExit].map { .clientExited(times: $0) },
            counts[.clientMemory].map { .clientOverran(times: $0) },
        ]
        found += ends.compactMap(\.self)
        // What was broken off never passes, whatever is known of it.
        let isUntold = isHalted && ends.allSatisfy { $0 == nil }
        let hangs = counts[.clientHang] ?? (isUntold ? 1 : 0)
        if hangs > 0 {
            found.append(.clientHung(times: hangs, unjudged: isBrokenOff ? unjudgedUsers : nil))
        }
        if let crashLimit { found.append(.clientLimit(times: crashLimit, unjudged: unjudgedUsers)) }
        if let death {
            found.append(.workerDied(how: death.words, cell: death.place, unjudged: unjudgedUsers, death.blame))
        }
        return found
    }

    private func broken(_ judged: [JudgedThreshold]) -> [VerdictReason] {
        judged.compactMap { item in
            // What a run that was broken off has not measured says nothing; what it found, it found.
            guard case .failed(let actual) = item.outcome, !isBrokenOff || item.threshold.metric == .violations
            else { return nil }
            // What this machine was like is told in its own part of the report.
            let isOfHost = item.threshold.metric.dependsOnHost
            return .thresholdFailed(
                item.threshold.text,
                Report.Reason.Breach(
                    // A threshold may also ask for violations, and be broken because there are none.
                    isOfViolations: item.threshold.metric == .violations && hasViolations,
                    endedRun: hasEnded(item.threshold), actual: isOfHost ? nil : actual,
                    unit: isOfHost ? nil : ReportUnit(of: item.threshold)))
        }
    }

    /// What leaves the verdict open.
    private func doubts(_ judged: [JudgedThreshold], _ ignoresSaturation: Bool) -> [VerdictReason] {
        var found: [VerdictReason] = []
        if !isBrokenOff, abort == nil {
            found += judged.filter { $0.outcome == .unknown }.map { .thresholdUnknown($0.threshold.text) }
        }
        if let cell = endlessCells.first { found.append(.journeysEndless(cell: cell)) }
        if collector.spinningUsers > 0 { found.append(.journeysSpinning(users: collector.spinningUsers)) }
        if isBrokenOff { return found }
        if !ignoresSaturation { found += host.saturation.map { .machineSaturated($0) } }
        if collector.usersJudged == 0, abort == nil { found.append(.nobodyJudged) }
        found += untried.map {
            let attempts = collector.attempts[$0]
            return .nothingTried($0, asked: attempts.untried, refused: attempts.refused)
        }
        found += RequestKind.allCases.compactMap { kind in
            guard let setting = failingSettings[kind], hasFailedEachTime(kind) else { return nil }
            return .catalogFails(kind, setting)
        }
        if let missed = remarks.first(where: { $0.kind == .subclassMethod }) {
            found.append(.methodsNotCalled(times: missed.count))
        }
        return found
    }

    /// Whether users asked for it, and none of them got it.
    private func hasFailedEachTime(_ kind: RequestKind) -> Bool {
        let measurements = collector.tally.measurements
        let measured: Measured
        switch kind {
        case .fetch:
            let attempts = collector.attempts[.fetch]
            return attempts.tried + attempts.untried > 0
        case .purchase: measured = measurements[.purchaseSuccess]
        case .restore: measured = measurements[.restoreSuccess]
        }
        return measured.total > 0 && measured.passes == 0
    }

    /// What users asked for, and the app never tried: no rule can have been kept then.
    var untried: [RequestKind] {
        RequestKind.allCases.filter { collector.attempts[$0].areAllUntried }
    }
}

extension Threshold {
    fileprivate var text: Report.Reason.ThresholdText { .init(metric: name, expression: source) }

    /// Whether it does not hold for a whole, whatever the other parts measure: what was counted is only added to.
    ///
    /// - Parameter outcome: of a part.
    func isLost(_ outcome: ThresholdOutcome) -> Bool {
        guard case .failed(let actual) = outcome, metric.kind == .counter, aggregate == .count else { return false }
        return switch comparison {
        case .less, .lessOrEqual: true
        case .equal: actual > limit
        case .greater, .greaterOrEqual, .notEqual: false
        }
    }
}
