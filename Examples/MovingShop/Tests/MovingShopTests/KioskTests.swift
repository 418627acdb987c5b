// What must hold of the app's purchases, whatever happens on the way.

import StampedeTesting
import Testing

@testable import MovingShopStampede

@Suite struct KioskTests {
    @Test func noUserLosesAPurchase() async throws {
        let run = try await Stampede.run("kiosk.yml", client: KioskClient.self, users: 500)
        #expect(try run.metric("purchase_duration").p95 < .seconds(10))
    }

    @Test func noCrashLosesAPurchase() async throws {
        try await Stampede.sweep("kiosk.yml", client: KioskClient.self)
    }

    // The finding that the README tells of.
    @Test func runFindsThePlantedBug() async throws {
        let run = try await Stampede.run(
            "kiosk.yml", client: KioskClient.self, options: ["bug": "two-lists"], users: 500, findings: .returned)
        #expect(run.exitCode == 110 && run.violations.contains { $0.rule == "duplicate-delivery" })
    }
}
