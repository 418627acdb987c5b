// What a replay showed, for the terminal and as a page.
// A value; any thread.

import Judgement
import Scenario
import Text

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
            doubts.append("The report was written by version \(report.tool.version), this is \(version).")
        }
        if report.run.clock == RunClock.wall.rawValue {
            doubts.append("The run was under the wall clock, where no two runs are the same.")
        }
        if again == nil, doubts.isEmpty {
            doubts.append("The client or the harness has been built anew since, and differs.")
        }
        self.doubts = doubts
    }

    /// Whether the story is the very same.
    package var isSame: Bool { again?.sentence == evidence.sentence }

    package var outcome: String {
        guard again != nil else { return "The violation did not come back." }
        return isSame
            ? "Run again, the violation came back in the same way." : "The rule is broken again, in another way."
    }
}

package enum ReplayPage {
    package static func render(_ replay: Replay) -> String {
        let sentence = (replay.again ?? replay.evidence).sentence
        let title = "\(replay.evidence.rule), user \(replay.evidence.user)"
        let guilty = (replay.again ?? replay.evidence).guiltyEntry
        let tone: Tone = replay.again == nil ? .doubtful : .bad
        let lines = ShortTimeline.whole(replay.timeline)
        var body = [
            "<header class=\"verdict \(tone.rawValue)-edge\">",
            "<h1>User \(replay.evidence.user) <span class=\"quiet\">with \(HTMLText.escaped(replay.client))</span></h1>",
            "<p class=\"outcome \(tone.rawValue)\"><span aria-hidden=\"true\">\(tone.mark)</span> "
                + "\(HTMLText.escaped(replay.evidence.rule)) (\(replay.evidence.severity.rawValue))</p>",
            "<p class=\"example\">\(HTMLText.escaped(sentence)).</p>", "<p>\(HTMLText.escaped(replay.outcome))</p>",
        ]
        if replay.again != nil, !replay.isSame {
            body.append("<p>In the report: \(HTMLText.escaped(replay.evidence.sentence)).</p>")
        }
        if !replay.isSame { body += replay.doubts.map { "<p>\(HTMLText.escaped($0))</p>" } }
        body += [
            "<dl>", fact("Scenario", replay.scenario), fact("Client", replay.client), fact("Seed", "\(replay.seed)"),
            fact("User", "\(replay.evidence.user), device \(replay.evidence.device)"),
            "</dl>", "<p class=\"next\">This user alone, run again:</p>",
            CommandPart.html(replay.evidence.replay),
            "</header>",
            "<h2>What happened</h2>", SequencePicture.legend(lines, guilty: guilty?.number),
            "<div class=\"scroll picture\" tabindex=\"0\" role=\"region\" aria-label=\"Sequence diagram\">",
            SequencePicture.svg(lines, guilty: guilty?.number, title: title), "</div>",
            "<details open><summary>As a list</summary><ol>",
        ]
        body += TimelineText.items(replay.timeline, guilty: guilty?.number)
        let frames = ClientFrames.html((replay.again ?? replay.evidence).frames)
        body.append("</ol></details>\(frames)\(ClientOutput.html(replay.output))")
        return Page.render(
            title: title, style: SequencePicture.style + "\n" + ReportStyle.text, body: body.joined(separator: "\n"))
    }

    private static func fact(_ name: String, _ value: String) -> String {
        "<dt>\(name)</dt><dd>\(HTMLText.escaped(value))</dd>"
    }
}
