// A story as a picture for a page: a lane for each party, an arrow for each message, a mark for what matters.
// Pure; any thread.

import Judgement
import ReportModel
import Text

/// A diagram as inline SVG. Colours are the page's variables, so that it follows light and dark; what a colour says, a shape
/// and a word say too.
package enum SequencePicture {
    private static let laneStart = 145
    private static let laneGap = 84
    private static let labelGap = 43
    private static let rowHeight = 26
    private static let top = 40
    private static let labelColumns = 56
    /// How many lanes there are, and where the labels begin to the right of them.
    private struct Layout {
        let parties: [Report.Party]
        var labelStart: Int { laneStart + (parties.count - 1) * laneGap + labelGap }
    }

    /// So much time between two lines is shown as a gap.
    private static let gapMin: Int64 = 1_000_000_000

    /// What stands out in a story.
    private enum Mark: String, CaseIterable {
        case guilty, charge, delivery, crash

        var word: String {
            switch self {
            case .guilty: "here"
            case .charge: "charge"
            case .delivery: "delivery"
            case .crash: "crash"
            }
        }

        var meaning: String {
            switch self {
            case .guilty: "the step that the story hangs on"
            case .charge: "money is taken"
            case .delivery: "goods are on the device"
            case .crash: "the app ends by itself"
            }
        }

        /// Around a point.
        func shape(_ x: Int, _ y: Int) -> String {
            switch self {
            case .guilty: "<path class=\"mark guilty\" d=\"M\(x - 7) \(y - 7)L\(x + 7) \(y)L\(x - 7) \(y + 7)z\"/>"
            case .charge: "<path class=\"mark charge\" d=\"M\(x) \(y - 7)l7 7l-7 7l-7-7z\"/>"
            case .delivery: "<rect class=\"mark delivery\" x=\"\(x - 6)\" y=\"\(y - 6)\" width=\"12\" height=\"12\"/>"
            case .crash: "<path class=\"mark crash\" d=\"M\(x - 6) \(y - 6)l12 12m0-12l-12 12\"/>"
            }
        }
    }

    private static func marks(_ entry: Report.TimelineEntry, _ guilty: Int?) -> [Mark] {
        var marks: [Mark] = entry.number == guilty ? [.guilty] : []
        switch entry.kind {
        case .charge: marks.append(.charge)
        case .delivery: marks.append(.delivery)
        case .crash: marks.append(.crash)
        case .received, .finish, .answer, .lost, .nothingHeld, nil: break
        }
        return marks
    }

    private static func entries(_ lines: [ShortTimeline.Line]) -> [Report.TimelineEntry] {
        lines.compactMap { if case .entry(let entry, _) = $0 { entry } else { nil } }
    }

    // MARK: Markup

    /// What the marks of a story stand for; nothing where there are none.
    static func legend(_ lines: [ShortTimeline.Line], guilty: Int?) -> String {
        let used = Set(entries(lines).flatMap { marks($0, guilty) })
        let items = Mark.allCases.filter(used.contains).map {
            "<li><svg viewBox=\"0 0 18 18\" width=\"18\" height=\"18\" aria-hidden=\"true\">\($0.shape(9, 9))</svg>"
                + "<b class=\"\($0.rawValue)-word\">\($0.word)</b>: \($0.meaning)</li>"
        }
        return items.isEmpty ? "" : "<ul class=\"legend marks\">\(items.joined())</ul>"
    }

    /// - Parameters:
    ///   - guilty: the number of the entry that the story hangs on.
    ///   - title: what the picture shows, for screen readers.
    static func svg(_ lines: [ShortTimeline.Line], guilty: Int?, title: String) -> String {
        let layout = Layout(parties: DiagramLanes.parties(of: entries(lines)))
        var rows: [String] = []
        var y = top + 24
        var before: Int64?
        for line in lines {
            switch line {
            case .entry(let entry, let isMarked):
                if let before, entry.atNs - before >= gapMin {
                    let length = HumanNumbers.duration(nanoseconds: entry.atNs - before)
                    rows.append(pause("\(length) later", y, layout))
                    y += rowHeight
                }
                before = entry.atNs
                let label = DiagramLanes.label(entry, width: labelColumns)
                let height = rowHeight + max(0, label.count - 1) * 16
                rows.append(row(entry, y, height, label, marks(entry, guilty), isMarked: isMarked, layout))
                y += height
            case .launches, .gap:
                rows.append(pause(line.note ?? "", y, layout))
                y += rowHeight
                before = nil
            }
        }
        let width = layout.labelStart + labelColumns * 8 + 80
        var parts = [
            "<svg class=\"sequence\" role=\"img\" viewBox=\"0 0 \(width) \(y)\" width=\"\(width)\" height=\"\(y)\" "
                + "xmlns=\"http://www.w3.org/2000/svg\">", "<title>\(HTMLText.escaped(title))</title>",
        ]
        for (place, party) in layout.parties.enumerated() {
            let x = laneStart + place * laneGap
            parts.append("<path class=\"lane\" d=\"M\(x) \(top)V\(y)\"/>")
            parts.append(text(x, top - 12, DiagramLanes.title(party), class: "party"))
        }
        return (parts + rows + ["</svg>"]).joined(separator: "\n")
    }

    private static func row(
        _ entry: Report.TimelineEntry, _ y: Int, _ height: Int, _ label: [String], _ marks: [Mark], isMarked: Bool,
        _ layout: Layout
    ) -> String {
        let labelStart = layout.labelStart
        let from = laneStart + DiagramLanes.place(entry.from) * laneGap
        let to = laneStart + DiagramLanes.place(entry.to) * laneGap
        var parts: [String] = []
        if marks.contains(.guilty) {
            parts.append("<rect class=\"band\" x=\"0\" y=\"\(y - 13)\" width=\"100%\" height=\"\(height)\"/>")
        }
        parts.append(text(10, y + 4, HumanNumbers.clock(nanoseconds: entry.atNs), class: "time"))
        if from == to {
            if marks.isEmpty { parts.append("<circle class=\"event\" cx=\"\(from)\" cy=\"\(y)\" r=\"4\"/>") }
        } else {
            parts.append("<path class=\"arrow\" d=\"M\(from) \(y)H\(to)\"/>")
            parts.append("<path class=\"tip\" d=\"M\(to) \(y)l\(to > from ? -8 : 8) -4v8z\"/>")
        }
        var start = labelStart
        for mark in marks {
            // The step at fault points at its words; the others sit on the lane of whoever does it.
            parts.append(mark.shape(mark == .guilty ? labelStart - 14 : from, y))
            parts.append(text(start, y + 4, mark.word, class: "word \(mark.rawValue)-word"))
            start += (mark.word.count + 1) * 8
        }
        for (place, line) in label.enumerated() {
            let x = place == 0 ? start : labelStart
            parts.append(text(x, y + 4 + place * 16, line, class: isMarked ? "label key" : "label"))
        }
        return parts.joined()
    }

    /// Time or lines that are left out.
    private static func pause(_ words: String, _ y: Int, _ layout: Layout) -> String {
        "<path class=\"pause\" d=\"M\(laneStart - 20) \(y)H\(layout.labelStart - 30)\"/>"
            + text(layout.labelStart, y + 4, words, class: "time")
    }

    private static func text(_ x: Int, _ y: Int, _ text: String, class name: String) -> String {
        "<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\">\(HTMLText.escaped(text))</text>"
    }

    /// The styles that the picture needs of its page.
    package static let style = """
        .sequence { font: 13px/1.2 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; max-width: none; }
        .sequence text { fill: var(--text); }
        .sequence .key, .sequence .word { font-weight: 600; }
        .sequence .party { font-weight: 600; text-anchor: middle; }
        .sequence .time { fill: var(--quiet); font-size: 11px; }
        .sequence .lane { stroke: var(--line); stroke-width: 1; }
        .sequence .arrow { stroke: var(--accent); stroke-width: 1.5; }
        .sequence .tip, .sequence .event { fill: var(--accent); }
        .sequence .pause { stroke: var(--quiet); stroke-width: 1.5; stroke-dasharray: 2 6; }
        .sequence .band { fill: var(--bad); fill-opacity: .1; }
        .mark { stroke: none; } .mark.charge { fill: var(--doubtful); } .mark.delivery { fill: var(--good); }
        .mark.guilty { fill: var(--bad); } .mark.crash { stroke: var(--bad); stroke-width: 3; fill: none; }
        .sequence .charge-word, .charge-word { fill: var(--doubtful); color: var(--doubtful); }
        .sequence .delivery-word, .delivery-word { fill: var(--good); color: var(--good); }
        .sequence .crash-word, .sequence .guilty-word, .crash-word, .guilty-word { fill: var(--bad); color: var(--bad); }
        /* Where there is no room for the lanes, the list beneath says all of it. */
        @media (max-width: 40rem) { .picture { display: none; } }
        .story-scroll { max-height: 34rem; overflow: auto; }
        """
}
