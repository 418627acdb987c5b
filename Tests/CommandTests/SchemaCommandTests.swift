// stampede schema: what it prints is what stands beside the shipped scenarios, and what these refer to.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct SchemaCommandTests {
    private static let folder = Workplace.package.appendingPathComponent("Scenarios")

    private static let shipped: [String] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".yml") }.sorted()
    }()

    /// After a change: `stampede schema > Scenarios/scenario.schema.json`.
    @Test func shippedSchemaEqualsThePrintedSchema() throws {
        let outcome = try Workplace().stampede("schema")
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty)
        let shipped = try Data(contentsOf: Self.folder.appendingPathComponent("scenario.schema.json"))
        #expect(Data(outcome.out.utf8) == shipped, "run stampede schema > Scenarios/scenario.schema.json")
    }

    @Test(arguments: shipped)
    func everyShippedScenarioRefersToTheSchema(name: String) throws {
        let url = Self.folder.appendingPathComponent(name)
        let line = try #require(String(contentsOf: url, encoding: .utf8).split(separator: "\n").first)
        let path = try #require(line.wholeMatch(of: #/# yaml-language-server: \$schema=(.+)/#)?.1)
        let named = url.deletingLastPathComponent().appendingPathComponent(String(path)).standardizedFileURL
        #expect(named.path == Self.folder.appendingPathComponent("scenario.schema.json").standardizedFileURL.path)
    }

    @Test func schemaTestsFindTheShippedScenarios() { #expect(Self.shipped.count >= 24) }
}
