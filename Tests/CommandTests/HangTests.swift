// A client that does not come back: the process reports what it has, and ends.

import Foundation
import Reporting
import Testing

@Suite(.serialized) struct HangTests {
    @Test(arguments: ["virtual", "wall"], ["waits", "computes"])
    func hungClientIsReportedAndTheProcessEnds(clock: String, how: String) throws {
        let place = try Workplace()
        try place.write(
            """
            name: Hung
            clock: \(clock)
            client: {name: hanging, options: {how: \(how)}}
            store: {catalog: FakeGame.storekit}
            app: {hang_limit: 1s}
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
        #expect(report.violations.byRule.map(\.rule) == ["client-hang"], "\(report.violations.byRule)")
        let evidence = try #require(report.violations.evidence.first)
        #expect(evidence.user == 3 && evidence.device == 1 && evidence.process == 1)
        #expect(evidence.sentence.contains("a callback of its transaction observer"), "\(evidence.sentence)")
        let last = try #require(evidence.timeline.last?.text)
        // Under the virtual clock it is known at once what a client waits for.
        #expect(last.contains("has not come back") || clock == "virtual" && last.contains("for a semaphore"), "\(last)")
        #expect(evidence.timeline.contains { $0.text.contains("is purchased") })
        #expect(report.notes.contains { $0.contains("broken off") })
    }

    // One hung run is one crashed cell of the matrix; the others are whole, and the exit code tells.
    @Test func matrixGoesOnAfterAHungRun() throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "app: {hang_limit: 1s}")
        let outcome = try place.run(
            Workplace.faultyTool, ["matrix", "--scenarios", file, "--clients", "hanging,reference", "--json"])
        #expect(outcome.isStatus(.clientCrashed), "\(outcome.all)")
        #expect(outcome.out.contains("107"))
    }
}
