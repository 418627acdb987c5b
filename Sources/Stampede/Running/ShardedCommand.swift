// Commands beside 'run' that several machines can share: what a part of one is kept as, and how all parts become one.
// Main thread.

import ArgumentParser
import Engine
import Files
import Foundation
import Hosting
import ReportModel
import Reporting
import Text

/// A command whose work is cut by --shard.
protocol ShardedCommand: StatusCommand {
    var sharding: ShardOption { get }
    var out: String { get }
    /// What it was called with, as far as that decides what is found; in the same order for equal calls.
    var plannedArguments: [String] { get }
    /// The texts of the files that it reads, by what they are called.
    func plannedTexts() throws -> [String: String]
    /// What the folders of its parts are called, before the number.
    func partStem() throws -> String
    /// Does the rest once all parts are there: as the undivided command does at its end.
    func finish(_ parts: PartMerge) throws -> ExitStatus
    /// How it tells what it has found.
    mutating func show(json: Bool, extent: ExtentOptions, out: String?)
}

extension ShardedCommand {
    /// Refuses to do a part that could not be kept: that is better known before its work than after it. What it is made of is
    /// read before it too: whoever changes a file meanwhile changes nothing about this part.
    func partPlace(of shard: Shard) throws -> PartPlace {
        let stem = "\(out)/\(try partStem())"
        let path = stem + Report.Shard.folderSuffix(shard.index, of: shard.count)
        if Paths.exists(path) {
            throw CommandProblem("\(path) already exists", hint: "move it away to run the part again")
        }
        try ReportFolder.prepare(out, isShared: true)
        let command = PlannedCommand(
            Self.configuration.commandName ?? "", arguments: plannedArguments, texts: try plannedTexts(), shard: shard)
        return PartPlace(shard: shard, command: command, stem: stem, path: path)
    }

    /// A part that was stopped is none.
    func stopped(_ cause: StopCause) -> ExitStatus {
        Terminal.warn("the part was stopped, and its results are not kept", hint: "run it again")
        return cause.status
    }
}

/// Where a part of a command goes that is no run, and what it is a part of.
struct PartPlace {
    let shard: Shard
    fileprivate let command: PlannedCommand
    /// What the folders of all parts begin with.
    fileprivate let stem: String
    fileprivate let path: String

    /// Keeps what the part has found.
    func keep(_ findings: [UInt8]) throws -> ExitStatus {
        do {
            try ReportFolder.write([PartFile.name: try PartFile(command, findings: findings).data()], as: path)
        } catch let error as FileError {
            throw error
        } catch {
            throw CommandProblem("\(path) could not be written: \(error)", status: .reportNotWritten)
        }
        Terminal.write(
            """
            part \(shard.text): \(path)
              next: \(CommandName.words) merge \(stem)-part-*-of-\(shard.count)

            """)
        return .passed
    }
}

/// All parts of a command that is no run.
struct MergedCommand {
    private let command: PlannedCommand
    private let parts: PartMerge

    init(_ command: PlannedCommand, _ parts: PartMerge) { (self.command, self.parts) = (command, parts) }

    func perform(json: Bool, extent: ExtentOptions, out: String?) throws -> ExitStatus {
        switch command.name {
        case "sweep": try perform(SweepCommand.self, json, extent, out)
        case "swarm": try perform(SwarmCommand.self, json, extent, out)
        case "matrix": try perform(MatrixCommand.self, json, extent, out)
        default: throw CommandProblem("this build cannot merge parts of '\(command.name)'")
        }
    }

    private func perform<Command: ShardedCommand>(
        _ type: Command.Type, _ json: Bool, _ extent: ExtentOptions, _ out: String?
    ) throws -> ExitStatus {
        guard var whole = try type.parseAsRoot(command.arguments) as? Command else {
            throw CommandProblem("the parts were run with arguments that '\(command.name)' does not accept")
        }
        let changed = command.changed(try whole.plannedTexts())
        if !changed.isEmpty {
            throw CommandProblem(
                "the parts were run with other contents of \(changed.joined(separator: ", "))",
                hint: "the listed files changed after the parts were run; restore them, or run the parts again")
        }
        whole.show(json: json, extent: extent, out: out)
        return try whole.finish(parts)
    }
}
