// The runs that a report may be held against, looked up in the database.
// Any thread.

import Metrics
package import ReportModel
package import RunStore

extension Report.Earlier {
    /// Nil where nothing is recorded that may be held against it.
    ///
    /// - Parameter run: the run that has just ended, not in the database yet.
    package init?(before run: RecordedRun, in database: RunDatabase) throws(RunStoreError) {
        let alike = try database.runs().filter { $0.run.isWhole && $0.run.isComparable(to: run) }
        guard let last = alike.last else { return nil }
        self.init(
            run: last.number, startedAt: last.run.startedAt, commit: last.run.commit, isDirty: last.run.isDirty,
            figures: try KeyFigures(in: database).of(alike, comparableTo: run))
    }
}

/// The figures that answer first, of every run that is recorded.
struct KeyFigures {
    /// Runs of a series whose figures are shown: what a small line has room for.
    static let runsMax = 30

    private let found: [(name: String, values: [Int: RecordedFigure])]

    init(in database: RunDatabase) throws(RunStoreError) {
        var found: [(name: String, values: [Int: RecordedFigure])] = []
        for name in KeyFigure.all.map(\.name) { found.append((name, try database.figures(named: name))) }
        self.found = found
    }

    /// Of the newest of these; figures that none of them has are left out.
    ///
    /// - Parameter run: what is measured in real time is that of its machine alone.
    func of(_ runs: [StoredRun], comparableTo run: RecordedRun) -> [Report.Earlier.Figure] {
        let runs = runs.suffix(Self.runsMax)
        return found.compactMap { name, values in
            // An unbroken rule is not listed: none is zero.
            let isCount = FigureName.isCountOfViolations(name)
            let series = runs.map { stored -> Double? in
                guard let figure = values[stored.number] else { return isCount ? 0 : nil }
                return figure.isExact || stored.run.isOfMachine(of: run) ? figure.value : nil
            }
            guard series.contains(where: { $0 != nil }) else { return nil }
            let sample = runs.reversed().lazy.compactMap { values[$0.number] }.first
            return Report.Earlier.Figure(
                name: name, unit: sample.flatMap { ReportUnit(rawValue: $0.unit) } ?? .count,
                direction: sample.flatMap { MetricDirection(rawValue: $0.direction) } ?? .lowerIsBetter, values: series)
        }
    }
}

extension RecordedRun {
    /// Whether both are of the same that was asked for. The seed is part of it: under the virtual clock it alone decides.
    func isComparable(to other: RecordedRun) -> Bool {
        scenario == other.scenario && client == other.client && clientOptions == other.clientOptions
            && users == other.users && clock == other.clock && seed == other.seed
    }

    fileprivate func isOfMachine(of other: RecordedRun) -> Bool { system == other.system && cores == other.cores }
}
