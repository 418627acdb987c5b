// What the tables of the database look like, and how older ones become today's.
// On the thread of the connection.

enum RunStoreSchema {
    enum State: Equatable {
        case current
        /// Version 0 is a file with nothing in it.
        case older(version: Int)
        case newer(version: Int)
        /// Another program's tables.
        case foreign
    }

    /// "Stmp": tells our databases from other programs'.
    private static let applicationID: Int64 = 0x5374_6D70

    /// The n-th leads from version n to n + 1. What has been published is never changed.
    static let migrations: [[String]] = [
        [
            """
            CREATE TABLE run (
                number INTEGER PRIMARY KEY, started_at TEXT NOT NULL, scenario TEXT NOT NULL, file TEXT NOT NULL,
                client TEXT NOT NULL, client_options TEXT NOT NULL, seed TEXT NOT NULL, clock TEXT NOT NULL,
                users INTEGER NOT NULL, outcome TEXT NOT NULL, exit_code INTEGER NOT NULL, is_whole INTEGER NOT NULL,
                version TEXT NOT NULL, commit_id TEXT, is_dirty INTEGER, system TEXT NOT NULL, cores INTEGER NOT NULL,
                workers INTEGER NOT NULL, duration_seconds REAL NOT NULL, folder TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE figure (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL, direction TEXT NOT NULL
            )
            """,
            """
            CREATE TABLE measurement (
                figure INTEGER NOT NULL REFERENCES figure (id), run INTEGER NOT NULL REFERENCES run (number),
                value REAL NOT NULL, is_exact INTEGER NOT NULL, PRIMARY KEY (figure, run)
            ) WITHOUT ROWID
            """,
        ]
    ]

    static func state(
        of connection: SQLiteConnection, migrations: [[String]] = migrations
    ) throws(SQLiteFailure) -> State {
        // All three as they were at one moment.
        try connection.run("BEGIN")
        defer { _ = try? connection.run("COMMIT") }
        return try stateNow(connection, migrations)
    }

    private static func stateNow(
        _ connection: SQLiteConnection, _ migrations: [[String]]
    ) throws(SQLiteFailure) -> State {
        let tables = try connection.number("SELECT count(*) FROM sqlite_master") ?? 0
        let version = Int(try connection.number("PRAGMA user_version") ?? 0)
        if tables == 0, version == 0 { return .older(version: 0) }
        guard try connection.number("PRAGMA application_id") == applicationID, version > 0 else { return .foreign }
        if version > migrations.count { return .newer(version: version) }
        return version == migrations.count ? .current : .older(version: version)
    }

    /// Brings the tables up to date, all the way or not at all.
    static func migrate(
        _ connection: SQLiteConnection, migrations: [[String]] = migrations
    ) throws(SQLiteFailure) {
        try connection.transaction { () throws(SQLiteFailure) in
            // Another process may have been faster.
            guard case .older(let version) = try stateNow(connection, migrations) else { return }
            for statement in migrations[version...].joined() { try connection.run(statement) }
            try connection.run("PRAGMA application_id = \(applicationID)")
            try connection.run("PRAGMA user_version = \(migrations.count)")
        }
    }
}
