// Every key that a swarm draws matters: without it, or with another value of it, some scenario's report is another.
// Main thread; runs have their own.

import ClientKit
import Dispatch
import Engine
import Foundation
import Hosting
import Judgement
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import Specimens
import StoreKit2Shops
import Synchronization

/// Looks for a scenario for each key, with clients that between them use all that keys are about.
struct KeyCheck {
    private static let scenarios = 3_000
    private static let users = 8
    /// Values of other scenarios that are tried in the place of one.
    private static let values = 3
    /// By then a scenario that takes longer is left to itself, in seconds.
    private static let secondsMax = 2.0

    /// What a scenario is called, what it sells, and how many people it has is said to a swarm, not drawn by it.
    private static let given: Set<String> = ["name", "store.catalog", "load[].name", "population.users"]

    private static let clients: [(client: any StoreClient.Type, options: [String: String])] = [
        (ReferenceClient.self, ["validation": "server"]), (CornerShop.self, [:]), (StoreKit2Client.self, [:]),
        (DiaryShop.self, [:]), (TwoAPIShop.self, [:]), (TrustingShop.self, [:]),
    ]

    private let outlines: [ScenarioOutline]
    /// What scenarios have at each key.
    private let values: [String: [ScenarioOutline]]

    var keys: Set<String> { Set(values.keys) }

    init() {
        let drawing = ScenarioDrawing(catalog: SwarmSample.catalog, catalogPath: "shop.storekit", users: Self.users)
        outlines = (0..<Self.scenarios).map { drawing.outline(seed: 3, number: $0) }
        var values: [String: [ScenarioOutline]] = [:]
        for outline in outlines {
            for site in Self.sites(outline) where !values[site.key, default: []].contains(site.value) {
                values[site.key, default: []].append(site.value)
            }
        }
        self.values = values
    }

    private static func sites(_ outline: ScenarioOutline) -> [KeySite] {
        KeySite.all(in: outline).filter { !given.contains($0.key) }
    }

    /// The keys with which no scenario's report was another.
    func silent() -> [String] {
        let speaking = Mutex<Set<String>>([])
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                if number >= outlines.count { return }
                look(number, speaking)
            }
        }
        return speaking.withLock { keys.subtracting($0).sorted() }
    }

    private func look(_ number: Int, _ speaking: borrowing Mutex<Set<String>>) {
        for (client, options) in Self.clients {
            var base: Data?
            for site in Self.sites(outlines[number]) where !speaking.withLock({ $0.contains(site.key) }) {
                base = base ?? Self.figures(outlines[number], client, options)
                guard let base else { break }
                let isOther = variants(of: site, number).contains {
                    Self.figures($0, client, options).map { $0 != base } ?? false
                }
                if isOther { _ = speaking.withLock { $0.insert(site.key) } }
            }
        }
    }

    /// Left out, and with values that other scenarios have there. What cannot be left out is one of several keys: with
    /// another of them.
    private func variants(of site: KeySite, _ number: Int) -> [ScenarioOutline] {
        func some(_ all: [ScenarioOutline]) -> [ScenarioOutline] {
            all.indices.prefix(Self.values).map { all[($0 + number) % all.count] }
        }
        let others = some(values[site.key, default: []].filter { $0 != site.value }).map(site.with)
        let without = site.with(nil)
        if Self.scenario(without) != nil { return [without] + others }
        let wholes = values[site.whole.key, default: []].filter { Self.isInPlace($0, of: site) }
        return others + some(wholes).map(site.whole.with)
    }

    /// Whether a mapping has another key than the site's, and everything else that stands beside the site.
    private static func isInPlace(_ other: ScenarioOutline, of site: KeySite) -> Bool {
        guard case .mapping(let entries) = other, entries.count == site.whole.entries.count else { return false }
        let kept = site.whole.entries.filter(entries.contains)
        return kept.count == entries.count - 1 && !kept.contains { site.key.hasSuffix("." + $0.key) }
    }

    private static func scenario(_ outline: ScenarioOutline) -> Scenario? {
        try? Scenario.text(outline.text, catalog: SwarmSample.catalog)
    }

    /// What the report says happened, without what it repeats of the scenario, and without the machine's. Nil for what is
    /// no scenario, or is at it for ages.
    private static func figures(
        _ outline: ScenarioOutline, _ client: any StoreClient.Type, _ clientOptions: [String: String]
    ) -> Data? {
        guard let scenario = scenario(outline) else { return nil }
        let options = RunOptions(scenario: scenario, client: client, clientOptions: clientOptions, workers: 1)
        let run = Run(options)
        let watch = DispatchWorkItem { run.board.stop.make(.interrupt) }
        DispatchQueue.global().asyncAfter(deadline: .now() + secondsMax, execute: watch)
        let result = run.perform()
        watch.cancel()
        if result.wasStopped { return nil }
        let report = ReportBuilder(
            result, options: options, usersOption: nil, startedAt: Date(timeIntervalSince1970: 0)
        ).report()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try? encoder.encode(report.metrics)
    }
}
