// stampede matrix: the table in its three forms, and its exit codes.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct MatrixCommandTests {
    private func folder() throws -> Workplace {
        let place = try Workplace()
        _ = try place.scenario("one.yml")
        _ = try place.scenario("two.yml", extra: "faults: {crash: {share: 20%, at: any_effect}}")
        return place
    }

    @Test func matrixRunsEveryClientInEveryScenario() throws {
        let place = try folder()
        let outcome = try place.stampede(
            "matrix", "--scenarios", ".", "--clients", "reference,iap-manager", "--json", "--quiet")
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty, "\(outcome)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let matrix = try decoder.decode(MatrixReport.self, from: Data(outcome.out.utf8))
        #expect(
            matrix.clients == ["reference", "iap-manager"] && matrix.rows.map(\.file) == ["./one.yml", "./two.yml"])
        for row in matrix.rows {
            let clean = try #require(row.cells[0])
            let flawed = try #require(row.cells[1])
            #expect(clean.rules.isEmpty && clean.lost == 0 && clean.lostPerTenThousand == 0 && clean.charges >= 20)
            #expect(flawed.error > 0 && flawed.exitCode == 110 && flawed.purchaseP95Ns != nil)
            #expect(flawed.critical + flawed.error + flawed.warning == flawed.rules.values.reduce(0, +))
        }
        let crashed = try #require(matrix.rows[1].cells[1])
        #expect(crashed.lost > 0 && crashed.lost == crashed.rules["lost-purchase"])
        #expect(try #require(crashed.lostPerTenThousand) == Double(crashed.lost) * 10_000 / Double(crashed.charges))
    }

    @Test func matrixTableFitsTerminalAndMarkdown() throws {
        let place = try folder()
        let plain = try place.stampede("matrix", "--scenarios", "one.yml,two.yml", "--quiet")
        #expect(plain.isStatus(.passed) && !plain.out.contains("\u{1B}"), "\(plain)")
        // Commands are there to be copied, and stay whole.
        let lines = plain.out.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("  next: ") } && lines.count <= 40)
        #expect(lines.last?.hasPrefix("  next: stampede run two.yml --client ") == true, "\(plain.out)")
        let clean = try place.stampede("matrix", "--scenarios", "one.yml", "--clients", "reference", "--quiet")
        #expect(clean.isStatus(.passed) && clean.all.isEmpty, "\(clean)")
        let markdown = try place.stampede("matrix", "--scenarios", "one.yml", "--markdown", "--quiet")
        let rows = markdown.out.split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.count == 3 && Set(rows.map { $0.split(separator: "|").count }).count == 1)
    }

    @Test func matrixFailsOnViolationsOnlyIfAsked() throws {
        let place = try folder()
        let flawed = try place.stampede(
            "matrix", "--scenarios", "one.yml", "--clients", "iap-manager", "--fail-on-violations", "--quiet")
        #expect(flawed.isStatus(.violationsFound))
        let clean = try place.stampede(
            "matrix", "--scenarios", "one.yml", "--clients", "reference", "--fail-on-violations", "--quiet")
        #expect(clean.isStatus(.passed))
    }

    @Test(arguments: [
        (["--clients", "nobody"], "there is no client 'nobody'"), (["--clients", ","], "--clients names nothing"),
        (["--scenarios", "nowhere"], "no file or folder nowhere"),
        (["--users", "0"], "--users, one.yml: 0 users are too few"),
        (["--json", "--markdown"], "not both"),
    ])
    func matrixRefusesBadOptions(options: [String], words: String) throws {
        let place = try folder()
        let outcome = try place.stampede(["matrix", "--scenarios", "one.yml"] + options)
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(words) && outcome.out.isEmpty, "\(outcome)")
    }
}
