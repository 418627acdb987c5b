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
