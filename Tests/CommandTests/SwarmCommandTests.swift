// stampede swarm, as a user calls it: what it prints, writes, remembers, and ends with.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct SwarmCommandTests {
    private static func findings(_ place: Workplace) throws -> [String] {
        try place.names("Reports/swarm/iap-manager").filter { $0.hasSuffix(".yml") }
    }

    private static func swarm(_ place: Workplace, _ arguments: String...) throws -> Outcome {
        try place.stampede(["swarm"] + arguments)
    }

    @Test func swarmOverTheReferencePassesAndWritesNothing() throws {
        let place = try Workplace()
        let result = try Self.swarm(place, "--runs", "20")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.out.contains("PASSED") && result.out.contains("swarm of 20 scenarios"))
        #expect(!place.exists("Reports/swarm"))
    }

    @Test func swarmKeepsFindingsAndTriesThemFirst() throws {
        let place = try Workplace()
        let first = try Self.swarm(place, "--client", "iap-manager", "--runs", "6")
        #expect(first.status == 110, "\(first.errors)")
        let files = try Self.findings(place)
        #expect(!files.isEmpty && first.out.contains("  new  "))
        // What is printed can be pasted.
        let replay = try place.stampede(["run", "Reports/swarm/iap-manager/\(files[0])", "--quiet", "--no-record"])
        #expect(replay.status == 110)
        let again = try Self.swarm(place, "--client", "iap-manager", "--runs", "6")
        #expect(again.status == 110 && again.out.contains(" there ") && !again.out.contains("  new  "))
        #expect(try Self.findings(place) == files)
    }

    @Test func swarmPutsTheAppsServersInEveryScenario() throws {
        let place = try Workplace()
        let path = try place.scenario()
        _ = try place.scenario(
            "served.yml", extra: "http: [{url: 'https://api.example.com/verify', body: '{\"ok\": true}'}]")
        for number in ["0", "1", "2"] {
            let drawn = try Self.swarm(place, "--servers", "served.yml", "--print", number)
            #expect(drawn.out.contains("https://api.example.com/verify"), "\(drawn)")
        }
        let without = try Self.swarm(place, "--servers", path, "--runs", "1")
        #expect(without.isStatus(.invalidInput) && without.errors.contains("has no `http:`"), "\(without)")
    }

    @Test func swarmOfTheSameSeedWritesTheSameBytes() throws {
        var outputs: [String] = []
        var files: [[Data]] = []
        for workers in ["1", "2"] {
            let place = try Workplace()
            let arguments = ["--client", "iap-manager", "--runs", "5", "--json", "--workers", workers]
            outputs.append(try place.stampede(["swarm"] + arguments).out)
            files.append(try Self.findings(place).map { try place.read("Reports/swarm/iap-manager/\($0)") })
        }
        #expect(outputs[0] == outputs[1] && !outputs[0].isEmpty)
        #expect(files[0] == files[1] && !files[0].isEmpty)
    }

    @Test func swarmSeparatesAcceptedFindings() throws {
        let place = try Workplace()
        _ = try Self.swarm(place, "--client", "iap-manager", "--runs", "6", "--quiet")
        let names = try Self.findings(place).map { String($0.dropLast(4)) }
        func list(_ names: [String], until day: String) throws -> String {
            let rows = names.map { "- {finding: \($0), reason: next release, until: \(day)}\n" }
            try place.write(rows.joined(), to: "known.yml")
            return "known.yml"
        }
        let accepted = try Self.swarm(
            place,
            "--client", "iap-manager", "--runs", "6", "--known", try list(names, until: "9999-12-31"))
        #expect(accepted.status == 0 && accepted.out.contains("ACCEPTED FINDINGS"), "\(accepted.out)")
        let past = try Self.swarm(
            place,
            "--client", "iap-manager", "--runs", "6", "--known", try list(names, until: "2001-01-31"))
        #expect(past.status == 110 && past.out.contains("was accepted until 2001-01-31"))
        let gone = try Self.swarm(
            place,
            "--client", "iap-manager", "--runs", "6", "--known",
            try list(names + ["stuck-transaction-ffff"], until: "9999-12-31"))
        #expect(gone.status == 99 && gone.out.contains("stuck-transaction-ffff is accepted but was not found any more"))
    }

    @Test func swarmReportsEveryMistakeInTheKnownList() throws {
        let place = try Workplace()
        try place.write(
            "- {finding: a, reason: ' ', until: 2026-02-30}\n- {finding: a, until: soon}\n", to: "known.yml")
        let result = try Self.swarm(place, "--known", "known.yml")
        #expect(result.status == 104)
        for part in [":1:24: error: the reason", ":1:36: error: '2026-02-30'", ":2:3: error:", "missing key 'reason'"] {
            #expect(result.errors.contains(part), "\(part) in \(result.errors)")
        }
    }

    @Test func swarmReportsEveryWrongArgumentAtOnce() throws {
        let place = try Workplace()
        let result = try Self.swarm(
            place,
            "--runs", "0", "--users", "0", "--for", "ten", "--client", "nobody", "--catalog", "nowhere.storekit")
        #expect(result.status == 104)
        for part in ["--runs 0", "--users 0", "--for", "there is no client 'nobody'", "nowhere.storekit"] {
            #expect(result.errors.contains(part), "\(part) in \(result.errors)")
        }
    }

    @Test func swarmKeepsABrokenFindingsFile() throws {
        let place = try Workplace()
        let file = "Reports/swarm/iap-manager/findings.json"
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("Reports/swarm/iap-manager"), withIntermediateDirectories: true)
        try place.write("{ \"version\": 1, ", to: file)
        let result = try Self.swarm(place, "--client", "iap-manager", "--runs", "3")
        #expect(result.status == 104 && result.errors.contains("findings.json"))
        #expect(try place.read(file) == Data("{ \"version\": 1, ".utf8))
    }

    @Test func swarmPrintsAScenarioByNumber() throws {
        let place = try Workplace()
        let result = try Self.swarm(place, "--print", "7", "--seed", "3")
        #expect(result.status == 0 && result.out.hasPrefix("name: Swarm 3, scenario 7\n"))
        try place.write(result.out, to: "Reports/swarm/reference/seven.yml")
        #expect(try place.stampede(["check", "Reports/swarm/reference/seven.yml"]).status == 0)
    }

    @Test func swarmEndsAfterTheGivenTime() throws {
        let place = try Workplace()
        let result = try Self.swarm(place, "--for", "1s", "--json")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.out.contains("\"scenarios\" :"))
    }
}
