// stampede merge: the reports of several runs as one.
// Main thread.

import ArgumentParser
import Foundation
import Reporting

struct MergeCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Make one report of several, as if one run had had the users of all.",
        discussion: """
            For runs of one scenario and client that were spread over machines or seeds: counts and histograms are \
            added without loss, so that percentiles are those of all samples; rates come from their parts, series are \
            laid over each other, and every threshold is judged again. Violations keep the seed to replay them with. \
            What was not measured in any run is absent.

              stampede merge machine-*/latest --out Reports/all

            Ends as a run with this report would: 'stampede list exit-codes'.
            """)

    @Argument(help: "A report.json, or the folder it is in; two at least.", completion: .reportFile)
    var reports: [String]

    @Option(help: "The folder to write, as 'run' does; there must be nothing there.", completion: .directory)
    var out: String

    @OptionGroup var extent: ExtentOptions

    mutating func validate() throws {
        if reports.count < 2 { throw ValidationError("name two reports at least") }
    }

    mutating func perform() throws -> ExitStatus {
        let sources = try reports.map { ReportMerge.Source(path: $0, report: try ReportSource.load($0).report) }
        let merged = try ReportMerge.merge(sources)
        try ReportFolder.write(merged, as: out, files: ReportFiles.all(merged))
        Terminal.write(extent.summary(merged, location: out))
        return merged.verdict.status
    }
}
