// Options of other tools lead to options that the command has, or to keys that a scenario accepts.
//
// Each option of the table, and each key of the other table typed as an option, is asked for at each command. What the
// hint puts in quotes is given to the parser, or written into a scenario.

import ArgumentParser
import Foundation
import Reporting
import Scenario
import Testing
import Text

@testable import Stampede

@Suite struct ForeignOptionTests {
    private static let typed = ForeignOptions.words.flatMap(\.names) + asOptions

    private static let asOptions = ForeignWords.keys.flatMap(\.names)
        .map { "--" + $0.replacing("_", with: "-").replacing(/([a-z])([A-Z]+)/) { "\($0.1)-\($0.2)" }.lowercased() }

    @Test(arguments: CommandOptions.all.map(\.command))
    func everyHintNamesAnAcceptedOption(command: String) throws {
        let own = CommandOptions.of(command)?.names ?? []
        for option in Self.typed where !own.contains(option) {
            let hint = OptionHint(option, of: command).text ?? ""
            for quoted in hint.matches(of: /'([^']+)'/).map({ String($0.1) }) {
                if quoted.hasPrefix("--") {
                    #expect(!Self.isUnknown(quoted, in: command), "\(command) \(option): \(hint)")
                } else if hint.hasPrefix("set it in the scenario") {
                    #expect(Self.isAccepted(quoted), "\(command) \(option): \(hint)")
                }
            }
        }
    }

    @Test func everyForeignOptionLeadsToAHint() {
        for word in ForeignOptions.words {
            let hints = CommandOptions.all.flatMap { command in
                word.names.compactMap { OptionHint($0, of: command.command).text }
            }
            for target in word.targets {
                let isReached = hints.contains { hint in
                    hint.contains("'\(target.text)'") || hint.contains("set \(target.text)")
                        || target.text == "<scenario>" && hint.contains("the scenario needs no option")
                }
                #expect(isReached, "\(word.names): no command leads to \(target.text)")
            }
        }
    }

    // Without this the tests above could pass because nothing is ever refused.
    @Test func optionProbesSeeRefusals() {
        #expect(Self.isUnknown("--users", in: "sweep") && !Self.isUnknown("--users", in: "run"))
        #expect(Self.isAccepted("for") && !Self.isAccepted("duration"))
    }

    private static func isUnknown(_ option: String, in command: String) -> Bool {
        do {
            _ = try StampedeCommand.parseAsRoot([command, option, "1"])
            return false
        } catch {
            return StampedeCommand.message(for: error).hasPrefix("Unknown option '\(option)'")
        }
    }

    private static let catalog = try? String(
        contentsOf: Workplace.package.appendingPathComponent("Scenarios/catalogs/FakeGame.storekit"), encoding: .utf8)

    /// Whether some entry of the load, the top or a step has the key.
    private static func isAccepted(_ written: String) -> Bool {
        let text = written.contains(": ") ? written : "\(written): 1"
        let entries = LoadExecutors.names.map { executor in
            let isExecutor = text.hasPrefix("executor")
            return scenario(load: isExecutor ? "{journey: j, \(text)}" : "{journey: j, executor: \(executor), \(text)}")
        }
        return (entries + [scenario(extra: text), scenario(step: "{\(text)}")]).contains { text in
            do throws(Problems) {
                _ = try CommandContext.scenario(text: text, file: "x.yml", catalog: catalog)
                return true
            } catch {
                let refusals = ["unknown key", "unknown step", "is not a key of this executor"]
                return !error.problems.contains { problem in refusals.contains { problem.message.contains($0) } }
            }
        }
    }

    private static func scenario(
        load: String = "{journey: j, executor: at-once}", step: String = "launch", extra: String = ""
    ) -> String {
        """
        name: Small
        store: {catalog: a.storekit}
        population: {users: 1_000}
        load: [\(load)]
        journeys: {j: [\(step)]}
        \(extra)

        """
    }
}
