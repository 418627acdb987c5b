// What the audit finds of clients of which is known whether they are correct.
// Confined to the main thread; runs beside each other inside the engine.

import ClientKit
import Engine
import Foundation
import Judgement
import Judging
import RunSupport
import Scenario

struct JudgeTrial {
    let users: Int
    /// Drawn scenarios for each client.
    let swarm: Int
    private(set) var rows: [Row] = []
    /// Correct clients with the error or the critical breach that they were accused of.
    private(set) var accused: [String] = []

    struct Row {
        let judge: Judge
        /// Rules whose breaches in shipped scenarios were warnings.
        var warned: Set<AuditRule> = []
        /// By the names of shipped scenarios, those that found it, with the rules.
        var byScenario: [String: [AuditRule]] = [:]
        /// Drawn scenarios that found it, with the rules.
        var drawn: (scenarios: Int, rules: [AuditRule]) = (0, [])

        /// Of one that no error found.
        var unfoundText: String {
            let rules = AuditRule.allCases.filter(warned.contains).map { "`\($0.rawValue)`" }
            return rules.isEmpty ? "missed" : "a warning: " + rules.joined(separator: ", ")
        }

        var rules: [AuditRule] {
            let all = Set(byScenario.values.joined()).union(drawn.rules)
            return AuditRule.allCases.filter(all.contains)
        }
    }

    init(users: Int, swarm: Int) {
        self.users = users
        self.swarm = swarm
    }

    private static let scenarios = PackageFolder.scenarios.filter { !$0.contains("/") }

    mutating func perform() throws {
        let workers = ProcessInfo.processInfo.activeProcessorCount
        for judge in Judges.correct {
            let row = try Self.row(judge, users: users, swarm: swarm, workers: workers)
            for (scenario, rules) in row.byScenario { note(judge, rules, in: scenario) }
            note(judge, row.drawn.rules, in: "a swarm")
        }
        for judge in Judges.broken {
            rows.append(try Self.row(judge, users: users, swarm: swarm, workers: workers))
        }
    }

    private mutating func note(_ judge: Judge, _ rules: [AuditRule], in place: String) {
        let grave = rules.filter { $0.severity >= .error }.map(\.rawValue)
        if grave.isEmpty { return }
        let accusation = "\(judge.name) in \(place): \(grave.joined(separator: ", "))"
        FileHandle.standardError.write(Data("accused: \(accusation)\n".utf8))
        accused.append(accusation)
    }

    private static func row(_ judge: Judge, users: Int, swarm: Int, workers: Int) throws -> Row {
        FileHandle.standardError.write(Data("\(judge.name)\n".utf8))
        var row = Row(judge: judge)
        for name in scenarios {
            var scenario = try Scenario.shipped(name, users: users)
            scenario.clock = .virtual
            scenario.thresholds = []
            let collector = run(scenario, judge.client, workers: workers).collector
            let found = collector.violationCounts.keys
            row.warned.formUnion(collector.warningCounts.keys)
            if !found.isEmpty { row.byScenario[name] = AuditRule.allCases.filter(found.contains) }
        }
        let result = try Swarm(SwarmSample.plan(judge.client, runs: swarm, workers: workers)).perform()
        let rules = Set(result.findings.map(\.conduct.rule))
        row.drawn = (result.findings.map(\.scenarios).max() ?? 0, AuditRule.allCases.filter(rules.contains))
        return row
    }

    // MARK: The table

    var markdown: String {
        let unfound = rows.filter { $0.byScenario.isEmpty && $0.drawn.scenarios == 0 }
        let (warned, missed) = (unfound.filter { !$0.warned.isEmpty }, unfound.filter(\.warned.isEmpty))
        let byShipped = rows.count { !$0.byScenario.isEmpty }
        var lines = [
            "Of \(Judges.correct.count) correct but unusual clients, "
                + (accused.isEmpty ? "none is accused of an error." : "\(accused.count) accusations:")
        ]
        lines += accused.map { "- \($0)" }
        lines += [
            "",
            "Of \(rows.count) broken ones \(rows.count - unfound.count) are found by an error: \(byShipped) in the "
                + "\(Self.scenarios.count) shipped scenarios with \(users) users each, the others in \(swarm) drawn ones. "
                + "Warnings alone find \(warned.count), and \(missed.count) are missed.",
            "", "| client | what is wrong | rules | shipped scenarios | drawn scenarios |",
            "| --- | --- | --- | ---: | ---: |",
        ]
        for row in rows {
            let rules = row.rules.map { "`\($0.rawValue)`" }.joined(separator: ", ")
            let isAddress = row.judge.source.hasPrefix("http")
            let name =
                isAddress ? "[\(row.judge.name)](\(row.judge.source))" : "\(row.judge.name) (\(row.judge.source))"
            lines.append(
                "| \(name) | \(row.judge.mechanism) | "
                    + "\(rules.isEmpty ? row.unfoundText : rules) | \(row.byScenario.count) | \(row.drawn.scenarios) |")
        }
        lines += ["", "| scenario | broken clients that it finds |", "| --- | ---: |"]
        for name in Self.scenarios { lines.append("| \(name) | \(rows.count { $0.byScenario[name] != nil }) |") }
        return lines.joined(separator: "\n")
    }
}
