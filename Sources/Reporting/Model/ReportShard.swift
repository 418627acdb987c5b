// Which part of a run a report is of, and what is certain of the whole from a part.
// Plain values; any thread.

import Engine
import Metrics

extension Report {
    /// One of the parts that several machines share a run in. What is measured is the part's; what is run is the whole's.
    package struct Shard: Codable, Sendable, Equatable {
        /// From 1.
        package var index: Int
        package var of: Int
        /// Cells and users of the part.
        package var cells: Int
        package var users: Int
        /// What all parts of the run have in common, as sixteen digits.
        package var plan: String

        /// `3/16`
        package var text: String { "\(index)/\(of)" }

        /// What the folder of its report is called behind that of the run.
        package var folderSuffix: String { Self.folderSuffix(index, of: of) }

        package static func folderSuffix(_ index: Int, of count: Int) -> String { "-part-\(index)-of-\(count)" }
    }
}

extension Threshold {
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
