// stampede report: what a run wrote, written again from its report.json.
// Main thread.

import ArgumentParser
import Foundation
import ReportModel
import Reporting

struct ReportCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print a report again, or write its files again.",
        discussion: """
            Needs only report.json. Without options it prints the summary. A file named '-' is the standard output.

            With --against it compares two runs, as 'compare' does: it prints the comparison, or writes a page that \
            shows both distributions in one diagram.

              stampede report Reports/latest --against Reports/quickstart-reference-1 --html change.html
            """)

    @Argument(help: "A report.json, or the folder it is in.", completion: .reportFile)
    var report: String

    @Option(
        help: "Compare with this earlier report: printed, or written with --html or --markdown.",
        completion: .reportFile)
    var against: String?

    @Option(help: "Write all files into this folder, as 'run' does. It must not exist yet.", completion: .directory)
    var out: String?

    @Option(help: "Write the HTML page.", completion: .file(extensions: ["html"]))
    var html: String?

    @Option(help: "Write the summary as Markdown.", completion: .file(extensions: ["md"]))
    var markdown: String?

    @Option(help: "Write JUnit XML.", completion: .file(extensions: ["xml"]))
    var junit: String?

    @Option(help: "Write the series over time, one row per interval.", completion: .file(extensions: ["csv"]))
    var csv: String?

    @Flag(
        name: .shortAndLong,
        help: "Print full details of a failed run. By default at most 40 lines.")
    var verbose = false

    mutating func validate() throws {
        if [html, markdown, junit, csv].count(where: { $0 == "-" }) > 1 {
            throw ValidationError("only one file can be the standard output: give names for the rest")
        }
        if against != nil, out != nil || junit != nil || csv != nil {
            throw ValidationError("--against works with --html and --markdown, not with --out, --junit or --csv")
        }
    }

    mutating func perform() throws -> ExitStatus {
        let report = try ReportSource.load(report).report
        if let against { return try compare(report, with: ReportSource.load(against).report) }
        var isAsked = false
        func write(_ path: String?, _ text: @autoclosure () -> String) throws {
            guard let path else { return }
            isAsked = true
            try CommandContext.put(text(), to: path)
        }
        try write(html, ReportPage.render(report))
        try write(markdown, SummaryMarkdown.render(report))
        try write(junit, JUnit.render(report))
        try write(csv, SeriesTable.render(report))
        if let out {
            isAsked = true
            try ReportFolder.write(report, as: out, files: ReportFiles.all(report))
        }
        if !isAsked {
            let render = verbose ? TerminalSummary.render : TerminalSummary.brief
            Terminal.write(render(report, .detected(), Terminal.width, nil))
        }
        return .passed
    }

    /// Shows what changed. What it means for a build is for 'compare' to say.
    private func compare(_ report: Report, with base: Report) throws -> ExitStatus {
        let comparison = Comparison(base: [base], candidate: [report], noise: NoiseOption.usualShare, isPaired: false)
        if let html {
            try CommandContext.put(ComparisonPage(base: base, candidate: report, comparison).render(), to: html)
        }
        if let markdown { try CommandContext.put(ComparisonText.markdown(comparison), to: markdown) }
        if html == nil, markdown == nil {
            Terminal.write(ComparisonText.render(comparison, style: .detected(), width: Terminal.width))
        }
        return .passed
    }
}
