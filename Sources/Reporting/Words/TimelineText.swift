// A timeline as lines of text: the one place that lays them out. Diagrams take the head of their lines from here.
// Pure; any thread.

package import ReportModel
import Text

package enum TimelineText {
    /// `  12  00:00:01.019`
    static func head(_ entry: Report.TimelineEntry, numberWidth: Int) -> String {
        "\(TextLayout.paddedLeft(String(entry.number), to: numberWidth))  \(HumanNumbers.clock(nanoseconds: entry.atNs))"
    }

    private static func numberWidth(_ entries: [Report.TimelineEntry]) -> Int {
        entries.map { String($0.number).count }.max() ?? 1
    }

    // MARK: Terminal

    /// `  12  00:00:01.019  StoreKit tells: 3 products found`, one line an entry, however long.
    package static func lines(_ entries: [Report.TimelineEntry]) -> [String] {
        let numberWidth = numberWidth(entries)
        return entries.map { "\(head($0, numberWidth: numberWidth))  " + TextLayout.safe($0.text) }
    }

    /// What a reader of the violation needs, wrapped: `    ›  12  00:00:01.019  StoreKit tells: …` where it is about
    /// the violation.
    ///
    /// - Parameter count: how many entries there may be, gaps included; more, if it is about more.
    static func shortLines(
        of evidence: Report.Evidence, count: Int, style: TerminalStyle, width: Int
    ) -> [String] {
        let numberWidth = numberWidth(evidence.timeline)
        let short = ShortTimeline(evidence.timeline, about: evidence.about, count: count)
        return short.lines.flatMap { line -> [String] in
            guard case .entry(let entry, let isMarked) = line else {
                return [style.paint("      \(line.note ?? "")", .quiet)]
            }
            let start = "    \(isMarked ? "›" : " ") \(head(entry, numberWidth: numberWidth))  "
            let wrapped = TextLayout.wrapped(TextLayout.safe(entry.text), width: width, indent: start.count)
            return [style.paint(start, .quiet) + (wrapped.first?.dropFirst(start.count) ?? "")] + wrapped.dropFirst()
        }
    }

    // MARK: HTML

    /// Items of a list that numbers them itself.
    ///
    /// - Parameter guilty: the number of the one that the story hangs on.
    static func items(_ entries: [Report.TimelineEntry], guilty: Int? = nil) -> [String] {
        entries.map { entry in
            let mark = entry.number == guilty ? "<b class=\"guilty-word\">here</b> " : ""
            let time = HumanNumbers.clock(nanoseconds: entry.atNs)
            return "<li><time>\(time)</time> \(mark)\(HTMLText.escaped(entry.text))</li>"
        }
    }
}
