// What a terminal may be sent: colours or none.
// Pure but for `detected`; any thread.

import Foundation

/// Decides colours, and words errors and hints alike everywhere.
package enum TerminalStyle: Sendable, Equatable {
    case plain
    case coloured

    /// What a piece of text is, not how it looks.
    package enum Role: Sendable {
        case heading
        case good
        case bad
        case doubtful
        case quiet

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

    package func paint(_ text: String, _ role: Role) -> String {
        switch self {
        case .plain: text
        case .coloured: "\u{1B}[\(role.code)m\(text)\u{1B}[0m"
        }
    }

    /// `error: …`, and `hint: …` below it.
    package func error(_ message: String, hint: String? = nil) -> String { told("error:", .bad, message, hint) }

    /// `warning: …`, of what does not keep a command from its work.
    package func warning(_ message: String, hint: String? = nil) -> String {
        told("warning:", .doubtful, message, hint)
    }

    private func told(_ word: String, _ role: Role, _ message: String, _ hint: String?) -> String {
        let line = paint(word, role) + " " + message
        return hint.map { line + "\n" + paint("hint:", .doubtful) + " " + $0 } ?? line
    }
}

extension Report.Verdict.Outcome {
    /// What the first line says.
    var mark: (word: String, role: TerminalStyle.Role) {
        switch self {
        case .passed: ("✓ PASSED", .good)
        case .failed: ("✗ FAILED", .bad)
        case .unknown: ("? UNKNOWN", .doubtful)
        case .interrupted: ("? INTERRUPTED", .doubtful)
        case .error: ("✗ ERROR", .bad)
        }
    }
}
