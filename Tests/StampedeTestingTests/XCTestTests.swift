// The same under XCTest.

import StampedeTesting
import XCTest

final class XCTestTests: XCTestCase {
    func testARunThatPasses() async throws {
        let run = try await Stampede.run("desk.yml", client: DeskClient.self)
        XCTAssertTrue(run.passed)
    }

    func testWhatIsFoundIsReturned() async throws {
        let run = try await Stampede.run(
            "desk.yml", client: DeskClient.self, options: ["bug": "hasty"], findings: .returned)
        XCTAssertEqual(run.violations.first?.rule, "lost-purchase")
    }
}
