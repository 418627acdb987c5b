// The calls in which client code came to its end, as reports show them: the one place that lays them out.
// Waits for the tool that knows lines; any thread.

import Judgement
import Simulation
import Statics
import Text

enum ClientFrames {
    static let heading = "its calls, the innermost first:"
    /// Stands for calls that are not the client's.
    private static let others = "…"

    /// Of each violation; nil where there is no more to say than the sentence does.
    static func words(of evidence: [Evidence]) -> [[String]?] {
        let stacks = evidence.map { $0.story.input.log.calls(of: $0.violation.process) }
        return zip(evidence, ClientCode.frames(of: stacks, areClients: true)).map { evidence, frames in
            guard evidence.violation.rule.isOfDeath, frames.count > 1 else { return nil }
            return frames.map { $0 ?? others }
        }
    }

    /// The client's innermost function, with its line; nil where it is not known.
    static func place(of calls: [UInt]) -> String? {
        ClientCode.frames(of: [calls], areClients: true)[0].first?.flatMap(\.self)
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
        return "\n<details><summary>The calls of the client, the innermost first</summary>\n"
            + "<pre class=\"output\">\(text)</pre>\n</details>"
    }
}
