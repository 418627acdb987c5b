// What is said of a command line that cannot be: one style, a hint, and where the usage is.

import Foundation
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
    func mistakesAreToldInOneStyle(arguments: [String], sentence: String, hint: String) throws {
        let outcome = try Workplace().stampede(arguments)
        #expect(outcome.isStatus(.invalidInput) && outcome.out.isEmpty, "\(outcome)")
        let told = outcome.errors.split(separator: "\n").map(String.init)
        #expect(told.first == "error: " + sentence, "\(told)")
        #expect(told.count == 3 && told[1].hasPrefix("hint: " + hint), "\(told)")
        #expect(told.last == "see 'stampede run --help'", "\(told)")
    }

    @Test func whatContradictsItselfIsToldInTheSameStyle() throws {
        #expect(
            try lines("run", "x", "--quiet", "--verbose") == [
                "error: --quiet or --verbose, not both", "see 'stampede run --help'",
            ])
        #expect(try lines("run", "x", "y").first == "error: unexpected argument 'y'")
        #expect(try lines("--nonsense").last == "see 'stampede --help'")
    }

    // Those of k6.
    @Test(arguments: [
        ("--vus", "in Stampede it is --users"), ("--vus=3", "in Stampede it is --users"),
        ("-u", "in Stampede it is --users"), ("--duration", "`for:`"), ("-d", "`for:`"),
        ("--iterations", "`iterations:`"), ("-i", "`iterations:`"), ("--stage", "`stages:`"), ("--rps", "`rate:`"),
        ("--summary-export", "--json prints it"), ("--no-summary", "--quiet"), ("--no-color", "NO_COLOR=1"),
    ])
    func optionsOfOthersLeadToOurs(option: String, words: String) throws {
        let told = try lines("run", "quickstart", option, "10")
        #expect(told[0].hasPrefix("error: unknown option '-"), "\(told)")
        #expect(told[1].hasPrefix("hint: ") && told[1].contains(words), "\(told)")
    }

    @Test func onlyWhereTheyWouldDoIsThatSaid() throws {
        #expect(!(try lines("check", "quickstart", "--vus", "3").contains { $0.contains("--users") }))
        #expect(try lines("matrix", "--vus", "3").contains("hint: in Stampede it is --users"))
    }

    @Test func unknownCommandsNameTheNearest() throws {
        #expect(try lines("runn") == ["error: there is no command 'runn'", "hint: did you mean 'run'?"])
        #expect(try lines("help", "swep") == ["error: there is no command 'swep'", "hint: did you mean 'sweep'?"])
        #expect(
            try lines("help", "nope") == ["error: there is no command 'nope'", "hint: 'stampede --help' lists them"])
    }

    @Test func helpIsNoMistake() throws {
        let place = try Workplace()
        for arguments in [["--help"], ["help", "run"], ["run", "--help"], ["--version"]] {
            let outcome = try place.stampede(arguments)
            #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty && !outcome.out.isEmpty, "\(outcome)")
        }
    }
}
