// A program of Dispatch or Foundation that logs only what the library determines, run by the library itself and on a
// virtual device.

import Dispatch
import Foundation

/// What a program writes down, and whether it has come to its end. Any thread.
package final class Log: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var written: [String] = []
    private var isDone = false
    private var whenDone: (() -> Void)?

    package init() {}

    package var lines: [String] { lock.withLock { written } }

    package func add(_ line: String) { lock.withLock { written.append(line) } }

    /// The program is at its end.
    package func end() {
        let tell = lock.withLock { () -> (() -> Void)? in
            written.append("end")
            isDone = true
            return whenDone
        }
        tell?()
    }

    /// Calls `body` once the program is at its end.
    package func atEnd(_ body: @escaping () -> Void) {
        let isDone = lock.withLock { () -> Bool in
            if !self.isDone { whenDone = body }
            return self.isDone
        }
        if isDone { body() }
    }
}

package struct Script: Sendable, CustomStringConvertible {
    package let description: String
    /// Calls `end` of its log when it has come there.
    package let body: @Sendable (Log) -> Void

    package init(_ description: String, _ body: @escaping @Sendable (Log) -> Void) {
        self.description = description
        self.body = body
    }

    /// As the library runs it.
    package func traceOfLibrary() async -> [String] {
        let log = Log()
        await withCheckedContinuation { continuation in
            log.atEnd { continuation.resume() }
            let thread = Thread { body(log) }
            thread.start()
        }
        return log.lines
    }

    /// As it runs on a virtual device.
    package func traceOfDevice() -> [String] {
        let log = Log()
        let device = ProgramDevice()
        guard device.run({ body(log) }) else { return log.lines + ["never at rest"] }
        return log.lines
    }
}
