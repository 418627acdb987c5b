// Tries the audit on clients of which is known whether they are correct. With any other command: `stampede` with them.
// Main thread; runs have their own.
//
//   JudgeTool recall [users] [swarm]   the table of what is found, as Markdown; ends with 1 if a correct one is accused
//   JudgeTool judge NAME USERS SWARM   what is found of one client, as JSON
//   JudgeTool plain [users] [swarm]    the plain client where nothing may double its goods; ends with 1 if something does
//   JudgeTool stories [file]           what is told of the users that a file of stories names, as such a file
//   JudgeTool keys                     whether every key that a swarm draws changes a report; ends with 1 if one does not

import ClientKit
import Foundation
import Judges
import Judging
import RunSupport
import Specimens
import Stampede
import StoreKit2Shops

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "recall":
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    var trial = JudgeTrial(users: numbers.first ?? 200, swarm: numbers.dropFirst().first ?? 500)
    try trial.perform()
    print(trial.markdown)
    exit(trial.accused.isEmpty ? 0 : 1)
case "judge":
    guard arguments.count == 4, let users = Int(arguments[2]), let swarm = Int(arguments[3]),
        let judge = (Judges.correct + Judges.broken).first(where: { $0.name == arguments[1] })
    else { fatalError("usage: JudgeTool judge NAME USERS SWARM") }
    let found = try JudgeFindings(judge, users: users, swarm: swarm)
    FileHandle.standardOutput.write(try JSONEncoder().encode(found))
case "plain":
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    var trial = PlainTrial(users: numbers.first ?? 200, swarm: numbers.dropFirst().first ?? 2_000)
    try trial.perform()
    print("the plain client in \(trial.tried) runs, trials and drawn scenarios: \(trial.found.count) findings")
    for finding in trial.found { print(finding) }
    exit(trial.found.isEmpty ? 0 : 1)
case "keys":
    let check = KeyCheck()
    let silent = check.silent()
    print("\(check.keys.count - silent.count) of \(check.keys.count) keys change a report")
    for key in silent { print("changes none: \(key)") }
    exit(silent.isEmpty ? 0 : 1)
case "stories":
    let clients = (Judges.correct + Judges.broken).map(\.client) + ClientRegistry.shipped
    let file = try String(
        contentsOfFile: arguments.dropFirst().first ?? "Tests/JudgeTests/Stories.txt", encoding: .utf8)
    for story in try StorySnapshot.all(in: file) {
        guard let client = clients.first(where: { $0.name == story.client }) else {
            fatalError("there is no client '\(story.client)'")
        }
        print("# \(story)\n\(try story.told(of: client))", terminator: "")
    }
default:
    Stampede.main(clients: (Judges.correct + Judges.broken).map(\.client) + [TwoAPIShop.self, SigningShop.self])
}
