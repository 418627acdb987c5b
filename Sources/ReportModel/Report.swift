// The result of a run as one value: what report.json holds and every renderer reads.
// Plain values, no clock; any thread.

package import Foundation

/// The report of one run.
///
/// Two runs of one scenario, seed and build differ at most in `host`.
package struct Report: JSONReport, Codable, Sendable, Equatable {
    /// Version 1 had reasons as sentences.
    package static let schemaVersionCurrent = 2

    package var schemaVersion = schemaVersionCurrent
    package var tool: Tool
    package var scenario: Scenario
    package var run: Run
    /// The part of the run that this is the report of; nil: all of it.
    package var shard: Shard?
    package var verdict: Verdict
    /// Those on metrics that do not depend on the machine; the others are in `host`.
    package var thresholds: [Threshold] = []
    package var violations = Violations()
    /// What the audit found that fails no run by itself, in the same form.
    package var warnings = Violations()
    /// Breaches of the simulation's own invariants: bugs of the harness, whatever the client did.
    package var harnessFaults: [String] = []
    package var simulatedDurationNs: Int64
    package var notes: [String] = []
    /// Sorted by name.
    package var metrics: [ReportMetric] = []
    /// The parts of metrics that the scenario names, as it names them, in its order; nil when it names none.
    package var subMetrics: [ReportMetric]?
    /// Nil when nothing happened.
    package var series: Series?
    /// In the order of the scenario.
    package var faultWindows: [FaultWindow] = []
    /// From quick purchases to slow ones.
    package var stages: [StageBand] = []
    package var host: Host

    package init(
        tool: Tool, scenario: Scenario, run: Run, shard: Shard? = nil, verdict: Verdict, thresholds: [Threshold] = [],
        violations: Violations = Violations(),
        warnings: Violations = Violations(), harnessFaults: [String] = [], simulatedDurationNs: Int64,
        notes: [String] = [],
        metrics: [ReportMetric] = [], subMetrics: [ReportMetric]? = nil, series: Series? = nil,
        faultWindows: [FaultWindow] = [], stages: [StageBand] = [], host: Host
    ) {
        (self.tool, self.scenario, self.run) = (tool, scenario, run)
        (self.shard, self.verdict, self.thresholds, self.violations) = (shard, verdict, thresholds, violations)
        (self.warnings, self.harnessFaults) = (warnings, harnessFaults)
        (self.simulatedDurationNs, self.notes, self.metrics) = (simulatedDurationNs, notes, metrics)
        (self.subMetrics, self.series, self.faultWindows, self.stages) = (subMetrics, series, faultWindows, stages)
        self.host = host
    }

    package struct Tool: Codable, Sendable, Equatable {
        package var name: String
        package var version: String

        package init(name: String, version: String) { (self.name, self.version) = (name, version) }
    }

    package struct Scenario: Codable, Sendable, Equatable {
        package var name: String
        package var description: String
        /// Its path, from the folder that the command ran in.
        package var file: String
        /// The whole text of the file, so that a report can be replayed without it.
        package var source: String
        /// The whole text of its catalog; nil where it came from no file.
        package var catalog: String?

        package init(name: String, description: String, file: String, source: String, catalog: String? = nil) {
            (self.name, self.description, self.file, self.source) = (name, description, file, source)
            self.catalog = catalog
        }
    }

    package struct Run: Codable, Sendable, Equatable {
        package var seed: UInt64
        /// `virtual` or `wall`.
        package var clock: String
        package var client: String
        package var clientOptions: [String: String]
        /// Users that the load uses.
        package var users: Int
        /// Of the whole population, as the scenario or the command line says.
        package var population: Int
        package var cells: Int
        /// Set when a replay ran this user alone.
        package var onlyUser: Int?
        /// Labels from the command line, by name; nil without any.
        package var tags: [String: String]?
        /// The runs that a merged report was made of; users and cells are then those of all of them, and the seed is
        /// that of the first. Nil for a report of one run.
        package var parts: [Part]?

        package init(
            seed: UInt64, clock: String, client: String, clientOptions: [String: String], users: Int, population: Int,
            cells: Int, onlyUser: Int? = nil, tags: [String: String]? = nil, parts: [Part]? = nil
        ) {
            (self.seed, self.clock, self.client, self.clientOptions) = (seed, clock, client, clientOptions)
            (self.users, self.population, self.cells, self.onlyUser) = (users, population, cells, onlyUser)
            (self.tags, self.parts) = (tags, parts)
        }

        /// One run of a merged report.
        package struct Part: Codable, Sendable, Equatable {
            package var seed: UInt64
            package var users: Int
            package var population: Int
            package var cells: Int

            package init(seed: UInt64, users: Int, population: Int, cells: Int) {
                (self.seed, self.users, self.population, self.cells) = (seed, users, population, cells)
            }
        }

        /// Of the run, or of each part.
        package var seeds: [UInt64] { parts.map { $0.map(\.seed) } ?? [seed] }

        /// `1`, or `1, 2, 3` of a merged report.
        package var seedsText: String {
            let shown = seeds.prefix(8).map { "\($0)" }.joined(separator: ", ")
            return seeds.count > 8 ? "\(shown) and \(seeds.count - 8) more" : shown
        }

        /// `seed 1`, or `seeds 1, 2, 3` of a merged report.
        package var seedsPhrase: String { (seeds.count == 1 ? "seed " : "seeds ") + seedsText }

        /// The tags as they were given, in the order of their names: `commit=1a2b3c`.
        package var tagTexts: [String] {
            (tags ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        }
    }

    package struct Verdict: Codable, Sendable, Equatable {
        package enum Outcome: String, Codable, Sendable, CaseIterable {
            case passed, failed, unknown, interrupted, error
            /// Of a part of a run, which is judged together with the others.
            case part
        }

        package var outcome: Outcome
        /// What the process returns.
        package var exitCode: Int
        /// The gravest first; empty when passed.
        package var reasons: [Reason] = []

        package init(outcome: Outcome, exitCode: Int, reasons: [Reason] = []) {
            (self.outcome, self.exitCode, self.reasons) = (outcome, exitCode, reasons)
        }

        /// One sentence each.
        package var sentences: [String] { reasons.map(\.sentence) }
    }

    /// What only this machine and this moment explain.
    ///
    /// Of a merged report: the earliest start, the real time of all parts together, the most workers, cores and memory,
    /// and each part's own section in `parts`.
    package struct Host: Codable, Sendable, Equatable {
        /// ISO 8601, UTC.
        package var startedAt: String
        package var durationSeconds: Double
        package var workers: Int
        package var cores: Int
        /// The operating system and the processor.
        package var system: String
        /// The version of each library that the figures depend on, by name. Of a merged report, all that there are, as
        /// `a; b`.
        package var dependencies: [String: String]
        /// Peak of resident memory; nil when it could not be measured.
        package var memoryPeakBytes: Int?
        /// In real time; nil when nothing was bought.
        package var purchasesPerSecond: Double?
        package var metrics: [ReportMetric] = []
        /// As those of the report, of metrics that depend on the machine.
        package var subMetrics: [ReportMetric]?
        package var thresholds: [Threshold] = []
        /// What happened beside the simulation, and may not happen again.
        package var notes: [String] = []
        /// Of a merged report, in the order of `run.parts`.
        package var parts: [Host]?
        /// What was tested; nil where none is known.
        package var commit: String?
        /// Whether files differed from it; nil where that is not known.
        package var isDirty: Bool?
        /// Nil where nothing is recorded that this run may be held against.
        package var earlier: Earlier?
        /// Of a part of a run: which one it was, how many users it had, and what the machine is called.
        package var shard: String?
        package var users: Int?
        package var machine: String?

        package init(
            startedAt: String, durationSeconds: Double, workers: Int, cores: Int, system: String,
            dependencies: [String: String] = [:], memoryPeakBytes: Int? = nil, purchasesPerSecond: Double? = nil,
            metrics: [ReportMetric] = [], subMetrics: [ReportMetric]? = nil, thresholds: [Threshold] = [],
            notes: [String] = [], parts: [Host]? = nil, commit: String? = nil, isDirty: Bool? = nil,
            earlier: Earlier? = nil, shard: String? = nil, users: Int? = nil, machine: String? = nil
        ) {
            (self.startedAt, self.durationSeconds, self.workers) = (startedAt, durationSeconds, workers)
            (self.cores, self.system, self.dependencies) = (cores, system, dependencies)
            (self.memoryPeakBytes, self.purchasesPerSecond) = (memoryPeakBytes, purchasesPerSecond)
            (self.metrics, self.subMetrics, self.thresholds, self.notes) = (metrics, subMetrics, thresholds, notes)
            (self.parts, self.commit, self.isDirty, self.earlier) = (parts, commit, isDirty, earlier)
            (self.shard, self.users, self.machine) = (shard, users, machine)
        }
    }
}

extension Report {
    /// The text of report.json: keys sorted, in snake case; equal reports give equal bytes.
    package func json() throws -> Data {
        var report = self
        report.schemaVersion = Self.schemaVersionCurrent
        return try ReportJSON.encode(report)
    }

    /// Reads what `json()` wrote.
    package init(json: Data) throws { self = try ReportJSON.decode(Report.self, from: json) }

    /// The version alone: the rest may be of a shape that is not known here.
    package static func schemaVersion(json: Data) throws -> Int {
        struct Version: Decodable { let schemaVersion: Int }
        return try ReportJSON.decode(Version.self, from: json).schemaVersion
    }
}

extension Report.Verdict {
    /// What a run that did not pass can end with, the gravest first.
    package static let byGravity: [ExitStatus] = [
        .harnessFault, .interrupted, .clientCrashed, .violationsFound, .thresholdFailed, .unknown,
    ]

    /// The gravest of these decides; passed if there is none.
    package init(_ reasons: [Report.Reason]) {
        let status = Self.byGravity.first { status in reasons.contains { $0.status == status } } ?? .passed
        self.init(
            outcome: status.outcome, exitCode: Int(status.rawValue),
            reasons: Self.byGravity.flatMap { rank in reasons.filter { $0.status == rank } })
    }

    /// What the process returns. A number that no command of ours returns is a fault of ours.
    package var status: ExitStatus { ExitStatus(exitCode: exitCode) ?? .harnessFault }
}

extension Report.Verdict {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        outcome = try values.decode(Outcome.self, forKey: .outcome)
        exitCode = try values.decode(Int.self, forKey: .exitCode)
        reasons = try values.decode([Report.Reason].self, forKey: .reasons)
        if let reason = reasons.first(where: \.lacksFacts) {
            throw DecodingError.dataCorruptedError(
                forKey: .reasons, in: values, debugDescription: "facts of \(reason.kind.rawValue) are missing")
        }
    }
}
