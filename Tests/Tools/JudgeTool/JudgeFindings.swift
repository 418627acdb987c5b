// What the audit finds of one client, in shipped scenarios and in drawn ones.
// Main thread; the process that is started for one may be awaited by any.

import ClientKit
import Engine
import Foundation
import Judgement
import Judging
import RunSupport
import Scenario

struct JudgeFindings: Codable, Sendable {
    /// Rules whose breaches in shipped scenarios were warnings.
    var warned: Set<AuditRule> = []
    /// By the names of shipped scenarios, those that found it, with the rules.
    var byScenario: [String: [AuditRule]] = [:]
    /// How many drawn scenarios found it.
    var drawnScenarios = 0
    var drawnRules: [AuditRule] = []

    static let scenarios = PackageFolder.scenarios.filter { !$0.contains("/") }

    /// Runs every shipped scenario with so many users, and draws so many.
    init(_ judge: Judge, users: Int, swarm: Int) throws {
        for name in Self.scenarios {
            var scenario = try Scenario.shipped(name, users: users)
            scenario.clock = .virtual
            scenario.thresholds = []
            let collector = run(scenario, judge.client).collector
            let found = collector.violationCounts.keys
            warned.formUnion(collector.warningCounts.keys)
            if !found.isEmpty { byScenario[name] = AuditRule.allCases.filter(found.contains) }
        }
        let result = try Swarm(SwarmSample.plan(judge.client, runs: swarm)).perform()
        let rules = Set(result.findings.map(\.conduct.rule))
        drawnScenarios = result.findings.map(\.scenarios).max() ?? 0
        drawnRules = AuditRule.allCases.filter(rules.contains)
    }

    /// What `JudgeTool judge NAME` prints in a process of its own.
    static func fromProcess(_ judge: Judge, users: Int, swarm: Int) throws -> Self {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["judge", judge.name, String(users), String(swarm)]
        process.standardError = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0, process.terminationReason == .exit else {
            throw Failure(judge: judge.name, status: process.terminationStatus)
        }
        FileHandle.standardError.write(Data("\(judge.name)\n".utf8))
        return try JSONDecoder().decode(Self.self, from: printed)
    }

    struct Failure: Error, CustomStringConvertible {
        let judge: String
        let status: Int32

        var description: String { "the trial of \(judge) ended with \(status)" }
    }
}
