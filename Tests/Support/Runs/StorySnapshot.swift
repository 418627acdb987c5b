// What reports tell of users of shipped scenarios, as a file keeps it: sentences, and the lines that they are about.
// Pure apart from reading scenarios; any thread.

package import ClientKit
import Engine
import Judgement
import ReportModel
import Reporting
import Scenario
import Simulation

/// One user of one client, and what is told of them.
package struct StorySnapshot: Sendable, CustomStringConvertible {
    package let client: String
    package let scenario: String
    package let users: Int
    package let user: Int
    /// What stands in the file; empty where nobody has looked yet.
    package let text: String

    /// `# iap-manager · quickstart · 200 users · user 5`, then what is told.
    package static func all(in file: String) throws -> [StorySnapshot] {
        try file.split(separator: "# ").map { part in
            let heading = part.prefix { $0 != "\n" }
            let match = try #/(\S+) · (\S+) · (\d+) users · user (\d+)/#.wholeMatch(in: heading)
            guard let match, let users = Int(match.3), let user = Int(match.4) else {
                throw UnreadableScenario(description: "'\(heading)' is no heading of a story")
            }
            return StorySnapshot(
                client: String(match.1), scenario: String(match.2), users: users, user: user,
                text: String(part.dropFirst(heading.count + 1)))
        }
    }

    package var description: String { "\(client) · \(scenario) · \(users) users · user \(user)" }

    /// Lines shown of each rule, at most.
    private static let linesMax = 20

    /// What is told now.
    package func told(of client: any StoreClient.Type) throws -> String {
        var scenario = try Scenario.shipped(scenario, users: users)
        scenario.clock = .virtual
        scenario.thresholds = []
        let result = Run(
            RunOptions(scenario: scenario, client: client, clientOptions: [:], workers: 1, onlyUser: user)
        ).perform()
        let rules = AuditRule.allCases.sorted { $0.rawValue < $1.rawValue }
        let evidence = rules.compactMap { result.collector.evidence(of: $0).first?.evidence }
        return evidence.map { found in
            let timeline = found.timeline
            let lines = timeline.places.prefix(Self.linesMax).map { place in
                let line = timeline.lines[place]
                let time = String(line.atNs / 1_000_000)
                return "    \(String(repeating: " ", count: max(0, 9 - time.count)))\(time)  \(line.text)\n"
            }
            // Lines of code move with every edit, and not every machine has the tool that reads them.
            let sentence = found.sentence.replacing(#/ \([^ ()]+\.swift:\d+\)/#, with: "")
            return "\(found.violation.rule.rawValue): \(sentence)\n" + lines.joined()
        }.joined()
    }
}
