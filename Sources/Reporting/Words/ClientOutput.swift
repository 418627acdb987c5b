// What clients print, as reports show it: the one place that lays it out.
// Pure; any thread.

package import Engine
import Judgement
package import ReportModel
import Simulation
import Text

package enum ClientOutput {
    /// With a violation.
    private static let linesMax = 10

    /// The last by then: of the launch that is to blame, or of all where none is.
    static func lines(of violation: Violation, _ log: ClientLog) -> [Report.OutputLine]? {
        let lines = log.lines.filter {
            $0.at <= violation.at && (violation.process == nil || $0.process == violation.process)
        }
        return lines.isEmpty ? nil : lines.suffix(linesMax).map(Report.OutputLine.init)
    }

    /// `launch 1  00:00:01.019  Charging…`
    static func text(_ line: Report.OutputLine) -> String {
        "launch \(line.process)  \(HumanNumbers.clock(nanoseconds: line.atNs))  \(TextLayout.safe(line.text))"
    }

    // MARK: Terminal

    static let heading = "the client's last output:"

    /// Each on one line, however long: it is the client's own.
    package static func lines(_ lines: [Report.OutputLine], indent: Int) -> [String] {
        lines.map { String(repeating: " ", count: indent) + text($0) }
    }

    /// `user 3, launch 1, 00:00:01.019: Charging…`, with its end.
    package static func streamed(_ printed: ClientOutputLine) -> String {
        let device = printed.device.map { ", device \($0)" } ?? ""
        return "user \(printed.user)\(device), launch \(printed.line.process), "
            + "\(HumanNumbers.clock(nanoseconds: printed.line.at.nanoseconds)): \(TextLayout.safe(printed.line.text))\n"
    }

    // MARK: HTML

    /// A part that opens; nothing for nothing.
    static func html(_ lines: [Report.OutputLine]?) -> String {
        guard let lines, !lines.isEmpty else { return "" }
        let text = HTMLText.escaped(lines.map(text).joined(separator: "\n"))
        return "\n<details><summary>Client output</summary>\n<pre class=\"output\">\(text)</pre>\n</details>"
    }
}

extension Report.OutputLine {
    init(_ line: ClientLine) { self.init(atNs: line.at.nanoseconds, process: line.process, text: line.text) }
}
