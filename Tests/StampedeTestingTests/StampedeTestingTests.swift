// Runs, sweeps and swarms in tests, as those who use it write them.

import Foundation
import StampedeTesting
import Synchronization
import Testing

@Suite struct StampedeTestingTests {
    @Test func passedRunReturnsItsMeasurements() async throws {
        let run = try await Stampede.run("buggy.yml", client: BuggyClient.self, users: 200)
        #expect(run.passed && run.exitCode == 0 && run.reasons.isEmpty && run.violations.isEmpty)
        #expect(try run.metric("purchase_duration").p95 > .milliseconds(20))
        #expect(try run.metric("purchase_duration").p95 <= run.metric("purchase_duration").max)
        #expect(try run.metric("purchases").count > 0)
        #expect(try run.html.contains("<title>") && String(decoding: run.json, as: UTF8.self).contains("\"buggy\""))
    }

    @Test func unknownMetricOrFigureThrows() async throws {
        let run = try await Stampede.run("buggy.yml", client: BuggyClient.self)
        #expect(throws: StampedeTestError.unknownMetric("purchase_duratoin", near: "purchase_duration")) {
            try run.metric("purchase_duratoin")
        }
        #expect(throws: StampedeTestError.noSuchFigure("p95", ofMetric: "purchases", kind: "counter")) {
            try run.metric("purchases").p95
        }
    }

    @Test func runReturnsItsFindings() async throws {
        let run = try await Stampede.run(
            "buggy.yml", client: BuggyClient.self, options: ["bug": "hasty"], findings: .returned)
        let lost = try #require(run.violations.first)
        #expect(!run.passed && run.exitCode == 110 && lost.rule == "lost-purchase" && lost.severity == "critical")
        #expect(lost.sentence.contains("extra_lives") && lost.story.contains("launch 1"), "\(lost)")
        // As it can be pasted.
        let again = try shell(lost.replay)
        #expect(again.status == 110 && again.text.contains("lost-purchase"), "\(again)")
    }

    @Test func warningsAreReturnedAndFailNoTest() async throws {
        let run = try await Stampede.run("buggy.yml", client: BuggyClient.self, options: ["bug": "eager"])
        let warning = try #require(run.warnings.first)
        #expect(
            run.passed && run.violations.isEmpty && warning.rule == "unasked-restore" && warning.severity == "warning")
        #expect(warning.count > 0 && warning.sentence.contains("had asked for nothing"), "\(warning)")
    }

    // What fails a test is the sentence, with the command that shows it again.
    @Test func findingFailsTheTestWithItsSentence() async throws {
        let rules = Mutex<Set<String>>([])
        try await withKnownIssue {
            try await Stampede.run("buggy.yml", client: BuggyClient.self, options: ["bug": "hasty"])
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            rules.withLock { _ = $0.insert(String(text.prefix { $0 != " " })) }
            return text.contains("\nreplay: STAMPEDE_TEST_CLIENT=")
                && issue.sourceLocation?.fileID.hasSuffix("StampedeTestingTests.swift") == true
        }
        #expect(rules.withLock { $0 } == ["lost-purchase", "finished-before-delivery"])
    }

    @Test func sweepFindsALossWithoutScriptedCrashes() async throws {
        let clean = try await Stampede.sweep("buggy.yml", client: BuggyClient.self)
        #expect(clean.passed && clean.trials > 10 && clean.violations.isEmpty)
        let found = try await Stampede.sweep(
            "buggy.yml", client: BuggyClient.self, options: ["bug": "hasty"], findings: .returned)
        let lost = try #require(found.violations.first)
        #expect(!found.passed && found.exitCode == 110 && lost.rule == "lost-purchase" && lost.count > 0)
        let again = try shell(lost.replay)
        #expect(again.status == 110 && again.text.contains("lost-purchase"), "\(again)")
    }

    @Test func swarmReturnsTheSmallestScenario() async throws {
        let swarm = try await Stampede.swarm(
            client: BuggyClient.self, options: ["bug": "hasty"], runs: 4, findings: .returned)
        #expect(!swarm.passed && swarm.exitCode == 110 && swarm.scenarios == 4)
        let violations = swarm.violations
        #expect(
            violations.contains { $0.rule == "finished-before-delivery" && $0.story.contains("journeys:") },
            "\(violations.map(\.rule))")
    }

    // The process that dies is not this one.
    @Test func crashingClientFailsOnlyItsRun() async throws {
        let run = try await Stampede.run(
            "buggy.yml", client: BuggyClient.self, options: ["bug": "fragile"], findings: .returned)
        #expect(!run.passed && run.exitCode == 107 && !run.reasons.isEmpty, "\(run.reasons)")
    }

    @Test func concurrentRunsGiveTheSameReport() async throws {
        let runs = try await withThrowingTaskGroup(of: Data.self) { group in
            for workers in [1, 2, 1] {
                group.addTask {
                    try await Stampede.run("buggy.yml", client: BuggyClient.self, users: 100, workers: workers).json
                }
            }
            return try await group.reduce(into: []) { $0.append(withoutHost($1)) }
        }
        #expect(runs.count == 3 && Set(runs).count == 1)
    }

    @Test func runSupportsTheWallClock() async throws {
        let run = try await Stampede.run(
            "buggy.yml", client: WallBuggyClient.self, users: 20, clock: .wall, findings: .returned)
        #expect(run.violations.isEmpty)
    }

    @Test func runErrorSaysWhyTheRunIsImpossible() async throws {
        await #expect {
            try await Stampede.run("nowhere.yml", client: BuggyClient.self)
        } throws: {
            "\($0)".contains("there is no scenario 'nowhere.yml'") && "\($0)".contains("stampede init")
        }
        await #expect {
            try await Stampede.run("buggy.yml", client: BuggyClient.self, options: ["bug": "none", "colour": "red"])
        } throws: {
            "\($0)".contains("colour")
        }
        final class LocalClient: BuggyClient {}
        await #expect(throws: StampedeTestError.unreachableClient("LocalClient")) {
            try await Stampede.run("buggy.yml", client: LocalClient.self)
        }
    }

    @Test func cancelledTestEndsItsRun() async throws {
        let run = Task {
            try await Stampede.run("buggy.yml", client: BuggyClient.self, users: 1_000_000, findings: .returned)
        }
        // Not by a task, which waits its turn where other tests keep all threads for tasks busy.
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) { run.cancel() }
        // Cancelled before it began, or judged as far as it came.
        if case .success(let result) = await run.result { #expect(result.exitCode == 105) }
    }

    private func withoutHost(_ json: Data) -> String {
        let lines = String(decoding: json, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "  \"host\" : {"),
            let end = lines[start...].firstIndex(where: { $0.hasPrefix("  }") })
        else { return "no host section" }
        return (lines[..<start] + lines[end...]).joined(separator: "\n")
    }

    private func shell(_ command: String) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
