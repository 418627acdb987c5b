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
        // In the order of the columns.
        return try? RecordedRun(
            startedAt: reader.text(), scenario: reader.text(), file: reader.text(), client: reader.text(),
            clientOptions: reader.text(), seed: reader.seed(), clock: reader.text(), users: reader.number(),
            outcome: reader.text(), exitCode: reader.number(), isWhole: reader.number() != 0, version: reader.text(),
            commit: reader.optionalText(), isDirty: reader.optionalFlag(), system: reader.text(),
            cores: reader.number(), workers: reader.number(), durationSeconds: reader.real(), folder: reader.text())
    }

    /// Takes one column after the other; throws where another kind of value stands.
    private struct Reader {
        private var rest: ArraySlice<SQLiteConnection.Value>

        struct Unreadable: Error {}

        init(_ row: [SQLiteConnection.Value]) { rest = row[...] }

        mutating func text() throws -> String {
            guard case .text(let text)? = rest.popFirst() else { throw Unreadable() }
            return text
        }

        mutating func number() throws -> Int {
            guard case .integer(let number)? = rest.popFirst() else { throw Unreadable() }
            return Int(number)
        }

        mutating func real() throws -> Double {
            guard case .real(let number)? = rest.popFirst() else { throw Unreadable() }
            return number
        }

        mutating func seed() throws -> UInt64 {
            guard let seed = UInt64(try text()) else { throw Unreadable() }
            return seed
        }

        mutating func optionalText() -> String? { if case .text(let text)? = rest.popFirst() { text } else { nil } }

        mutating func optionalFlag() -> Bool? {
            if case .integer(let number)? = rest.popFirst() { number != 0 } else { nil }
        }
    }
}
