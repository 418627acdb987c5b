// Where in a scenario a key stands, for hints about a command line.
// Constants; any thread.

package enum ScenarioPlace: Sendable {
    case entry
    case top
    case step

    /// Nil for a key of none of these.
    package static func of(_ key: String) -> ScenarioPlace? {
        if entryKeys.contains(key) { return .entry }
        if topKeys.contains(key) { return .top }
        return ScenarioStep.named(key) == nil ? nil : .step
    }

    private static let entryKeys = Set(
        KeySection.entry.facts.keys.map(\.name) + LoadExecutors.all.flatMap { $0.everyKey.map(\.name) })
    private static let topKeys = Set(KeyTables.top.keys.map(\.name))

    package var words: String {
        switch self {
        case .entry: "in a load entry"
        case .top: "at its top"
        case .step: "as a step of a journey"
        }
    }
}
