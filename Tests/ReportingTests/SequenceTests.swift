// Diagrams: every message on its lanes, and no text from outside that could do harm.

import Foundation
import Judgement
import Testing
import Text

@testable import ReportModel
@testable import Reporting

@Suite struct SequenceTests {
    /// Of every direction one, and something that the app does alone.
    private let entries = SampleReports.broken.violations.evidence[0].timeline.filter {
        [2, 7, 9, 12, 14].contains($0.number)
    }

    @Test func sequenceArrowsRunFromLaneToLane() {
        let lines = SequenceText.render(entries, style: .plain, width: 110)
        #expect(
            lines == [
                "                   person   app      StoreKit App Store",
                "   2  00:00:00.000 ├───────▶│        │        │        the user buys 1 × unlock_maps (request 1)",
                "   7  00:00:00.055 │        ├───────▶│        │        the app adds payment 1 for 1 × unlock_maps",
                "   9  00:00:00.227 │◀─────────────────────────┤        shows the payment sheet for unlock_maps",
                "  12  00:00:00.997 │        │◀───────┤        │        transaction 100000000000002 (unlock_maps): purchased",
                "  14  00:00:00.997 │        ●        │        │        the app writes \"isPurchased\"",
            ])
    }

    // The app's own servers are not the App Store, and most stories have none.
    @Test func serverHasALaneIfTheAppUsesIt() {
        let sent = Report.TimelineEntry(
            number: 1, atNs: 0, text: "the app sends POST https://api.example.com/a", from: .app, to: .server)
        let lines = SequenceText.render([sent] + entries.prefix(1), style: .plain, width: 110)
        #expect(
            lines == [
                "                   person   app      StoreKit App Store server  ",
                "   1  00:00:00.000 │        ├─────────────────────────▶│        the app sends POST https://api.example.com/a",
                "   2  00:00:00.000 ├───────▶│        │        │        │        the user buys 1 × unlock_maps (request 1)",
            ])
        let lanes = { (entries: [Report.TimelineEntry]) in
            SequencePicture.svg(ShortTimeline.whole(entries), guilty: nil, title: "").components(
                separatedBy: "class=\"lane\""
            ).count - 1
        }
        #expect(lanes(entries) == 4 && lanes([sent]) == 5)
    }

    @Test func longSequenceTextsContinueBelow() {
        let long = Report.TimelineEntry(
            number: 1, atNs: 0, text: String(repeating: "word ", count: 30), from: .person, to: .app)
        for width in [70, 80, 120] {
            let lines = SequenceText.render([long], style: .plain, width: width)
            #expect(lines.count > 2 && lines.allSatisfy { $0.count <= width })
        }
    }

    @Test func sequencePictureIsEscapedAndLabelled() {
        var entries = entries
        (entries[3].text, entries[3].label) = ("StoreKit reports: <b>&\"x", "<b>&\"x")
        let svg = SequencePicture.svg(ShortTimeline.whole(entries), guilty: nil, title: "a <story>")
        #expect(svg.contains("<title>a &lt;story&gt;</title>") && svg.contains("&lt;b&gt;&amp;&quot;x"))
        #expect(!svg.contains("<b>"))
        #expect(svg.components(separatedBy: "class=\"arrow\"").count == 5)
        #expect(svg.components(separatedBy: "class=\"event\"").count == 2)
    }

    @Test(arguments: [
        ("a<b", "a&lt;b"), ("\"'&", "&quot;&#39;&amp;"), ("\u{1B}[31m", "\u{FFFD}[31m"),
        ("\u{202E}snioc", "\u{FFFD}snioc"), ("ü€😀", "ü€😀"),
    ])
    func htmlTextIsEscaped(text: String, html: String) { #expect(HTMLText.escaped(text) == html) }
}
