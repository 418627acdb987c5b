// A run as a row of its table, and back.
// Pure; any thread.

enum RunRow {
    static let names = [
        "started_at", "scenario", "file", "client", "client_options", "seed", "clock", "users", "outcome", "exit_code",
        "is_whole", "version", "commit_id", "is_dirty", "system", "cores", "workers", "duration_seconds", "folder",
    ]

    static var columns: String { names.joined(separator: ", ") }

    /// In the order of `names`.
    static func values(_ run: RecordedRun) -> [SQLiteConnection.Value] {
        [
            .text(run.startedAt), .text(run.scenario), .text(run.file), .text(run.client), .text(run.clientOptions),
            // As text: half of all seeds do not fit the integers of SQLite.
            .text(String(run.seed)), .text(run.clock), .integer(Int64(run.users)), .text(run.outcome),
            .integer(Int64(run.exitCode)), flag(run.isWhole), .text(run.build.version),
            run.build.commit.map { .text($0) } ?? .null, run.build.isDirty.map(flag) ?? .null, .text(run.host.system),
            .integer(Int64(run.host.cores)), .integer(Int64(run.host.workers)), .real(run.host.durationSeconds),
            .text(run.folder),
        ]
    }

    private static func flag(_ value: Bool) -> SQLiteConnection.Value { .integer(value ? 1 : 0) }

    /// Nil for what `values` did not make.
    static func run(_ row: [SQLiteConnection.Value]) -> RecordedRun? {
        var reader = Reader(row)
        guard let startedAt = reader.text(), let scenario = reader.text(), let file = reader.text(),
            let client = reader.text(), let options = reader.text(), let seed = reader.text().flatMap(UInt64.init),
            let clock = reader.text(), let users = reader.number(), let outcome = reader.text(),
            let exitCode = reader.number(), let isWhole = reader.number(), let version = reader.text()
        else { return nil }
        let commit = reader.text()
        let isDirty = reader.number()
        guard let system = reader.text(), let cores = reader.number(), let workers = reader.number(),
            let seconds = reader.real(), let folder = reader.text()
        else { return nil }
        return RecordedRun(
            startedAt: startedAt, scenario: scenario, file: file, client: client, clientOptions: options, seed: seed,
            clock: clock, users: users, outcome: outcome, exitCode: exitCode, isWhole: isWhole != 0,
            build: RecordedRun.Build(version: version, commit: commit, isDirty: isDirty.map { $0 != 0 }),
            host: RecordedRun.Host(system: system, cores: cores, workers: workers, durationSeconds: seconds),
            folder: folder)
    }

    /// Takes one column after the other; nil where another kind of value stands.
    private struct Reader {
        private var rest: ArraySlice<SQLiteConnection.Value>

        init(_ row: [SQLiteConnection.Value]) { rest = row[...] }

        mutating func text() -> String? {
            guard case .text(let text)? = rest.popFirst() else { return nil }
            return text
        }

        mutating func number() -> Int? {
            guard case .integer(let number)? = rest.popFirst() else { return nil }
            return Int(number)
        }

        mutating func real() -> Double? {
            guard case .real(let number)? = rest.popFirst() else { return nil }
            return number
        }
    }
}
