// stampede merge: the reports of several runs as one, or all parts of a run as that run.
// Main thread.

import ArgumentParser
import Engine
import Foundation
import ReportModel
import Reporting

struct MergeCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge several reports, or all parts of a run, into one report.",
        discussion: """
            --shard divides one run into parts. All parts together give the report of the undivided run, byte for byte \
            except its host section, and the same exit code. If a part is missing, doubled, damaged, from another run or \
            from another build of the program, merge names it, writes nothing and exits with 104.

              stampede merge Reports/*-part-*-of-16 --out Reports/whole

            Whole runs of one scenario and client with different seeds become one report, as if one run had had all the \
            users. Counts and histograms are added without loss, so that percentiles cover all samples. Rates are computed \
            from the added counts, series are added by time, and every threshold is judged again. Each violation keeps \
            the seed to replay it with. A figure that no run has measured is absent.

              stampede merge machine-*/latest --out Reports/all

            Exits with the code of a run with this report: see 'stampede list exit-codes'.
            """)

    @Argument(
        help: "A report.json, or its folder. Give at least two reports, or all parts of a run.", completion: .reportFile
    )
    var reports: [String]

    @Option(
        help: """
            The report folder to write. It must not exist yet. For parts of a swarm: the folder of reports where it keeps \
            its findings. Not used for parts of other commands.
            """, completion: .directory)
    var out: String?

    @Flag(help: "Print the result as JSON, and nothing else on the standard output.")
    var json = false

    @OptionGroup var extent: ExtentOptions

    mutating func perform() throws -> ExitStatus {
        if reports.contains(where: { Paths.exists(Paths.join(Self.folder(of: $0), PartFile.name)) }) {
            return try mergeParts()
        }
        // A pattern that no part's folder fits comes as it is, and is no report.
        let sources = try reports.map { ReportMerge.Source(path: $0, report: try ReportSource.load($0).report) }
        if sources.contains(where: { $0.report.shard != nil }) { return try mergeParts() }
        let out = try folder()
        return try tell(try merge(sources, into: out), out)
    }

    /// What a report is written into.
    private func folder() throws -> String {
        if let out { return out }
        throw CommandProblem("a report needs a folder", hint: "give a new folder with --out")
    }

    private func tell(_ report: Report, _ out: String) throws -> ExitStatus {
        if json { try Terminal.write(report) } else { Terminal.write(extent.summary(report, location: out)) }
        GitHubStep.tell(report, toErrors: json)
        return ExitStatus(exitCode: report.verdict.exitCode) ?? .unknown
    }

    private func merge(_ runs: [ReportMerge.Source], into out: String) throws -> Report {
        if runs.count < 2 {
            throw CommandProblem(
                "\(runs[0].path) is one whole run", hint: "give at least two reports, or all parts of a run")
        }
        let merged = try ReportMerge.merge(runs)
        try ReportFolder.write(merged, as: out, files: ReportFiles.all(merged))
        return merged
    }

    // MARK: Parts

    /// A part is its folder, whichever file of it is named.
    private static func folder(of path: String) -> String {
        guard Paths.kind(path) == .file else { return path }
        let folder = Paths.parent(of: path)
        return Paths.exists(Paths.join(folder, PartFile.name)) ? folder : path
    }

    private func mergeParts() throws -> ExitStatus {
        let merge = try PartMerge(reports.map(Self.folder))
        switch merge.work {
        case .run(var plan):
            plan.shard = nil
            let out = try folder()
            return try tell(try mergeRun(plan, merge, into: out), out)
        case .command(let command):
            if out != nil, command.name != "swarm" {
                throw CommandProblem(
                    "--out cannot be used with parts of a \(command.name): its result is only printed",
                    hint: "leave it out")
            }
            return try MergedCommand(command, merge).perform(json: json, extent: extent, out: out)
        }
    }

    private func mergeRun(_ plan: PlannedRun, _ merge: PartMerge, into out: String) throws -> Report {
        if Paths.exists(out) {
            throw CommandProblem("\(out) already exists", hint: "give a new folder with --out")
        }
        let options = try plan.runOptions()
        let operations = try plan.operationStore(in: Paths.parent(of: out))
        defer { operations?.remove() }
        let found = try merge.merged(options, operations: operations)
        let report = ReportBuilder(
            found.result, options: options, usersOption: plan.usersOption, startedAt: Date(),
            ignoresSaturation: plan.ignoresSaturation, tags: plan.tags, machines: found.machines
        ).report()
        let moved = try operations.map { [OperationStore.fileName: try $0.finish()] } ?? [:]
        try ReportFolder.write(report, as: out, files: ReportFiles.all(report), moved: moved)
        return report
    }
}
