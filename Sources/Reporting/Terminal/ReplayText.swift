// A replay as the terminal shows it: what happened, and whether it came about again.
// Pure; any thread.

import ReportModel
import Text

package enum ReplayText {
    /// - Parameter location: of the report that the violation is in.
    package static func render(
        _ replay: Replay, style: TerminalStyle, width: Int = 80, extent: TextExtent = .whole, location: String? = nil
    ) -> String {
        let end = closing(replay, location, style: style, width: width)
        if extent == .problems {
            if replay.again == nil { return "" }
            let story = style.wrapped((replay.again ?? replay.evidence).sentence, width: width)
            return (LineBudget.cut(story, to: LineBudget.linesMax / 2) + end).joined(separator: "\n") + "\n"
        }
        let whole =
            head(replay, sentenceMax: .max, style: style, width: width)
            + ClientFrames.lines((replay.again ?? replay.evidence).frames, indent: 0) + happened(style)
            + SequenceText.render(replay.timeline, style: style, width: width) + printed(replay, style) + [""] + end
        if extent == .whole || LineBudget.fits(whole) { return whole.joined(separator: "\n") + "\n" }
        return brief(replay, end, style: style, width: width).joined(separator: "\n") + "\n"
    }

    /// Lines of one sentence where not all is shown.
    private static let sentenceMax = 4

    private static func head(_ replay: Replay, sentenceMax: Int, style: TerminalStyle, width: Int) -> [String] {
        func cut(_ text: String) -> [String] { LineBudget.cut(style.wrapped(text, width: width), to: sentenceMax) }
        var lines = [style.paint("#\(replay.evidence.number)  \(replay.evidence.rule)", .bad)]
        lines += cut(replay.evidence.sentence)
        lines += style.wrapped(
            "\(replay.scenario) · \(replay.client) · seed \(replay.seed) · user \(replay.evidence.user) · device "
                + "\(replay.evidence.device)", width: width, .quiet)
        lines += ["", style.paint(replay.outcome, replay.again == nil ? .doubtful : .heading)]
        if !replay.isSame { lines += replay.doubts.flatMap(cut) }
        if let again = replay.again, !replay.isSame { lines += cut("Now: " + again.sentence) }
        return lines
    }

    private static func happened(_ style: TerminalStyle) -> [String] { ["", style.paint("TIMELINE", .heading)] }

    private static func printed(_ replay: Replay, _ style: TerminalStyle) -> [String] {
        if replay.output.isEmpty { return [] }
        return ["", style.paint("CLIENT OUTPUT", .heading)] + ClientOutput.lines(replay.output, indent: 2)
    }

    private static func closing(
        _ replay: Replay, _ location: String?, style: TerminalStyle, width: Int
    ) -> [String] {
        let tone: Tone = replay.again == nil ? .doubtful : .bad
        return ClosingWords.lines(
            "\(tone.mark) \(ClosingWords.sentence(replay))", tone,
            next: ClosingWords.next(replay, location: location), style: style, width: width)
    }

    // MARK: In few lines

    /// What it is about, and of the rest what there is room for.
    private static func brief(_ replay: Replay, _ end: [String], style: TerminalStyle, width: Int) -> [String] {
        let others =
            replay.output.isEmpty ? ["the full timeline"] : ["the full timeline", "the client's output"]
        let rest = [""] + LineBudget.rest(left: 0, others, style: style, width: width)
        let head = head(replay, sentenceMax: sentenceMax, style: style, width: width) + happened(style)
        let room = max(4, LineBudget.linesMax - head.count - rest.count - end.count - 1)
        var count = min(replay.timeline.count, room)
        var diagram = shortened(replay, to: count, style: style, width: width)
        while diagram.count > room, count > entriesMin {
            count -= 1
            diagram = shortened(replay, to: count, style: style, width: width)
        }
        if diagram.count > room {
            // How it began, and how it ended.
            let left = (room - 1) / 2
            diagram = diagram.prefix(left) + [style.paint(gapMargin + "…", .quiet)] + diagram.suffix(room - 1 - left)
        }
        return head + diagram + rest + [""] + end
    }

    /// `ShortTimeline` has no fewer.
    private static let entriesMin = 10
    private static let gapMargin = "      "

    /// The diagram without what a reader needs least.
    private static func shortened(_ replay: Replay, to count: Int, style: TerminalStyle, width: Int) -> [String] {
        let about = (replay.again ?? replay.evidence).about
        let short = ShortTimeline(replay.timeline, about: about, count: max(entriesMin, count))
        let lanes = SequenceText.render([], of: replay.timeline, style: style, width: width)
        return short.lines.reduce(into: lanes) { lines, line in
            if case .entry(let entry, _) = line {
                lines += SequenceText.render([entry], of: replay.timeline, style: style, width: width)
                    .dropFirst(lanes.count)
            } else {
                lines.append(style.paint(gapMargin + (line.note ?? ""), .quiet))
            }
        }
    }
}
