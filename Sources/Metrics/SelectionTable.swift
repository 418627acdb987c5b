// What was measured of the parts of metrics that thresholds name.
// A value, owned by one tally.

/// Sub-metrics. Recording costs nothing for metrics of which no part is asked for.
///
/// Commutative, as all of a tally is.
struct SelectionTable {
    /// Of one sub-metric: what fits its kind.
    struct Part {
        var histogram: DurationHistogram?
        var count = 0
        var passes = 0
        var total = 0
    }

    private let rules: [SelectionRule]
    /// Indices into `rules`, by the raw value of the metric.
    private let places: [[Int]]
    private var parts: [Part]

    init(_ rules: [SelectionRule]) {
        self.rules = rules
        var places = [[Int]](repeating: [], count: MetricName.allCases.count)
        for (place, rule) in rules.enumerated() { places[rule.selection.metric.rawValue].append(place) }
        self.places = places
        parts = Array(repeating: Part(), count: rules.count)
    }

    var isEmpty: Bool { rules.isEmpty }
    var all: [MetricSelection] { rules.map(\.selection) }

    subscript(_ selection: MetricSelection) -> Part? {
        rules.firstIndex { $0.selection == selection }.map { parts[$0] }
    }

    mutating func record(_ metric: MetricName, _ nanoseconds: Int64, _ origin: SampleOrigin) {
        for place in places[metric.rawValue] where rules[place].fits(origin) {
            if parts[place].histogram == nil { parts[place].histogram = DurationHistogram() }
            parts[place].histogram?.record(nanoseconds)
        }
    }

    mutating func count(_ metric: MetricName, _ count: Int, _ origin: SampleOrigin) {
        for place in places[metric.rawValue] where rules[place].fits(origin) { parts[place].count += count }
    }

    mutating func rate(_ metric: MetricName, _ passed: Bool, _ origin: SampleOrigin) {
        for place in places[metric.rawValue] where rules[place].fits(origin) {
            parts[place].total += 1
            if passed { parts[place].passes += 1 }
        }
    }

    mutating func merge(_ other: SelectionTable) {
        precondition(rules == other.rules, "tallies with other sub-metrics cannot be merged")
        for place in parts.indices {
            let theirs = other.parts[place]
            if let histogram = theirs.histogram {
                if parts[place].histogram == nil {
                    parts[place].histogram = histogram
                } else {
                    parts[place].histogram?.merge(histogram)
                }
            }
            parts[place].count += theirs.count
            parts[place].passes += theirs.passes
            parts[place].total += theirs.total
        }
    }
}
