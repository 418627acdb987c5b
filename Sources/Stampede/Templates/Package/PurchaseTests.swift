// Promises of the app's purchases that must hold whatever happens.

import StampedeTesting
import Testing

@testable import PackageNameStampede

@Suite struct PurchaseTests {
    // Every finding fails the test, with its story in a sentence and the command that shows it again.
    @Test func noUserLosesAPurchase() async throws {
        let run = try await Stampede.run("PackageNameScenario", client: PackageNameClient.self, users: 500)
        #expect(try run.metric("purchase_duration").p95 < .seconds(10))
    }

    // Tries a crash before everything that the app does, and the loss of every message.
    @Test func noCrashLosesAPurchase() async throws {
        try await Stampede.sweep("PackageNameScenario", client: PackageNameClient.self)
    }
}
