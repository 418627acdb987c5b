// A story as a diagram: a lane for each party, an arrow for each message.
// Pure; any thread.

import Judgement
import Text

/// The lanes, from left to right.
enum DiagramLanes {
    static let parties = Narrator.Party.allCases

    static func place(_ party: Narrator.Party) -> Int { parties.firstIndex(of: party) ?? 0 }

    static func title(_ party: Narrator.Party) -> String {
        switch party {
        case .person: return "person"
        case .app: return "app"
        case .storeKit: return "StoreKit"
        case .appStore: return "App Store"
        }
    }

    /// What the arrow says already need not be said again.
    static func label(_ entry: Report.TimelineEntry, width: Int) -> [String] {
        TextLayout.wrapped(TextLayout.safe(entry.label ?? entry.text), width: width, indent: 0)
    }
}

// MARK: - Terminal

package enum SequenceText {
    private static let laneWidth = 9
    /// Number, time and the space after them.
    private static let prefixWidth = 19

    /// Lines of at most `width` columns, 70 at least.
    package static func render(_ entries: [Report.TimelineEntry], style: TerminalStyle, width: Int = 80) -> [String] {
        let margin = String(repeating: " ", count: prefixWidth)
        let titles = DiagramLanes.parties.map { TextLayout.padded(DiagramLanes.title($0), to: laneWidth) }
        var lines = [style.paint((margin + titles.joined()), .heading)]
        let labelWidth = max(70, width) - prefixWidth - laneWidth * 4
        for entry in entries {
            let label = DiagramLanes.label(entry, width: labelWidth)
            let head = TimelineText.head(entry, numberWidth: 4)
            lines.append(TextLayout.padded(head, to: prefixWidth) + arrow(entry, style) + (label.first ?? ""))
            lines += label.dropFirst().map { margin + arrow(nil, style) + $0 }
        }
        return lines
    }

    /// The four lanes with one arrow across them, or none.
    private static func arrow(_ entry: Report.TimelineEntry?, _ style: TerminalStyle) -> String {
        var cells = Array(repeating: Character(" "), count: laneWidth * 4)
        for lane in 0..<4 { cells[lane * laneWidth] = "│" }
        guard let entry else { return style.paint(String(cells), .quiet) }
        let from = DiagramLanes.place(entry.from) * laneWidth
        let to = DiagramLanes.place(entry.to) * laneWidth
        if from == to {
            cells[from] = "●"
            return String(cells)
        }
        for column in (min(from, to) + 1)..<max(from, to) { cells[column] = "─" }
        cells[from] = from < to ? "├" : "┤"
        cells[to < from ? to + 1 : to - 1] = to < from ? "◀" : "▶"
        return String(cells)
    }
}

// MARK: - HTML

/// A diagram as inline SVG. Colours are the page's variables, so that it follows light and dark.
package enum SequencePicture {
    private static let laneStart = 145
    private static let laneGap = 84
    private static let labelStart = 440
    private static let rowHeight = 26
    private static let top = 40
    private static let labelColumns = 56

    /// - Parameters:
    ///   - about: numbers of the entries that stand out.
    ///   - title: what the picture shows, for screen readers.
    package static func svg(_ entries: [Report.TimelineEntry], about: [Int] = [], title: String) -> String {
        let keys = Set(about)
        var rows: [String] = []
        var y = top + 24
        for entry in entries {
            let label = DiagramLanes.label(entry, width: labelColumns)
            rows.append(row(entry, y))
            for (place, line) in label.enumerated() {
                let isKey = keys.contains(entry.number)
                rows.append(text(labelStart, y + 4 + place * 16, line, class: isKey ? "label key" : "label"))
            }
            y += rowHeight + max(0, label.count - 1) * 16
        }
        let width = labelStart + labelColumns * 8 + 10
        var parts = [
            "<svg class=\"sequence\" role=\"img\" viewBox=\"0 0 \(width) \(y)\" width=\"\(width)\" height=\"\(y)\" "
                + "xmlns=\"http://www.w3.org/2000/svg\">", "<title>\(HTMLText.escaped(title))</title>",
        ]
        for (place, party) in DiagramLanes.parties.enumerated() {
            let x = laneStart + place * laneGap
            parts.append("<line class=\"lane\" x1=\"\(x)\" y1=\"\(top)\" x2=\"\(x)\" y2=\"\(y)\"/>")
            parts.append(text(x, top - 12, DiagramLanes.title(party), class: "party"))
        }
        return (parts + rows + ["</svg>"]).joined(separator: "\n")
    }

    private static func row(_ entry: Report.TimelineEntry, _ y: Int) -> String {
        let from = laneStart + DiagramLanes.place(entry.from) * laneGap
        let to = laneStart + DiagramLanes.place(entry.to) * laneGap
        let head = text(10, y + 4, TimelineText.head(entry, numberWidth: 1), class: "time")
        if from == to { return head + "<circle class=\"event\" cx=\"\(from)\" cy=\"\(y)\" r=\"4\"/>" }
        let tip = to > from ? -8 : 8
        return head + "<line class=\"arrow\" x1=\"\(from)\" y1=\"\(y)\" x2=\"\(to)\" y2=\"\(y)\"/>"
            + "<path class=\"tip\" d=\"M\(to) \(y)l\(tip) -4v8z\"/>"
    }

    private static func text(_ x: Int, _ y: Int, _ text: String, class name: String) -> String {
        "<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\">\(HTMLText.escaped(text))</text>"
    }

    /// The styles that the picture needs of its page.
    package static let style = """
        .sequence { font: 13px/1.2 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; max-width: none; }
        .sequence text { fill: var(--text); }
        .sequence .key { font-weight: 600; }
        .sequence .party { font-weight: 600; text-anchor: middle; }
        .sequence .time { fill: var(--quiet); font-size: 11px; }
        .sequence .lane { stroke: var(--line); stroke-width: 1; }
        .sequence .arrow { stroke: var(--accent); stroke-width: 1.5; }
        .sequence .tip, .sequence .event { fill: var(--accent); }
        """
}
