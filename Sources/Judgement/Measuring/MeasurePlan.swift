// Choices of a run's measurement: which user's story is reported, which sub-metrics, and from when on.
// Plain values; any thread.

package import Metrics
package import Scenario
package import Simulation

package struct MeasurePlan: Sendable {
    /// The one user that is judged, if it is one.
    package let onlyUser: Int?
    /// The sub-metrics that thresholds name.
    package let selections: [SelectionRule]
    package let warmUp: Instant
    /// Where what users asked for is written down; nil: nowhere.
    package var operations: (any OperationRecord)?

    package var withoutOperations: MeasurePlan {
        var copy = self
        copy.operations = nil
        return copy
    }

    /// - Parameter client: the name of the one under test.
    package init(_ scenario: Scenario, client: String, onlyUser: Int?, operations: (any OperationRecord)?) {
        self.onlyUser = onlyUser
        self.operations = operations
        warmUp = .start + scenario.warmUp
        var selections: [MetricSelection] = []
        for selection in scenario.thresholdsInForce(for: client).compactMap(\.selection)
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
            case "rule", "kind", "code": label = tag.value
            case "stage": stage = tag.value
            case "outcome": outcome = tag.value
            case "answer": answer = tag.value
            case "device": device = Int(tag.value) ?? -1
            case "product": product = scenario.store.catalog.resolve(tag.value) ?? .max
            // A threshold on a client other than the running one is not in force.
            case "client": break
            default: keep(entries: scenario.entries(tagged: tag))
            }
        }
    }
}
