// What must hold of the app's purchases, whatever happens on the way.

import StampedeTesting
import Testing

@testable import PackageNameStampede

@Suite struct PurchaseTests {
    // What is found fails the test: in a sentence, with the command that shows it again.
    @Test func noUserLosesAPurchase() async throws {
        let run = try await Stampede.run("PackageNameScenario", client: PackageNameClient.self, users: 500)
        #expect(try run.metric("purchase_duration").p95 < .seconds(10))
    }

    // A crash before everything that the app does, and the loss of every message.
    @Test func noCrashLosesAPurchase() async throws {
        try await Stampede.sweep("PackageNameScenario", client: PackageNameClient.self)
    }
}
