// stampede report: what a run wrote, written again from its report.json.
// Main thread.

import ArgumentParser
import Foundation
import ReportModel
import Reporting

struct ReportCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Show a report again, or write its files anew.",
        discussion: """
            Needs report.json alone. Without options the summary is printed. A file named '-' is the standard output.

            With --against, two runs are held against each other, as 'compare' does: printed, or as a page with their \
            distributions over each other.

              stampede report Reports/latest --against Reports/quickstart-reference-1 --html change.html
            """)

    @Argument(help: "A report.json, or the folder it is in.", completion: .reportFile)
    var report: String

    @Option(
        help: "Hold it against this one, which came before: with --html, --markdown, or printed.",
        completion: .reportFile)
    var against: String?

    @Option(help: "Write a folder with everything, as 'run' does; there must be nothing there.", completion: .directory)
    var out: String?

    @Option(help: "Write the page.", completion: .file(extensions: ["html"]))
    var html: String?

    @Option(help: "Write the summary as Markdown.", completion: .file(extensions: ["md"]))
    var markdown: String?

    @Option(help: "Write JUnit's XML.", completion: .file(extensions: ["xml"]))
    var junit: String?

    @Option(help: "Write the series, a row an interval.", completion: .file(extensions: ["csv"]))
    var csv: String?

    @Flag(
        name: .shortAndLong,
        help: "All of a run that did not pass, with its stories and figures: without it that is forty lines at most.")
    var verbose = false

    mutating func validate() throws {
        if [html, markdown, junit, csv].count(where: { $0 == "-" }) > 1 {
            throw ValidationError("only one of the files can be the standard output: name the others")
        }
        if against != nil, out != nil || junit != nil || csv != nil {
            throw ValidationError("--against writes --html and --markdown; --out, --junit and --csv are of one report")
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
