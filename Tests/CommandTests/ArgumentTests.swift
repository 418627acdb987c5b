// What is said of a command line that cannot be: one style, a hint, and where the usage is.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ArgumentTests {
    private func lines(_ arguments: String...) throws -> [String] {
        let outcome = try Workplace().stampede(arguments)
        #expect(outcome.isStatus(.invalidInput) && outcome.out.isEmpty, "\(outcome)")
        return outcome.errors.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        (["run"], "missing expected argument '<scenario>'", "<scenario>: The scenario file"),
        (["run", "x", "--usres", "3"], "unknown option '--usres'", "did you mean '--users'?"),
        (
            ["run", "x", "--workers", "abc"], "the value 'abc' is invalid for '--workers <workers>'",
            "--workers <workers>: "
        ),
        (
            ["run", "x", "--clock", "wal"], "the value 'wal' is invalid for '--clock <clock>'",
            "please provide one of 'virtual' and 'wall'"
        ),
        (
            ["run", "x", "--client"], "missing value for '--client <client>'",
            "--client <client>: The client under test"
        ),
    ])
    func argumentErrorsHaveErrorHintAndHelpLines(arguments: [String], sentence: String, hint: String) throws {
        let outcome = try Workplace().stampede(arguments)
        #expect(outcome.isStatus(.invalidInput) && outcome.out.isEmpty, "\(outcome)")
        let told = outcome.errors.split(separator: "\n").map(String.init)
        #expect(told.first == "error: " + sentence, "\(told)")
        #expect(told.count == 3 && told[1].hasPrefix("hint: " + hint), "\(told)")
        #expect(told.last == "see 'stampede run --help'", "\(told)")
    }

    @Test func contradictingArgumentsAreReportedInTheSameStyle() throws {
        #expect(
            try lines("run", "x", "--quiet", "--verbose") == [
                "error: --quiet or --verbose, not both", "see 'stampede run --help'",
            ])
        #expect(try lines("run", "x", "y").first == "error: unexpected argument 'y'")
        #expect(try lines("--nonsense").last == "see 'stampede --help'")
    }

    @Test(arguments: [
        (["run", "x", "--vus"], "did you mean '--users'?"), (["run", "x", "--vus=3"], "did you mean '--users'?"),
        (["run", "x", "-u3"], "did you mean '--users'?"), (["matrix", "--vus", "3"], "did you mean '--users'?"),
        (["run", "x", "--duration", "3"], "in a load entry: 'for'; --time-limit ends the command earlier"),
        (["swarm", "--duration", "3"], "did you mean '--for'?"), (["run", "x", "--rps", "3"], "'rate'"),
        (["run", "x", "--out-file", "y"], "did you mean '--out'?"), (["run", "x", "--no-summary"], "'--quiet'"),
        (["run", "x", "--no-color"], "set NO_COLOR=1"), (["run", "--scenario", "x"], "the scenario needs no option"),
        (["sweep", "x", "--users", "3"], "a sweep runs each journey with one user"),
        (["sweep", "x", "-u", "3"], "a sweep runs each journey with one user"),
        (["sweep", "x", "--only-user", "3"], "--only-user is an option of 'run'"),
        (["swarm", "--rate", "3"], "a swarm draws the load of each scenario itself"),
        (["check", "x", "--vus", "3"], "in a load entry: 'users'"),
        (["run", "x", "--html", "y"], "--html is an option of 'replay', 'history' and 'report'"),
        (["run", "x", "--thresholds", "y"], "set it in the scenario, at its top: 'thresholds'"),
    ])
    func optionsOfOtherToolsHintAtOurs(arguments: [String], words: String) throws {
        let outcome = try Workplace().stampede(arguments)
        let told = outcome.errors.split(separator: "\n").map(String.init)
        #expect(outcome.isStatus(.invalidInput) && told[0].hasPrefix("error: unknown option '-"), "\(told)")
        #expect(told[1].hasPrefix("hint: ") && told[1].contains(words), "\(told)")
    }

    @Test func unknownCommandErrorNamesTheNearestCommand() throws {
        #expect(try lines("runn") == ["error: there is no command 'runn'", "hint: did you mean 'run'?"])
        #expect(try lines("help", "swep") == ["error: there is no command 'swep'", "hint: did you mean 'sweep'?"])
        #expect(
            try lines("help", "nope") == [
                "error: there is no command 'nope'", "hint: 'stampede --help' lists the commands",
            ])
    }

    @Test func helpExitsWithZero() throws {
        let place = try Workplace()
        for arguments in [["--help"], ["help", "run"], ["run", "--help"], ["--version"]] {
            let outcome = try place.stampede(arguments)
            #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty && !outcome.out.isEmpty, "\(outcome)")
        }
    }
}
