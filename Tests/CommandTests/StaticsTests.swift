// A client's statics, by a program that looks at them at every call: fresh at each launch, and each device's own.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct StaticsTests {
    private static let tool = Workplace.built("StaticsTool")

    private func scenario(_ place: Workplace, times: Int, steps: String) throws -> String {
        try place.write(
            """
            name: Statics
            store: {catalog: FakeGame.storekit}
            network: {latency: 20ms}
            population: {users: 100}
            load: [{journey: j, executor: at-once}]
            journeys: {j: [{repeat: {times: \(times), steps: [\(steps)]}}]}

            """, to: "statics.yml")
        return "statics.yml"
    }

    // A hundred devices take turns, and each is launched eleven times; the last launch is that of the settling.
    @Test func everyLaunchOfEveryDeviceHasItsOwnStatics() throws {
        let place = try Workplace()
        let file = try scenario(place, times: 10, steps: "launch, {buy: extra_lives}, terminate")
        var reports: [String] = []
        for (name, words) in [
            ("one", ["1", "--workers-in-process"]), ("two", ["1", "--workers-in-process"]), ("three", ["1"]),
            ("four", ["2"]),
        ] {
            let outcome = try place.run(
                Self.tool, ["run", file, "--client", "statics", "--quiet", "--out", name, "--workers"] + words)
            if outcome.errors.contains("it is built with a sanitizer") { return }
            #expect(outcome.isStatus(.passed), "\(outcome.errors)")
            if words.count > 1 {
                #expect(
                    outcome.errors.hasPrefix("launches 1100, checks ") && outcome.errors.hasSuffix("complaints 0\n"))
            }
            let report = String(decoding: try place.read("\(name)/latest/report.json"), as: UTF8.self)
            reports.append(report.replacing(/\n  "host" : \{\n.*?\n  \}/.dotMatchesNewlines(), with: ""))
        }
        #expect(reports.count == 4 && Set(reports).count == 1)
    }

    // Crashes in the middle of a call, several devices of one user, relaunches in the background.
    @Test(arguments: ["crash-anywhere", "many-devices", "delivery-chaos"])
    func crashesAndOtherDevicesDoNotChangeStatics(name: String) throws {
        let place = try Workplace()
        let outcome = try place.run(
            Self.tool,
            ["run", Workplace.shipped(name), "--users", "60", "--client", "statics", "--workers", "1", "--quiet"]
                + ["--workers-in-process"])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.errors.hasSuffix("complaints 0\n"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("launches 0,"))
    }

    @Test func sweepGivesEachTrialItsOwnStatics() throws {
        let place = try Workplace()
        let file = try scenario(place, times: 1, steps: "launch, {buy: extra_lives}, terminate")
        let outcome = try place.run(
            Self.tool, ["sweep", file, "--client", "statics", "--workers", "1", "--workers-in-process", "--quiet"])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.errors.hasSuffix("complaints 0\n"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("launches 0,"))
    }

    // What a dead app has left, its objects among it, is never freed: the bound is for seventy statics.
    @Test func launchWithStaticsLeaksLittleMemory() throws {
        let place = try Workplace()
        var resident: [Int] = []
        for times in [10, 210] {
            let file = try scenario(place, times: times, steps: "launch, terminate")
            let outcome = try place.run(
                Self.tool,
                ["run", file, "--client", "statics", "--workers", "1", "--quiet", "--out", "r\(times)"]
                    + ["--workers-in-process"])
            if outcome.errors.contains("it is built with a sanitizer") { return }
            let peak = try place.report("r\(times)/latest/report.json").host.memoryPeakBytes
            resident.append(try #require(peak))
        }
        #expect((resident[1] - resident[0]) / 20_000 < 4_096, "\(resident)")
    }

    @Test func strippedProgramIsReportedAsHavingNoSymbols() throws {
        let place = try Workplace()
        var program = try Data(contentsOf: Self.tool)
        // Its table of symbols is one no more: type 2 among the headers of its sections.
        func number(_ place: Int, _ size: Int) -> Int {
            (0..<size).reduce(0) { $0 | Int(program[place + $1]) << (8 * $1) }
        }
        let (table, count) = (number(40, 8), number(60, 2))
        for header in (0..<count).map({ table + 64 * $0 }) where number(header + 4, 4) == 2 { program[header + 4] = 1 }
        try place.write(program, to: "stripped")
        let path = place.folder.appendingPathComponent("stripped")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.path)
        let file = try place.scenario()
        let outcome = try place.run(path, ["run", file, "--client", "reference", "--workers", "1"])
        #expect(outcome.errors.contains("devices share the client's static data"))
        #expect(outcome.errors.contains("has no symbols"))
        #expect(outcome.errors.contains("hint: build it without strip and without -s"))
    }

    @Test func sharedStaticsWithSeveralWorkersAreReported() throws {
        let place = try Workplace()
        let file = try place.scenario()
        let outcome = try place.run(
            Self.tool,
            ["run", file, "--users", "5000", "--client", "reference", "--workers", "2", "--workers-in-process"])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.errors.contains("several workers ran in one process: devices shared the client's static data"))
        let wall = try place.run(Self.tool, ["run", file, "--client", "reference", "--clock", "wall"])
        // Once, and before it begins.
        let words = "under the wall clock devices run at once and share Bank.shared, "
        #expect(wall.errors.components(separatedBy: words).count == 2 && !wall.errors.contains("devices ran at once"))
        #expect(!wall.errors.contains("several workers"))
        #expect(wall.errors.contains("`static var shared: Bank { perDevice { Bank() } }`"))
        #expect(try place.report().notes.contains { $0.contains("all devices shared Bank.shared, ") })
    }

    // The shipped command has no clients but its own.
    @Test func shippedCommandDoesNotWarnAboutStatics() throws {
        let place = try Workplace()
        let outcome = try place.stampede("run", try place.scenario(), "--workers", "2", "--quiet")
        #expect(!outcome.errors.contains("static data"))
    }
}
