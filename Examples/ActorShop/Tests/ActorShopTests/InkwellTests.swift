// What must hold of the app's purchases, whatever happens on the way.

import StampedeTesting
import Testing

@testable import ActorShopStampede

@Suite struct InkwellTests {
    @Test func noUserLosesAPurchase() async throws {
        let run = try await Stampede.run("inkwell.yml", client: InkwellClient.self, users: 500)
        #expect(try run.metric("purchase_duration").p95 < .seconds(10))
    }

    @Test func noCrashLosesAPurchase() async throws {
        try await Stampede.sweep("inkwell.yml", client: InkwellClient.self)
    }

    // The finding that the README tells of.
    @Test func runFindsThePlantedBug() async throws {
        let run = try await Stampede.run(
            "inkwell.yml", client: InkwellClient.self, options: ["bug": "overlaps"], users: 500,
            findings: .returned)
        #expect(run.exitCode == 110 && run.violations.contains { $0.rule == "lost-purchase" })
    }
}
