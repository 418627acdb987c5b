// The same under XCTest.

import StampedeTesting
import XCTest

final class XCTestTests: XCTestCase {
    func testPassedRunHasNoFinding() async throws {
        let run = try await Stampede.run("buggy.yml", client: BuggyClient.self)
        XCTAssertTrue(run.passed)
    }

    func testFindingsAreReturned() async throws {
        let run = try await Stampede.run(
            "buggy.yml", client: BuggyClient.self, options: ["bug": "hasty"], findings: .returned)
        XCTAssertEqual(run.violations.first?.rule, "lost-purchase")
    }
}
