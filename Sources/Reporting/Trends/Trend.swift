// One figure over the runs that were recorded, series by series.
// Values; any thread.

import Metrics
package import ReportModel
package import RunStore
import Scenario
import Text

/// The runs whose figures may be held against each other, with one figure of each.
package struct TrendSeries: Encodable, Sendable, Hashable {
    /// Of the run, what the series does not say of all of its runs.
    package struct Point: Encodable, Sendable, Hashable {
        /// By its number in the database.
        package var run: Int
        package var startedAt: String
        package var commit: String?
        package var isDirty: Bool?
        package var value: Double
        package var exitCode: Int
        package var folder: String

        var commitText: String { TrendWords.commit(commit, isDirty) }
    }

    package struct Change: Encodable, Sendable, Hashable {
        package var point: ChangePoint
        /// The run that is the first of the new level.
        package var run: Int
        package var verdict: Comparison.Verdict
    }

    package var scenario: String
    package var client: String
    package var clientOptions: String
    package var users: Int
    package var clock: String
    /// Of exact figures, which another seed changes; nil for the others.
    package var seed: UInt64?
    /// Of the others, which another machine changes.
    package var machine: String?
    package var isExact: Bool
    package var points: [Point] = []
    package var changes: [Change] = []

    /// `quickstart · reference · 10,000 users · virtual clock · seed 1`
    package var title: String {
        var parts = [scenario, clientOptions.isEmpty ? client : "\(client) \(clientOptions)"]
        parts += ["\(HumanNumbers.count(users)) users", "\(clock) clock"]
        if let seed { parts.append("seed \(seed)") }
        if let machine { parts.append(machine) }
        return parts.joined(separator: " · ")
    }

    package func change(at index: Int) -> Change? { changes.first { $0.point.index == index } }
}

/// One figure in every series that has it.
package struct Trend: JSONReport, Sendable, Equatable {
    package var figure: String
    package var unit: ReportUnit
    package var direction: MeasuredValue.Direction
    /// Changes up to this share are noise.
    package var noise: Double
    /// In the order of their first runs.
    package var series: [TrendSeries]

    /// The newest runs of a series that are looked at; the test for changes takes time in proportion.
    package static let runsMax = 1_000

    /// Nil when no run has the figure.
    ///
    /// - Parameters:
    ///   - runs: in the order in which they were made.
    ///   - figures: by the number of the run.
    package init?(figure name: String, runs: [StoredRun], figures: [Int: RecordedFigure], noise: Double) {
        figure = name
        self.noise = noise
        // An unbroken rule is not listed: none is zero.
        let isCount = FigureName.isCountOfViolations(name)
        let sample = runs.lazy.compactMap { figures[$0.number] }.last
        unit = sample.flatMap { ReportUnit(rawValue: $0.unit) } ?? .count
        direction = sample.flatMap { MeasuredValue.Direction(rawValue: $0.direction) } ?? .lowerIsBetter
        var order: [TrendSeries] = []
        var places: [TrendSeries: Int] = [:]
        for stored in runs where stored.run.isWhole {
            let figure = figures[stored.number]
            guard let value = figure?.value ?? (isCount ? 0 : nil) else { continue }
            let isExact = figure?.isExact ?? (stored.run.clock == RunClock.virtual.rawValue)
            let empty = TrendSeries(of: stored.run, isExact: isExact)
            let place = places[empty] ?? order.count
            if place == order.count {
                places[empty] = place
                order.append(empty)
            }
            let run = stored.run
            order[place].points.append(
                TrendSeries.Point(
                    run: stored.number, startedAt: run.startedAt, commit: run.commit, isDirty: run.isDirty,
                    value: value, exitCode: run.exitCode, folder: run.folder))
        }
        if order.isEmpty { return nil }
        series = order
        let direction = direction
        for place in series.indices {
            series[place].points = series[place].points.suffix(Self.runsMax)
            // Counted by the allocator, a figure repeats to a fraction of a percent only.
            let isRepeatable = MetricName(name: name)?.row.source == .allocations
            series[place].findChanges(noise: noise, isRepeatable: isRepeatable, direction)
        }
    }

    /// The newest runs of each series only. Changes stay as all of them tell.
    package func newest(_ count: Int) -> Trend {
        var trend = self
        for place in trend.series.indices {
            let cut = max(0, trend.series[place].points.count - count)
            trend.series[place].points.removeFirst(cut)
            trend.series[place].changes = trend.series[place].changes.compactMap { change in
                guard change.point.index >= cut else { return nil }
                var change = change
                change.point.index -= cut
                return change
            }
        }
        return trend
    }
}

extension TrendSeries {
    /// The series that a run belongs to, without points.
    fileprivate init(of run: RecordedRun, isExact: Bool) {
        self.init(
            scenario: run.scenario, client: run.client, clientOptions: run.clientOptions, users: run.users,
            clock: run.clock, seed: isExact ? run.seed : nil,
            machine: isExact ? nil : "\(run.system), \(run.cores) cores", isExact: isExact)
    }

    fileprivate mutating func findChanges(
        noise: Double, isRepeatable: Bool, _ direction: MeasuredValue.Direction
    ) {
        let values = points.map(\.value)
        let found =
            isExact
            ? ChangePoints.exact(values, noise: isRepeatable ? noise : 0)
            : ChangePoints.measured(values, noise: noise)
        changes = found.map { point in
            Change(
                point: point, run: points[point.index].run,
                verdict: direction.verdict(isMore: point.after > point.before))
        }
    }
}

/// Words that the texts and the page share.
enum TrendWords {
    /// `1a2b3c4d`, with `+` when files differed from the commit; a dash when no commit is known.
    static func commit(_ commit: String?, _ isDirty: Bool?) -> String {
        guard let commit else { return "-" }
        return TextLayout.safe(String(commit.prefix(8))) + (isDirty == true ? "+" : "")
    }

    /// `2024-01-02 03:04`
    static func minute(_ startedAt: String) -> String {
        String(TextLayout.safe(String(startedAt.prefix(16))).map { $0 == "T" ? " " : $0 })
    }

    /// `+10.2 %`
    static func size(_ point: ChangePoint) -> String {
        guard let ratio = point.ratio else { return "from zero" }
        let share = (ratio - 1) * 100
        // A change too small for two decimals is none that is nothing.
        return (share < 0 ? "−" : "+") + HumanNumbers.number(abs(share)) + " %"
    }

    static func noChange(_ series: TrendSeries) -> String {
        let count = series.points.count
        if !series.isExact, count < ChangePoints.runsMin {
            return "too few runs to detect a change: \(count) of \(ChangePoints.runsMin)"
        }
        return count == 1 ? "one run" : "no change in \(HumanNumbers.count(count)) runs"
    }

    /// `run 12: +10.2 %, from 5s to 5.51s, worse`
    static func sentence(_ change: TrendSeries.Change, unit: ReportUnit) -> String {
        let values = [change.point.before, change.point.after].map { HumanNumbers.value($0, unit: unit) }
        var text = "run \(change.run): \(size(change.point)), from \(values[0]) to \(values[1]), "
        text += change.verdict.rawValue
        if let probability = change.point.probability {
            text += " (probability of chance: \(HumanNumbers.number(probability * 100)) %)"
        }
        return text
    }
}
