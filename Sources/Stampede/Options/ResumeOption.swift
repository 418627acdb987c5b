// Going on with a run that was ended before its time, and when to begin one.
// Main thread.

import ArgumentParser
import Foundation
import Reporting

struct ResumeOption: ParsableArguments {
    @Flag(
        help: """
            Resume this run from `<folder>.partial`, or start it if there is none. You can pass the folder instead of a \
            scenario. Wall-clock runs cannot continue: only what was already judged is reported.
            """)
    var resume = false
}

struct StartOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Start at this moment, e.g. 2027-03-01T12:00:00Z. The parts of a wall-clock run belong together only if they \
            start at the same moment.
            """, valueName: "moment"))
    var startAt: String?

    mutating func validate() throws { _ = try moment() }

    private func moment() throws -> Date? {
        guard let startAt else { return nil }
        guard let date = try? Date(startAt, strategy: .iso8601) else {
            throw ValidationError("--start-at \(startAt): write a moment like 2027-03-01T12:00:00Z")
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
                "--start-at was \(length) ago", hint: "this part starts now, later than other parts may have started")
        }
        while moment.timeIntervalSinceNow > 0 { Thread.sleep(forTimeInterval: min(1, moment.timeIntervalSinceNow)) }
    }
}
