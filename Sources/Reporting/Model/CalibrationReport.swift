// What a machine can host, as one value: the table and the JSON are written from it.
// A value; any thread.

import Foundation
import Text

package struct CalibrationReport: JSONReport, Codable, Sendable, Equatable {
    package struct Figure: Codable, Sendable, Equatable {
        /// In snake case.
        package var name: String
        package var meaning: String
        package var unit: ReportUnit
        /// The median of the repeats.
        package var value: Double
        /// Nil where there is none.
        package var target: Target?
    }

    /// What the project wants to reach.
    package struct Target: Codable, Sendable, Equatable {
        package enum Bound: String, Codable, Sendable { case atLeast, atMost }

        package var bound: Bound
        package var value: Double
        package var isMet: Bool

        package static func atLeast(_ limit: Double, _ value: Double) -> Target {
            Target(bound: .atLeast, value: limit, isMet: value >= limit)
        }

        package static func atMost(_ limit: Double, _ value: Double) -> Target {
            Target(bound: .atMost, value: limit, isMet: value <= limit)
        }
    }

    package var version: String
    package var system: String
    package var cores: Int
    package var repeats: Int
    /// What could not be measured is absent.
    package var figures: [Figure] = []
    /// Why something is absent or doubtful, one sentence each.
    package var notes: [String] = []

    package init(repeats: Int) {
        version = StampedeVersion.current
        system = ProcessInfo.processInfo.operatingSystemVersionString
        cores = ProcessInfo.processInfo.activeProcessorCount
        self.repeats = repeats
    }

    /// Nothing where there is no value.
    package mutating func add(
        _ name: String, _ meaning: String, _ unit: ReportUnit, _ value: Double?,
        _ target: (Double) -> Target? = { _ in nil }
    ) {
        guard let value else { return }
        figures.append(Figure(name: name, meaning: meaning, unit: unit, value: value, target: target(value)))
    }

    /// For the terminal.
    package func text(style: TerminalStyle, width: Int = 80) -> String {
        let runs = repeats == 1 ? "one run each" : "medians of \(repeats) runs in turn"
        let cores = cores == 1 ? "1 core" : "\(cores) cores"
        var lines = [style.paint("THIS MACHINE", .heading) + "  \(cores), \(runs)"]
        for figure in figures {
            let value = TextLayout.paddedLeft(HumanNumbers.value(figure.value, unit: figure.unit), to: 12)
            let line = "  " + TextLayout.padded(figure.meaning, to: 46) + value
            guard let target = figure.target else {
                lines.append(line)
                continue
            }
            let limit = HumanNumbers.value(target.value, unit: figure.unit)
            let words = "  \((target.isMet ? Tone.good : .bad).mark) \(target.bound == .atLeast ? "≥" : "≤") \(limit)"
            lines.append(line + style.paint(words, target.isMet ? .good : .doubtful))
        }
        for note in notes { lines += style.wrapped(note, width: width) }
        return lines.joined(separator: "\n") + "\n"
    }
}
