// A part of what a metric measures: some load entries, one product, a stretch of the run.
// Plain values; any thread.

/// Selects part of a metric, as in `violations{rule:lost-purchase}`.
package struct MetricTag: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A sub-metric, as a threshold names it.
package struct MetricSelection: Sendable, Hashable {
    package let metric: MetricName
    package let tags: [MetricTag]
    /// When what is measured began, in nanoseconds since the start of the run.
    package let window: Range<Int64>?

    package init(metric: MetricName, tags: [MetricTag], window: Range<Int64>? = nil) {
        self.metric = metric
        self.tags = tags
        self.window = window
    }

    /// As thresholds write it, without the window: `purchase_duration{product:coins}`.
    package var name: String {
        tags.isEmpty
            ? metric.name : "\(metric.name){" + tags.map { "\($0.name):\($0.value)" }.joined(separator: ",") + "}"
    }

    /// With the window where there is one: `purchase_duration in 2m..8m`. The same window has the same name, however it
    /// was written.
    package var fullName: String {
        guard let window else { return name }
        return "\(name) in \(Self.time(window.lowerBound))..\(Self.time(window.upperBound))"
    }

    private static let units: [(name: String, nanoseconds: Int64)] = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000),
    ]

    /// In the largest unit of which it is a multiple; the start of the run in seconds.
    private static func time(_ nanoseconds: Int64) -> String {
        if nanoseconds == 0 { return "0s" }
        for unit in units where nanoseconds.isMultiple(of: unit.nanoseconds) {
            return "\(nanoseconds / unit.nanoseconds)\(unit.name)"
        }
        let microseconds = nanoseconds / 1_000
        let isWhole = nanoseconds.isMultiple(of: 1_000)
        return isWhole ? "\(microseconds)us" : "\(Double(nanoseconds) / 1_000)us"
    }
}

/// Where one sample comes from: what a selection looks at.
package struct SampleOrigin: Sendable {
    /// The load entry of the user.
    package var entry: Int
    /// Which of the user's devices, from 1; 0 where it is about none.
    package var device: Int
    /// An index into the catalog; -1 where it is about none.
    package var product: Int
    /// When what is measured began, in nanoseconds since the start of the run; nil where that is not known.
    package var begunAt: Int64?
    /// The rule of a violation, the kind of a fault, the error of a failed purchase.
    package var label: String?
    /// At which a purchase failed.
    package var stage: FailureStage?
    /// How a purchase ended.
    package var outcome: PaymentOutcome?
    /// Answered at the very instant, without the store: in no part but those that are of such answers.
    package var isInstant = false

    package init(
        entry: Int, device: Int = 0, product: Int = -1, begunAt: Int64? = nil, label: String? = nil,
        outcome: PaymentOutcome? = nil
    ) {
        self.entry = entry
        self.device = device
        self.product = product
        self.begunAt = begunAt
        self.label = label
        self.outcome = outcome
    }

    func failed(at stage: FailureStage) -> SampleOrigin {
        var origin = self
        origin.stage = stage
        return origin
    }

    func labelled(_ label: String) -> SampleOrigin {
        var origin = self
        origin.label = label
        return origin
    }
}

/// A selection with its names looked up: what can be asked for every sample.
package struct SelectionRule: Sendable, Equatable {
    package let selection: MetricSelection
    /// Load entries, by index; nil: all.
    package var entries: Set<Int>?
    package var device: Int?
    package var product: Int?
    package var label: String?
    package var stage: String?
    package var outcome: String?
    package var answer: String?

    package init(_ selection: MetricSelection) { self.selection = selection }

    /// Narrows the entries to those that are in `others` too.
    package mutating func keep(entries others: Set<Int>) { entries = entries?.intersection(others) ?? others }

    func fits(_ origin: SampleOrigin) -> Bool {
        if let entries, !entries.contains(origin.entry) { return false }
        if let device, device != origin.device { return false }
        if let product, product != origin.product { return false }
        if let label, label != origin.label { return false }
        if let stage, stage != origin.stage?.rawValue { return false }
        if let outcome, outcome != origin.outcome?.rawValue { return false }
        if origin.isInstant != (answer == AnswerSource.instant.rawValue) { return false }
        if let window = selection.window {
            guard let begunAt = origin.begunAt, window.contains(begunAt) else { return false }
        }
        return true
    }
}
