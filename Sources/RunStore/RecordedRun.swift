// What is kept of a run.
// Plain values.

/// One figure of one run, under the name that comparisons know it by.
package struct RecordedFigure: Sendable, Equatable {
    package var name: String
    package var value: Double
    /// As reports spell it.
    package var unit: String
    /// What a change means, as comparisons spell it.
    package var direction: String
    /// The same in every run of one build and seed.
    package var isExact: Bool

    package init(name: String, value: Double, unit: String, direction: String, isExact: Bool) {
        self.name = name
        self.value = value
        self.unit = unit
        self.direction = direction
        self.isExact = isExact
    }
}

/// One run as a row: the columns of its table and the keys of its JSON say the same.
package struct RecordedRun: Encodable, Sendable, Hashable {
    /// ISO 8601, UTC.
    package var startedAt: String
    package var scenario: String
    /// The scenario's path as it was given.
    package var file: String
    package var client: String
    /// `name=value`, sorted; empty without any.
    package var clientOptions: String
    package var seed: UInt64
    /// `virtual` or `wall`.
    package var clock: String
    package var users: Int
    package var outcome: String
    package var exitCode: Int
    /// False when the run was broken off, so that its figures are those of a part.
    package var isWhole: Bool
    /// Stampede's.
    package var version: String
    /// Of the working directory; nil when there is none.
    package var commit: String?
    /// Whether files differ from the commit; nil when that is not known.
    package var isDirty: Bool?
    package var system: String
    package var cores: Int
    package var workers: Int
    package var durationSeconds: Double
    /// The report's folder, beside the database.
    package var folder: String

    package init(
        startedAt: String, scenario: String, file: String, client: String, clientOptions: String, seed: UInt64,
        clock: String, users: Int, outcome: String, exitCode: Int, isWhole: Bool, version: String, commit: String?,
        isDirty: Bool?, system: String, cores: Int, workers: Int, durationSeconds: Double, folder: String
    ) {
        self.startedAt = startedAt
        self.scenario = scenario
        self.file = file
        self.client = client
        self.clientOptions = clientOptions
        self.seed = seed
        self.clock = clock
        self.users = users
        self.outcome = outcome
        self.exitCode = exitCode
        self.isWhole = isWhole
        self.version = version
        self.commit = commit
        self.isDirty = isDirty
        self.system = system
        self.cores = cores
        self.workers = workers
        self.durationSeconds = durationSeconds
        self.folder = folder
    }

    /// Whether it was broken off, the exit code says already.
    private enum CodingKeys: CodingKey {
        case startedAt, scenario, file, client, clientOptions, seed, clock, users, outcome, exitCode
        case version, commit, isDirty, system, cores, workers, durationSeconds, folder
    }
}

/// A run as it was found in a database. Its JSON is that of the run, with the number as `run`.
package struct StoredRun: Encodable, Sendable, Hashable {
    /// Counted up from 1 as runs are added.
    package var number: Int
    package var run: RecordedRun

    private enum CodingKeys: String, CodingKey {
        case number = "run"
    }

    package func encode(to encoder: any Encoder) throws {
        try run.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number, forKey: .number)
    }
}
