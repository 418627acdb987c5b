// What the tests of this target share: a small shop, a valid scenario, and a short way to its problems.
// Pure; any thread.

import Foundation
import Scenario
import Simulation
import Text

enum Shop {
    static let catalog: Catalog = {
        let kinds: [(String, ProductKind)] = [
            ("extra_lives", .consumable), ("superpowers", .consumable), ("unlock_maps", .nonConsumable),
        ]
        let products = kinds.enumerated().map { index, product in
            CatalogProduct(
                index: index, identifier: "com.appcoda.fakegame.\(product.0)", kind: product.1,
                referenceName: product.0, price: 1, isFamilyShareable: false, localizations: [], subscription: nil)
        }
        return Catalog(products: products, storefront: .unitedStates, locale: "en_US")
    }()

    /// Loads the shop from every path but those that contain "missing".
    static let context = ScenarioContext(
        clients: ["reference": [:], "iap-manager": ["verify": ["false", "true"], "retries": ["0", "3", "many"]]],
        rules: ["lost-purchase", "double-grant", "unasked-restore"], toleratedRules: ["unasked-restore"]
    ) { path in
        path.contains("missing") ? .failure(Problems(Problem(file: path, message: "no such file"))) : .success(catalog)
    }
}

/// A valid scenario with every kind of section; tests add to it or replace parts of it.
let validText = """
    name: Valid
    description: Every section once.
    clock: wall
    seed: 42
    client: {name: iap-manager, options: {verify: true, retries: 3}}
    store:
      catalog: FakeGame.storekit
      capacity: {workers: 400, service_time: {median: 40ms, p99: 400ms}, queue: 20_000}
      outages: [{at: 4m, for: 30s, answer: slow, by: 2s}, {at: 9m, for: 1s, answer: timeout}]
      errors: {products: 0.5%, restore: 1%, purchase: {payment_invalid: 0.1%, cloud_service_revoked: 0.4%}}
    validator: {latency: 50ms..2s, outages: [{at: 1m, for: 20s, answer: slow, by: 3s}], errors: 1.5%}
    network: {latency: {median: 80ms, p99: 1.2s}, lose_request: 0.3%, offline: {share: 2%, for: 10s..3m}}
    buyers: {decide_after: 800ms..9s, cancel: 6%, cancel_restore: 1%, payments_disallowed: 1%}
    population:
      users: 100_000
      owns: {unlock_maps: 40%}
      unfinished_at_start: {extra_lives: 2%}
    app: {flush_delay: 10ms, relaunch_after: 1s..2s, patience: 2m, main_queue_limit: 80ms, hang_limit: 9s, memory_limit: 1.5GiB, crash_limit: 7}
    load:
      - {journey: storm, executor: constant-arrival-rate, rate: 50/s, for: 2m, max_users: 50_000}
      - {journey: shopper, executor: constant-users, users: 2_000, for: 10m, start_after: 30s}
      - {name: late, journey: shopper, executor: per-user-iterations, iterations: 3}
      - {name: crowd, journey: storm, executor: at-once}
    journeys:
      storm:
        - reinstall
        - launch
        - restore: {wait: false}
        - wait_for: {outcome: restore, at_most: 10s}
        - think: 1s..5s
        - expect: {owns: unlock_maps, holds: {extra_lives: 2}, answered: restored}
      shopper:
        - launch
        - fetch_products: [extra_lives, not.in.catalog]
        - repeat: {times: 1..4, steps: [{think: 2s}, {buy: {choose: {extra_lives: 70%, superpowers: 30%}, quantity: 1..3}}, {use: all}]}
        - together: [{buy: extra_lives}, restore, {buy: {unknown_product: raw.id, wait: false}}]
        - choose: [{weight: 70%, steps: [crash]}, {weight: 30%, steps: [{background: 1m..10m}]}]
        - terminate
    faults:
      crash: [{share: 3%, at: any_effect}, {share: 1%, at: {effect: 17}}]
    thresholds:
      violations: ["count == 0"]
      violations{rule:lost-purchase}: count == 0
      restore_duration: ["p(95) < 6s", "p(99.9) < 30s"]
      memory_per_user: max < 8KiB

    """

func scenario(_ text: String) throws -> Scenario {
    try ScenarioFile.parse(text: Array(text.utf8), file: "x.yml", directory: "Scenarios", context: Shop.context)
}

/// The problems of a text: none when it is a scenario after all.
func problems(_ text: String) -> [Problem] { problems(Array(text.utf8)) }

func problems(_ bytes: [UInt8]) -> [Problem] {
    do {
        _ = try ScenarioFile.parse(text: bytes, file: "x.yml", directory: "Scenarios", context: Shop.context)
        return []
    } catch {
        return error.problems
    }
}

extension Problem {
    /// 0 where the file as a whole is meant.
    var line: Int { position?.line ?? 0 }
    var column: Int { position?.column ?? 0 }
}

/// `line:column: message` of each problem, with the hint after a bar.
func brief(_ problems: [Problem]) -> [String] {
    problems.map { problem in
        (problem.position.map { "\($0.line):\($0.column): " } ?? "") + problem.message
            + (problem.hint.map { " | \($0)" } ?? "")
    }
}

/// The smallest scenario there is, with the step in line 8 and what is added after it.
func small(
    load: String = "- {journey: j, executor: at-once}", step: String = "launch", extra: String = ""
) -> String {
    """
    name: Small
    store: {catalog: a.storekit}
    population: {users: 10}
    load:
      \(load)
    journeys:
      j:
        - \(step)
    \(extra)

    """
}
