// What a step of GitHub Actions is told of a report.
// Main thread.

import Foundation
import ReportModel
import Reporting

enum GitHubStep {
    /// Annotations on the standard output, and the summary of the step; nothing elsewhere.
    ///
    /// - Parameter toErrors: the standard output is a program's input.
    static func tell(_ report: Report, toErrors: Bool = false) {
        let environment = ProcessInfo.processInfo.environment
        if GitHub.isPresent(in: environment) {
            // Read from either stream.
            for line in GitHub.annotations(report) { Terminal.write(line + "\n", toErrors: toErrors) }
        }
        guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return }
        do {
            try GitHub.appendSummary(SummaryMarkdown.render(report), to: path)
        } catch {
            // The report is written, and the verdict is the client's: this is no reason to fail.
            Terminal.write("the summary could not be added to \(path)\n", toErrors: true)
        }
    }
}
