// Scenarios by their names: found where they are kept, or the one that was meant is named.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ScenarioPathTests {
    private func place() throws -> Workplace {
        let place = try Workplace()
        _ = try place.scenario("one.yml")
        let scenario = try String(decoding: place.read("one.yml"), as: UTF8.self)
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("Scenarios"), withIntermediateDirectories: true)
        let moved = scenario.replacing("FakeGame.storekit", with: "../FakeGame.storekit")
        try place.write(moved, to: "Scenarios/shop-day.yml")
        return place
    }

    @Test(arguments: ["shop-day", "shop-day.yml", "Scenarios/shop-day", "Scenarios/shop-day.yml", "one"])
    func scenarioNameResolvesToItsFile(name: String) throws {
        let outcome = try place().stampede("check", name)
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(outcome.out.contains(name.hasPrefix("one") ? "one.yml" : "Scenarios/shop-day.yml"), "\(outcome.out)")
    }

    @Test func reportNamesTheResolvedScenarioFile() throws {
        let place = try place()
        let outcome = try place.stampede("run", "shop-day", "--quiet")
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(try place.report().scenario.file == "Scenarios/shop-day.yml")
    }

    @Test(arguments: [
        ("shopday", "did you mean 'Scenarios/shop-day.yml'?"),
        ("Scenarios/shpo-day.yml", "did you mean 'Scenarios/shop-day.yml'?"),
        ("onee.yml", "did you mean 'one.yml'?"), ("quarterly", "there are 'one.yml' and 'Scenarios/shop-day.yml'"),
        ("nowhere/any.yml", "'stampede init' writes a scenario"),
    ])
    func unknownScenarioErrorSuggestsTheNearest(name: String, hint: String) throws {
        let outcome = try place().stampede("run", name)
        #expect(outcome.isStatus(.invalidInput), "\(outcome)")
        #expect(outcome.errors.contains("\(name): error: no such file"), "\(outcome.errors)")
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
    }
}
