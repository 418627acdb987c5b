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
        _ name: String, _ meaning: String, _ unit: ReportUnit, _ value: Double?
    ) {
        guard let value else { return }
        figures.append(Figure(name: name, meaning: meaning, unit: unit, value: value))
    }
}
