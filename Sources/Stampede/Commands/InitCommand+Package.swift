// stampede init --package: purchase code and a program that tries it, to begin with.
// Main thread.

import ArgumentParser
import CatalogFile
import Foundation
import ReportModel
import Reporting
import Scenario
import Simulation

extension StarterPackage.Style: ExpressibleByArgument {
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension InitCommand {
    func writePackage(_ name: String) throws -> ExitStatus {
        guard StarterPackage.isName(name) else {
            throw CommandProblem(
                "'\(name)' cannot be the name of a package and of its module",
                hint: "use letters, digits and _, begin with a letter, and avoid names of existing modules, as in "
                    + "--package \(StarterPackage.proposal(for: name))")
        }
        let folder = URL(fileURLWithPath: name).standardizedFileURL
        let sold = try soldProducts(starter: nil)
        let starter = StarterPackage(
            name: name, style: style ?? .callbacks, source: try source(from: folder), catalog: sold,
            catalogName: catalog.map { URL(fileURLWithPath: $0).lastPathComponent } ?? StarterFiles.catalogName,
            catalogText: sold.source ?? StarterFiles.catalog)
        var files = starter.files
        files.append(("Scenarios/\(ScenarioSchema.fileName)", schema(with: starter.client)))
        // All that stands in the way is told before anything is written.
        if let present = Paths.kind(folder.path) {
            if present == .file { throw CommandProblem("\(name) is a file", hint: "give another name") }
            for file in files { try refuse(folder.appendingPathComponent(file.path), shown: "\(name)/\(file.path)") }
        }
        for file in files {
            let url = folder.appendingPathComponent(file.path)
            try CommandContext.makeFolder(
                url.deletingLastPathComponent().path, hint: "run the command in a folder that you may write to")
            try CommandContext.write(file.text, to: url.path)
        }
        tell(starter)
        return .passed
    }

    /// With the package's own client, which this program does not know.
    private func schema(with client: String) -> String {
        var clients = CommandContext.registry.optionValues
        clients[client] = [:]
        return String(decoding: CommandContext.scenarioSchema(clients: clients).json(), as: UTF8.self)
    }

    private func source(from folder: URL) throws -> StarterPackage.Source {
        if let stampede, stampede.contains("://") || stampede.hasPrefix("git@") { return .repository(stampede) }
        if let stampede {
            let root = URL(fileURLWithPath: stampede).standardizedFileURL
            guard Self.isStampede(root) else {
                throw CommandProblem(
                    "\(stampede) does not contain the Stampede package",
                    hint: "give the folder of its Package.swift, or the URL of its repository")
            }
            return .folder(stampede.hasPrefix("/") ? stampede : Paths.relative(root, from: folder))
        }
        var place = Paths.program
        while place.path != "/" {
            place.deleteLastPathComponent()
            if Self.isStampede(place) { return .folder(Paths.relative(place, from: folder)) }
        }
        throw CommandProblem(
            "this command was moved from the folder that it was built in, so the package would not find Stampede",
            hint: "give its place with --stampede: the folder of its Package.swift, or the URL of its repository")
    }

    private static func isStampede(_ folder: URL) -> Bool {
        Paths.kind(folder.appendingPathComponent("Sources/StampedeTool").path) == .folder
            && Paths.kind(folder.appendingPathComponent("Package.swift").path) == .file
    }

    private func tell(_ starter: StarterPackage) {
        Terminal.write(
            """
            Wrote the package \(starter.name): purchase code in Sources/\(starter.name), and a program that tests it in \
            Sources/\(starter.tool).

              cd \(starter.name)
              swift build -c release                                  some minutes the first time
              .build/release/\(starter.tool) run \(starter.scenario)      run and judge it
              .build/release/\(starter.tool) sweep \(starter.scenario)    every crash and every lost message in turn
              swift test                                              the same as tests

            Then replace PurchaseManager.swift with your own code, and run it again.

            """)
    }
}
