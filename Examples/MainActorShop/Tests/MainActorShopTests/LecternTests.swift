// What must hold of the player's purchases, whatever happens on the way.

import StampedeTesting
import Testing

@testable import MainActorShopStampede

@Suite struct LecternTests {
    @Test func noUserLosesAPurchase() async throws {
        let run = try await Stampede.run("lectern.yml", client: LecternClient.self, users: 500)
        #expect(try run.metric("purchase_duration").p95 < .seconds(10))
    }

    @Test func noCrashLosesAPurchase() async throws {
        try await Stampede.sweep("lectern.yml", client: LecternClient.self)
    }

    // The finding that the README tells of.
    @Test func runFindsThePlantedBug() async throws {
        let run = try await Stampede.run(
            "lectern.yml", client: LecternClient.self, options: ["bug": "gives-up"], users: 500,
            findings: .returned)
        #expect(run.exitCode == 110 && run.violations.contains { $0.rule == "lost-purchase" })
    }
}
