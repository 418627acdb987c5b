// Good news or bad: what a piece of text is, however it is shown.
// Pure; any thread.

import Judgement
import ReportModel

/// A terminal has a colour for each, a page a class of this name.
package enum Tone: String, Sendable {
    case heading, good, bad, doubtful, quiet

    /// What stands before an outcome.
    var mark: String {
        switch self {
        case .good: "✓"
        case .bad: "✗"
        case .doubtful, .heading, .quiet: "?"
        }
    }

    /// The same where text has no colour.
    var emoji: String {
        switch self {
        case .good: "✅"
        case .bad: "❌"
        case .doubtful, .heading, .quiet: "❔"
        }
    }
}

extension Report.Verdict.Outcome {
    var tone: Tone {
        switch self {
        case .passed: .good
        case .failed, .error: .bad
        case .unknown, .interrupted, .part: .doubtful
        }
    }
}

extension Report.Threshold.Outcome {
    var tone: Tone {
        switch self {
        case .passed: .good
        case .failed: .bad
        case .unknown, .notJudged: .doubtful
        }
    }

    /// Whether a run may pass with it.
    var isHarmless: Bool { self == .passed || self == .notJudged }

    /// For people.
    var words: String {
        switch self {
        case .passed: "holds"
        case .failed: "failed"
        case .unknown: "unknown"
        case .notJudged: "not judged (too few users)"
        }
    }
}

extension Report.Threshold {
    var actualText: String { actual.map { HumanNumbers.value($0, unit: unit) } ?? "not measured" }

    /// Where the outcome has no place of its own.
    var answerText: String { outcome == .notJudged ? outcome.words : actualText }
}

extension Report {
    /// Every threshold, those that do not hold first; behind those on the machine, that they are.
    var thresholdsByGravity: [(threshold: Threshold, suffix: String)] {
        let all = thresholds.map { ($0, "") } + host.thresholds.map { ($0, " (this machine)") }
        return [Threshold.Outcome.failed, .unknown, .notJudged, .passed].flatMap { outcome in
            all.filter { $0.0.outcome == outcome }
        }
    }
}

extension Severity {
    var tone: Tone { self >= .error ? .bad : .doubtful }
}

extension Comparison.Verdict {
    var tone: Tone {
        switch self {
        case .worse: .bad
        case .better: .good
        case .changed, .unclear: .doubtful
        case .same: .quiet
        }
    }
}
