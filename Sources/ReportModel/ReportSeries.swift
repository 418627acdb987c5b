// The run over time in a report: intervals, the faults that were planned, and the stages of purchases.
// Plain values.

package import Metrics

extension Report {
    /// What happened in each interval of simulated time, until the journeys were over: what the settling of each user
    /// brings afterwards is in the metrics alone.
    package struct Series: Codable, Sendable, Equatable {
        /// One second, or two, four, eight … where there would be too many intervals.
        package var intervalNs: Int64
        package var intervals: Int
        /// Users on a journey, on average over each interval.
        package var usersActive: [Double]
        /// The time of all of them in each interval, exact.
        package var usersActiveNs: [ExactSum]
        /// Requests that waited for one of the store's workers, likewise; nil for a store without a capacity.
        package var storeQueueDepth: [Double]?
        package var storeQueueDepthNs: [ExactSum]?
        /// By the name of the metric: how often it happened in each interval.
        package var counts: [String: [Int]]
        /// Of the purchases that ended in each interval.
        package var purchaseDuration: Durations

        /// Whether so much time can be gone through: a report that was changed by hand must not keep a renderer busy
        /// for ever.
        package var isSound: Bool {
            (1...TimeSeries.intervalsMax).contains(intervals) && intervalNs > 0
                && intervalNs <= Int64.max / Int64(intervals)
        }

        /// In nanoseconds, an element for each interval; nil where nothing ended.
        package struct Durations: Codable, Sendable, Equatable {
            package var p50: [Int64?] = []
            package var p95: [Int64?] = []
            package var p99: [Int64?] = []
            /// As in the metrics, to one significant digit.
            package var histogram: [String?] = []
        }
    }

    /// Simulated time in which a part of the world was to fail.
    package struct FaultWindow: Codable, Sendable, Equatable {
        package enum Place: String, Codable, Sendable, CaseIterable {
            case store, validator
        }

        package enum Answer: String, Codable, Sendable, CaseIterable {
            case error, timeout, slow
        }

        package var place: Place
        package var answer: Answer
        /// How much later every answer comes, if that is what happens.
        package var slowByNs: Int64?
        package var startNs: Int64
        package var endNs: Int64

        package init(place: Place, answer: Answer, slowByNs: Int64? = nil, startNs: Int64, endNs: Int64) {
            (self.place, self.answer, self.slowByNs, self.startNs) = (place, answer, slowByNs, startNs)
            self.endNs = endNs
        }
    }

    /// The purchases that took at least `fromNs` and less than `toNs`, and where their time went.
    package struct StageBand: Codable, Sendable, Equatable {
        package var fromNs: Int64
        /// Nil for the last band.
        package var toNs: Int64?
        package var count: Int
        /// Nanoseconds a purchase spent in each stage on average, by the name of the metric.
        package var avg: [String: Double]
        /// Nanoseconds of all of them together, exact.
        package var sum: [String: ExactSum]
    }
}

extension Report {
    /// Tells what was measured. The simulated time is known already.
    package mutating func tell(_ measurements: Measurements) {
        let seconds = Double(simulatedDurationNs) / 1e9
        func told(host: Bool, parts: Bool) -> [ReportMetric] {
            measurements.measured.filter { $0.metric.dependsOnHost == host && ($0.place != nil) == parts }
                .compactMap { ReportMetric($0, seconds: seconds) }
        }
        func parts(host: Bool) -> [ReportMetric]? {
            let parts = told(host: host, parts: true)
            return parts.isEmpty ? nil : parts
        }
        metrics = told(host: false, parts: false).sorted { $0.name < $1.name }
        subMetrics = parts(host: false)
        host.metrics = told(host: true, parts: false).sorted { $0.name < $1.name }
        host.subMetrics = parts(host: true)
        series = Series(measurements.series)
        stages = measurements.stages.bands.map { StageBand($0) }
    }
}

extension Report.Series {
    /// Nil when nothing happened at all.
    package init?(_ series: TimeSeries) {
        let rows = series.rows
        if rows.active.isEmpty { return nil }
        var durations = Durations()
        for buckets in rows.purchaseDurations {
            durations.p50.append(buckets?.value(atPercentile: 50))
            durations.p95.append(buckets?.value(atPercentile: 95))
            durations.p99.append(buckets?.value(atPercentile: 99))
            durations.histogram.append(buckets?.base64)
        }
        self.init(
            intervalNs: rows.interval, intervals: rows.active.count, usersActive: series.activeUsers,
            usersActiveNs: rows.active, storeQueueDepth: series.queueDepths, storeQueueDepthNs: rows.queue,
            counts: rows.counts, purchaseDuration: durations)
    }
}

extension Report.StageBand {
    package init(_ band: StageTable.Band) {
        let sums = Dictionary(uniqueKeysWithValues: zip(PurchaseStages.metrics.map(\.name), band.sums))
        self.init(
            fromNs: band.from, toNs: band.to, count: band.count,
            avg: sums.mapValues { Double($0.value) / Double(band.count) }, sum: sums)
    }
}
