// What a terminal may be sent: colours or none.
// Pure but for `detected`; any thread.

import Foundation
import ReportModel
import Text

/// Decides colours, and words errors and hints alike everywhere.
package enum TerminalStyle: Sendable, Equatable {
    case plain
    case coloured

    /// Colours only for a terminal that wants them: https://no-color.org
    package static func detected(
        descriptor: Int32 = StandardOutput.descriptor,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> TerminalStyle {
        style(isTerminal: isatty(descriptor) == 1, environment: environment)
    }

    package static func style(isTerminal: Bool, environment: [String: String]) -> TerminalStyle {
        guard isTerminal, environment["NO_COLOR", default: ""].isEmpty, environment["TERM"] != "dumb" else {
            return .plain
        }
        return .coloured
    }

    /// How wide the terminal is; nil where there is none.
    package static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    package func paint(_ text: String, _ tone: Tone) -> String {
        switch self {
        case .plain: text
        case .coloured: "\u{1B}[\(tone.code)m\(text)\u{1B}[0m"
        }
    }

    /// Text from outside on lines of its own.
    func wrapped(_ text: String, width: Int, indent: Int = 2, _ tone: Tone? = nil) -> [String] {
        TextLayout.wrapped(TextLayout.safe(text), width: width, indent: indent).map { line in
            tone.map { paint(line, $0) } ?? line
        }
    }

    /// `error: …`, and `hint: …` below it.
    package func error(_ message: String, hint: String? = nil) -> String { told("error:", .bad, message, hint) }

    /// `warning: …`, of what does not keep a command from its work.
    package func warning(_ message: String, hint: String? = nil) -> String {
        told("warning:", .doubtful, message, hint)
    }

    private func told(_ word: String, _ tone: Tone, _ message: String, _ hint: String?) -> String {
        let line = paint(word, tone) + " " + message
        return hint.map { line + "\n" + paint("hint:", .doubtful) + " " + $0 } ?? line
    }
}

extension Report.Verdict.Outcome {
    /// What the first line says: `✓ PASSED`
    var headline: String { "\(tone.mark) \(rawValue.uppercased())" }
}

extension Tone {
    fileprivate var code: String {
        switch self {
        case .heading: "1"
        case .good: "32"
        case .bad: "1;31"
        case .doubtful: "33"
        case .quiet: "2"
        }
    }
}
