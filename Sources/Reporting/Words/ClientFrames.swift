// The calls in which client code came to its end, as reports show them: the one place that lays them out.
// Waits for the tool that knows lines; any thread.

import Judgement
import Simulation
import Statics
import Text

enum ClientFrames {
    static let heading = "the client's calls, innermost first:"
    /// Stands for calls that are not the client's.
    private static let others = "…"
    /// Where the glue file's own functions stand: client code calls them, and they lead nowhere.
    private static let glue = "StampedeGlue.swift:"

    /// Of each violation; nil where there is no more to say than the sentence does.
    static func words(of evidence: [Evidence]) -> [[String]?] {
        let stacks = evidence.map { $0.story.input.log.calls(of: $0.violation.process) }
        return zip(evidence, frames(of: stacks)).map { evidence, frames in
            guard evidence.violation.rule.isOfDeath, frames.count > 1 else { return nil }
            return frames.map { $0 ?? others }
        }
    }

    /// The client's innermost function, with its line; nil where it is not known.
    static func place(of calls: [UInt]) -> String? {
        frames(of: [calls])[0].first?.flatMap(\.self)
    }

    /// From the client's innermost own function on.
    private static func frames(of stacks: [[UInt]]) -> [[String?]] {
        ClientCode.frames(of: stacks, areClients: true).map { frames in
            Array(frames.drop { $0?.contains(glue) ?? false })
        }
    }

    /// With the heading; each on one line, however long. Nothing for nothing.
    static func lines(_ frames: [String]?, indent: Int) -> [String] {
        guard let frames else { return [] }
        let margin = String(repeating: " ", count: indent)
        return [margin + heading] + frames.map { margin + "  " + TextLayout.safe($0) }
    }

    /// A part that opens; nothing for nothing.
    static func html(_ frames: [String]?) -> String {
        guard let frames else { return "" }
        let text = HTMLText.escaped(frames.joined(separator: "\n"))
        return "\n<details><summary>The client's calls, innermost first</summary>\n"
            + "<pre class=\"output\">\(text)</pre>\n</details>"
    }
}
