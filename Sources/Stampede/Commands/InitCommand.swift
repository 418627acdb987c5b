// stampede init: a scenario to begin with.
// Main thread.

import ArgumentParser
import CatalogFile
import Foundation
import ReportModel
import Reporting
import Scenario
import Simulation
import Text

struct InitCommand: StatusCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented scenario that is ready to run.",
        discussion: """
            With --catalog the scenario sells the products of your StoreKit configuration file. Otherwise a small \
            catalog, \(StarterFiles.catalogName), is written beside it. Editors complete and explain the scenario's \
            keys from \(ScenarioSchema.fileName), which is written too.

              stampede init && stampede run scenario.yml
              stampede init Tests/shop.yml --catalog MyApp/Products.storekit

            With --package it writes a whole package instead: purchase code to replace with yours, a program that \
            tests it, a scenario and a CI workflow. The package builds and passes without changes.

              stampede init --package Shop --style async
            """)

    @Argument(help: "The file to write. Default: scenario.yml.", completion: .scenarioFile)
    var file: String?

    @Option(help: "The StoreKit configuration file to sell from.", completion: .file(extensions: ["storekit"]))
    var catalog: String?

    @Option(help: ArgumentHelp("Write a package of this name, into a folder of this name.", valueName: "name"))
    var package: String?

    @Option(
        help: ArgumentHelp(
            "With --package, how its purchase code is written: \(StarterPackage.Style.list). Default: callbacks.",
            valueName: "style"))
    var style: StarterPackage.Style?

    @Option(
        help: ArgumentHelp(
            """
            With --package, where the package finds Stampede: a folder or the URL of a repository. Default: the folder \
            that this command was built in.
            """, valueName: "folder-or-url"))
    var stampede: String?

    @Flag(help: "Overwrite existing files.")
    var force = false

    mutating func validate() throws {
        if package != nil, file != nil {
            throw ValidationError("--package writes a scenario of its own: leave out '\(file ?? "")'")
        }
        if package == nil, style != nil || stampede != nil {
            throw ValidationError("`--style` and `--stampede` can only be used with `--package`")
        }
    }

    mutating func perform() throws -> ExitStatus {
        if let package { return try writePackage(package) }
        return try writeScenario(file ?? "scenario.yml")
    }

    private func writeScenario(_ file: String) throws -> ExitStatus {
        guard Paths.isScenario(file) else {
            throw CommandProblem("\(file) is not the name of a scenario", hint: "the name has to end in .yml")
        }
        let folder = URL(fileURLWithPath: file).standardizedFileURL.deletingLastPathComponent()
        let starter = folder.appendingPathComponent(StarterFiles.catalogName)
        try refuse(URL(fileURLWithPath: file), shown: file)
        // One that stands there is taken as it is, unless it shall be overwritten.
        let writesCatalog = catalog == nil && (force || !FileManager.default.fileExists(atPath: starter.path))
        let sold = try soldProducts(starter: writesCatalog ? nil : starter.path)
        let reference = catalog.map { Self.reference(to: $0, from: folder) } ?? StarterFiles.catalogName
        let text = StarterFiles.scenario(sold, reference: reference)
        try CommandContext.makeFolder(folder.path, hint: "name a file in a folder that you may write to")
        var written = [file]
        if writesCatalog {
            try CommandContext.write(StarterFiles.catalog, to: starter.path)
            written.append(Self.shown(StarterFiles.catalogName, beside: file))
        }
        let schema = folder.appendingPathComponent(ScenarioSchema.fileName)
        if force || !FileManager.default.fileExists(atPath: schema.path) {
            let json = String(decoding: CommandContext.scenarioSchema.json(), as: UTF8.self)
            try CommandContext.write(json, to: schema.path)
            written.append(Self.shown(ScenarioSchema.fileName, beside: file))
        }
        try CommandContext.write(text, to: file)
        tell(written, file)
        return .passed
    }

    func refuse(_ url: URL, shown: String) throws {
        guard let kind = Paths.kind(url.path) else { return }
        if kind == .folder { throw CommandProblem("\(shown) is a folder") }
        guard !force else { return }
        throw CommandProblem("\(shown) already exists", hint: "name another file, or overwrite with --force")
    }

    /// - Parameter starter: the catalog beside the scenario, where it stands there already.
    func soldProducts(starter: String?) throws -> Catalog {
        guard let path = catalog ?? starter else {
            return try CatalogFile.parse(data: Data(StarterFiles.catalog.utf8), file: StarterFiles.catalogName)
        }
        let found = try CatalogFile.load(path: path, start: "--catalog is relative to the working directory")
        if !found.products.isEmpty { return found }
        throw CommandProblem(
            "\(catalog ?? StarterFiles.catalogName) sells nothing",
            hint: "add a product to it in Xcode")
    }

    /// A path as a file in `folder` names it.
    private static func reference(to path: String, from folder: URL) -> String {
        if path.hasPrefix("/") { return path }
        return Paths.relative(URL(fileURLWithPath: path).standardizedFileURL, from: folder)
    }

    private static func shown(_ name: String, beside file: String) -> String {
        file.lastIndex(of: "/").map { String(file[...$0]) + name } ?? name
    }

    private func tell(_ written: [String], _ file: String) {
        let path = ShellWord.quoted(file)
        Terminal.write(
            """
            Wrote \(HumanNumbers.list(written)).

              stampede run \(path)                         run and judge it
              stampede run \(path) --client pay-api        a client that loses purchases
              stampede sweep \(path)                       every crash and every lost message in turn
              stampede check \(path)                       check it after a change

            """)
    }
}
