// What must hold of the game's purchases, whatever happens on the way.

import StampedeTesting
import Testing

@testable import DelegateSingletonStampede

@Suite struct LabyrinthTests {
    @Test func noUserLosesAPurchase() async throws {
        let run = try await Stampede.run("labyrinth.yml", client: LabyrinthClient.self, users: 500)
        #expect(try run.metric("purchase_duration").p95 < .seconds(10))
    }

    @Test func noCrashLosesAPurchase() async throws {
        try await Stampede.sweep("labyrinth.yml", client: LabyrinthClient.self)
    }

    // The finding that the README tells of.
    @Test func runFindsThePlantedBug() async throws {
        let run = try await Stampede.run(
            "labyrinth.yml", client: LabyrinthClient.self, options: ["bug": "skips-old"], users: 500,
            findings: .returned)
        #expect(run.exitCode == 110 && run.violations.contains { $0.rule == "lost-purchase" })
    }
}
