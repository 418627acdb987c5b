// A violation that was run again, as a page.
// Pure; any thread.

import Judgement
import ReportModel
import Text

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
            "</dl>", "<p class=\"next\">To run only this user again:</p>",
            CommandPart.html(replay.evidence.replay),
            "</header>",
            "<h2>Timeline</h2>", SequencePicture.legend(lines, guilty: guilty?.number),
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
