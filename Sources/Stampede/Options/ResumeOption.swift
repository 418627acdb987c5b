// Going on with a run that was ended before its time, and when to begin one.
// Main thread.

import ArgumentParser
import Foundation
import Reporting

struct ResumeOption: ParsableArguments {
    @Flag(
        help: """
            Go on with what an ended process has left of this run in <folder>.partial, if there is something, and begin it \
            otherwise. In place of the scenario such a folder may be named. Under the wall clock what was judged is reported.
            """)
    var resume = false
}

struct StartOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Begin at this moment, such as 2027-03-01T12:00:00Z: parts of a run under the wall clock belong together only if \
            they begin together.
            """, valueName: "moment"))
    var startAt: String?

    mutating func validate() throws { _ = try moment() }

    private func moment() throws -> Date? {
        guard let startAt else { return nil }
        guard let date = try? Date(startAt, strategy: .iso8601) else {
            throw ValidationError("--start-at \(startAt): a moment looks like 2027-03-01T12:00:00Z")
        }
        return date
    }

    /// Blocks until then.
    func wait() throws {
        guard let moment = try moment() else { return }
        let late = -moment.timeIntervalSinceNow
        if late > 0 {
            let length = HumanNumbers.duration(nanoseconds: late * 1e9)
            Terminal.warn(
                "--start-at was \(length) ago", hint: "this part begins now, and the others may have begun then")
        }
        while moment.timeIntervalSinceNow > 0 { Thread.sleep(forTimeInterval: min(1, moment.timeIntervalSinceNow)) }
    }
}
