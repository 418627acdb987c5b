// The tool that adds runs until it is killed, and databases in folders of their own.
// Any thread.

import FolderSupport
import Foundation
import Testing

@testable import RunStore

extension ScratchFolder {
    var database: String { url.appendingPathComponent(RunDatabase.fileName).path }

    func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: database)) }
}

enum RecordingProcess {
    /// Beside the test bundle.
    private static var tool: URL {
        let beside = [CommandLine.arguments.first, Bundle.main.executablePath].compactMap { $0 }
            .map { URL(fileURLWithPath: $0).deletingLastPathComponent().appendingPathComponent("RecordingTool") }
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return beside.first { FileManager.default.isExecutableFile(atPath: $0.path) }
            ?? package.appendingPathComponent(".build/debug/RecordingTool")
    }

    static func start(_ arguments: String...) throws -> Process {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        try process.run()
        return process
    }
}

enum Sample {
    static func run(seed: UInt64 = 1, client: String = "reference") -> RecordedRun {
        RecordedRun(
            startedAt: "2024-01-02T03:04:05Z", scenario: "A name; with 'quotes' and \u{1F600}", file: "a/b.yml",
            client: client, clientOptions: "mode=strict", seed: seed, clock: "wall", users: 10_000, outcome: "failed",
            exitCode: 110, isWhole: false, version: "0.1.0", commit: "abc", isDirty: true, system: "Linux", cores: 2,
            workers: 3, durationSeconds: 1.5,
            folder: "b-reference-1")
    }

    static let figures = [
        RecordedFigure(
            name: "purchase_duration p(95)", value: 5e9, unit: "ns", direction: "lowerIsBetter", isExact: false),
        RecordedFigure(name: "violations", value: 0, unit: "count", direction: "lowerIsBetter", isExact: true),
    ]
}
