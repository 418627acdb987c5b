// The static data of the client's modules.
// It is found before client code runs, and exchanged with the device from then on.
// Main thread.

import Foundation
import Reporting
import Simulation
import Statics

extension Stampede {
    /// The modules whose static data each simulated app has for itself: statics, globals, singletons.
    ///
    /// Each launch starts with fresh data. By default these are all modules of your program that are neither Stampede's
    /// nor shared with it.
    public struct Statics: Sendable {
        let choice: DataChoice

        /// - Parameters:
        ///   - include: the modules, and only these. C data is named by its source file or its own name: `counter.c`.
        ///   - exclude: modules whose data all simulated apps share, as one process of your own would.
        public init(include: [String]? = nil, exclude: [String] = []) {
            choice = DataChoice(include: include.map { Set($0) }, exclude: Set(exclude))
        }
    }
}

enum ClientStatics {
    /// Nil if the program has no clients of its own. Set once, before any command is parsed.
    nonisolated(unsafe) static var choice: DataChoice?  // Guard: the main thread, before anything else runs.

    /// Finds the data, once; nil if it was found before or there is none.
    static func find() -> ClientData? {
        guard let choice, DeviceData.size == nil else { return nil }
        let found = ClientData.find(choice)
        DeviceData.install(found)
        return found
    }

    /// Finds the data, and warns of data that stays shared against expectation.
    static func findOnce() {
        guard let found = find() else { return }
        if let first = found.obstacles.first {
            tell(first, others: found.obstacles.count - 1)
        } else if !AppRuntime.isInForce {
            tellAside("another library replaces the system's functions", "start it without LD_PRELOAD")
        }
    }

    private static func tell(_ obstacle: ClientData.Obstacle, others: Int) {
        let shared = "devices share the client's static data"
        switch obstacle {
        case .stripped(let path):
            Terminal.warn("\(shared): \(path) has no symbols", hint: "build it without strip and without -s")
        case .staticRuntime:
            tellAside("the program is linked with Swift's libraries statically", "build without -static-stdlib")
        case .sanitizer: tellAside("it is built with a sanitizer", "build without --sanitize")
        case .unplaced:
            let more = others > 0 ? " and \(others) more" : ""
            let name = obstacle.variableName.map { ": \($0)\(more)" } ?? ""
            Terminal.warn(
                "devices share static data whose module is unknown\(name)",
                hint: "list it in exclude: of Stampede.main(clients:statics:) if that is right, or use perDevice for it"
            )
        }
    }

    /// Warns that the runtime cannot stand in front of the system's functions in this build.
    private static func tellAside(_ reason: String, _ remedy: String) {
        Terminal.warn(
            "devices share Dispatch, tasks, the clocks and static data: \(reason)",
            hint: "\(remedy), or use perDevice and the file that `stampede glue` prints")
    }

    /// Warns before a wall-clock run, which may take long and blame an app for what devices did to each other's data.
    static func warnOfWallClock() {
        findOnce()
        guard let size = DeviceData.size, size > 0, !hasWarned else { return }
        hasWarned = true
        Terminal.warn("under the wall clock devices run at once and share \(whatIsShared(size))", hint: remedy)
    }

    private static func whatIsShared(_ size: Int) -> String {
        let names = DeviceData.singletons.map(\.name)
        return names.isEmpty ? "the client's static data (\(size) bytes)" : names.joined(separator: ", ")
    }

    /// The remedy, with the line to write if it is known.
    private static var remedy: String {
        let line = DeviceData.singletons.first.map { found in
            "`static var \(found.property): \(found.type) { perDevice { \(found.type)() } }`"
        }
        return "\(line ?? "perDevice") gives each device its own singleton, with the file that "
            + "`\(CommandName.words) glue` prints; the virtual clock needs neither"
    }

    nonisolated(unsafe) private static var hasWarned = false  // Guard: the main thread.

    /// Warns if devices ran at the same time: then all of them shared one copy.
    static func tellWhetherShared() {
        guard let sharing = DeviceData.sharing, let size = DeviceData.size, !hasWarned else { return }
        switch sharing {
        case .workers:
            Terminal.warn(
                "several workers ran in one process: devices shared the client's static data (\(size) bytes)",
                hint: "without --workers-in-process each device has its own data, fresh at every launch")
        case .wallClock:
            Terminal.warn(
                "under the wall clock devices ran at once and shared \(whatIsShared(size))", hint: remedy)
        }
    }
}
