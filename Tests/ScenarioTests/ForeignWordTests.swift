// Words of other tools lead to words of ours, and to none that is then refused.
//
// Each word of the table is typed at each place of a scenario. What the hint puts in quotes is typed there instead, and
// has to be accepted. A word of ours to which no place leads is an error of the table.

import Metrics
import Scenario
import Testing
import Text

@Suite struct ForeignWordTests {
    // MARK: Keys and steps

    @Test func foreignKeyHintsNameAcceptedKeys() {
        var reached: Set<String> = []
        for place in WordPlace.all {
            for word in ForeignWords.keys {
                for name in word.names {
                    for written in suggestions(for: name, at: place) {
                        expectAccepted(written, for: name, at: place)
                        reached.insert("\(name) \(written.prefix { $0 != ":" })")
                        reached.formUnion(word.targets.map(\.text).filter { $0 == written }.map { "\(name) \($0)" })
                    }
                }
            }
        }
        for word in ForeignWords.keys {
            for target in word.targets {
                let isReached = word.names.contains { reached.contains("\($0) \(target.text)") }
                #expect(isReached, "\(word.names): no place leads to '\(target.text)'")
            }
            for name in word.names {
                #expect(
                    word.targets.contains {
                        reached.contains("\(name) \($0.text)") || reached.contains("\(name) \($0.key)")
                    },
                    "\(name) leads nowhere")
            }
        }
    }

    // What is near by its letters may be refused as well.
    @Test(arguments: WordPlace.all)
    func mistypedKeyHintsNameAcceptedKeys(place: WordPlace) {
        let sections = KeyTables.sections().flatMap { $0.keys.map(\.name) } + ScenarioStep.all.map(\.name)
        let names = Set(
            sections + LoadExecutors.all.flatMap { $0.ownKeys.map(\.name) } + ["spawn_rate", "graceful_stp"])
        for name in names.sorted() {
            let typed = name.dropLast() + "x"
            for written in suggestions(for: String(typed), at: place) {
                expectAccepted(written, for: String(typed), at: place)
            }
        }
    }

    // Without this the tests above could pass because nothing is ever refused.
    @Test(arguments: [
        ("users", WordPlace.entry("ramping-users")), ("graceful_stop", WordPlace.entry("at-once")),
        ("start_rate", WordPlace.entry("ramping-users")), ("target", WordPlace.entry("constant-users")),
    ])
    func keyProbesSeeRefusals(key: String, place: WordPlace) {
        #expect(!refusals(of: key, at: place).isEmpty)
    }

    @Test(arguments: [
        ("ramping-users", "spawn_rate", "'stages' sets that here: "),
        ("ramping-users", "users", "'stages' sets that here: "), ("constant-users", "vus", "did you mean 'users'?"),
        ("constant-users", "spawn_rate", "write 'executor: ramping-users, stages: "),
        ("constant-users", "duration", "'for' sets that here"),
        ("at-once", "duration", "write 'executor: constant-users, for: 1m'"),
        ("constant-arrival-rate", "maxVUs", "did you mean 'max_users'?"),
        ("constant-arrival-rate", "preAllocatedVUs", "did you mean 'max_users'? all users exist from the start"),
        ("constant-arrival-rate", "timeUnit", "'rate' sets that here: the unit is part of the rate: 30/m"),
        ("at-once", "gracefulStop", "write 'executor: per-user-iterations, "),
        ("at-once", "atOnceUsers", "write 'executor: at-once'"),
        ("at-once", "constantUsersPerSec", "write 'executor: constant-arrival-rate'"),
    ])
    func foreignKeyHintsDependOnTheExecutor(executor: String, name: String, hint: String) {
        let hints = WordPlace.entry(executor).problems(with: name).filter { $0.message.contains("'\(name)'") }.map(
            \.hint)
        #expect(hints.count == 1 && hints[0]?.hasPrefix(hint) ?? false, "\(hints)")
    }

    @Test func keysOfAMistypedExecutorGetItsHints() {
        let found = problems(small(load: "- {journey: j, executor: ramping-vus, startVUs: 1, maxVUs: 5, stages: []}"))
        #expect(
            found.prefix(3).map { ($0.hint ?? "") } == [
                "did you mean 'ramping-users'?", "did you mean 'start_users'?",
                "'stages' sets that here: the largest number of users in the stages is the limit",
            ])
    }

    @Test(arguments: [
        ("sleep", "did you mean 'think: …'?"), ("sleep: 1", "did you mean 'think'?"),
        ("lanch: {}", "write '- launch': it takes no value"),
        ("together: [sleep: 1]", "steps: fetch_products, buy, restore, use"),
        ("think: {min: 1s, max: 5s}", "write '1s..5s'"), ("think: {avg: 1s}", "did you mean 'mean'?"),
    ])
    func stepHintsShowTheStepAsWritten(step: String, hint: String) {
        #expect(problems(small(step: step)).map(\.hint) == [hint])
    }

    @Test func ambiguousForeignKeyHintNamesBothMeanings() {
        let found = problems(small(extra: "scenarios: {}"))
        #expect(found.map(\.hint) == ["did you mean 'load' (k6, Gatling) or 'journeys' (Artillery)?"])
    }

    // MARK: Executors and thresholds

    @Test(arguments: ForeignWords.executors.flatMap(\.names))
    func foreignExecutorHintsNameExecutors(name: String) throws {
        let meant = try #require(quotedParts(problems(small(load: "- {journey: j, executor: \(name)}"))[0].hint).first)
        #expect(
            !problems(small(load: "- {journey: j, executor: \(meant)}")).contains { $0.message.contains("unknown") })
    }

    @Test(arguments: ForeignWords.metrics.flatMap(\.names))
    func foreignMetricHintsNameMetrics(name: String) throws {
        let meant = try #require(quotedParts(problems(small(extra: "thresholds: {\(name): []}"))[0].hint).first)
        #expect(
            problems(small(extra: "thresholds: {\(meant): count > 0}")).allSatisfy {
                !$0.message.contains("unknown metric")
            })
    }

    @Test(arguments: ForeignWords.tags.flatMap(\.names))
    func foreignTagHintsNameTags(name: String) {
        var reached = 0
        for metric in MetricName.allCases {
            let found = problems(small(extra: "thresholds: {'\(metric.name){\(name):x}': []}"))
            guard let meant = quotedParts(found[0].hint).first else { continue }
            reached += 1
            let read = problems(small(extra: "thresholds: {'\(metric.name){\(meant):x}': []}"))
            #expect(!read.contains { $0.message.contains("has no tag") }, "\(metric.name){\(meant):x}")
        }
        #expect(reached > 0)
    }

    @Test(arguments: ForeignWords.aggregates.flatMap(\.names))
    func foreignAggregateHintsNameAggregates(name: String) {
        var reached = 0
        for metric in MetricName.allCases {
            let found = problems(small(extra: "thresholds: {\(metric.name): \(name) < 5}"))
            guard let meant = quotedParts(found[0].hint).first else { continue }
            reached += 1
            #expect(
                problems(small(extra: "thresholds: {\(metric.name): \(meant) < 0.5}")).isEmpty,
                "\(metric.name): \(meant)")
        }
        #expect(reached > 0)
    }

    @Test func foreignTagScenarioHintNamesPhase() {
        let found = problems(small(extra: "thresholds: {'purchase_duration{scenario:rush}': p(95) < 1s}"))
        #expect(found.map(\.hint) == ["did you mean 'phase'?"])
    }

    // MARK: The table

    @Test func foreignWordHasOneMeaningPerTool() {
        for words in [
            ForeignWords.keys, ForeignWords.executors, ForeignWords.metrics, ForeignWords.tags, ForeignWords.aggregates,
        ] {
            var seen: Set<String> = []
            for word in words {
                for name in Set(word.names.map(ForeignWord.plain)) {
                    for tool in word.tools { #expect(seen.insert("\(name) of \(tool)").inserted, "\(name) of \(tool)") }
                }
                // Tests and people look for what stands in quotes.
                #expect(word.targets.allSatisfy { !($0.note ?? "").contains("'") }, "\(word.names)")
            }
        }
    }

    // MARK: What hints say

    private func suggestions(for name: String, at place: WordPlace) -> [String] {
        let written = place.problems(with: name).filter {
            $0.message.contains("'\(name)'") && ($0.message.contains("unknown") || $0.message.contains("not a key of"))
        }
        return written.flatMap { quotedParts($0.hint) }
    }

    private func expectAccepted(_ written: String, for name: String, at place: WordPlace) {
        let found = refusals(of: written, at: place)
        #expect(found.isEmpty, "\(name) leads to '\(written)' in \(place), where: \(found)")
    }

    /// What is wrong with the word itself at a place; with what it holds only where that is written too.
    private func refusals(of written: String, at place: WordPlace) -> [String] {
        let bare = written.hasPrefix("- ") ? String(written.dropFirst(2)) : written
        // A word that takes no value stands alone.
        if bare != written { return problems(small(step: bare)).map(\.message) }
        let found = place.problems(with: bare)
        let isWhole = bare.contains(": ") && !bare.contains("…")
        return found.filter { isWhole || Self.isRefusal($0) }.map(\.message)
    }

    private static func isRefusal(_ problem: Problem) -> Bool {
        let words = [
            "unknown key", "unknown step", "unknown error", "is not a key of this executor",
            "so graceful_stop cannot be used", "needs a value", "takes no value", "cannot be done together",
        ]
        return words.contains { problem.message.contains($0) }
    }

    /// What a hint puts in quotes.
    private func quotedParts(_ hint: String?) -> [String] {
        (hint ?? "").matches(of: /'([^']+)'/).map { String($0.1) }
    }
}
