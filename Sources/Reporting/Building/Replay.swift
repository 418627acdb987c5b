// What a replay showed, for the terminal and as a page.
// A value; any thread.

package import ReportModel
import Scenario

/// One violation of a report, run again.
package struct Replay: Sendable {
    /// As the report has it.
    package let evidence: Report.Evidence
    package let scenario: String
    package let client: String
    package let seed: UInt64
    /// The same user's breach of the same rule now; nil: it did not come back.
    package let again: Report.Evidence?
    /// What happened to the user's device now.
    package let timeline: [Report.TimelineEntry]
    /// What its clients have printed now, as far as it is kept.
    package let output: [Report.OutputLine]
    /// Why it may have gone another way, one sentence each.
    package let doubts: [String]

    package init(
        evidence: Report.Evidence, of report: Report, again: Report.Evidence?, timeline: [Report.TimelineEntry],
        output: [Report.OutputLine] = [], version: String
    ) {
        self.evidence = evidence
        scenario = report.scenario.name
        client = report.run.client
        seed = evidence.seed ?? report.run.seed
        self.again = again
        self.timeline = timeline
        self.output = output
        var doubts: [String] = []
        if report.tool.version != version {
            doubts.append("Version \(report.tool.version) wrote the report, but this is version \(version).")
        }
        if report.run.clock == RunClock.wall.rawValue {
            doubts.append("The run used the wall clock, under which no two runs are the same.")
        }
        if again == nil, doubts.isEmpty {
            doubts.append("The client or the harness has changed since the report was written.")
        }
        self.doubts = doubts
    }

    /// Whether the story is the very same.
    package var isSame: Bool { again?.sentence == evidence.sentence }

    package var outcome: String {
        guard again != nil else { return "The violation did not come back." }
        return isSame
            ? "The violation came back in the same way." : "The app broke the rule again, in another way."
    }
}
