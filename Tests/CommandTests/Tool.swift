// Runs the built command in a folder of its own, always with a limit of time.
// Any thread; each test has its own folder.

import Foundation
import ReportModel
import Reporting
import Testing

/// The command's, not the test library's.
typealias ExitStatus = ReportModel.ExitStatus

/// What a finished command left.
struct Outcome {
    let status: Int32
    let out: String
    let errors: String
    var all: String { out + errors }
    /// What was printed, without the line breaks that depend on the width.
    var prose: String { out.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

/// Where two texts part, with what is around it; nil: they are the same.
func difference(_ first: String, _ second: String) -> String? {
    let same = zip(first.utf8, second.utf8).prefix { $0 == $1 }.count
    if same == first.utf8.count, same == second.utf8.count { return nil }
    let around = [first, second].map { text in
        String(decoding: text.utf8.dropFirst(max(0, same - 200)).prefix(400), as: UTF8.self)
    }
    return "\(around[0])\nand\n\(around[1])"
}

struct Overtime: Error {}

/// A temporary folder with the demo catalog in it, and with an empty one of sources: without that each run of a client of one's
/// own looks through all sources of this package. Gone with the object.
final class Workplace {
    let folder: URL
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let tool = built("stampede")
    /// The same with a client that hangs, and with a store that can be broken.
    static let faultyTool = built("FaultyTool")

    /// Beside the test bundle.
    static func built(_ name: String) -> URL {
        let beside = [CommandLine.arguments.first, Bundle.main.executablePath].compactMap { $0 }
            .map { URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent(name) }
        return beside.first { FileManager.default.isExecutableFile(atPath: $0.path) }
            ?? package.appendingPathComponent(".build/debug/\(name)")
    }

    init(hasSources: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("stampede-" + UUID().uuidString)
        let inner = hasSources ? folder.appendingPathComponent("Sources") : folder
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let catalog = Self.package.appendingPathComponent("Scenarios/catalogs/FakeGame.storekit")
        try FileManager.default.copyItem(at: catalog, to: folder.appendingPathComponent("FakeGame.storekit"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }
    func write(_ data: Data, to name: String) throws { try data.write(to: folder.appendingPathComponent(name)) }
    func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }
    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    func link(_ target: String, as name: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
    }
    func names(_ directory: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + directory).sorted()
    }

    func report(_ name: String = "Reports/latest/report.json") throws -> Report { try Report(json: read(name)) }

    /// A report byte for byte, but for what only one machine and one moment explain.
    func withoutHost(_ name: String) throws -> String {
        // Byte for byte, but for this section.
        let text = String(decoding: try read(name), as: UTF8.self)
        let start = try #require(text.range(of: "\n  \"host\" : {\n"))
        let end = try #require(text[start.upperBound...].range(of: "\n  },\n"))
        return text.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "\n")
    }

    static func shipped(_ name: String) -> String { package.appendingPathComponent("Scenarios/\(name).yml").path }

    /// A small valid scenario: users who buy once.
    func scenario(_ name: String = "small.yml", extra: String = "") throws -> String {
        try write(
            """
            name: Small
            store: {catalog: FakeGame.storekit}
            network: {latency: 20ms}
            population: {users: 30}
            load: [{journey: j, executor: at-once}]
            journeys: {j: [launch, fetch_products, {buy: extra_lives}, terminate]}
            \(extra)

            """, to: name)
        return name
    }

    /// Half of its users are done at once, the others after an hour of real time.
    func longScenario() throws -> String {
        try write(
            """
            name: Long
            clock: wall
            store: {catalog: FakeGame.storekit}
            population: {users: 20}
            load:
              - {journey: short, executor: at-once, users: 10}
              - {journey: long, executor: at-once}
            journeys: {short: [launch], long: [launch, {think: 1h}]}

            """, to: "long.yml")
        return "long.yml"
    }

    // MARK: Running

    @discardableResult
    func stampede(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try run(Self.tool, arguments, environment: environment)
    }

    func stampede(_ arguments: [String]) throws -> Outcome { try run(Self.tool, arguments, environment: [:]) }

    func shell(_ command: String) throws -> Outcome {
        let path = Self.tool.deletingLastPathComponent().path
        return try run(
            URL(fileURLWithPath: "/bin/sh"), ["-c", command], environment: ["PATH": path + ":/usr/bin:/bin"])
    }

    /// - Parameter whileRunning: called as soon as the process runs.
    func run(
        _ tool: URL, _ arguments: [String], environment: [String: String] = [:],
        whileRunning: (Process) throws -> Void = { _ in }
    ) throws -> Outcome {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        // Into files: a full pipe would stop the command.
        let names = [UUID().uuidString + ".out", UUID().uuidString + ".err"]
        for name in names { try write("", to: name) }
        let handles = try names.map { try FileHandle(forWritingTo: folder.appendingPathComponent($0)) }
        process.standardOutput = handles[0]
        process.standardError = handles[1]
        process.standardInput = FileHandle.nullDevice
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        try process.run()
        defer {
            for name in names { try? FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
        }
        do {
            try whileRunning(process)
        } catch {
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
        guard ended.wait(timeout: .now() + 600) == .success else {
            kill(process.processIdentifier, SIGKILL)
            throw Overtime()
        }
        let texts = try names.map { String(decoding: try read($0), as: UTF8.self) }
        #expect(process.terminationReason == .exit, "ended by signal \(process.terminationStatus)")
        #expect(!(texts[0] + texts[1]).contains("\u{1B}"), "escape codes where no terminal is")
        return Outcome(status: process.terminationStatus, out: texts[0], errors: texts[1])
    }

    /// Until the run has its folder, and has taken its signals into its own hands; one before that would just end it.
    func awaitRun(_ process: Int32) throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < deadline {
            Thread.sleep(forTimeInterval: 0.001)
            // The mask alone may be what the process was started with.
            guard exists("Reports") else { continue }
            let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
            let mask = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }?.split(separator: "\t").last
            if let mask, let bits = UInt64(mask, radix: 16), bits & (1 << UInt64(SIGINT - 1)) != 0 { return }
        }
        throw Overtime()
    }
}

extension Outcome {
    func isStatus(_ status: ExitStatus) -> Bool { self.status == status.rawValue }
}
