// What Swift on Linux cannot: each row of the guide's page has a file in `Edits`, which the compiler refuses as it stands and
// accepts with the edit, under `EDITED`.

import Foundation
import Testing

@Suite struct EditsTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private static let files =
        (try? FileManager.default.contentsOfDirectory(
            at: tests.appendingPathComponent("Edits"), includingPropertiesForKeys: nil))?
        .sorted { $0.path < $1.path } ?? []

    @Test func everySampleOfTheEditsPageFailsBeforeItsEdit() throws {
        let compiled = try SwiftCompiler.check(Self.files.map(\.path))
        let messages = compiled.messages.components(separatedBy: "\n").filter { $0.contains(": error: ") }
        for file in Self.files {
            #expect(messages.contains { $0.hasPrefix(file.path + ":") }, "\(file.lastPathComponent) compiles as it is")
        }
        #expect(compiled.status != 0 && !Self.files.isEmpty)
    }

    @Test func everySampleOfTheEditsPageCompilesAfterItsEdit() throws {
        let compiled = try SwiftCompiler.check(["-D", "EDITED", "-warnings-as-errors"] + Self.files.map(\.path))
        #expect(compiled.status == 0, "\(compiled.messages)")
    }

    @Test func editsPageHasTheTestedRows() throws {
        let rows = try Self.files.map { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            return String(text.prefix { $0 != "\n" }.dropFirst("// Row: ".count))
        }
        let root = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/Stampede/Stampede.docc/SwiftOnLinux.md"), encoding: .utf8)
        let table = page.components(separatedBy: "## Compiles")[0].components(separatedBy: "\n")
        let titles = table.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") && !$0.hasPrefix("| as it is") }
            .map { $0.components(separatedBy: " | ")[0].dropFirst(2).description }
        #expect(titles.sorted() == rows.sorted())
    }

    /// As `doctor` prints it, beside files that import what they do on Apple's systems.
    @Test(arguments: [
        ("import StoreKit\n#if canImport(UIKit)\nfunc show(in scene: UIScene) {}\n#endif\n", ["UIKit"]),
        ("import Foundation\nfunc send(_ request: URLRequest) -> OSStatus { errSecSuccess }\n", ["AppleFoundation"]),
        ("#if os(iOS)\nimport StoreKit\n#endif\nlet queue = SKPaymentQueue.default()\n", ["StoreKit"]),
    ])
    func addedFileImportsTheMissingModules(text: String, modules: [String]) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, added) = (folder.appendingPathComponent("Shop.swift"), folder.appendingPathComponent("Added.swift"))
        try Data(text.utf8).write(to: file)
        try Data(modules.map { "@_exported import \($0)\n" }.joined().utf8).write(to: added)
        #expect(try SwiftCompiler.check([file.path]).status != 0)
        let compiled = try SwiftCompiler.check([file.path, added.path])
        #expect(compiled.status == 0, "\(compiled.messages)")
    }
}

/// The toolchain's, with the modules of this build.
private enum SwiftCompiler {
    static func check(_ arguments: [String]) throws -> (status: Int32, messages: String) {
        let build = try #require(Bundle.main.executableURL).deletingLastPathComponent()
        let parts = try FileManager.default.contentsOfDirectory(at: build, includingPropertiesForKeys: nil)
        let maps = parts.filter { $0.pathExtension == "build" }.map {
            $0.appendingPathComponent("module.modulemap").path
        }
        .filter(FileManager.default.fileExists).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "5", "-parse-as-library", "-continue-building-after-errors",
                "-I", build.appendingPathComponent("Modules").path,
            ] + maps + arguments
        let messages = Pipe()
        compiler.standardError = messages
        compiler.standardOutput = FileHandle.nullDevice
        try compiler.run()
        let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        compiler.waitUntilExit()
        return (compiler.terminationStatus, text)
    }
}
