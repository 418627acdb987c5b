// Reports of several runs of one scenario as one report: as if one run had had the users of all of them.
// Pure; any thread.

import Judgement
import Metrics
package import ReportModel
import Scenario
import Text

/// Times are simulated, and every run begins at zero: runs lie over each other, not one after the other.
package struct ReportMerge {
    package struct Source {
        package let path: String
        package let report: Report

        package init(path: String, report: Report) {
            self.path = path
            self.report = report
        }
    }

    private let sources: [Source]
    private let first: Report
    private var reports: [Report] { sources.map(\.report) }

    /// - Parameter sources: two at least.
    package static func merge(_ sources: [Source]) throws(MergeError) -> Report {
        precondition(sources.count > 1, "a merge of \(sources.count) reports")
        let merge = ReportMerge(sources: sources, first: sources[0].report)
        try merge.check()
        return try merge.merged()
    }

    // MARK: What must be the same

    private func check() throws(MergeError) {
        for (place, source) in sources.enumerated() {
            let report = source.report
            func fail(_ problem: MergeError.Problem) -> MergeError { MergeError(path: source.path, problem: problem) }
            if report.schemaVersion != Report.schemaVersionCurrent { throw fail(.schemaVersion(report.schemaVersion)) }
            if let user = report.run.onlyUser { throw fail(.onlyUser(user)) }
            func same(_ what: String, _ fact: (Report) -> String) throws(MergeError) {
                let (theirs, ours) = (fact(report), fact(first))
                if theirs != ours { throw fail(.differs(what, theirs: quoted(theirs), first: quoted(ours))) }
            }
            try same("scenario", \.scenario.name)
            try same("client", \.run.client)
            try same("clock", \.run.clock)
            func alike<Fact: Equatable>(_ what: String, _ fact: (Report) -> Fact) throws(MergeError) {
                if fact(report) != fact(first) { throw fail(.differs(what, theirs: nil, first: nil)) }
            }
            try alike("scenario file", \.scenario.source)
            try alike("catalog", \.scenario.catalog)
            try alike("set of client options", \.run.clientOptions)
            try alike("set of thresholds") {
                ($0.thresholds + $0.host.thresholds).map { [$0.metric, $0.expressionWritten] }
            }
            for earlier in sources[..<place] {
                if let seed = sharedRun(earlier.report, report) { throw fail(.sameRun(as: earlier.path, seed: seed)) }
            }
        }
    }

    /// The seed of a run that is in both. Under the virtual clock runs of one seed are one; under the wall clock those
    /// that also began and ended alike.
    private func sharedRun(_ one: Report, _ other: Report) -> UInt64? {
        let isVirtual = first.run.clock == RunClock.virtual.rawValue
        for (seed, machine) in zip(one.run.seeds, one.machines) {
            for (otherSeed, otherMachine) in zip(other.run.seeds, other.machines) where seed == otherSeed {
                let isAlike =
                    machine.startedAt == otherMachine.startedAt
                    && machine.durationSeconds == otherMachine.durationSeconds
                if isVirtual || isAlike { return seed }
            }
        }
        return nil
    }

    // MARK: Putting together

    private func merged() throws(MergeError) -> Report {
        var merged = first
        merged.run.users = try sum("users", \.run.users)
        merged.run.population = try sum("population", \.run.population)
        merged.run.cells = try sum("cells", \.run.cells)
        merged.run.parts = reports.flatMap(\.runParts)
        merged.simulatedDurationNs = reports.map(\.simulatedDurationNs).max() ?? 0
        merged.violations = try breaches(\.violations)
        merged.violations.users = reports.dropFirst().reduce(first.violations.users) {
            Self.sum($0, $1.violations.users)
        }
        merged.violations.charges = reports.dropFirst().reduce(first.violations.charges) {
            Self.sum($0, $1.violations.charges)
        }
        merged.violations.byPhase = phases()
        merged.warnings = try breaches(after: merged.violations.evidence.count, \.warnings)
        merged.harnessFaults = reports.flatMap { report in report.harnessFaults.map { report.prefixed($0) } }
        merged.notes = notes()
        merged.host = host()
        let measurements = try measurements(until: merged.simulatedDurationNs)
        merged.tell(measurements)
        MergedVerdict.judge(&merged, by: measurements, parts: reports)
        merged.notes += merged.scaledThresholdsNote.map { [$0.sentence] } ?? []
        return merged
    }

    private func measurements(until end: Int64) throws(MergeError) -> Measurements {
        var merged = Measurements()
        for source in sources {
            merged.merge(try ReportMeasurements(source: source).read())
            let problem: MergeError.Problem? =
                switch merged.excess {
                case .metric(let name): .tooLarge(name)
                case .histogram(let name): .tooLarge("the histogram of \(name)")
                case .series: .tooLarge("the series")
                case .stages: .tooLarge("the table of stages")
                case nil: nil
                }
            if let problem { throw MergeError(path: source.path, problem: problem) }
        }
        // Levels over time are those of all together.
        if merged.series.intervalCount > 0 { merged.measureLevels(until: end) }
        return merged
    }

    private func sum(_ what: String, _ value: (Report) -> Int) throws(MergeError) -> Int {
        var total = 0
        for source in sources {
            let (next, isTooMuch) = total.addingReportingOverflow(value(source.report))
            if isTooMuch { throw MergeError(path: source.path, problem: .tooLarge(what)) }
            total = next
        }
        return total
    }

    /// - Parameter count: how many stories were numbered before these.
    private func breaches(
        after count: Int = 0, _ part: (Report) -> Report.Violations
    ) throws(MergeError) -> Report.Violations {
        var rules: [Report.RuleCount] = []
        for source in sources {
            for rule in part(source.report).byRule {
                guard let place = rules.firstIndex(where: { $0.rule == rule.rule && $0.severity == rule.severity })
                else {
                    rules.append(rule)
                    continue
                }
                guard let count = Self.sum(rules[place].count, rule.count),
                    let users = Self.sum(rules[place].users, rule.users)
                else { throw MergeError(path: source.path, problem: .tooLarge(rule.rule)) }
                (rules[place].count, rules[place].users) = (count, users)
            }
        }
        // As in every report: the gravest first, then as 'stampede list rules' has them.
        let known = AuditRule.allCases.map(\.rawValue)
        func place(_ rule: Report.RuleCount) -> Int { known.firstIndex(of: rule.rule) ?? known.count }
        rules.sort { ($1.severity, place($0)) < ($0.severity, place($1)) }
        var evidence: [Report.Evidence] = []
        for rule in rules {
            for report in reports {
                for shown in part(report).evidence where shown.rule == rule.rule {
                    if let times = shown.times, let place = evidence.firstIndex(where: { $0.isAlike(shown) }) {
                        let (sum, isTooMuch) = (evidence[place].times ?? 0).addingReportingOverflow(times)
                        if isTooMuch { throw MergeError(path: sources[0].path, problem: .tooLarge(rule.rule)) }
                        evidence[place].times = sum
                        continue
                    }
                    var shown = shown
                    shown.number = count + evidence.count + 1
                    shown.seed = shown.seed ?? report.run.seed
                    shown.population = shown.population ?? report.run.population
                    evidence.append(shown)
                }
            }
        }
        return Report.Violations(
            total: try sum("the number of violations") { part($0).total }, byRule: rules, evidence: evidence)
    }

    /// Runs of one scenario have the same load entries; nil where a report does not tell of them.
    private func phases() -> [Report.PhaseCount]? {
        var sums = first.violations.byPhase
        for report in reports.dropFirst() {
            guard let told = report.violations.byPhase, told.map(\.phase) == sums?.map(\.phase) else { return nil }
            for place in told.indices {
                guard let sum = Self.sum(sums?[place].count, told[place].count) else { return nil }
                sums?[place].count = sum
            }
        }
        return sums
    }

    /// Nil where either is not known, or both are more than a number holds.
    private static func sum(_ one: Int?, _ other: Int?) -> Int? {
        guard let one, let other else { return nil }
        let (sum, isTooMuch) = one.addingReportingOverflow(other)
        return isTooMuch ? nil : sum
    }

    private func notes() -> [String] {
        let versions = Set(reports.map(\.tool.version)).sorted()
        var notes = ["Merged from \(reports.flatMap(\.run.seeds).count) runs."]
        if versions.count > 1 {
            notes.append("Different versions of stampede made these runs: \(versions.joined(separator: ", ")).")
        }
        for report in reports {
            // What all of them say is said once.
            let ofThresholds = report.scaledThresholdsNote?.sentence
            for note in report.notes where note != ofThresholds {
                let isShared = reports.allSatisfy { $0.notes.contains(note) }
                let text = isShared ? note : report.prefixed(note)
                if !notes.contains(text) { notes.append(text) }
            }
        }
        return notes
    }

    private func host() -> Report.Host {
        var host = Report.Host(of: reports.flatMap(\.machines))
        host.thresholds = first.host.thresholds
        return host
    }
}

extension Report {
    /// The runs it tells of: one, unless it was merged.
    fileprivate var runParts: [Run.Part] {
        run.parts
            ?? [Run.Part(seed: run.seed, users: run.users, population: run.population, cells: run.cells)]
    }

    fileprivate var machines: [Host] { host.parts ?? [host] }

    /// `seed 2: …`; what a merged report says names the seed already.
    func prefixed(_ text: String) -> String { run.parts == nil ? "seed \(run.seed): \(text)" : text }
}
