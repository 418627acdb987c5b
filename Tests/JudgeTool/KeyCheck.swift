// Every key that a swarm draws matters: without it, or with another value of it, some scenario's report is another.
// Main thread.

import Clients
import Dispatch
import Engine
import Foundation
import Reporting
import RunSupport
import Scenario
import Simulation

enum KeyCheck {
    private static let scenarios = 1_500
    /// By then nearly every key has been drawn.
    private static let scenariosMin = 300
    private static let users = 8

    /// What a scenario is called, and what it sells, is not for chance.
    private static let given: Set<String> = ["name", "store.catalog", "load[].name"]

    /// The keys of which no scenario's report showed anything.
    static func silent() throws -> [String] {
        let drawing = ScenarioDrawing(catalog: SwarmSample.catalog, catalogPath: "shop.storekit", users: users)
        var drawn: Set<String> = []
        var speaking = given
        var pool: [String: [ScenarioOutline]] = [:]
        for number in 0..<scenarios {
            if number >= scenariosMin, drawn.isSubset(of: speaking) { break }
            let outline = drawing.outline(seed: 3, number: number)
            let sites = KeySite.all(in: outline).filter { !speaking.contains($0.key) }
            drawn.formUnion(sites.map(\.key))
            for site in sites where !pool[site.key, default: []].contains(site.value) {
                pool[site.key, default: []].append(site.value)
            }
            if sites.isEmpty { continue }
            guard let base = try figures(outline) else { continue }
            for site in sites where !speaking.contains(site.key) {
                // Left out, where it may be, and with a value that another scenario has there.
                let values = pool[site.key, default: []]
                for variant in [site.with(nil), site.with(values[number % values.count])] {
                    guard let other = try? figures(variant), other != base else { continue }
                    speaking.insert(site.key)
                    break
                }
            }
        }
        precondition(drawn.count > 150, "only \(drawn.count) keys were drawn")
        return drawn.subtracting(speaking).sorted()
    }

    /// The figures of the report: what repeats the scenario, and what is the machine's, is left out.
    private static func figures(_ outline: ScenarioOutline) throws -> Data? {
        let scenario = try Scenario.text(outline.text, catalog: SwarmSample.catalog)
        let options = RunOptions(
            scenario: scenario, client: ReferenceClient.self, clientOptions: ["validation": "server"], workers: 1)
        let run = Run(options)
        // With some values a few people are at it for ages: there are enough other scenarios.
        let watch = DispatchWorkItem { run.board.requestStop() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: watch)
        let result = run.perform()
        watch.cancel()
        if result.wasStopped { return nil }
        let report = ReportBuilder(
            result, options: options, usersOption: nil, startedAt: Date(timeIntervalSince1970: 0)
        ).report()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(report.metrics)
    }
}

/// A place in an outline that a key of the format has, with copies of the whole that say something else there.
private struct KeySite {
    /// Its path as swarms name it.
    let key: String
    let value: ScenarioOutline
    /// The whole with another value in its place, or without it.
    let with: (ScenarioOutline?) -> ScenarioOutline

    /// Mappings whose keys are data.
    private static let ofData: Set<String> = [
        "population.owns", "population.unfinished_at_start", "step.buy.choose", "step.expect.holds",
    ]
    private static let stepLists: Set<String> = ["step.repeat.steps", "step.choose[].steps", "step.on_other_device"]

    static func all(in outline: ScenarioOutline) -> [KeySite] {
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
            for (place, item) in items.enumerated() {
                let isOfSteps = stepLists.contains(path) || path == "step.together" || path.hasPrefix("journeys.")
                visit(
                    item, isOfSteps ? "step" : path + "[]",
                    { item in
                        var items = items
                        items[place] = item
                        return rebuilt(.list(items))
                    }, &sites)
            }
        case .mapping(let entries):
            if ofData.contains(path) { return }
            for (place, entry) in entries.enumerated() {
                // A distribution is a value.
                if ["median", "p99", "mean"].contains(entry.key) || entry.key.first?.isNumber == true { return }
                let inner = path.isEmpty ? entry.key : "\(path).\(entry.key)"
                func with(_ value: ScenarioOutline?) -> ScenarioOutline {
                    var entries = entries
                    if let value { entries[place].value = value } else { entries.remove(at: place) }
                    // A step is its only key.
                    return rebuilt(entries.isEmpty ? .scalar("launch") : .mapping(entries))
                }
                if path != "journeys" {
                    sites.append(KeySite(key: inner, value: entry.value, with: with))
                }
                visit(entry.value, inner, { with($0) }, &sites)
            }
        }
    }
}
