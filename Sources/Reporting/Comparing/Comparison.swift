// Two builds, figure by figure: better, worse, the same, or not to be told.
// A value; any thread.

import Metrics
package import ReportModel
import Simulation

package struct Comparison: JSONReport, Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable, CaseIterable {
        case worse, better, changed, unclear, same
    }

    package struct Line: Codable, Sendable, Equatable {
        package var name: String
        package var unit: ReportUnit
        /// Medians; nil where no run of that side has the figure.
        package var base: Double?
        package var candidate: Double?
        /// Candidate over base; nil where one is missing or the base is zero.
        package var ratio: Double?
        /// Of the ratio, 95 %; nil for exact figures and for single runs.
        package var low: Double?
        package var high: Double?
        /// How often chance alone shows as much.
        package var probability: Double?
        package var isExact: Bool
        package var verdict: Verdict
    }

    package var scenario: String
    package var baseRuns: Int
    package var candidateRuns: Int
    /// Changes below this share are taken for noise.
    package var noise: Double
    /// The gravest first; within a verdict in the order of the reports.
    package var lines: [Line]
    /// What makes the comparison doubtful, one sentence each.
    package var notes: [String]

    package var isWorse: Bool { lines.contains { $0.verdict == .worse } }

    /// - Parameters:
    ///   - noise: a share; what changes less is the same.
    ///   - isPaired: the n-th runs of both belong together.
    ///   - isExactOnly: leave out what is measured in real time.
    package init(
        base: [Report], candidate: [Report], noise: Double, isPaired: Bool, isExactOnly: Bool = false
    ) {
        precondition(!base.isEmpty && !candidate.isEmpty, "a comparison of \(base.count) and \(candidate.count) runs")
        scenario = candidate[0].scenario.name
        baseRuns = base.count
        candidateRuns = candidate.count
        self.noise = noise
        notes = Self.notes(base, candidate, isExactOnly: isExactOnly)
        let figures = Figures(base: base, candidate: candidate)
        // Many figures are looked at: each has to be the surer for it.
        let level = Self.alarmShare / Double(max(1, figures.measuredCount))
        let all = figures.names.map { figures.line($0, noise: noise, level: level, isPaired: isPaired) }.filter {
            $0.isExact || !isExactOnly
        }
        if !isExactOnly, figures.measuredCount > 0, base.count > 1, candidate.count > 1 {
            let pairs = isPaired && base.count == candidate.count
            let least = RankTest.least(base: base.count, candidate: candidate.count, isPaired: pairs)
            if least > level { notes.append(Self.tooFew(figures.measuredCount, level: level, isPaired: pairs)) }
        }
        lines = Verdict.allCases.flatMap { verdict in all.filter { $0.verdict == verdict } }
    }

    private static func notes(_ base: [Report], _ candidate: [Report], isExactOnly: Bool) -> [String] {
        var notes: [String] = []
        func differ(_ what: String, _ fact: (Report) -> String) {
            let all = Set((base + candidate).map(fact)).sorted()
            if all.count > 1 {
                notes.append("The runs do not all have the same \(what): \(all.joined(separator: ", ")).")
            }
        }
        differ("scenario", \.scenario.name)
        differ("seed", \.run.seedsText)
        differ("clock", \.run.clock)
        differ("number of users") { HumanNumbers.count($0.run.users) }
        if !isExactOnly { differ("machine", \.host.system) }
        if Set((base + candidate).map(\.scenario.source)).count > 1 { notes.append("The scenario files differ.") }
        if !isExactOnly, base.count == 1 || candidate.count == 1 {
            notes.append(
                "A single run per side cannot compare figures measured in real time: repeat the runs, or use --run with "
                    + "--pairs.")
        }
        return notes
    }

    /// The share of comparisons of like with like that may call anything different: of one that cries wolf more often,
    /// nobody would believe an alarm.
    private static let alarmShare = 0.002

    /// However much a build got slower, so few runs cannot tell it from chance.
    private static func tooFew(_ figures: Int, level: Double, isPaired: Bool) -> String {
        let enough = (2...1_000).first { RankTest.least(base: $0, candidate: $0, isPaired: isPaired) <= level } ?? 1_000
        return
            "These few runs cannot distinguish a change from chance in any of \(figures) figures measured in real time: "
            + (isPaired ? "\(enough) pairs can." : "\(enough) runs per side can.")
    }
}

