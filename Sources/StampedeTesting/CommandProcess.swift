// Runs a command of this program in a process of its own.
// Any thread; several commands may run at once.

import Foundation
import ReportModel
import Reporting
import Stampede

/// What a command printed, and its exit status.
struct CommandOutcome {
    let status: ExitStatus
    let out: Data
    /// The text of standard error: the problems that the command reported.
    let errors: String
}

enum CommandProcess {
    /// Runs a command with one client beside those that ship.
    /// If the task is cancelled, the command stops and reports the findings judged by then.
    ///
    /// - Parameter folder: for the files that hold the command's output.
    static func run(
        _ arguments: [String], client: any StoreClient.Type, folder: URL
    ) async throws -> CommandOutcome {
        guard let name = TestWorker.name(of: client) else {
            throw StampedeTestError.unreachableClient("\(client)")
        }
        let process = Process()
        process.executableURL = Paths.program
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment[TestWorker.variable] = name
        environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
        // The test run itself owns the files that GitHub reads.
        for variable in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"] { environment[variable] = nil }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let (out, errors) = (folder.appendingPathComponent("out"), folder.appendingPathComponent("errors"))
        process.standardOutput = try output(out)
        process.standardError = try output(errors)
        try await end(of: process)
        let said = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        guard process.terminationReason == .exit, let status = ExitStatus(rawValue: process.terminationStatus) else {
            throw StampedeTestError.ended(number: process.terminationStatus, said)
        }
        return CommandOutcome(status: status, out: try Data(contentsOf: out), errors: said)
    }

    private static func output(_ file: URL) throws -> FileHandle {
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }

    private static func end(of process: Process) async throws {
        try Task.checkCancellation()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
                process.terminationHandler = { _ in ended.resume() }
                do {
                    try process.run()
                } catch {
                    process.terminationHandler = nil
                    ended.resume(throwing: error)
                }
            }
        } onCancel: {
            if process.isRunning { process.terminate() }
        }
    }
}

/// A folder that is removed with the object.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("stampede-test-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
