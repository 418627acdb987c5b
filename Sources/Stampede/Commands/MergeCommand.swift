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
        abstract: "Make one report of several, or of all parts of a run.",
        discussion: """
            Parts are what --shard has made of one run. All of them together give the report of the undivided run, byte \
            for byte but for its host section, and its exit code. A part that is missing, doubled, damaged, of another run or made \
            by another build of the program is refused by name, with 104, and nothing is written.

              stampede merge Reports/*-part-*-of-16 --out Reports/whole

            Whole runs of one scenario and client that were spread over seeds become one report, as if one run had had the \
            users of all: counts and histograms are added without loss, so that percentiles are those of all samples; rates come \
            from their parts, series are laid over each other, and every threshold is judged again. Violations keep the seed to \
            replay them with. What was not measured in any run is absent.

              stampede merge machine-*/latest --out Reports/all

            Ends as a run with this report would: 'stampede list exit-codes'.
            """)

    @Argument(
        help: "A report.json, or the folder it is in; two at least, or all parts of a run.", completion: .reportFile)
    var reports: [String]

    @Option(
        help: """
            The folder to write, as 'run' does; there must be nothing there. Of a swarm's parts the folder of reports that \
            findings are kept in; of others none.
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
        throw CommandProblem("a report needs a folder", hint: "name one with --out that is not there yet")
    }

    private func tell(_ report: Report, _ out: String) throws -> ExitStatus {
        if json { try Terminal.write(report) } else { Terminal.write(extent.summary(report, location: out)) }
        GitHubStep.tell(report, toErrors: json)
        return ExitStatus(exitCode: report.verdict.exitCode) ?? .unknown
    }

    private func merge(_ runs: [ReportMerge.Source], into out: String) throws -> Report {
        if runs.count < 2 {
            throw CommandProblem(
                "\(runs[0].path) is one whole run", hint: "name two reports at least, or all parts of a run")
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
                throw CommandProblem("--out is for runs: a \(command.name) is printed", hint: "leave it out")
            }
            return try MergedCommand(command, merge).perform(json: json, extent: extent, out: out)
        }
    }

    private func mergeRun(_ plan: PlannedRun, _ merge: PartMerge, into out: String) throws -> Report {
        if Paths.exists(out) {
            throw CommandProblem("there is something at \(out)", hint: "name a folder with --out that is not there yet")
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
