// The run over time in a report: intervals, the faults that were planned, and the stages of purchases.
// Plain values.

import Engine
package import Metrics
import Scenario
import Simulation

extension Report {
    /// What happened in each interval of simulated time, until the journeys were over: what the settling of each user
    /// brings afterwards is in the metrics alone.
    package struct Series: Codable, Sendable, Equatable {
        /// One second, or two, four, eight … where there would be too many intervals.
        package var intervalNs: Int64
        package var intervals: Int
        /// Users on a journey, on average over each interval.
        package var usersActive: [Double]
        /// Requests that waited for one of the store's workers, likewise; nil for a store without a capacity.
        package var storeQueueDepth: [Double]?
        /// By the name of the metric: how often it happened in each interval.
        package var counts: [String: [Int]]
        /// Of the purchases that ended in each interval.
        package var purchaseDuration: Durations

        package init(
            intervalNs: Int64, intervals: Int, usersActive: [Double], storeQueueDepth: [Double]? = nil,
            counts: [String: [Int]], purchaseDuration: Durations
        ) {
            self.storeQueueDepth = storeQueueDepth
            self.intervalNs = intervalNs
            self.intervals = intervals
            self.usersActive = usersActive
            self.counts = counts
            self.purchaseDuration = purchaseDuration
        }

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

            package init() {}
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
            self.place = place
            self.answer = answer
            self.slowByNs = slowByNs
            self.startNs = startNs
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

        package init(fromNs: Int64, toNs: Int64? = nil, count: Int, avg: [String: Double]) {
            self.fromNs = fromNs
            self.toNs = toNs
            self.count = count
            self.avg = avg
        }
    }
}

extension Report.Series {
    /// Nil when nothing happened at all.
    package init?(_ series: TimeSeries) {
        let intervals = series.intervalCount
        if intervals == 0 { return nil }
        var counts: [String: [Int]] = [:]
        for metric in TimeSeries.counted { counts[metric.name] = series.counts(of: metric) }
        var durations = Durations()
        for buckets in series.purchaseDurations {
            durations.p50.append(buckets?.value(atPercentile: 50))
            durations.p95.append(buckets?.value(atPercentile: 95))
            durations.p99.append(buckets?.value(atPercentile: 99))
            durations.histogram.append(buckets?.base64)
        }
        self.init(
            intervalNs: series.interval, intervals: intervals, usersActive: series.activeUsers,
            storeQueueDepth: series.queueDepths, counts: counts,
            purchaseDuration: durations)
    }
}

extension Report.StageBand {
    package static func all(_ table: StageTable) -> [Report.StageBand] {
        table.bands.map { band in
            var avg: [String: Double] = [:]
            for (metric, sum) in zip(PurchaseStages.metrics, band.sums) {
                avg[metric.name] = Double(sum) / Double(band.count)
            }
            return Report.StageBand(fromNs: band.from, toNs: band.to, count: band.count, avg: avg)
        }
    }
}

extension Report.FaultWindow {
    static func all(_ outages: [StoreOutage], of place: Place) -> [Report.FaultWindow] {
        outages.map { outage in
            let end = outage.start + outage.duration
            var window = Report.FaultWindow(
                place: place, answer: .error, startNs: outage.start.nanoseconds, endNs: end.nanoseconds)
            switch outage.answer {
            case .error: break
            case .timeout: window.answer = .timeout
            case .slow(let span):
                window.answer = .slow
                window.slowByNs = span.nanoseconds
            }
            return window
        }
    }

    /// `store, 10s to 15s: every request fails`
    package var sentence: String {
        let who = place == .store ? "store" : "validator"
        let what =
            switch answer {
            case .error: "every request fails"
            case .timeout: "no request is answered"
            case .slow: "every answer comes \(HumanNumbers.duration(nanoseconds: Double(slowByNs ?? 0))) later"
            }
        let times = [startNs, endNs].map(HumanNumbers.roundDuration)
        return "\(who), \(times[0]) to \(times[1]): \(what)"
    }
}
