// What the audit finds of clients of which is known whether they are correct.
// Main thread; clients are tried beside each other, each in a process.

import Dispatch
import Judgement
import Judges
import Judging
import Synchronization

struct JudgeTrial {
    let users: Int
    /// Drawn scenarios for each client.
    let swarm: Int
    /// Of the broken ones.
    private(set) var rows: [Row] = []
    /// Correct clients with the error or the critical breach that they were accused of.
    private(set) var accused: [String] = []

    struct Row {
        let judge: Judge
        let found: JudgeFindings

        /// Of one that no error found.
        var unfoundText: String {
            let rules = AuditRule.allCases.filter(found.warned.contains).map { "`\($0.rawValue)`" }
            return rules.isEmpty ? "missed" : "a warning: " + rules.joined(separator: ", ")
        }

        var rules: [AuditRule] {
            let all = Set(found.byScenario.values.joined()).union(found.drawnRules)
            return AuditRule.allCases.filter(all.contains)
        }
    }

    init(users: Int, swarm: Int) {
        self.users = users
        self.swarm = swarm
    }

    mutating func perform() throws {
        let (correct, broken) = (Judges.correct, Judges.broken)
        let found = try findings(of: correct + broken)
        for (judge, found) in zip(correct, found) {
            for name in JudgeFindings.scenarios { note(judge, found.byScenario[name] ?? [], in: name) }
            note(judge, found.drawnRules, in: "a swarm")
        }
        rows = zip(broken, found.dropFirst(correct.count)).map { Row(judge: $0, found: $1) }
    }

    /// Each is tried in a process of its own, on one core: what one leaves behind in memory is gone before the next.
    private func findings(of judges: [Judge]) throws -> [JudgeFindings] {
        let found = Mutex<[Result<JudgeFindings, any Error>?]>(Array(repeating: nil, count: judges.count))
        let (users, swarm) = (users, swarm)
        DispatchQueue.concurrentPerform(iterations: judges.count) { place in
            let result = Result { try JudgeFindings.fromProcess(judges[place], users: users, swarm: swarm) }
            found.withLock { $0[place] = result }
        }
        return try found.withLock { $0 }.compactMap { try $0?.get() }
    }

    private mutating func note(_ judge: Judge, _ rules: [AuditRule], in place: String) {
        let grave = rules.filter { $0.severity >= .error }.map(\.rawValue)
        if !grave.isEmpty { accused.append("\(judge.name) in \(place): \(grave.joined(separator: ", "))") }
    }

    // MARK: The table

    var markdown: String {
        let unfound = rows.filter { $0.found.byScenario.isEmpty && $0.found.drawnScenarios == 0 }
        let (warned, missed) = (unfound.filter { !$0.found.warned.isEmpty }, unfound.filter(\.found.warned.isEmpty))
        let byShipped = rows.count { !$0.found.byScenario.isEmpty }
        var lines = [
            "Of \(Judges.correct.count) correct but unusual clients, "
                + (accused.isEmpty ? "none is accused of an error." : "\(accused.count) accusations:")
        ]
        lines += accused.map { "- \($0)" }
        lines += [
            "",
            "Of \(rows.count) broken ones \(rows.count - unfound.count) are found by an error: \(byShipped) in the "
                + "\(JudgeFindings.scenarios.count) shipped scenarios with \(users) users each, the others in \(swarm) drawn ones. "
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
                    + "\(rules.isEmpty ? row.unfoundText : rules) | \(row.found.byScenario.count) | \(row.found.drawnScenarios) |"
            )
        }
        lines += ["", "| scenario | broken clients that it finds |", "| --- | ---: |"]
        for name in JudgeFindings.scenarios {
            lines.append("| \(name) | \(rows.count { $0.found.byScenario[name] != nil }) |")
        }
        return lines.joined(separator: "\n")
    }
}
