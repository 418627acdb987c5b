// Places of a scenario at which words are typed: every kind of section, every executor.
// Pure; any thread.

import Scenario
import Text

/// A mapping of a scenario, or a step, with room for one more key.
struct WordPlace: Sendable, CustomStringConvertible {
    enum Kind { case mapping, top, bareStep }

    let description: String
    let kind: Kind
    /// What the mapping has; a key that is typed takes the place of the same key.
    let own: [(key: String, value: String)]
    /// The scenario around the text of the mapping or step.
    let around: @Sendable (String) -> String

    private init(
        _ description: String, _ kind: Kind = .mapping, _ own: [(key: String, value: String)] = [],
        around: @escaping @Sendable (String) -> String
    ) {
        (self.description, self.kind, self.own, self.around) = (description, kind, own, around)
    }

    /// The problems of a scenario in which this stands here: a key, a step, or a key with all that belongs to it.
    func problems(with typed: String) -> [Problem] {
        let whole = typed.contains(": ")
        let key = String(typed.prefix { $0 != ":" })
        switch kind {
        case .bareStep: return ScenarioTests.problems(around(typed.contains("…") ? "\(key): 1" : typed))
        case .mapping, .top:
            // Another executor has other keys.
            let kept = key == "executor" ? own.filter { $0.key == "journey" } : own.filter { $0.key != key }
            let lines = kept.map { "\($0.key): \($0.value)" } + [whole ? typed : "\(typed): 1"]
            let text = kind == .top ? lines.joined(separator: "\n") : "{\(lines.joined(separator: ", "))}"
            return ScenarioTests.problems(around(text))
        }
    }

    // MARK: All of them

    static let all = sections + LoadExecutors.names.map(entry) + stages + steps

    static func entry(_ executor: String) -> WordPlace {
        let needed = [
            "per-user-rate": [("rate", "1/s"), ("for", "1m")], "shared-iterations": [("iterations", "10")],
            "constant-users": [("for", "1m")], "ramping-users": [("stages", "[{over: 1m, to: 10}]")],
            "constant-arrival-rate": [("rate", "1/s"), ("for", "1m")],
            "ramping-arrival-rate": [("stages", "[{over: 1m, to: 1/s}]")],
        ]
        return WordPlace(
            "an entry of \(executor)", .mapping,
            [("journey", "j"), ("executor", executor)] + (needed[executor] ?? [])
        ) { scenario(load: "- \($0)") }
    }

    private static let stages = [("ramping-users", "to: 5"), ("ramping-arrival-rate", "to: 5/s")].map {
        executor, level in
        WordPlace("a stage of \(executor)", .mapping, [("over", "1m")]) {
            scenario(load: "- {journey: j, executor: \(executor), stages: [{over: 1m, \(level)}, \($0)]}")
        }
    }

    private static let sections: [WordPlace] = [
        WordPlace(
            "the top", .top,
            [
                ("name", "Small"), ("store", "{catalog: a.storekit}"), ("population", "{users: 1_000}"),
                ("load", "[{journey: j, executor: at-once}]"), ("journeys", "{j: [launch]}"),
            ]
        ) { $0 + "\n" },
        WordPlace("an entry without executor", .mapping, [("journey", "j")]) { scenario(load: "- \($0)") },
        WordPlace("population") { scenario(replacing: "population", by: $0) },
        WordPlace("store", .mapping, [("catalog", "a.storekit")]) { scenario(replacing: "store", by: $0) },
        WordPlace("store.errors") { scenario(replacing: "store", by: "{catalog: a.storekit, errors: \($0)}") },
        WordPlace("store.subscriptions") {
            scenario(replacing: "store", by: "{catalog: a.storekit, subscriptions: \($0)}")
        },
        WordPlace("store.outages", .mapping, [("at", "1m")]) {
            scenario(replacing: "store", by: "{catalog: a.storekit, outages: [\($0)]}")
        },
        WordPlace("http") { scenario(extra: "http: [\($0)]") },
        WordPlace("buyers") { scenario(extra: "buyers: \($0)") },
        WordPlace("buyers.ask_to_buy") { scenario(extra: "buyers: {ask_to_buy: \($0)}") },
        WordPlace("network.offline") { scenario(extra: "network: {offline: \($0)}") },
        WordPlace("faults.crash", .mapping, [("at", "any_effect")]) { scenario(extra: "faults: {crash: \($0)}") },
        WordPlace("a threshold") { scenario(extra: "thresholds: {purchases: \($0)}") },
        WordPlace("a distribution") { scenario(step: "think: \($0)") },
    ]

    private static let steps: [WordPlace] = [
        WordPlace("a step with a value") { scenario(step: String($0.dropFirst().dropLast())) },
        WordPlace("a step alone", .bareStep) { scenario(step: $0) },
        WordPlace("a step beside others") { scenario(step: "together: [\($0)]") },
        WordPlace("repeat") { scenario(step: "repeat: \($0)") },
        WordPlace("choose") { scenario(step: "choose: [\($0)]") },
        WordPlace("buy", .mapping, [("product", "extra_lives")]) { scenario(step: "buy: \($0)") },
    ]

    private static func scenario(
        load: String = "- {journey: j, executor: at-once}", step: String = "launch", extra: String = ""
    ) -> String {
        small(load: load, step: step, extra: extra).replacing("{users: 10}", with: "{users: 1_000}")
    }

    private static func scenario(replacing section: String, by value: String) -> String {
        scenario().split(separator: "\n").map { $0.hasPrefix(section + ":") ? "\(section): \(value)" : String($0) }
            .joined(separator: "\n") + "\n"
    }
}
