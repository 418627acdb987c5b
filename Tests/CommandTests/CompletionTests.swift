// Shell completion: the scripts are made, name every command, and complete what only the program knows.

import ClientKit
import Foundation
import ReportModel
import Reporting
import Specimens
import Testing

@Suite struct CompletionTests {
    private static let commands = [
        "init", "doctor", "run", "sweep", "swarm", "matrix", "replay", "shrink", "compare", "history", "merge", "emit",
        "report", "check",
        "list", "schema", "glue", "certificates", "calibrate", "help",
    ]

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionScriptNamesEveryCommand(shell: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede("--generate-completion-script", shell)
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty)
        for command in Self.commands { #expect(outcome.out.contains(command), "\(command) in \(shell)") }
        #expect(outcome.out.contains("yml") && outcome.out.contains("--only-user") || shell == "fish")
        // No command is missing from the list above.
        let help = try place.stampede("--help").out
        for command in help.matches(of: #/\n  ([a-z]+) +[A-Z]/#).map({ String($0.1) }) {
            #expect(Self.commands.contains(command), "\(command)")
        }
    }

    @Test func bashCompletesWithTheScript() throws {
        let place = try Workplace()
        try place.write(try place.stampede("--generate-completion-script", "bash").out, to: "completion.bash")
        // As if somebody had typed so much and pressed the tabulator.
        func completed(_ words: [String]) throws -> Set<String> {
            let list = words.map { "'\($0)'" }.joined(separator: " ")
            try place.write(
                """
                source ./completion.bash
                COMP_WORDS=(\(list)); COMP_CWORD=\(words.count - 1)
                COMP_LINE="\(words.joined(separator: " "))"; COMP_POINT=${#COMP_LINE}
                function=$(complete -p stampede | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
                "$function" stampede '\(words.last ?? "")' '\(words.dropLast().last ?? "")' 2>/dev/null
                printf '%s\\n' "${COMPREPLY[@]}"

                """, to: "try.bash")
            let outcome = try place.shell("bash ./try.bash")
            return Set(outcome.out.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        }
        #expect(try completed(["stampede", "sw"]) == ["sweep", "swarm"])
        #expect(try completed(["stampede", "run", "--clock", ""]) == ["virtual", "wall"])
        for command in ["run", "history"] {
            let clients = try completed(["stampede", command, "--client", ""])
            #expect(clients == Set(ClientRegistry.shipped.map { $0.name }), "\(command)")
        }
        #expect(try completed(["stampede", "list", "r"]) == ["rules"])
        #expect(try completed(["stampede", "emit", "g"]) == ["github", "gitlab"])
        _ = try place.scenario("small.yml")
        #expect(try completed(["stampede", "run", "sm"]).contains("small.yml"))
        try place.write("{}", to: "small.json")
        for command in ["merge", "report", "compare"] {
            #expect(try completed(["stampede", command, "sm"]).contains("small.json"), "\(command)")
        }
    }
}
