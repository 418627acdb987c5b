// What the process returns.
// Plain values; any thread.

/// What the process returns. The numbers are k6's where it has one for the same thing.
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
}

extension ExitStatus {
    /// Nil for a number that no command of ours returns.
    package init?(exitCode: Int) {
        guard let code = Int32(exactly: exitCode) else { return nil }
        self.init(rawValue: code)
    }

    package var outcome: Report.Verdict.Outcome {
        switch self {
        case .passed: return .passed
        case .unknown: return .unknown
        case .interrupted: return .interrupted
        case .harnessFault, .clientCrashed: return .error
        default: return .failed
        }
    }
}
