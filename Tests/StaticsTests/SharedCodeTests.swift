// What is never a client's: held against the package, and against the program that these tests are.

import Foundation
import StaticsCKit
import Testing

@testable import Statics

@Suite struct SharedCodeTests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func theListNamesEveryModuleOfThePackage() throws {
        let folder = Self.package.appendingPathComponent("Sources")
        // Shims is a folder of targets.
        let group = "Shims/"
        let targets =
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 + "/" != group }
            + FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(group).path).map {
                group + $0
            }
        let swift = try targets.filter { target in
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.appendingPathComponent(target).path)
            return files.contains { $0.hasSuffix(".swift") }
        }
        #expect(
            Set(swift.map { $0.hasPrefix(group) ? String($0.dropFirst(group.count)) : $0 }) == SharedCode.ownModules)
    }

    /// Of this program, whose C is that of the package, of what it is built on, and of one target that stands for a
    /// client's. A variable that is found too many belongs into a table of `SharedCode`.
    private static let found = ClientData.find()

    private static var isSanitized: Bool { found.obstacles == [.sanitizer] }

    @Test(.disabled(if: isSanitized))
    func everythingIsPlaced() { #expect(Self.found.obstacles == []) }

    @Test(.disabled(if: isSanitized))
    func noneOfThePackageIsTheClients() {
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
    func moduleNamesAndFilesChoose() {
        let only = ClientData.find(DataChoice(include: ["first.c"]))
        #expect(Set((only.variables + only.touched).map(\.owner)) == ["first.c"])
        let without = ClientData.find(DataChoice(exclude: ["first.c"]))
        #expect(!(without.variables + without.touched).contains { $0.owner == "first.c" })
    }
}
