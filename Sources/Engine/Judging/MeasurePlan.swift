// What a run measures besides everything: whose story is told, which sub-metrics, from when on.
// Plain values; any thread.

import Clients
import Metrics
import Scenario
import Simulation

struct MeasurePlan: Sendable {
    /// The one user that is judged, if it is one.
    let onlyUser: Int?
    /// The sub-metrics that thresholds name.
    let selections: [SelectionRule]
    let warmUp: Instant
    /// Where what users asked for is written down; nil: nowhere.
    let operations: OperationStore?

    init(_ options: RunOptions) {
        let scenario = options.scenario
        onlyUser = options.onlyUser
        operations = options.operations
        warmUp = .start + scenario.warmUp
        var selections: [MetricSelection] = []
        for selection in scenario.thresholdsInForce(for: options.client.name).compactMap(\.selection)
            + scenario.subMetrics
        where !selections.contains(selection) {
            selections.append(selection)
        }
        self.selections = selections.map { SelectionRule($0, of: scenario) }
    }
}

extension SelectionRule {
    /// Looks the values of the tags up in the scenario. What nothing there has fits nothing.
    fileprivate init(_ selection: MetricSelection, of scenario: Scenario) {
        self.init(selection)
        for tag in selection.tags {
            switch tag.name {
            case "rule", "kind": label = tag.value
            case "device": device = Int(tag.value) ?? -1
            case "product": product = scenario.store.catalog.resolve(tag.value) ?? .max
            // Of another client than the one that runs, a threshold is not in force.
            case "client": break
            default: keep(entries: scenario.entries(tagged: tag))
            }
        }
    }
}
