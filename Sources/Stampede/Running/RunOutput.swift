// Where what a run finds goes: into a journal while it goes on, and into its report's folder in the end.
// Main thread.

import Engine
import Files
import Foundation
import ReportModel
import Reporting
import Scenario
import Text

/// The first record of a run's journal.
private struct JournalHeader: Codable {
    let plan: PlannedRun
    let startedAt: Date
}

/// What a process has left of a run that it did not come to the end of.
struct LeftRun {
    let folder: String
    let plan: PlannedRun
    let startedAt: Date

    /// The folder of reports that it is in.
    var parent: String { Paths.parent(of: folder) }

    /// Whether a folder holds the journal of a run.
    static func isOne(_ folder: String) -> Bool { Paths.kind(folder) == .folder && RunJournal.exists(folder) }

    init(_ folder: String) throws {
        guard Self.isOne(folder) else {
            throw CommandProblem(
                "there is no unfinished run at \(folder)",
                hint: "an interrupted run leaves Reports/<scenario>-<client>-<seed>.partial")
        }
        let header: Data?
        do {
            header = try RunJournal.header(of: folder)
        } catch {
            throw CommandProblem("\(error.path) cannot be read: \(error.reason)")
        }
        guard let header, let found = try? ReportJSON.decode(JournalHeader.self, from: header) else {
            throw CommandProblem(
                "\(folder) is empty or damaged", hint: "remove the folder, and run the scenario again")
        }
        (self.folder, plan, startedAt) = (folder, found.plan, found.startedAt)
    }

    /// Refuses what would not end with the report of an unbroken run.
    ///
    /// - Parameter asked: what is to be gone on with; nil: what there is.
    func check(_ asked: PlannedRun?) throws {
        guard plan.build == BuildIdentity.current else {
            throw CommandProblem(
                "another build of the program (version \(plan.version)) started the run in \(folder)",
                hint: "resume with that build, or remove the folder and start again")
        }
        guard let asked else { return }
        var differences = plan.differences(from: asked).map(\.words)
        if plan.shard != asked.shard { differences.append("another part") }
        guard differences.isEmpty else {
            throw CommandProblem(
                "\(folder) belongs to another run: it has \(differences.joined(separator: "; "))",
                hint: "'\(CommandName.words) run --resume \(folder)' resumes it; without --resume this run starts"
            )
        }
    }
}

struct RunOutput {
    let plan: PlannedRun
    let out: String
    /// What the report's folder is called, as long as no other has that name.
    private let stem: String
    private(set) var journal: RunJournal?
    let startedAt: Date

    private static let suffix = ".partial"

    init(_ plan: PlannedRun, scenario: String, out: String, startedAt: Date = Date()) {
        (self.plan, self.out, self.startedAt) = (plan, out, startedAt)
        let run = ReportFolder.folderStem(file: plan.file, name: scenario, client: plan.client, seed: plan.seed)
        stem = run + (plan.shard.map { Report.Shard.folderSuffix($0.index, of: $0.count) } ?? "")
    }

    /// Where the folder of a part goes.
    var partPath: String { "\(out)/\(stem)" }

    // MARK: Journals

    /// Begins a journal, under a name that no other process has in use.
    mutating func keepJournal() {
        journal = RunJournal(names: journalFolders) { [plan, startedAt] in
            var plan = plan
            plan.build = BuildIdentity.current
            return (try? ReportJSON.encode(JournalHeader(plan: plan, startedAt: startedAt))) ?? Data()
        }
    }

    /// What a process that is gone has left of this run, or of another one under its name; nil: nothing.
    func left() throws -> LeftRun? {
        let all = try journalFolders.filter { folder in
            // One that was killed before it had kept anything has left nothing.
            LeftRun.isOne(folder) && !RunJournal.isInUse(folder) && (try? RunJournal.header(of: folder)) != nil
        }.map { try LeftRun($0) }
        return all.first { (try? $0.check(plan)) != nil } ?? all.first
    }

    /// Goes on with what is left.
    mutating func resume(_ left: LeftRun) throws {
        do {
            journal = try RunJournal.resume(left.folder)
        } catch {
            throw CommandProblem(
                "\(error.path) cannot be resumed: \(error.reason)", status: .reportNotWritten)
        }
        if journal == nil {
            throw CommandProblem(
                "\(left.folder) is in use: its run has not ended", hint: "wait for the run, or stop it first")
        }
    }

    private var journalFolders: [String] {
        (1...16).map { number in partPath + (number == 1 ? "" : "-\(number)") + Self.suffix }
    }

    // MARK: Parts

    /// Whether this very part was made already; one of another run is refused.
    func hasPart(isAccepted: Bool) throws -> Bool {
        guard plan.shard != nil, Paths.exists(partPath) else { return false }
        guard isAccepted, let found = try? PartFile(in: partPath)?.header.work, found == .run(plan) else {
            throw CommandProblem(
                "\(partPath) already exists",
                hint: "move it away to run the part again; --resume accepts a finished part of the same run")
        }
        return true
    }

    // MARK: Reports

    /// Writes the report, and gives up what was kept meanwhile unless somebody may go on with it.
    ///
    /// - Parameters:
    ///   - operations: what users asked for.
    ///   - findings: of a part that came to its end, as a merge takes them.
    /// - Returns: the report's folder; nil for a part that did not come to its end: what it has found is in the journal.
    func write(
        _ report: Report, operations: OperationStore?, findings: [UInt8]?, isUnfinished: Bool
    ) throws -> String? {
        if let failure = journal?.failure { throw keptError(failure) }
        if plan.shard != nil, findings == nil { return nil }
        let folder: String
        do {
            if let findings {
                folder = partPath
                let path = try operations?.gather()
                let moved = path.map { [PartFile.operationsName: $0] } ?? [:]
                let part = try PartFile(plan, report, json: try report.json(), operations: path, findings: findings)
                var files = ReportFiles.all(report)
                files[PartFile.name] = try part.data()
                try ReportFolder.write(report, as: folder, files: files, moved: moved)
            } else {
                let moved = try operations.map { [OperationStore.fileName: try $0.finish()] } ?? [:]
                folder = try ReportFolder.write(report, into: out, files: ReportFiles.all(report), moved: moved)
            }
        } catch let error as SystemError {
            throw keptError(error)
        } catch let error as FileError {
            guard let journal, journal.hasBegun else { throw error }
            throw FileError(path: error.path, reason: error.reason, hint: Self.resumeHint(journal))
        }
        if let journal, !isUnfinished { journal.remove() }
        return folder
    }

    /// What goes on with a run that was stopped; nil: nothing was kept, or nothing can.
    var resumeCommand: String? {
        guard let journal, journal.hasBegun else { return nil }
        return "\(CommandName.words) run --resume \(ShellWord.quoted(journal.folder))"
    }

    private func keptError(_ error: SystemError) -> FileError {
        guard let journal, journal.hasBegun else {
            return FileError(path: error.path, reason: error.reason, hint: "name another folder with --out")
        }
        return FileError(path: error.path, reason: error.reason, hint: Self.resumeHint(journal))
    }

    private static func resumeHint(_ journal: RunJournal) -> String {
        "the progress is saved: free some space, then '\(CommandName.words) run --resume \(ShellWord.quoted(journal.folder))'"
    }
}
