// Why reports cannot become one.
// Facts; the words are all here.

import ReportModel
import Text

package struct MergeError: Error, Sendable, Equatable {
    package enum Problem: Sendable, Equatable {
        /// Not the schema version that this program writes.
        case schemaVersion(Int)
        /// Something that all reports must agree on, and what the first says of it, where that is short.
        case differs(String, theirs: String?, first: String?)
        /// The report of a single user.
        case onlyUser(Int)
        /// The same run as an earlier report's.
        case sameRun(as: String, seed: UInt64)
        /// A metric, or the series, holds what no run writes.
        case unreadable(String)
        /// The sum of a metric has no number.
        case tooLarge(String)
    }

    /// Of the report.
    package let path: String
    package let problem: Problem

    package var description: String {
        switch problem {
        case .schemaVersion(let version):
            return "\(path) has schema version \(version), but merge needs version \(Report.schemaVersionCurrent)"
        case .differs(let what, let theirs?, let first?):
            return "\(path) has the \(what) \(theirs), but the first report has \(first)"
        case .differs(let what, _, _): return "\(path) has another \(what) than the first report"
        case .onlyUser(let user): return "\(path) judged only user \(user)"
        case .sameRun(let other, let seed): return "\(path) and \(other) are the same run, with seed \(seed)"
        case .unreadable(let what): return "\(path): \(what) cannot be read"
        case .tooLarge(let what): return "\(path): the sum of \(what) over all reports is too large"
        }
    }

    package var hint: String {
        switch problem {
        case .schemaVersion: return "make the reports with one version of stampede"
        case .differs:
            return "merge only reports of one scenario and client; 'stampede compare' compares different ones"
        case .onlyUser: return "run it without --only-user"
        case .sameRun: return "everything would count twice; give each run its own --seed"
        case .unreadable, .tooLarge: return "check the report with 'stampede report'"
        }
    }
}