/// The figures of both sides by name.
private struct Figures {
    private struct Figure {
        var sample: MeasuredValue
        var base: [Double] = []
        var candidate: [Double] = []
    }

    private(set) var names: [String] = []
    private var figures: [String: Figure] = [:]
    private let baseRuns: Int
    private let candidateRuns: Int

    init(base: [Report], candidate: [Report]) {
        baseRuns = base.count
        candidateRuns = candidate.count
        for report in base { for value in report.measuredValues { add(value, \.base) } }
        for report in candidate { for value in report.measuredValues { add(value, \.candidate) } }
    }

    private mutating func add(_ value: MeasuredValue, _ side: WritableKeyPath<Figure, [Double]>) {
        if figures[value.name] == nil { names.append(value.name) }
        figures[value.name, default: Figure(sample: value)][keyPath: side].append(value.value)
        // Exact is what is so in every run.
        if !value.isExact { figures[value.name]?.sample.isExact = false }
    }

    var measuredCount: Int { figures.values.count { !$0.sample.isExact && $0.sample.direction != .neutral } }

    func line(_ name: String, noise: Double, level: Double, isPaired: Bool) -> Comparison.Line {
        guard let figure = figures[name] else { preconditionFailure("\(name) is not one of the figures") }
        let sample = figure.sample
        // An unbroken rule is not listed: none is zero.
        let isCount = sample.isCountOfViolations
        let base = value(figure.base, isCount)
        let candidate = value(figure.candidate, isCount)
        var line = Comparison.Line(
            name: name, unit: sample.unit, base: base, candidate: candidate, isExact: sample.isExact, verdict: .same)
        guard let base, let candidate else {
            line.verdict = .changed
            return line
        }
        if base != 0 { line.ratio = candidate / base }
        let isWhole = figure.base.count == baseRuns && figure.candidate.count == candidateRuns
        if sample.isExact {
            line.verdict = exact(sample, base, candidate, isCount ? 0 : noise)
        } else if let estimate = Resampling.ratio(
            base: figure.base, candidate: figure.candidate, isPaired: isPaired && isWhole)
        {
            line.ratio = estimate.ratio
            (line.low, line.high) = (estimate.interval.lowerBound, estimate.interval.upperBound)
            line.probability = estimate.probability
            line.verdict = measured(sample, estimate, noise, level)
        } else if base != candidate {
            line.verdict = .unclear
        }
        return line
    }

    private func value(_ values: [Double], _ isCount: Bool) -> Double? {
        values.isEmpty ? (isCount ? 0 : nil) : Resampling.median(values)
    }

    /// Any change is one; below the noise it is neither better nor worse.
    private func exact(_ sample: MeasuredValue, _ base: Double, _ candidate: Double, _ noise: Double)
        -> Comparison.Verdict
    {
        if abs(candidate - base) <= sample.precision * base { return .same }
        let isSmall = base != 0 && abs(candidate / base - 1) <= noise
        return isSmall ? .changed : sample.direction.verdict(isMore: candidate > base)
    }

    /// Sure, and all of what is likely lies beyond the noise.
    private func measured(_ sample: MeasuredValue, _ estimate: RatioEstimate, _ noise: Double, _ level: Double)
        -> Comparison.Verdict
    {
        let interval = estimate.interval
        if interval.lowerBound >= 1 - noise, interval.upperBound <= 1 + noise { return .same }
        let isMore = interval.lowerBound > 1 + noise
        let isLess = interval.upperBound < 1 / (1 + noise)
        guard estimate.probability <= level, isMore || isLess else { return .unclear }
        return sample.direction.verdict(isMore: isMore)
    }
}

extension MetricDirection {
    /// What a change for sure is.
    func verdict(isMore: Bool) -> Comparison.Verdict {
        self == .neutral ? .changed : isMore == (self == .lowerIsBetter) ? .worse : .better
    }
}
