// `stampede glue` prints the file that the tests' own client is compiled with.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct GlueFileTests {
    @Test func glueCommandPrintsTheTestedGlueFile() throws {
        let place = try Workplace()
        let outcome = try place.stampede("glue")
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty)
        let file = Workplace.package.appendingPathComponent("Tests/Clients/Shop/StampedeGlue.swift")
        #expect(Data(outcome.out.utf8) == (try Data(contentsOf: file)))
    }
}
