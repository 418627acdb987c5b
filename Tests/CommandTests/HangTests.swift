// A client that does not come back: its app ends there, and everybody is judged, under both clocks.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct HangTests {
    @Test(arguments: ["virtual", "wall"], ["waits", "computes"])
    func clientHangIsAVerdict(clock: String, how: String) throws {
        let place = try Workplace()
        try place.write(
            """
            name: Hung
            clock: \(clock)
            client: {name: hanging, options: {how: \(how)}}
            store: {catalog: FakeGame.storekit}
            app: {hang_limit: 300ms, relaunch_after: 50ms}
            population: {users: 4}
            load:
              - {journey: harmless, executor: at-once, users: 3}
              - {journey: deadly, executor: at-once, start_after: 500ms}
            journeys: {harmless: [launch], deadly: [launch, {think: 500ms}, {buy: extra_lives}]}

            """, to: "hung.yml")
        let outcome = try place.run(Workplace.faultyTool, ["run", "hung.yml", "--workers", "2"])
        #expect(outcome.isStatus(.clientCrashed), "\(outcome.all)")
        #expect(outcome.out.contains("client-hang"))
        let report = try place.report()
        #expect(report.verdict.outcome == .error && report.verdict.exitCode == 107)
        // What is never finished is lost as well. One that writes without end has done more than a device could.
        let others = ["lost-purchase", "stuck-transaction", "client-livelock"]
        #expect(Set(report.violations.byRule.map(\.rule)).subtracting(others) == ["client-hang"])
        let evidence = try #require(report.violations.evidence.first { $0.rule == "client-hang" })
        #expect(evidence.user == 3 && evidence.device == 1)
        #expect(evidence.sentence.contains("a callback of its transaction observer"), "\(evidence.sentence)")
        // Under the virtual clock it is known at once what a client waits for.
        let words = clock == "virtual" && how == "waits" ? "for a semaphore" : "has not returned"
        #expect(evidence.timeline.contains { $0.text.contains(words) }, "\(evidence.timeline.map(\.text))")
        #expect(evidence.timeline.contains { $0.text.contains(": purchased") })
        #expect(!report.notes.contains { $0.contains("stopped early") }, "\(report.notes)")
        #expect(report.verdict.reasons.allSatisfy { !$0.sentence.contains("not judged") })
    }

    @Test func hangReportIsTheSameForAnyWorkerCount() throws {
        let place = try Workplace()
        let file = try place.scenario()
        var seen: Set<Data> = []
        for workers in ["1", "2"] {
            let outcome = try place.run(
                Workplace.faultyTool,
                ["run", file, "--client", "hanging", "--users", "8", "--quiet", "--workers", workers])
            #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
            seen.insert(try place.withoutHost(try place.read("Reports/latest/report.json")))
        }
        #expect(seen.count == 1)
    }

    // What is only asked, or freed, is called by the harness too.
    @Test(arguments: ["holdings", "deinit"])
    func hangInHoldingsOrDeinitIsReported(call: String) throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "app: {hang_limit: 250ms}")
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run"] + CrashTests.arguments(file, "loop", in: call) + ["--users", "2", "--client-option", "who=all"])
        #expect(outcome.isStatus(.clientCrashed) && outcome.out.contains("client-hang"), "\(outcome.all)")
    }

    /// Who bought two in the first launch hangs in the second.
    private static func place() throws -> (Workplace, String) {
        try CrashTests.place(app: "{hang_limit: 250ms, relaunch_after: 50ms}", users: 5)
    }

    // Where it computes, its thread leaves it; where it waits, others go on in its place.
    @Test(arguments: [
        ("loop", "purchase"), ("loop", "background"), ("loop", "holdings"), ("loop", "deinit"), ("loop", "block"),
        ("loop", "task"), ("wait", "purchase"), ("wait", "block"),
    ])
    func wallClockRunContinuesBesideAHungUser(how: String, call: String) throws {
        let (place, file) = try Self.place()
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run", "--clock", "wall", "--quiet", "--ignore-saturation"] + CrashTests.arguments(file, how, in: call))
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
        let report = try place.report()
        let hang = try #require(report.violations.evidence.first { $0.rule == "client-hang" })
        #expect(hang.process ?? 0 >= 2, "who has bought two hangs in the launch after that")
        #expect(!report.violations.byRule.contains { $0.rule == "client-exit" || $0.rule == "client-crash" })
        // Goods are not judged of whom nobody could ask.
        if call == "holdings" { #expect(!report.violations.byRule.contains { $0.rule == "lost-purchase" }) }
        if call != "holdings" {
            #expect(report.verdict.reasons.allSatisfy { !$0.sentence.contains("not judged") }, "\(report.verdict)")
        }
    }

    // It is not gone on with for ever, and what was found is told.
    @Test func runEndsIfEveryLaunchHangs() throws {
        let (place, file) = try Self.place()
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run", "--clock", "wall", "--quiet", "--ignore-saturation", "--users", "60"]
                + CrashTests.arguments(file, "loop", in: "launch") + ["--client-option", "who=all"])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
        let reasons = try place.report().verdict.reasons
        #expect(
            reasons.contains { $0.kind == .clientLimit && $0.count ?? 0 >= 20 },
            "\(reasons)")
    }

    // Trials are watched as runs are.
    @Test(arguments: ["wait", "loop"])
    func sweepFinishesDespiteHangingTrials(how: String) throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "app: {hang_limit: 250ms}")
        let sweep = try place.run(
            Workplace.faultyTool,
            ["sweep"] + CrashTests.arguments(file, how, in: "callback") + ["--client-option", "who=all"])
        #expect(sweep.isStatus(.clientCrashed) && sweep.out.contains("client-hang"), "\(sweep.all)")
    }

    // One hung run is one crashed cell of the matrix; the others are whole, and the exit code tells.
    @Test func matrixContinuesAfterAHungRun() throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "app: {hang_limit: 250ms}")
        let outcome = try place.run(
            Workplace.faultyTool, ["matrix", "--scenarios", file, "--clients", "hanging,reference", "--json"])
        #expect(outcome.isStatus(.clientCrashed), "\(outcome.all)")
        #expect(outcome.out.contains("107"))
    }
}
