// A run as a row of its table, and back.
// Pure; any thread.

enum RunRow {
    private typealias Value = SQLiteConnection.Value

    /// The columns and what each holds of a run; `run` takes them in the same order.
    private static let columns: [(name: String, value: @Sendable (RecordedRun) -> Value)] = [
        ("started_at", { .text($0.startedAt) }),
        ("scenario", { .text($0.scenario) }),
        ("file", { .text($0.file) }),
        ("client", { .text($0.client) }),
        ("client_options", { .text($0.clientOptions) }),
        // As text: half of all seeds do not fit the integers of SQLite.
        ("seed", { .text(String($0.seed)) }),
        ("clock", { .text($0.clock) }),
        ("users", { .integer(Int64($0.users)) }),
        ("outcome", { .text($0.outcome) }),
        ("exit_code", { .integer(Int64($0.exitCode)) }),
        ("is_whole", { flag($0.isWhole) }),
        ("version", { .text($0.version) }),
        ("commit_id", { $0.commit.map { .text($0) } ?? .null }),
        ("is_dirty", { $0.isDirty.map(flag) ?? .null }),
        ("system", { .text($0.system) }),
        ("cores", { .integer(Int64($0.cores)) }),
        ("workers", { .integer(Int64($0.workers)) }),
        ("duration_seconds", { .real($0.durationSeconds) }),
        ("folder", { .text($0.folder) }),
    ]

    /// As SQL lists them.
    static let names = columns.map(\.name).joined(separator: ", ")
    /// A parameter for each.
    static let parameters = columns.map { _ in "?" }.joined(separator: ", ")

    /// In the order of `names`.
    static func values(_ run: RecordedRun) -> [SQLiteConnection.Value] { columns.map { $0.value(run) } }

    @Sendable private static func flag(_ value: Bool) -> Value { .integer(value ? 1 : 0) }

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
            clock: clock, users: users, outcome: outcome, exitCode: exitCode, isWhole: isWhole != 0, version: version,
            commit: commit, isDirty: isDirty.map { $0 != 0 }, system: system, cores: cores, workers: workers,
            durationSeconds: seconds, folder: folder)
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
