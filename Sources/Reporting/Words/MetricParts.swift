// What stands beneath a metric as a whole: failures by error and stage, durations by how they ended.
// Pure; any thread.

import Metrics
import ReportModel

extension ReportMetric {
    /// Durations by how what they measure ended, where it ended in more ways than one.
    var outcomesApart: [(name: String, response: Trend)] {
        guard let outcomes, outcomes.count > 1 else { return [] }
        return PaymentOutcome.allCases.compactMap { outcome in
            outcomes[outcome.rawValue].map { (outcome.rawValue, $0) }
        }
    }

    /// The least and the most of a level that changed: `min 1`, `max 10`, or `emptiest interval 1.65`, `fullest 9.4`. Levels of a series are averages over each of its
    /// intervals, and no count of anything at one moment.
    var levelRange: (low: String, high: String)? {
        guard let low = min, let high = max, low < high else { return nil }
        let (least, most) = isAveraged ? ("emptiest interval", "fullest") : ("min", "max")
        return (
            "\(least) \(HumanNumbers.value(low, unit: unit))", "\(most) \(HumanNumbers.value(high, unit: unit))"
        )
    }

    /// Whether its least and most are averages over an interval.
    var isAveraged: Bool { SeriesTable.levels.contains(name) }

    /// `and 1,203 answered at once`
    var instantWords: String? { instant.map { "and \(HumanNumbers.count($0)) answered at once" } }

    /// The most frequent first.
    var failuresByCode: [(name: String, count: Int)] { Self.byFrequency(tags) }
    var failuresByStage: [(name: String, count: Int)] { Self.byFrequency(stages) }

    /// `paymentCancelled 120, unknown 3; by stage deciding 120, processing 3`
    var failureWords: String? {
        guard stages != nil else { return nil }
        return "\(Self.words(failuresByCode)); by stage \(Self.words(failuresByStage))"
    }

    private static func byFrequency(_ counts: [String: Int]?) -> [(name: String, count: Int)] {
        (counts ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { (name: $0.key, count: $0.value) }
    }

    private static func words(_ counts: [(name: String, count: Int)]) -> String {
        let shown = counts.prefix(shownMax).map { "\($0.name) \(HumanNumbers.count($0.count))" }
        let rest = counts.dropFirst(shownMax).reduce(0) { $0 + $1.count }
        return (shown + (rest > 0 ? ["others \(HumanNumbers.count(rest))"] : [])).joined(separator: ", ")
    }

    /// Of errors or stages on one line.
    private static let shownMax = 3
}
