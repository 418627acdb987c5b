// Diagrams: every message on its lanes, and no text from outside that could do harm.

import Audit
import Foundation
import Reporting
import Testing

@Suite struct SequenceTests {
    private let entries = [
        Report.TimelineEntry(number: 1, atNs: 0, text: "the user buys 1 × hat", from: .person, to: .app),
        Report.TimelineEntry(number: 2, atNs: 5_000_000, text: "the app adds payment 1", from: .app, to: .storeKit),
        Report.TimelineEntry(
            number: 3, atNs: 2_000_000_000, text: "App Store: shows the sheet", label: "shows the sheet",
            from: .appStore, to: .person),
        Report.TimelineEntry(
            number: 4, atNs: 3_000_000_000, text: "StoreKit tells: <b>&\"x", label: "<b>&\"x", from: .storeKit, to: .app
        ),
        Report.TimelineEntry(number: 5, atNs: 4_000_000_000, text: "the app writes 1 value", from: .app, to: .app),
    ]

    @Test func arrowsRunFromLaneToLane() {
        let lines = SequenceText.render(entries, style: .plain)
        #expect(
            lines == [
                "                   person   app      StoreKit App Store",
                "   1  00:00:00.000 ├───────▶│        │        │        the user buys 1 × hat",
                "   2  00:00:00.005 │        ├───────▶│        │        the app adds payment 1",
                "   3  00:00:02.000 │◀─────────────────────────┤        shows the sheet",
                "   4  00:00:03.000 │        │◀───────┤        │        <b>&\"x",
                "   5  00:00:04.000 │        ●        │        │        the app writes 1 value",
            ])
    }

    @Test func longTextsGoOnBelow() {
        let long = Report.TimelineEntry(
            number: 1, atNs: 0, text: String(repeating: "word ", count: 30), from: .person, to: .app)
        for width in [70, 80, 120] {
            let lines = SequenceText.render([long], style: .plain, width: width)
            #expect(lines.count > 2 && lines.allSatisfy { $0.count <= width })
        }
    }

    @Test func thePictureEscapesAndSaysWhatItShows() {
        let svg = SequencePicture.svg(entries, title: "a <story>")
        #expect(svg.contains("<title>a &lt;story&gt;</title>") && svg.contains("&lt;b&gt;&amp;&quot;x"))
        #expect(!svg.contains("<b>"))
        #expect(svg.components(separatedBy: "class=\"arrow\"").count == 5)
        #expect(svg.components(separatedBy: "class=\"event\"").count == 2)
    }

    @Test(arguments: [
        ("a<b", "a&lt;b"), ("\"'&", "&quot;&#39;&amp;"), ("\u{1B}[31m", "\u{FFFD}[31m"),
        ("\u{202E}snioc", "\u{FFFD}snioc"), ("ü€😀", "ü€😀"),
    ])
    func textIsEscaped(text: String, html: String) { #expect(HTMLText.escaped(text) == html) }
}
