// What a piece of code writes to standard error, as a harness would read it.
// One at a time: the descriptor is the process's.

import Foundation
import StandaloneUse

enum Output {
    /// Runs `body` with descriptor 2 leading to a file, and returns its lines.
    static func ofError(_ body: () throws -> Void) rethrows -> [String] {
        let file = NSTemporaryDirectory() + "shims-\(getpid()).err"
        let former = dup(2)
        let descriptor = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        dup2(descriptor, 2)
        defer {
            close(descriptor)
            unlink(file)
        }
        do {
            defer {
                dup2(former, 2)
                close(former)
            }
            try body()
        }
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        // Testing tells of other tests meanwhile, in lines that begin with signs.
        let lines = text.split(separator: "\n").map(String.init)
        for line in lines where line.first?.isASCII != true { fputs(line + "\n", stderr) }
        return lines.filter { $0.first?.isASCII == true }
    }
}
