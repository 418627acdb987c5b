// A documented exit code is what the process really returns.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ExitCodeTests {
    @Test func passedRunLeavesAReport() throws {
        let place = try Workplace()
        let outcome = try place.stampede("run", Workplace.shipped("quickstart"), "--users", "200")
        #expect(outcome.isStatus(.passed), "\(outcome.all)")
        let report = try place.report("Reports/quickstart-reference-1/report.json")
        #expect(report.verdict.outcome == .passed && report.verdict.exitCode == 0)
        #expect(report.run.users == 200 && report.violations.total == 0)
        #expect(try place.report() == report, "latest points at it")
        #expect(outcome.out.contains("Reports/quickstart-reference-1"))
    }

    @Test func runWithViolationsExits110AndReportsThem() throws {
        let place = try Workplace()
        let outcome = try place.stampede(
            "run", Workplace.shipped("launch-redelivery"), "--users", "200", "--client", "iap-manager")
        #expect(outcome.isStatus(.violationsFound))
        #expect(outcome.out.contains("lost-purchase") && outcome.prose.contains("no request for it was pending"))
        let report = try place.report()
        #expect(report.verdict.outcome == .failed && report.verdict.exitCode == 110)
        #expect(report.violations.byRule.contains { $0.rule == "lost-purchase" && $0.count > 20 })
    }

    // Violations weigh more than a threshold that fails besides.
    @Test(arguments: [("reference", ExitStatus.thresholdFailed), ("iap-manager", .violationsFound)])
    func failedThresholdSetsTheExitCodeUnlessViolationsDo(client: String, status: ExitStatus) throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "thresholds: {purchase_duration: p(95) < 1ms}")
        let outcome = try place.stampede("run", file, "--client", client)
        #expect(outcome.isStatus(status), "\(outcome.all)")
        #expect(outcome.out.contains("p(95) < 1ms"))
    }

    // Whoever asks for violations is not told that there are any.
    @Test func expectedButMissingViolationsFailTheThreshold() throws {
        let place = try Workplace()
        let outcome = try place.stampede("run", try place.scenario(extra: "thresholds: {violations: count > 0}"))
        #expect(outcome.isStatus(.thresholdFailed), "\(outcome.all)")
    }

    @Test func thresholdWithoutSamplesMakesTheVerdictUnknown() throws {
        let place = try Workplace()
        let outcome = try place.stampede(
            "run", try place.scenario(extra: "thresholds: {restore_duration: p(95) < 10s}"))
        #expect(outcome.isStatus(.unknown), "\(outcome.all)")
        #expect(try place.report().verdict.outcome == .unknown)
        let quiet = try place.stampede("run", "small.yml", "--quiet")
        for told in [outcome, quiet] {
            #expect(told.out.contains("restore_duration: p(95) < 10s had nothing to judge"), "\(told)")
        }
    }

    @Test func brokenSimulationIsReportedAsAHarnessFault() throws {
        let place = try Workplace()
        let outcome = try place.run(
            Workplace.faultyTool, ["run", try place.scenario()], environment: ["BROKEN_STORE": "1"])
        #expect(outcome.isStatus(.harnessFault), "\(outcome.all)")
        #expect(outcome.out.contains("was charged 2 times"))
        #expect(outcome.out.contains("FAULTS OF STAMPEDE, NOT OF THE CLIENT"))
        #expect(try place.report().verdict.exitCode == 109)
    }

    // Half a second in, nobody has bought within the millisecond allowed.
    @Test(arguments: ["virtual", "wall"])
    func abortingThresholdEndsTheRun(clock: String) throws {
        let place = try Workplace()
        try place.write(
            """
            name: Broken off
            clock: \(clock)
            store: {catalog: FakeGame.storekit}
            network: {latency: 20ms}
            population: {users: \(clock == "wall" ? 40 : 4_000)}
            load: [{journey: j, executor: constant-users, for: \(clock == "wall" ? "10m" : "10s")}]
            journeys: {j: [launch, {buy: extra_lives}, {think: 300ms}]}
            thresholds:
              purchase_duration: {threshold: p(95) < 1ms, abort_on_fail: true}
              restores: {threshold: count > 0, abort_on_fail: false}

            """, to: "aborted.yml")
        let outcome = try place.stampede("run", "aborted.yml")
        #expect(outcome.isStatus(.thresholdFailed), "\(outcome.all)")
        let printed = outcome.prose
        #expect(printed.contains(", and stopped the run"))
        let report = try place.report()
        #expect(report.notes.contains { $0.contains("stopped the run") })
        #expect(report.metrics.contains { $0.name == "purchase_duration" })
        if clock == "virtual" { #expect(report.notes.contains { $0.contains(" of 4,000 users were judged") }) }
    }

    @Test(arguments: ["quiet", "loud"])
    func quietPassedRunPrintsNothing(mode: String) throws {
        let place = try Workplace()
        let file = try place.scenario()
        let outcome = try mode == "quiet" ? place.stampede("run", file, "--quiet") : place.stampede("run", file)
        #expect(outcome.isStatus(.passed) && outcome.all.isEmpty == (mode == "quiet"))
        #expect(place.exists("Reports/latest/report.json"))
    }

    @Test(arguments: ["run", "check", "list"])
    func commandHelpExitsWithZero(command: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede(command, "--help")
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty)
        #expect(outcome.out.contains("USAGE: stampede \(command)"))
        #expect(!outcome.out.contains("\t"))
    }

    @Test func toolWithoutArgumentsPrintsHelp() throws {
        let place = try Workplace()
        for arguments in [[], ["--help"], ["help"]] as [[String]] {
            let outcome = try place.run(Workplace.tool, arguments)
            #expect(outcome.isStatus(.passed), "\(arguments)")
            #expect(outcome.out.contains("stampede run Scenarios/quickstart.yml"))
        }
        let version = try place.stampede("--version")
        #expect(version.isStatus(.passed) && version.out == StampedeVersion.current + "\n")
    }

    // MARK: Interrupts

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func interruptedRunReportsWhatItJudged(signal: Int32) throws {
        let place = try Workplace()
        let outcome = try place.run(Workplace.tool, ["run", try place.longScenario()]) { process in
            try place.awaitRun(process.processIdentifier)
            // Nothing outside shows when its users have launched, which takes a moment.
            Thread.sleep(forTimeInterval: 1)
            kill(process.processIdentifier, signal)
        }
        #expect(outcome.isStatus(.interrupted), "\(outcome.all)")
        let report = try place.report()
        #expect(report.verdict.outcome == .interrupted && report.verdict.exitCode == 105)
        #expect(report.notes.contains { $0.contains("stopped") })
        #expect(report.metrics.first { $0.name == "launches" }?.count ?? 0 >= 20, "what was done is judged")
    }

    // As under nohup: the second signal, and not the first, is what ends it.
    @Test func runUnderNohupIgnoresHangup() throws {
        let place = try Workplace()
        let words = "trap '' HUP; exec '\(Workplace.tool.path)' run \(try place.longScenario())"
        let outcome = try place.run(URL(fileURLWithPath: "/bin/sh"), ["-c", words]) { process in
            try place.awaitRun(process.processIdentifier)
            // A second signal of those that are watched would leave no report.
            kill(process.processIdentifier, SIGHUP)
            kill(process.processIdentifier, SIGTERM)
        }
        #expect(outcome.isStatus(.interrupted), "\(outcome.all)")
        #expect(try place.report().verdict.outcome == .interrupted)
    }
}
