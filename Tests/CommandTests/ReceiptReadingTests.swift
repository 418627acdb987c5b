// A client that opens its receipt, in every way that it may: the file is there by then, and gone in the end.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ReceiptReadingTests {
    @Test(arguments: ["url", "data", "exists", "contents", "options", "stream", "fopen", "file_handle"])
    func receiptIsFoundByEveryWayOfReading(how: String) throws {
        let place = try Workplace()
        let outcome = try place.run(
            Workplace.faultyTool,
            [
                "run", try place.scenario(), "--client", "reading", "--client-option", "how=\(how)", "--quiet",
                "--client-output",
            ],
            environment: ["TMPDIR": place.folder.path])
        // It never buys what its user asks for: nothing was tried.
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        #expect(outcome.errors.contains("receipt read") && !outcome.errors.contains("missing"), "\(outcome.errors)")
        #expect(try place.names().allSatisfy { !$0.hasPrefix("stampede-") })
    }
}
