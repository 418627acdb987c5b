// Where the keys of the scenario format stand in a scenario.
// Pure; any thread.

package import Scenario

/// A place in an outline that a key of the format has, with copies of the whole that say something else there.
package struct KeySite {
    /// Its path as swarms name it: steps begin with `step`, wherever they stand; `[]` is any item of a list.
    package let key: String
    package let value: ScenarioOutline
    /// The scenario with another value in its place, or without it.
    package let with: (ScenarioOutline?) -> ScenarioOutline
    /// The mapping that it stands in.
    package let whole: Whole

    package struct Whole {
        package let key: String
        package let entries: [ScenarioOutline.Entry]
        /// The scenario with another one in its place.
        package let with: (ScenarioOutline) -> ScenarioOutline
    }

    /// Mappings whose keys are data.
    private static let ofData: Set<String> = [
        "population.owns", "population.unfinished_at_start", "step.buy.choose", "step.expect.holds",
    ]
    private static let stepLists: Set<String> = [
        "step.repeat.steps", "step.choose[].steps", "step.on_other_device", "step.together",
    ]

    package static func all(in outline: ScenarioOutline) -> [KeySite] {
        var sites: [KeySite] = []
        visit(outline, "", { $0 }, &sites)
        return sites
    }

    private static func visit(
        _ outline: ScenarioOutline, _ path: String, _ rebuilt: @escaping (ScenarioOutline) -> ScenarioOutline,
        _ sites: inout [KeySite]
    ) {
        switch outline {
        case .scalar: break
        case .list(let items):
            let isOfSteps = stepLists.contains(path) || path.hasPrefix("journeys.")
            for (place, item) in items.enumerated() {
                visit(
                    item, isOfSteps ? "step" : path + "[]",
                    { item in
                        var items = items
                        items[place] = item
                        return rebuilt(.list(items))
                    }, &sites)
            }
        case .mapping(let entries):
            if ofData.contains(path) || isDistribution(entries) { return }
            let whole = Whole(key: path, entries: entries, with: rebuilt)
            for (place, entry) in entries.enumerated() {
                let inner = path.isEmpty ? entry.key : "\(path).\(entry.key)"
                func with(_ value: ScenarioOutline?) -> ScenarioOutline {
                    var entries = entries
                    if let value { entries[place].value = value } else { entries.remove(at: place) }
                    // A step is its only key.
                    return rebuilt(entries.isEmpty ? .scalar("launch") : .mapping(entries))
                }
                // Journeys have names, which are data.
                if path != "journeys" {
                    sites.append(KeySite(key: inner, value: entry.value, with: with, whole: whole))
                }
                visit(entry.value, inner, { with($0) }, &sites)
            }
        }
    }

    /// A way to write a number.
    private static func isDistribution(_ entries: [ScenarioOutline.Entry]) -> Bool {
        entries.contains { ["median", "p99", "mean"].contains($0.key) || $0.key.first?.isNumber == true }
    }
}
