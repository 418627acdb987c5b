// Where the findings of one client's swarms are kept: a scenario each, the catalogs they sell, and their list.
// Main thread.

import Engine
import Foundation
import ReportModel
import Reporting
import Scenario
import Simulation
import Text

/// `Reports/swarm/<client>/`
struct SwarmFolder {
    /// As the user named it, for paths that are printed.
    let path: String

    private static let listName = "findings.json"

    init(reports: String, client: String) {
        path = Paths.join(reports, "swarm/" + client)
    }

    private struct List: Codable {
        var version: Int
        var findings: [KeptFinding]

        static let versionCurrent = 1
    }

    // MARK: Reading

    /// What was found before, in the order of the list.
    func kept() throws -> [KeptFinding] {
        let file = "\(path)/\(Self.listName)"
        guard let data = FileManager.default.contents(atPath: file) else {
            guard FileManager.default.fileExists(atPath: file) else { return [] }
            throw CommandProblem("\(file) cannot be read", hint: "check its permissions")
        }
        let list: List
        do {
            list = try ReportJSON.decode(List.self, from: data)
        } catch let error as DecodingError {
            let hint = "another version or a person wrote it; without this file the swarm starts again from nothing"
            throw CommandProblem(error, in: data, of: file, cutHint: hint, hint: hint) { $0.stringValue }
        }
        guard list.version == List.versionCurrent else {
            throw CommandProblem(
                "\(file) has version \(list.version)",
                hint: "this build reads version \(List.versionCurrent)")
        }
        var names: Set<String> = []
        return list.findings.filter { names.insert($0.name).inserted }
    }

    /// The scenario of a kept finding; nil if its file is gone.
    func text(of finding: KeptFinding) -> String? {
        try? String(contentsOfFile: file(of: finding.name), encoding: .utf8)
    }

    func file(of finding: String) -> String { "\(path)/\(SwarmReport.file(finding))" }

    // MARK: Writing

    /// The name of a catalog's copy: of its contents too, so that scenarios over others keep theirs.
    static func catalogName(_ stem: String, _ text: String) -> String {
        "\(stem)-\(Fingerprint.digits(text, count: 8)).storekit"
    }

    func write(catalog: String, named name: String) throws {
        try makeFolder()
        try CommandContext.write(catalog, to: "\(path)/\(name)")
    }

    /// A scenario with what it shows in front.
    func write(_ scenario: String, of finding: SwarmReport.Finding) throws {
        let header = """
            # \(finding.rule): \(Self.line(finding.sentence))
            # Drawn by a swarm\(finding.isMinimal ? ", and shrunk" : ""); see it with
            #   \(finding.replay)

            """
        try CommandContext.write(header + scenario, to: finding.file)
    }

    func write(_ fault: SwarmReport.Fault, _ scenario: String) throws {
        let header = """
            # A fault of the harness: \(Self.line(fault.sentence))
            # Drawn by a swarm; see it with
            #   \(CommandName.words) run \(ShellWord.quoted(fault.file))

            """
        try CommandContext.write(header + scenario, to: fault.file)
    }

    func write(_ findings: [KeptFinding]) throws {
        let data = try ReportJSON.encode(List(version: List.versionCurrent, findings: findings))
        try makeFolder()
        try CommandContext.write(String(decoding: data, as: UTF8.self), to: "\(path)/\(Self.listName)")
    }

    private func makeFolder() throws { try CommandContext.makeFolder(path, hint: "name another folder with --out") }

    /// What stays a comment whatever is in it.
    private static func line(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}
