// What is never a client's: held against the package, and against the program that these tests are.

import Foundation
import StaticsCKit
import Testing

@testable import Statics

@Suite struct SharedCodeTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func ownModulesAreAllOfThePackages() throws {
        let description = try String(
            contentsOf: Self.package.appendingPathComponent("Package.swift"), encoding: .utf8)
        let target = /\.(?:t|executableT)arget\(\s*name: "(\w+)"/
        var modules: Set<String> = []
        for found in description.matches(of: target) {
            let name = String(found.1)
            // Up to the next target.
            let rest = description[found.range.upperBound...]
            let own = rest.firstMatch(of: /\n        (?:\.|\/\/)/).map { rest[..<$0.range.lowerBound] } ?? rest
            let path = own.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) } ?? "Sources/\(name)"
            if !path.hasPrefix("Sources") { continue }
            let files = try FileManager.default.subpathsOfDirectory(
                atPath: Self.package.appendingPathComponent(path).path)
            if files.contains(where: { $0.hasSuffix(".swift") }) { modules.insert(name) }
        }
        #expect(modules == SharedCode.ownModules)
    }

    /// Of this program, whose C is that of the package, of what it is built on, and of one target that stands for a
    /// client's. A variable that is found too many belongs into a table of `SharedCode`.
    private static let found = ClientData.find()

    private static var isSanitized: Bool { found.obstacles == [.sanitizer] }

    @Test(.disabled(if: isSanitized))
    func everyVariableIsPlaced() { #expect(Self.found.obstacles == []) }

    @Test(.disabled(if: isSanitized))
    func packageVariablesAreNotTheClients() {
        _ = kit_setups()
        let all = Self.found.variables + Self.found.touched
        #expect(Set(all.map(\.owner)).isDisjoint(with: SharedCode.ownModules))
        let ofC = all.filter { !$0.name.hasPrefix("$s") }
        #expect(
            Set(ofC.map(\.name)) == [
                "kit_global", "kit_zero", "counter", "name", "once", "setups", "thread_count", "thread_zero",
                "kit_calls.calls",
            ])
        #expect(ofC.count { $0.name == "counter" } == 2)
    }

    @Test(.disabled(if: isSanitized))
    func dataChoiceSelectsByModuleAndFile() {
        let only = ClientData.find(DataChoice(include: ["first.c"]))
        #expect(Set((only.variables + only.touched).map(\.owner)) == ["first.c"])
        let without = ClientData.find(DataChoice(exclude: ["first.c"]))
        #expect(!(without.variables + without.touched).contains { $0.owner == "first.c" })
    }
}
