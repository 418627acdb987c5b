// stampede init: what it writes runs as it is, and nothing is overwritten by accident.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite(.mostlyWaits) struct InitCommandTests {
    private func empty() throws -> Workplace {
        let place = try Workplace()
        try FileManager.default.removeItem(at: place.folder.appendingPathComponent("FakeGame.storekit"))
        return place
    }

    // The very commands that it prints.
    @Test func initPrintsCommandsThatWork() throws {
        let place = try empty()
        let outcome = try place.stampede("init")
        #expect(
            outcome.isStatus(.passed) && place.exists("scenario.yml") && place.exists("Shop.storekit"), "\(outcome)")
        let commands = outcome.out.split(separator: "\n").compactMap { line in
            line.firstRange(of: "stampede ").map { String(line[$0.lowerBound...]).components(separatedBy: "   ")[0] }
        }
        #expect(commands.count == 4)
        // What the first line refers to stands there, for editors without a network.
        #expect(
            try place.read("scenario.yml").starts(
                with: Data("# yaml-language-server: $schema=scenario.schema.json\n".utf8)))
        #expect(try place.read("scenario.schema.json") == Data(place.stampede("schema").out.utf8))
        for command in commands {
            let ran = try place.shell(command)
            let status: ExitStatus = command.contains("pay-api") ? .violationsFound : .passed
            #expect(ran.isStatus(status), "\(command): \(ran.all)")
        }
        // On a machine that may be busy: nothing is lost, whatever else.
        _ = try place.stampede("run", "scenario.yml", "--clock", "wall", "--users", "100", "--quiet")
        #expect(try place.report().run.clock == "wall" && place.report().violations.total == 0)
    }

    @Test func initOverwritesFilesOnlyWithForce() throws {
        let place = try empty()
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("deep"), withIntermediateDirectories: true)
        try place.write("mine\n", to: "deep/own.yml")
        let refused = try place.stampede("init", "deep/own.yml")
        #expect(refused.isStatus(.invalidInput) && refused.errors.contains("deep/own.yml already exists"))
        #expect(try place.read("deep/own.yml") == Data("mine\n".utf8) && !place.exists("deep/Shop.storekit"))
        #expect(try place.stampede("init", "deep/own.yml", "--force").isStatus(.passed))
        #expect(try place.stampede("check", "deep/own.yml").isStatus(.passed))
        // So may a schema be, of a program with other clients.
        try place.write("{}", to: "deep/scenario.schema.json")
        // A catalog that stands there is somebody's, and is sold from as it is.
        let own = String(decoding: try place.read("deep/Shop.storekit"), as: UTF8.self)
            .replacingOccurrences(of: "com.example.shop.coins", with: "org.example.1e3")
        try place.write(own, to: "deep/Shop.storekit")
        #expect(try place.stampede("init", "deep/other.yml").isStatus(.passed))
        #expect(try place.read("deep/Shop.storekit") == Data(own.utf8))
        #expect(try place.read("deep/scenario.schema.json") == Data("{}".utf8))
        #expect(try place.stampede("run", "deep/other.yml", "--users", "50", "--quiet").isStatus(.passed))
    }

    @Test func initUsesTheGivenCatalog() throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("My Shop"), withIntermediateDirectories: true)
        let catalog = try place.read("FakeGame.storekit")
        try place.write(catalog, to: "My Shop/it's.storekit")
        let outcome = try place.stampede("init", "tests/a/shop.yml", "--catalog", "My Shop/it's.storekit")
        #expect(outcome.isStatus(.passed) && !place.exists("tests/a/Shop.storekit"), "\(outcome)")
        let text = String(decoding: try place.read("tests/a/shop.yml"), as: UTF8.self)
        // What it refers its readers to is there, and says so.
        let schema = String(decoding: try place.read("tests/a/scenario.schema.json"), as: UTF8.self)
        #expect(text.contains("scenario.schema.json lists other executors") && schema.contains("ramping-users"))
        #expect(text.contains("extra_lives: 1") && text.contains("owns: {unlock_maps: 30%}"))
        let run = try place.stampede("run", "tests/a/shop.yml", "--users", "100", "--quiet")
        #expect(run.isStatus(.passed), "\(run)")
    }

    // That each builds and passes is tried where there is time for it.
    @Test(arguments: ["callbacks", "async", "actor"])
    func initWritesAPackage(style: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede(
            "init", "--package", "Shop", "--style", style, "--catalog", "FakeGame.storekit", "--stampede",
            Workplace.package.path)
        #expect(outcome.isStatus(.passed) && outcome.out.contains(".build/release/ShopStampede run Scenarios/shop.yml"))
        let listener = style == "callbacks" ? [] : ["StoreListener.swift"]
        #expect(
            try place.names("Shop/Sources/Shop") == ["Inventory.swift", "Products.swift", "PurchaseManager.swift"]
                + listener)
        #expect(
            try place.names("Shop/Sources/ShopStampede") == [
                "ShopClient.swift", "SimulatedReceipt.swift", "main.swift",
            ])
        #expect(try place.names("Shop/Scenarios") == ["FakeGame.storekit", "scenario.schema.json", "shop.yml"])
        #expect(try place.names("Shop/Tests/ShopTests") == ["PurchaseTests.swift"])
        #expect(
            try place.names("Shop") == [
                ".dockerignore", ".github", ".gitignore", "Containerfile", "Package.swift", "README.md", "Scenarios",
                "Sources", "Tests",
            ])
        let text = { (name: String) in String(decoding: try place.read("Shop/" + name), as: UTF8.self) }
        #expect(try text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 11)
        #expect(try text("Sources/Shop/Products.swift").contains("\"com.appcoda.fakegame.extra_lives\","))
        // The app's code knows nothing of Stampede, and nothing is left of the templates' own names.
        for file in try place.names("Shop/Sources/Shop") {
            #expect(try !text("Sources/Shop/\(file)").contains("Stampede"))
        }
        for file in ["Sources/ShopStampede/ShopClient.swift", "Tests/ShopTests/PurchaseTests.swift"] {
            #expect(try !text(file).contains("PackageName"))
        }
        // Its scenario is sound for a program that has its client, and for another one that brings a client.
        let check = try place.stampede(
            "run", "Shop/Scenarios/shop.yml", "--client", "template", "--users", "20", "--quiet", "--no-record")
        #expect(check.isStatus(.passed), "\(check)")
        let schema = try JSONSerialization.jsonObject(with: place.read("Shop/Scenarios/scenario.schema.json"))
        #expect(schema is [String: Any] && "\(schema)".contains("shop-client"))
    }

    @Test func swiftReadsTheManifestThatInitWrites() throws {
        let place = try Workplace()
        try place.stampede("init", "--package", "Shop", "--stampede", Workplace.package.path)
        let outcome = try place.shell("cd Shop && \(Self.swift) package dump-package")
        #expect(outcome.status == 0 && outcome.out.contains("\"ShopTests\""), "\(outcome)")
    }

    private static let swift =
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { $0 + "/swift" }
        .first { FileManager.default.isExecutableFile(atPath: String($0)) }.map(String.init) ?? "swift"

    @Test func initKeepsAnExistingPackage() throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("Shop/Sources/Shop"), withIntermediateDirectories: true)
        try place.write("mine\n", to: "Shop/Sources/Shop/Products.swift")
        let arguments = ["init", "--package", "Shop", "--stampede", Workplace.package.path]
        let refused = try place.stampede(arguments)
        #expect(refused.isStatus(.invalidInput), "\(refused)")
        #expect(refused.errors.contains("Shop/Sources/Shop/Products.swift already exists"))
        // Nothing of it was written.
        #expect(try place.names("Shop") == ["Sources"])
        #expect(try place.stampede(arguments + ["--force"]).isStatus(.passed))
    }

    @Test(arguments: [
        (["--package", "StoreKit"], "cannot be the name of a package"),
        (["--package", "my shop"], "--package MyShop"), (["--package", "1-up store"], "--package UpStore"),
        (["--package", "Shop", "--stampede", "."], ". does not contain the Stampede package"),
        (["--package", "Shop", "--style", "reactive"], "reactive"),
        (["--package", "Shop", "own.yml"], "leave out 'own.yml'"),
        (["--style", "async"], "can only be used with `--package`"),
        (["--package", "Shop", "--catalog", "nowhere.storekit"], "nowhere.storekit: error: no such file"),
    ])
    func initRefusesBadPackageArguments(arguments: [String], words: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede(["init"] + arguments)
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(words) && outcome.out.isEmpty, "\(outcome)")
        #expect(!place.exists("Shop"))
    }

    @Test(arguments: [
        (["notes.txt"], "the name has to end in .yml"),
        (
            ["deep/x.yml", "--catalog", "nowhere.storekit"],
            "nowhere.storekit: error: no such file\nhint: check the path; --catalog is relative to the working directory"
        ),
        (["folder.yml"], "folder.yml is a folder"),
    ])
    func initRefusesBadScenarioArguments(arguments: [String], words: String) throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("folder.yml"), withIntermediateDirectories: true)
        let outcome = try place.stampede(["init"] + arguments)
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(words) && outcome.out.isEmpty, "\(outcome)")
        #expect(!place.exists("x.yml") && !place.exists("deep"))
    }
}
