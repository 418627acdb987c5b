// The long form of a threshold.
// Values; any thread.

import Metrics
import Simulation
import Text

/// A threshold while it is read.
struct ThresholdDraft: Sendable {
    /// Nil until it has been read.
    var limit: Threshold?
    var aborts = false
    var delay = Span.zero
    /// From the start of the run.
    var window: Range<Int64>?
}

extension KeySection<ThresholdDraft> {
    /// - Parameter key: the metric, and the part of it, that the threshold is about.
    static func threshold(on key: ThresholdKey) -> KeySection {
        KeySection(
            "thresholds.*", ThresholdDraft(),
            [
                .value(
                    KeyFacts(
                        "threshold", ScenarioSchema.expression(on: key.metric), "expression",
                        "aggregate operator value, such as '\(key.metric.exampleLimit)'.", required: true,
                        example: "count > 0"), \.limit
                ) { $0.limit($1, $2, key) },
                .flag(
                    "abort_on_fail", \.aborts, "Whether the run stops as soon as the threshold fails."),
                .duration(
                    "delay_abort_eval", \.delay, "With abort_on_fail: how long to wait before the first check."),
                .value(
                    KeyFacts(
                        "window", .reference("window"), "from..to",
                        """
                        Only this part of the run, such as 2m..8m. Durations count by their start, counters by the time \
                        of each event.
                        """), \.window
                ) { $0.window($1, $2, key) },
            ])
    }
}

extension ThresholdKey {
    /// Of a metric as a whole.
    static func whole(_ metric: MetricName) -> ThresholdKey {
        ThresholdKey(metric: metric, tags: [], source: metric.name)
    }
}

extension MetricName {
    /// A limit that may be set on it.
    var exampleLimit: String {
        switch kind {
        case .trend: "p(95) < 900ms"
        case .counter: "count == 0"
        case .rate: "rate > 95%"
        case .gauge: unit == .bytes ? "max < 64MiB" : "max < 10"
        }
    }
}
