// stampede shrink: the file that it writes runs as it stands.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ShrinkCommandTests {
    private func failed() throws -> Workplace {
        let place = try Workplace()
        let scenario = try place.scenario(extra: "faults: {crash: {share: 20%, at: any_effect}}")
        let run = try place.stampede("run", scenario, "--client", "iap-manager", "--users", "90", "--quiet")
        #expect(run.isStatus(.violationsFound), "\(run)")
        return place
    }

    @Test func shrunkScenarioBreaksTheSameRule() throws {
        let place = try failed()
        let outcome = try place.stampede("shrink", "Reports/latest", "--violation", "1")
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty, "\(outcome)")
        #expect(outcome.out.contains("90 → 1 users") && outcome.out.contains("nothing more can be removed"))
        let file = "small-lost-purchase.yml"
        let text = String(decoding: try place.read(file), as: UTF8.self)
        #expect(text.hasPrefix("# Breaks lost-purchase") && text.contains("catalog: FakeGame.storekit"))
        let run = try place.stampede("run", file, "--quiet", "--out", "again")
        #expect(run.isStatus(.violationsFound), "\(run)")
        #expect(try place.report("again/latest/report.json").violations.byRule.contains { $0.rule == "lost-purchase" })
    }

    // The report carries what it needs: here the scenario and its catalog are gone.
    @Test func shrinkWritesACopyOfTheCatalog() throws {
        let place = try failed()
        for name in ["small.yml", "FakeGame.storekit"] {
            try FileManager.default.removeItem(at: place.folder.appendingPathComponent(name))
        }
        let outcome = try place.stampede("shrink", "Reports/latest", "--out", "mine.yml", "--quiet")
        #expect(outcome.isStatus(.passed) && outcome.all.isEmpty, "\(outcome)")
        #expect(place.exists("mine.storekit"))
        #expect(try place.stampede("run", "mine.yml", "--quiet").isStatus(.violationsFound))
    }

    // `..` in a path is no range of numbers.
    @Test func shrunkScenarioFindsItsCatalogFromAnotherFolder() throws {
        let place = try failed()
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
        #expect(try place.stampede("shrink", "Reports/latest", "--out", "sub/small.yml", "--quiet").isStatus(.passed))
        let run = try place.stampede("run", "sub/small.yml", "--quiet", "--out", "again")
        #expect(run.isStatus(.violationsFound), "\(run)")
        #expect(String(decoding: try place.read("sub/small.yml"), as: UTF8.self).contains("../FakeGame.storekit"))
    }

    @Test func shrinkReportsAViolationThatNoLongerOccurs() throws {
        let place = try failed()
        var report = try place.report()
        report.run.client = "reference"
        try place.write(try report.json(), to: "mended.json")
        let outcome = try place.stampede("shrink", "mended.json", "--quiet")
        #expect(outcome.isStatus(.unknown) && outcome.errors.contains("the scenario does not break "))
        #expect(!place.exists("small-lost-purchase.yml"))
    }
}
