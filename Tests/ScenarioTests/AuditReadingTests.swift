// What the audit leaves to the app, and what the store stops selling: from the file to the values.

import Simulation
import Testing
import Text

@testable import Scenario

@Suite struct AuditReadingTests {
    private func with(_ audit: String) -> String { small(extra: "audit: \(audit)") }

    @Test func readerReadsEveryKeyOfAudit() throws {
        let audit = try scenario(with("{tolerate: [unasked-restore], stale_after: 2h}")).audit
        #expect(audit.tolerated == ["unasked-restore"] && audit.staleAfter == .hours(2))
        #expect(try scenario(small()).audit == AuditSettings())
    }

    @Test(arguments: [
        (
            "{tolerate: [lost-purchase]}",
            "9:20: lost-purchase cannot be tolerated: breaking it is a fault, not a decision"
        ),
        ("{tolerate: [unasked-restores]}", "9:20: unknown 'unasked-restores' in audit.tolerate[0]"),
        ("{tolerate: []}", "9:19: the list of rules in audit.tolerate is empty"),
        ("{stale: 1h}", "9:9: unknown key 'stale' in audit"),
    ])
    func auditMistakesAreReportedWithTheirPlace(audit: String, problem: String) {
        let found = problems(with(audit)).map { "\($0.line):\($0.column): \($0.message)" }
        #expect(found.count == 1 && found[0].hasPrefix(problem), "\(found)")
    }
}
