// A story as a diagram: a lane for each party, an arrow for each message.
// Pure; any thread.

import Judgement
package import ReportModel
import Text

/// The lanes, from left to right.
enum DiagramLanes {
    /// Servers have a lane only in a story in which the app uses one.
    static func parties(of entries: [Report.TimelineEntry]) -> [Report.Party] {
        let hasServer = entries.contains { $0.from == .server || $0.to == .server }
        return Report.Party.allCases.filter { $0 != .server || hasServer }
    }

    static func place(_ party: Report.Party) -> Int { Report.Party.allCases.firstIndex(of: party) ?? 0 }

    static func title(_ party: Report.Party) -> String {
        switch party {
        case .person: return "person"
        case .app: return "app"
        case .storeKit: return "StoreKit"
        case .appStore: return "App Store"
        case .server: return "server"
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

    /// Lines of at most `width` columns, 70 at least; wider by a lane in a story with a server.
    ///
    /// - Parameter whole: the story that the entries are of, if they are a part.
    package static func render(
        _ entries: [Report.TimelineEntry], of whole: [Report.TimelineEntry]? = nil, style: TerminalStyle,
        width: Int = 80
    ) -> [String] {
        let margin = String(repeating: " ", count: prefixWidth)
        let parties = DiagramLanes.parties(of: whole ?? entries)
        var titles = ""
        for (place, party) in parties.enumerated() {
            titles = TextLayout.padded(titles, to: place * laneWidth)
            // The widest title fills its lane.
            titles += (!titles.isEmpty && titles.last != " " ? " " : "") + DiagramLanes.title(party)
        }
        var lines = [style.paint(margin + TextLayout.padded(titles, to: laneWidth * parties.count), .heading)]
        let labelWidth = max(70, width) - prefixWidth - laneWidth * 4
        for entry in entries {
            let label = DiagramLanes.label(entry, width: labelWidth)
            let head = TimelineText.head(entry, numberWidth: 4)
            lines.append(
                TextLayout.padded(head, to: prefixWidth) + arrow(entry, of: parties.count, style) + (label.first ?? ""))
            lines += label.dropFirst().map { margin + arrow(nil, of: parties.count, style) + $0 }
        }
        return lines
    }

    /// The lanes with one arrow across them, or none.
    private static func arrow(_ entry: Report.TimelineEntry?, of lanes: Int, _ style: TerminalStyle) -> String {
        var cells = Array(repeating: Character(" "), count: laneWidth * lanes)
        for lane in 0..<lanes { cells[lane * laneWidth] = "│" }
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
