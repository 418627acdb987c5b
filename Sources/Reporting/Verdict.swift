// From what was found to a verdict and an exit code.
// Pure; any thread.

import Audit
package import Engine
package import Metrics
import Scenario
import Simulation

/// What the process returns, and why. The numbers are k6's where it has one for the same thing.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    case passed = 0
    case comparedWorse = 2
    case baseMissing = 5
    case reportNotWritten = 74
    case thresholdFailed = 99
    case invalidInput = 104
    case interrupted = 105
    case clientCrashed = 107
    case harnessFault = 109
    case violationsFound = 110
    case unknown = 111

    package var meaning: String {
        switch self {
        case .passed: return "passed"
        case .comparedWorse: return "compare: something got worse"
        case .baseMissing: return "compare: there is no base to compare with"
        case .reportNotWritten: return "the report, or the standard output, could not be written"
        case .thresholdFailed: return "a threshold failed"
        case .invalidInput: return "scenario, catalog or arguments invalid"
        case .interrupted: return "interrupted by a signal; what was judged so far is reported"
        case .clientCrashed: return "the client crashed or hung, or ended the process"
        case .harnessFault: return "a fault of the harness itself"
        case .violationsFound: return "the audit found violations"
        case .unknown: return "unknown: a threshold had nothing to judge, or the machine could not keep up"
        }
    }
}

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

    /// For sentences that say why.
    var wordsOfUnjudged: String {
        unjudgedUsers == 0
            ? "what users had done by then was judged" : "\(HumanNumbers.count(unjudgedUsers)) users were not judged"
    }

    /// What was not measured says nothing of the client.
    private var isBrokenOff: Bool { wasStopped || isHalted }
    private var hasViolations: Bool { collector.violationCounts.contains { $0.key.isViolation && $0.value > 0 } }
    /// Whether it is the threshold that ended the run; the others have seen a part of it only.
    private func hasEnded(_ threshold: Threshold) -> Bool { abort?.threshold == threshold }

    /// The gravest thing that holds decides: a fault of ours, a crashed client, violations, thresholds, doubt.
    ///
    /// - Parameter ignoresSaturation: judge although the machine could not keep up.
    package func verdict(
        _ judged: [JudgedThreshold], ignoresSaturation: Bool = false
    ) -> (status: ExitStatus, reasons: [String]) {
        var found: [(ExitStatus, String)] = []
        if collector.faultCount > 0 {
            let first = collector.faults.first.map { ": \($0.sentence) (user \($0.user))" } ?? ""
            found.append((.harnessFault, "\(collector.faultCount) broken invariants of the simulation\(first)"))
        }
        if !stuckCells.isEmpty {
            found.append((.harnessFault, "users waited for ever in cell \(stuckCells[0])"))
        }
        if wasStopped {
            found.append((.interrupted, "stopped before the end: \(wordsOfUnjudged)"))
        }
        if let crashes = collector.violationCounts[.clientCrash] {
            found.append((.clientCrashed, "the client raised an exception \(crashes) times"))
        }
        if let hangs = collector.violationCounts[.clientHang] {
            found.append(
                (.clientCrashed, "the client hung \(hangs) times: \(wordsOfUnjudged)"))
        }
        // What a run that was broken off has not measured says nothing; what it found, it found.
        for item in judged where !isBrokenOff || item.threshold.metric == .violations {
            guard case .failed = item.outcome else { continue }
            // A threshold may also ask for violations, and be broken because there are none.
            let isOfViolations = item.threshold.metric == .violations && hasViolations
            let status: ExitStatus = isOfViolations ? .violationsFound : .thresholdFailed
            let words = ThresholdWords.failed(item.threshold.name, item.threshold.source)
            found.append((status, words + (hasEnded(item.threshold) ? ", and ended the run" : "")))
        }
        for item in judged where item.outcome == .unknown && !isBrokenOff && abort == nil {
            found.append((.unknown, ThresholdWords.unknown(item.threshold.name, item.threshold.source)))
        }
        if !endlessCells.isEmpty {
            found.append((.unknown, "the journeys of cell \(endlessCells[0]) go on for more than 100 simulated years"))
        }
        if collector.spinningUsers > 0 {
            let users = "\(collector.spinningUsers) users"
            found.append((.unknown, "the journeys of \(users) take no time and would never end: let them think"))
        }
        if !ignoresSaturation, !isBrokenOff {
            found += host.saturation.map { (.unknown, "the machine could not keep up: \($0.words)") }
        }
        if collector.usersJudged == 0, !isBrokenOff, abort == nil {
            found.append((.unknown, "no user was judged: none was needed, or none could be"))
        }
        if !isBrokenOff {
            found += untried.map { (.unknown, "nothing tried: \($0.words(collector.attempts[$0]))") }
        }
        return ExitStatus.gravest(of: found)
    }

    /// What users asked for, and the app never tried: no rule can have been kept then.
    var untried: [RequestKind] {
        RequestKind.allCases.filter { collector.attempts[$0].areAllUntried }
    }
}

extension RequestKind {
    fileprivate func words(_ attempts: Attempts) -> String {
        let times = HumanNumbers.quantity(attempts.untried, "time")
        switch self {
        case .fetch: return "users opened the shop \(times), and the app never asked StoreKit for products"
        case .purchase:
            // Only then it may be the products that the app does not know.
            let guess = attempts.refused == attempts.untried ? " (another catalog's products?)" : ""
            return "users asked to buy \(times), and the app never added a payment\(guess)"
        case .restore: return "users asked to restore \(times), and the app asked StoreKit for nothing"
        }
    }
}

/// What a verdict says of a threshold.
enum ThresholdWords {
    static func failed(_ key: String, _ expression: String) -> String { "\(key): \(expression) does not hold" }
    static func unknown(_ key: String, _ expression: String) -> String { "\(key): \(expression) had nothing to judge" }
}

extension ExitStatus {
    private static let byGravity: [ExitStatus] = [
        .harnessFault, .interrupted, .clientCrashed, .violationsFound, .thresholdFailed, .unknown,
    ]

    /// What a run ends with of which all this holds, and all reasons, the gravest first; passed if there is none.
    static func gravest(of found: [(ExitStatus, String)]) -> (status: ExitStatus, reasons: [String]) {
        let status = byGravity.first { status in found.contains { $0.0 == status } }
        return (status ?? .passed, byGravity.flatMap { rank in found.filter { $0.0 == rank }.map(\.1) })
    }

    /// Nil for a number that no command of ours returns.
    package init?(exitCode: Int) {
        guard let code = Int32(exactly: exitCode) else { return nil }
        self.init(rawValue: code)
    }

    var outcome: Report.Verdict.Outcome {
        switch self {
        case .passed: return .passed
        case .unknown: return .unknown
        case .interrupted: return .interrupted
        case .harnessFault, .clientCrashed: return .error
        default: return .failed
        }
    }
}

extension Saturation {
    fileprivate var words: String {
        switch self {
        case .pressure(let share):
            return "something waited for a processor in \(Int(share * 100)) % of the time (cpu_pressure)"
        case .steal(let share): return "\(Int(share * 100)) % of the processors' time went to others (cpu_steal)"
        case .lag(let nanoseconds):
            let late = HumanNumbers.duration(nanoseconds: Double(nanoseconds))
            return "one of a hundred events ran \(late) late or more (schedule_lag)"
        }
    }
}
