// Which scenario file a name on the command line means.
// Asks the file system; main thread.

import Foundation
import Reporting
import Text

enum ScenarioPath {
    /// Where scenarios are kept by habit.
    private static let folder = "Scenarios"
    private static let endings = [".yml", ".yaml"]

    /// The path as it was given if something is there. Else the one file that the name means: with the ending that it lacks, or in
    /// the folder that scenarios are kept in.
    static func found(_ name: String) -> String {
        if name.isEmpty || Paths.kind(name) != nil { return name }
        return candidates(name).first { Paths.kind($0) == .file } ?? name
    }

    private static func candidates(_ name: String) -> [String] {
        let names = Paths.isScenario(name) ? [name] : endings.map { name + $0 }
        return name.contains("/") ? names : names + names.map { Paths.join(folder, $0) }
    }

    /// What was meant by a name of nothing: the nearest of the scenarios beside it, or of those in the usual folder.
    static func hint(for name: String) -> String {
        let beside = name.lastIndex(of: "/").map { String(name[..<$0]) }
        let folders = beside.map { [$0] } ?? [".", folder]
        let scenarios = folders.flatMap(scenarios)
        let wanted = stem(name)
        if let near = closestMatch(to: wanted, in: scenarios.map(stem)) {
            return scenarios.first { stem($0) == near }.map { "did you mean '\($0)'?" } ?? ""
        }
        if scenarios.isEmpty { return "check the path; 'stampede init' writes a scenario to start from" }
        return "there are \(HumanNumbers.list(scenarios.prefix(shownMax).map { "'\($0)'" }))"
            + (scenarios.count > shownMax ? " and \(scenarios.count - shownMax) more" : "")
    }

    private static let shownMax = 5

    /// As they would be named on the command line, in order.
    private static func scenarios(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter(Paths.isScenario).sorted().map { folder == "." ? $0 : Paths.join(folder, $0) }
    }

    /// `quickstart` of `Scenarios/quickstart.yml`.
    private static func stem(_ path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }
}
