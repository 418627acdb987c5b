// stampede sweep: what it prints, and its exit codes.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct SweepCommandTests {
    @Test func cleanSweepPasses() throws {
        let place = try Workplace()
        let outcome = try place.stampede("sweep", Workplace.shipped("quickstart"))
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty, "\(outcome)")
        let trials = try #require(outcome.out.firstMatch(of: /(\d+) of (\d+) trials/))
        #expect(trials.1 == trials.2)
        #expect(outcome.out.contains("the app finishes tran") && !outcome.out.contains("\u{1B}"))
        #expect(outcome.out.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func sweepNamesProductsThatNoJourneyBuys() throws {
        let place = try Workplace()
        let path = try place.scenario()
        let outcome = try place.stampede("sweep", path)
        #expect(outcome.out.contains("not tried: this journey does not buy com.appcoda."), "\(outcome)")
        let json = try place.stampede("sweep", path, "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any]
        let left = try #require(object?["never_bought"] as? [String])
        #expect(left.count == 2 && !left.contains("com.appcoda.fakegame.extra_lives"), "\(left)")
    }

    @Test func sweepPrintsACommandThatReproducesAViolation() throws {
        let place = try Workplace()
        let scenario = try place.scenario()
        let outcome = try place.stampede("sweep", scenario, "--client", "iap-manager")
        #expect(outcome.isStatus(.violationsFound) && outcome.out.contains("lost-purchase  (critical)"), "\(outcome)")
        let story = try #require(outcome.out.components(separatedBy: "lost-purchase  (critical)").last)
        let command = try #require(story.firstMatch(of: /replay: stampede (.*)/)).1
        let again = try place.stampede(command.split(separator: " ").map(String.init))
        #expect(again.isStatus(.violationsFound) && again.out.contains("lost-purchase"), "\(again)")
        #expect(again.out.contains("the app crashes just before its effect"))
    }

    @Test func jsonSweepPrintsOnlyJSON() throws {
        let place = try Workplace()
        let outcome = try place.stampede("sweep", try place.scenario(), "--client", "iap-manager", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.out.utf8)) as? [String: Any]
        let journeys = try #require(object?["journeys"] as? [[String: Any]])
        #expect(journeys.count == 1 && journeys[0]["planned"] as? Int == journeys[0]["done"] as? Int)
        #expect((object?["verdict"] as? [String: Any])?["exit_code"] as? Int == 110)
        #expect(outcome.isStatus(.violationsFound))
        let quiet = try place.stampede("sweep", try place.scenario(), "--client", "iap-manager", "--quiet")
        #expect(
            quiet.isStatus(.violationsFound) && quiet.errors.isEmpty && quiet.out.contains("  replay: "), "\(quiet)")
    }

    @Test(arguments: [
        (["--depth", "4"], "--depth 4"), (["--depth", "-1"], "--depth -1"),
        (["--interleavings", "-2"], "--interleavings -2"),
        (["--window", "5", "--interleavings", "1"], "has no unit"), (["--window", "5ms"], "--interleavings"),
        (["--journey", "k"], "there is no journey 'k'"),
        (["--trial", "crash"], "is not a trial"), (["--trial", "crash:9999"], "never reaches crash:9999"),
        (["--trial", "crash:1", "--json"], "--json cannot be used with --trial"), (["--client", "iap"], "iap-manager"),
        (["--workers", "0"], "--workers 0"),
    ])
    func sweepRefusesBadOptions(options: [String], words: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede(["sweep", try place.scenario()] + options)
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(words) && outcome.out.isEmpty, "\(outcome)")
    }
}
