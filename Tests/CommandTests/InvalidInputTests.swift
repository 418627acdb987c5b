// Whatever is wrong with what the user gave: 104, every mistake with its place, and nothing started or written.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct InvalidInputTests {
    private func expectRefused(_ outcome: Outcome, _ place: Workplace, mentioning text: String) {
        #expect(outcome.isStatus(.invalidInput), "\(outcome.status): \(outcome.all)")
        #expect(outcome.errors.contains(text), "\(outcome.all)")
        #expect(outcome.out.isEmpty)
        #expect(!place.exists("Reports"), "nothing is written")
    }

    @Test(arguments: ["run", "check"])
    func runAndCheckReportEveryMistakeWithItsPlace(command: String) throws {
        let place = try Workplace()
        try place.write(
            """
            name: Six mistakes
            clock: sundial
            store: {catalog: FakeGame.storekit}
            network: {latency: 20 parsecs}
            population: {users: 30, owns: {unlock_map: 40%}}
            load: [{journey: k, executor: at-once}]
            journeys: {j: [launch, retsore]}
            thresholds: {purchase_durations: p(95) < 1s}

            """, to: "six.yml")
        let outcome = try place.stampede(command, "six.yml")
        expectRefused(outcome, place, mentioning: "did you mean 'restore'?")
        let places = outcome.errors.matches(of: #/six\.yml:(\d+):(\d+): error: /#).compactMap { Int($0.1) }
        #expect(places == [2, 4, 5, 6, 7, 8], "\(outcome.errors)")
    }

    @Test func runReportsMissingFilesAndFolders() throws {
        let place = try Workplace()
        expectRefused(
            try place.stampede("run", "nowhere.yml"), place, mentioning: "nowhere.yml: error: no such file")
        expectRefused(try place.stampede("run", "."), place, mentioning: "this is a folder")
        expectRefused(try place.stampede("run", ""), place, mentioning: "error:")
        expectRefused(try place.stampede("run"), place, mentioning: "missing expected argument")
    }

    @Test func runReportsBrokenScenarioTexts() throws {
        let place = try Workplace()
        try place.write("name: [unclosed\nload: }{\n", to: "broken.yml")
        expectRefused(try place.stampede("run", "broken.yml"), place, mentioning: "broken.yml:")
        try place.write("", to: "empty.yml")
        expectRefused(try place.stampede("run", "empty.yml"), place, mentioning: "empty.yml:")
        try place.write(Data([0xFF, 0xFE, 0x00, 0xC3, 0x28]), to: "bytes.yml")
        expectRefused(try place.stampede("run", "bytes.yml"), place, mentioning: "bytes.yml:")
    }

    @Test func commandsRefuseFilesThatAreNoReports() throws {
        let place = try Workplace()
        _ = try place.stampede("run", try place.scenario(), "--quiet", "--out", "runs")
        let whole = String(decoding: try place.read("runs/latest/report.json"), as: UTF8.self)
        let end = try #require(whole.firstIndex(of: "\n").map { whole.index($0, offsetBy: 30) })
        let broken = [
            ("cut.json", String(whole[..<end]), "cut.json:5:"),
            ("empty.json", "", "empty.json:1:1:"),
            ("later.json", whole.replacing("\"schema_version\" : 2", with: "\"schema_version\" : 99"), "version 99"),
            ("code.json", whole.replacing("\"exit_code\" : 0", with: "\"exit_code\" : \"0\""), "verdict.exit_code"),
        ]
        for (file, text, words) in broken {
            #expect(text != whole, "\(file) is not broken")
            try place.write(text, to: file)
            expectRefused(try place.stampede("report", file), place, mentioning: words)
            expectRefused(try place.stampede("compare", "runs/latest", file), place, mentioning: words)
        }
        expectRefused(try place.stampede("report", "runs"), place, mentioning: "there is no report.json in runs")
    }

    @Test(.timeLimit(.minutes(20)))
    func runRefusesHostileFilesQuickly() throws {
        let place = try Workplace()
        var bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            bomb += "a\(level): &a\(level) [\(aliases)]\n"
        }
        try place.write(bomb, to: "bomb.yml")
        expectRefused(try place.stampede("run", "bomb.yml"), place, mentioning: "bomb.yml:")
        var byte: UInt8 = 7
        let junk = (0..<10_000_000).map { _ in
            byte = byte &* 109 &+ 89
            return byte
        }
        try place.write(Data(junk), to: "junk.yml")
        expectRefused(
            try place.stampede("run", "junk.yml"), place, mentioning: "junk.yml: error: the file is larger than 1 MiB")
    }

    @Test func runReportsCatalogMistakesWithTheirPlace() throws {
        let place = try Workplace()
        let catalog = String(decoding: try place.read("FakeGame.storekit"), as: UTF8.self)
        try place.write(
            catalog.replacingOccurrences(of: "\"displayPrice\": \"0.99\"", with: "\"displayPrice\": \"a dollar\""),
            to: "FakeGame.storekit")
        let outcome = try place.stampede("run", try place.scenario())
        expectRefused(outcome, place, mentioning: "a dollar")
        #expect(
            outcome.errors.contains(#/FakeGame\.storekit:\d+:\d+: error: products\[\d\]\.displayPrice/#),
            "\(outcome.errors)")
        try place.write("{\"products\": [", to: "FakeGame.storekit")
        expectRefused(try place.stampede("run", try place.scenario()), place, mentioning: "FakeGame.storekit")
    }

    @Test(arguments: [
        (["--client", "referense"], "did you mean 'reference'?"),
        (["--clock", "sundial"], "sundial"),
        (["--sede", "3"], "sede"),
        (["--users", "-5"], "-5 users are too few"),
        (["--users", "0"], "0 users are too few"),
        (["--users", "many"], "many"),
        (["--users", "2000000000"], "too many"),
        (["--seed", "-1"], "'-1' is invalid"),
        (["--workers", "0"], "--workers 0"),
        (["--workers", "5000"], "from 1 to 1024"),
        (["--only-user", "30"], "there is no user 30"),
        (["--only-user", "99999999999999999999"], "only-user"),
        (["other.yml"], "other.yml"),
    ])
    func runRefusesWrongOptions(options: [String], text: String) throws {
        let place = try Workplace()
        let file = try place.scenario()
        expectRefused(try place.run(Workplace.tool, ["run", file] + options), place, mentioning: text)
    }

    @Test func runReportsWrongOptionsTogetherWithAMissingScenario() throws {
        let place = try Workplace()
        let outcome = try place.stampede("run", "nowhere.yml", "--client", "referense", "--workers", "0")
        for text in ["no such file", "there is no client 'referense'", "--workers 0: from 1 to 1024"] {
            expectRefused(outcome, place, mentioning: text)
        }
    }

    @Test func toolReportsAnUnknownCommand() throws {
        let place = try Workplace()
        expectRefused(try place.stampede("rnu"), place, mentioning: "rnu")
    }

    @Test func checkReportsEveryFile() throws {
        let place = try Workplace()
        let good = try place.scenario("good.yml")
        let both = try place.stampede("check", good, Workplace.shipped("quickstart"))
        #expect(both.isStatus(.passed) && both.errors.isEmpty)
        #expect(both.out.split(separator: "\n").count == 2 && both.out.contains("good.yml: ok (Small)"))
        try place.write("name: 1\n", to: "bad.yml")
        let mixed = try place.stampede("check", "bad.yml", good, "missing.yml")
        #expect(mixed.isStatus(.invalidInput))
        #expect(mixed.out.contains("good.yml: ok"))
        #expect(mixed.errors.contains("bad.yml:") && mixed.errors.contains("missing.yml: error: no such file"))
        #expect(!place.exists("Reports"))
    }
}
