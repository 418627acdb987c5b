// The columns of the table of metrics: all that can be said of one.
// Values; any thread. The table stands in MetricName.swift.

/// How a metric is aggregated, and with that which aggregates a threshold may ask for.
package enum MetricKind: String, Sendable, Codable, CaseIterable {
    /// A distribution of durations: `count avg min med max p(N)`.
    case trend
    /// Things that happened: `count rate`.
    case counter
    /// A share of tries that came true: `rate`.
    case rate
    /// A level: `value min max`.
    case gauge
}

package enum MetricUnit: String, Sendable, Codable {
    /// Nanoseconds inside the program; thresholds without a unit mean milliseconds.
    case time
    case bytes
    case none
}

/// Whose a sample is, and with that which tags it carries.
package enum MetricSubject: Sendable {
    /// All users' together: it carries no tag of theirs.
    case run
    case user
    case device
    /// A product on a device; requests without a product carry none.
    case product

    /// Each has those of the ones before it.
    var tagNames: [String] {
        let names = ["phase", "journey", "device", "product"]
        switch self {
        case .run: return []
        case .user: return Array(names[..<2])
        case .device: return Array(names[..<3])
        case .product: return names
        }
    }
}

/// What gives a metric its value, and with that whether it is the same in every run of one seed.
package enum MetricSource: Sendable {
    /// The simulation.
    case simulation
    /// Real time, memory or processors, even under the virtual clock.
    case machine
    /// Allocations, counted thread by thread: noise on the machine does not reach them, but Swift's library makes room for
    /// its own tables on whatever thread it happens to be.
    case allocations
}

/// Without what a metric is not measured.
package enum MetricCondition: Sendable {
    case wallClock, virtualClock
    /// A store that has a number of workers.
    case storeCapacity

    fileprivate var words: String {
        switch self {
        case .wallClock: "Wall clock only"
        case .virtualClock: "Virtual clock only"
        case .storeCapacity: "Only with a store capacity"
        }
    }
}

/// What a change of a figure means when two runs are compared.
package enum MetricDirection: String, Codable, Sendable, CaseIterable {
    case lowerIsBetter, higherIsBetter
    /// More is neither better nor worse: another number of launches, say.
    case neutral
}

/// A stage of a purchase. All stages together are the whole.
package struct MetricStage: Sendable {
    /// As a column is called.
    package let title: String
    package let meaning: String
}

/// How a metric is drawn over time.
package struct MetricPlot: Sendable {
    package enum Tone: Sendable {
        case users, waiting, event, trouble
    }

    package let title: String
    /// From the first on the page on.
    package let place: Int
    package let tone: Tone
}

/// All that is said of one metric. What is left out is as for most.
package struct MetricRow: Sendable {
    package let kind: MetricKind
    package let unit: MetricUnit
    package let name: String
    /// One sentence, and another on the condition if there is one.
    package let meaning: String
    package let subject: MetricSubject
    package let labels: [MetricLabel]
    package let hasWindows: Bool
    package let isLive: Bool
    /// Whether twice the users make twice as many.
    package let growsWithUsers: Bool
    package let source: MetricSource
    package let condition: MetricCondition?
    package let direction: MetricDirection
    /// Whether it is how much comes with each further user or launch, which a few of them do not show.
    package let isSlopeOverUsers: Bool
    package let plot: MetricPlot?
    package let percentilePlace: Int?
    package let stage: MetricStage?

    /// - Parameters:
    ///   - unit: of gauges; trends are in time, counters and rates have none.
    ///   - subject: whose its samples are.
    ///   - labels: the tags for what kind of thing was measured, the one that counters are counted under first.
    ///   - windows: whether it is known when what it measures began, so that a threshold may look at a part of the run.
    ///   - live: whether a journey tells it by itself, so that it is known before its user is judged.
    ///   - grows: whether twice the users make twice as many; nil: as whatever belongs to users does.
    ///   - condition: without what it is not measured.
    ///   - remark: what else is to be said of that.
    ///   - direction: nil: as is usual for its kind.
    ///   - slope: whether it is how much comes with each further user or launch.
    ///   - plot: of counters and gauges: how it is drawn over time; such counters are kept interval by interval.
    ///   - percentiles: of trends: from 1, in which order it is drawn by percentile. Nil: not at all.
    init(
        _ kind: MetricKind, _ name: String, _ meaning: String, in unit: MetricUnit? = nil, of subject: MetricSubject,
        labels: [MetricLabel] = [], windows: Bool = false, live: Bool = false, grows: Bool? = nil,
        from source: MetricSource = .simulation,
        only condition: MetricCondition? = nil, remark: String? = nil, direction: MetricDirection? = nil,
        slope isSlopeOverUsers: Bool = false, plot: MetricPlot? = nil, percentiles: Int? = nil,
        stage: MetricStage? = nil
    ) {
        (self.kind, self.name, self.subject, self.labels) = (kind, name, subject, labels)
        (hasWindows, isLive, self.source, self.condition) = (windows, live, source, condition)
        growsWithUsers = grows ?? (subject != .run)
        self.isSlopeOverUsers = isSlopeOverUsers
        (self.plot, percentilePlace, self.stage) = (plot, percentiles, stage)
        self.unit = unit ?? (kind == .trend ? .time : .none)
        self.direction = direction ?? kind.usualDirection
        let ending = [condition?.words, remark].compactMap(\.self).joined(separator: "; ")
        self.meaning = ending.isEmpty ? meaning : "\(meaning) \(ending)."
    }

    /// A stage of a purchase, known from the store's books.
    static func stage(_ name: String, _ title: String, _ meaning: String) -> MetricRow {
        MetricRow(
            .trend, name, "Stage of a purchase: " + meaning, of: .product, windows: true,
            stage: MetricStage(title: title, meaning: meaning))
    }
}

extension MetricKind {
    /// Of figures of which nothing else is said.
    package var usualDirection: MetricDirection {
        switch self {
        case .trend, .gauge: .lowerIsBetter
        case .counter: .neutral
        case .rate: .higherIsBetter
        }
    }
}
