// The file that a textfile collector reads.
// One thread at a time.

import Files
import Foundation
import Reporting
import Text

/// Written as a whole each time: a collector never sees half of it.
final class MetricsFile {
    private let path: String
    /// Of the last time.
    private(set) var problem: FileError?

    /// - Throws: where there is something else already. A pipe without a reader would have the run wait for one.
    init(_ path: String) throws(CommandProblem) {
        var found = stat()
        if stat(path, &found) == 0, found.st_mode & S_IFMT != S_IFREG {
            throw CommandProblem("--metrics \(path) is not a file", hint: "name a file; it need not exist yet")
        }
        self.path = path
    }

    /// The first time, before the run.
    func begin(_ text: String) throws(CommandProblem) {
        write(text)
        if let problem {
            throw CommandProblem("--metrics \(problem.path): \(problem.reason)", hint: problem.hint)
        }
    }

    /// Does not fail: the verdict is the client's.
    func write(_ text: String) {
        do {
            try OutputFile.write(Data(text.utf8), to: path)
            problem = nil
        } catch {
            problem = error
        }
    }
}
