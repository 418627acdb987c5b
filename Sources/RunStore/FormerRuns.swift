// Runs in a database of the name that it had before version 0.1.0.
// One thread at a time; any number of processes at once.

import Foundation

struct FormerRuns {
    static let fileName = "history.sqlite"

    /// The database of the former name.
    let path: String
    /// That of the present one, which is not there yet.
    private let successor: String

    /// Nil where there is nothing to take over.
    init?(for successor: String) {
        let url = URL(fileURLWithPath: successor)
        guard url.lastPathComponent == RunDatabase.fileName else { return nil }
        let folder = successor.dropLast(RunDatabase.fileName.count)
        path = folder + Self.fileName
        self.successor = successor
        let files = FileManager.default
        guard files.fileExists(atPath: path), !files.fileExists(atPath: successor) else { return nil }
        // Another program's file of the name is left alone.
        guard (try? RunDatabase.refuseOthers(path)) != nil, isOurs else { return nil }
    }

    private var isOurs: Bool {
        guard let connection = try? SQLiteConnection(path: path, access: .writing),
            let state = try? RunStoreSchema.state(of: connection)
        else { return false }
        return state != .foreign
    }

    /// Copies all of it into the present database, which appears whole or not at all. The former one stays as it is:
    /// an older version may still write to it.
    func takeOver() throws(RunStoreError) {
        let hidden = "\(successor)-\(getpid())"
        unlink(hidden)
        defer { unlink(hidden) }
        do {
            try SQLiteConnection(path: path, access: .writing).run("VACUUM INTO ?", [.text(hidden)])
        } catch {
            throw RunStoreError(path: path, error)
        }
        // Another process may have been quicker, with the same runs.
        if link(hidden, successor) != 0, errno != EEXIST {
            throw RunStoreError(path: successor, problem: .notWritable)
        }
    }
}
