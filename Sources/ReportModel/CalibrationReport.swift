// What a machine can host, as one value: the table and the JSON are written from it.
// A value; any thread.

import Foundation

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
}
