// What was never tried is no success.

import ClientKit
import Engine
import Judgement
import RunSupport
import Scenario
import Specimens
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct UntriedRequestTests {
    private func verdict(_ scenario: Scenario, _ client: any StoreClient.Type) -> Report.Verdict {
        let result = run(scenario, client)
        return result.verdict(result.judge(scenario.thresholdsInForce(for: client.name)))
    }

    // The app sells what another catalog has.
    @Test func verdictIsUnknownForAnAppOfAnotherCatalog() throws {
        var scenario = try Scenario.shipped("refunds", users: 20)
        scenario.thresholds = []
        let verdict = verdict(scenario, IAPManagerClient.self)
        #expect(verdict.status == .unknown)
        let reason = "never added a payment (another catalog's products?)"
        #expect(verdict.sentences.contains { $0.contains(reason) }, "\(verdict.sentences)")
    }

    @Test func matrixShowsADashForAnUntriedPurchase() throws {
        var scenario = try Scenario.shipped("refunds", users: 20)
        scenario.thresholds = []
        var report = MatrixReport(clients: ["iap-manager", "reference"])
        let cells = [IAPManagerClient.self, ReferenceClient.self].map { (client: any StoreClient.Type) in
            MatrixReport.Cell(
                run(scenario, client),
                options: RunOptions(scenario: scenario, client: client, clientOptions: [:], workers: 1))
        }
        var row = MatrixReport.Row(
            RunOptions(scenario: scenario, client: ReferenceClient.self, clientOptions: [:], workers: 1))
        row.cells = cells
        report.rows = [row]
        #expect(MatrixText.markdown(report).contains("| – |"))
        #expect(report.rows[0].cells.map { $0?.untried } == [["purchase"], []])
    }

    // A request that was refused because payments are not allowed is nothing to try.
    @Test func disallowedPaymentsAreNotUntried() throws {
        let scenario = try Scenario.journey(
            ["launch", "buy: extra_lives"], users: 5, sections: ["buyers: {payments_disallowed: 100%}"])
        #expect(verdict(scenario, ReferenceClient.self).status == .passed)
    }
}
