// What tests that run scenarios share: scenarios from text and from the shipped files, runs, and what they found.
// Pure apart from reading files; any thread.

import CatalogFile
package import ClientKit
package import Engine
package import Foundation
package import Judgement
package import Metrics
package import ReportModel
import Reporting
package import Scenario
package import Simulation
import Specimens
import Text

/// The demo game's shop: two consumables and something owned for good.
package enum Shop {
    package static let lives = "com.appcoda.fakegame.extra_lives"
    package static let powers = "com.appcoda.fakegame.superpowers"
    package static let maps = "com.appcoda.fakegame.unlock_maps"

    package static let catalog = catalog([(lives, .consumable), (powers, .consumable), (maps, .nonConsumable)])

    package static func catalog(_ products: [(identifier: String, kind: ProductKind)]) -> Catalog {
        Catalog(
            products: products.enumerated().map { index, product in
                CatalogProduct(
                    index: index, identifier: product.identifier, kind: product.kind,
                    referenceName: product.identifier, price: 1, isFamilyShareable: false, localizations: [],
                    subscription: nil)
            }, storefront: .unitedStates, locale: "en_US")
    }
}

/// What a test could not read, with the problems as a user would see them.
package struct UnreadableScenario: Error, CustomStringConvertible {
    package let description: String
}

extension Scenario {
    /// One of the files in `Scenarios/`, for so many users.
    package static func shipped(_ name: String, users: Int) throws -> Scenario {
        try file("Scenarios/\(name).yml").scaled(toUsers: users)
    }

    /// A file of this package, over the catalog that it names.
    package static func file(_ path: String) throws -> Scenario {
        let path = PackageFolder.url.appendingPathComponent(path).path
        let context = ScenarioContext(
            clients: ClientRegistry().optionValues, rules: AuditRule.allCases.map(\.rawValue),
            metricsOfRules: AuditRule.metrics
        ) { path in
            do throws(Problems) {
                return .success(try CatalogFile.load(path: path))
            } catch {
                return .failure(error)
            }
        }
        do throws(Problems) {
            return try ScenarioFile.load(path: path, context: context)
        } catch {
            throw UnreadableScenario(description: error.description)
        }
    }

    /// A scenario from its text, over `catalog` whatever file it names.
    /// - Parameter client: one that it may name beside the built-in ones.
    package static func text(
        _ text: String, catalog: Catalog = Shop.catalog, naming client: (any StoreClient.Type)? = nil
    ) throws -> Scenario {
        let context = ScenarioContext(
            clients: ClientRegistry(additional: client.map { [$0] } ?? []).optionValues,
            rules: AuditRule.allCases.map(\.rawValue)
        ) { _ in .success(catalog) }
        do throws(Problems) {
            return try ScenarioFile.parse(
                text: Array(text.utf8), file: "test.yml", directory: ".", context: context)
        } catch {
            throw UnreadableScenario(description: error.description)
        }
    }

    /// One journey, begun by all users in the same instant.
    /// - Parameter sections: whole sections of the file, in YAML.
    package static func journey(
        _ steps: [String], users: Int = 1, load: String = "executor: at-once", sections: [String] = [],
        catalog: Catalog = Shop.catalog, naming client: (any StoreClient.Type)? = nil
    ) throws -> Scenario {
        // A population given among the sections takes the place of the plain one.
        let population = sections.contains { $0.hasPrefix("population:") } ? [] : ["population: {users: \(users)}"]
        let lines =
            ["name: Test", "store: {catalog: shop.storekit}", "load: [{journey: j, \(load)}]"] + population + sections
            + ["journeys:", "  j:"] + steps.map { "    - \($0)" }
        return try text(lines.joined(separator: "\n") + "\n", catalog: catalog, naming: client)
    }
}

/// The folder of this package.
package enum PackageFolder {
    package static let url = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The names of all shipped scenarios.
    package static var scenarios: [String] {
        let files = FileManager.default.enumerator(atPath: url.appendingPathComponent("Scenarios").path)
        return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".yml") }
            .map { String($0.dropLast(4)) }.sorted()
    }
}

/// Runs a scenario with a client, on one worker unless said otherwise.
package func run(
    _ scenario: Scenario, _ client: any StoreClient.Type = ReferenceClient.self, options: [String: String] = [:],
    workers: Int = 1, onlyUser: Int? = nil, change: (inout RunOptions) -> Void = { _ in }
) -> RunResult {
    var runOptions = RunOptions(
        scenario: scenario, client: client, clientOptions: options, workers: workers, onlyUser: onlyUser)
    runOptions.updates = ClientRegistry.shipped
    change(&runOptions)
    return Run(runOptions).perform()
}

extension Collector {
    /// The timeline of the one user that a run is about.
    package var onlyUserTimeline: [Report.TimelineEntry] { onlyUserStories.flatMap { Narrator($0).timeline } }
}

extension RunResult {
    /// How often each rule was broken, however gravely; empty for a clean run.
    package var violations: [AuditRule: Int] { collector.countsByRule }

    /// Violations and broken invariants with their evidence, for a test's message.
    package var story: String {
        let shown = AuditRule.allCases.sorted { $0.rawValue < $1.rawValue }.compactMap { rule in
            collector.evidence(of: rule).first.map { first in
                "\(rule.rawValue), user \(first.user): \(first.evidence.sentence)\n"
                    + first.evidence.timeline.lines.map { "  \($0.atNs / 1_000_000) ms  \($0.text)" }.joined(
                        separator: "\n")
            }
        }
        return (shown + collector.faults.map(\.fault.sentence)).joined(separator: "\n")
    }

    /// How many expect steps held, of how many.
    package var expectations: [Int] {
        guard case .rate(let met, let all) = collector.tally.measurements[.expectations].reading(seconds: 1) else {
            return [0, 0]
        }
        return [met, all]
    }

    /// How often something was counted; zero if it was not.
    package func count(_ metric: MetricName, tag: String? = nil) -> Int {
        if let tag { return collector.tally.measurements[metric].tags[tag] ?? 0 }
        if case .counter(let count, _) = collector.tally.measurements[metric].reading(seconds: 1) { return count }
        return 0
    }
}
