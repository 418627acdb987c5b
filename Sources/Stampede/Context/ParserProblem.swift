// What is wrong with a command line, in the words of all other problems.
// Main thread.

import ArgumentParser
import Reporting

extension CommandProblem {
    /// What the parser finds wrong: one sentence, a hint where there is one, and where the usage is.
    ///
    /// - Parameter arguments: those of the process, without its name.
    init(parsing error: any Error, _ arguments: [String]) {
        let text = StampedeCommand.message(for: error)
        let names = StampedeCommand.configuration.subcommands.map { $0._commandName }
        let command = arguments.first.flatMap { names.contains($0) ? $0 : nil }
        let words = [CommandName.words, command, "--help"].compactMap(\.self).joined(separator: " ")
        let (sentence, advice) = Self.parts(of: text)
        let option = text.firstMatch(of: /^Unknown option '(-+[^'=]+)/).map { String($0.1) }
        let hint =
            if let option {
                // The parser's own advice may be an option that has nothing in common with this one.
                command.flatMap { OptionHint(option, of: $0).text }
            } else {
                advice ?? Self.help(in: StampedeCommand.fullMessage(for: error, columns: 10_000))
            }
        self.init(Self.begun(sentence), hint: hint)
        footer = "see '\(words)'"
    }

    /// The parser's advice is a sentence of its own behind what is wrong.
    private static func parts(of text: String) -> (sentence: String, advice: String?) {
        for beginning in [" Did you mean ", " Please provide "] {
            guard let place = text.firstRange(of: "." + beginning) else { continue }
            var advice = text[text.index(after: place.lowerBound)...].drop(while: \.isWhitespace)
            if advice.last == "." { advice.removeLast() }
            return (String(text[..<place.lowerBound]), begun(String(advice)))
        }
        return (text, nil)
    }

    /// As sentences of ours begin.
    private static func begun(_ sentence: String) -> String {
        // A name in capitals stays one.
        guard let first = sentence.first, first.isUppercase, sentence.dropFirst().first?.isLowercase ?? false else {
            return sentence
        }
        return first.lowercased() + sentence.dropFirst()
    }

    /// What the parser tells of the argument: `<scenario>: The scenario file …`
    private static func help(in text: String) -> String? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("Help:") }?.dropFirst("Help:".count)
        guard let line = line?.drop(while: \.isWhitespace), let gap = line.firstRange(of: "  ") else { return nil }
        return line[..<gap.lowerBound] + ": " + line[gap.upperBound...].drop(while: \.isWhitespace)
    }
}
