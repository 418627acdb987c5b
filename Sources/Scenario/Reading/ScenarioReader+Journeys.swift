// Journeys, by their names.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    /// The names of the journeys, in the order of the file, whatever may be wrong with them.
    func journeyNames(_ node: SourceNode) -> [String]? {
        guard case .mapping(let entries) = node.content else { return nil }
        return entries.map(\.key)
    }

    func journeys(_ node: SourceNode) -> [Journey]? {
        guard let entries = entries(node, "journeys") else { return nil }
        guard !entries.isEmpty, entries.count <= ScenarioLimits.journeysMax else {
            let hint = "at least one, at most \(ScenarioLimits.journeysMax)"
            report(node.position, "\(entries.count) journeys", hint: hint)
            return nil
        }
        let journeys = entries.compactMap { entry -> Journey? in
            let name = identifier(entry.key, at: entry.keyPosition, "journeys")
            let path = "journeys.\(name ?? "?")"
            stepsLeft = ScenarioLimits.stepsPerJourneyMax
            let steps = steps(entry.value, path)
            if stepsLeft < 0 {
                report(
                    entry.keyPosition, "\(path) has \(ScenarioLimits.stepsPerJourneyMax - stepsLeft) steps",
                    hint: "at most \(ScenarioLimits.stepsPerJourneyMax); use repeat")
            }
            guard let name, let steps else { return nil }
            return Journey(name: name, steps: steps)
        }
        return journeys.count == entries.count ? journeys : nil
    }
}
