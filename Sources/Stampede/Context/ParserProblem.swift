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
            option.flatMap { ForeignOptions.hint(for: $0, of: command) } ?? advice
            ?? Self.help(in: StampedeCommand.fullMessage(for: error, columns: 10_000))
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

/// Options of other load generators, k6 above all, that people try first.
private enum ForeignOptions {
    static func hint(for option: String, of command: String?) -> String? {
        guard let command, commands.contains(command) else { return nil }
        switch option {
        case "--vus", "-u", "--max-vus", "--virtual-users": return "in Stampede it is --users"
        case "--duration", "-d", "--run-time":
            return "the duration is the scenario's load: `for:` of its entries; --time-limit ends the command before"
        case "--iterations", "-i":
            return "how often is the scenario's load: `iterations:` of an entry with executor per-user-iterations"
        case "--stage", "-s": return "stages are the scenario's load: `stages:` of an entry with executor ramping-users"
        case "--rps": return "a rate is the scenario's load: `rate:` of an entry with executor constant-arrival-rate"
        case "--summary-export", "--summary-mode", "-o", "--output":
            return "each run writes report.json and more into the folder of --out; --json prints it"
        case "--no-summary", "--silent": return "in Stampede it is --quiet"
        case "--no-color", "--no-colour": return "the environment says so: NO_COLOR=1"
        default: return nil
        }
    }

    /// Those that a scenario is run with, or drawn for.
    private static let commands: Set<String> = ["run", "swarm", "matrix"]
}
