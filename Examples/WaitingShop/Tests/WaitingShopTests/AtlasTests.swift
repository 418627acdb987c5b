// What must hold of the atlas's purchases, whatever happens on the way.

import StampedeTesting
import Testing

@testable import WaitingShopStampede

@Suite struct AtlasTests {
    @Test func noUserLosesAPurchase() async throws {
        let run = try await Stampede.run("atlas.yml", client: AtlasClient.self, users: 500)
        #expect(try run.metric("purchase_duration").p95 < .seconds(10))
    }

    @Test func noCrashLosesAPurchase() async throws {
        try await Stampede.sweep("atlas.yml", client: AtlasClient.self)
    }

    // The finding that the README tells of.
    @Test func runFindsThePlantedBug() async throws {
        let run = try await Stampede.run(
            "atlas.yml", client: AtlasClient.self, options: ["bug": "waits-on-main"], users: 500,
            findings: .returned)
        #expect(run.exitCode == 107 && run.violations.contains { $0.rule == "client-hang" })
    }
}
