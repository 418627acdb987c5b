// The table of rules in the module's documentation: complete, and no test in it that is not there.

import DeviceSupport
import Foundation
import Simulation
import Testing

/// The table as the documentation has it.
private struct RuleTable {
    struct Row {
        let rule: String
        let sentence: String
        /// Each as `File/test`.
        let tests: [String]
    }

    let rows: [Row]

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    init() throws {
        let file = Self.root.appendingPathComponent("Sources/StoreKit/StoreKit.docc/Rules.md")
        rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard line.contains(/^\| [RS]\d/), cells.count == 3 else { return nil }
            // `File`: `test`, `test`; `File`: `test`
            let tests = cells[2].split(separator: ";").flatMap { part in
                let names = part.matches(of: /`(\w+)`/).map(\.1)
                return names.dropFirst().map { "\(names[0])/\($0)" }
            }
            return Row(rule: cells[0], sentence: cells[1], tests: tests)
        }
    }

    /// The tests in the targets that hold the rules, each as `File/test`.
    static func existingTests() throws -> Set<String> {
        var names: Set<String> = []
        for target in ["StoreKitTests", "StoreKitTestTests", "ClientShapeTests", "SimulationTests"] {
            let folder = root.appendingPathComponent("Tests").appendingPathComponent(target)
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            where file.hasSuffix(".swift") {
                let source = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
                // A function counts only if it is a test: no other lies between the attribute and its name.
                for piece in source.components(separatedBy: "@Test").dropFirst() {
                    guard let function = piece.firstRange(of: "func ") else { continue }
                    let name = piece[function.upperBound...].prefix { $0 != "(" && $0 != "<" }
                    names.insert("\(file.dropLast(".swift".count))/\(name)")
                }
            }
        }
        return names
    }
}

@Suite struct RuleTableTests {
    /// The contract of the original API has no other numbers.
    private static let rules = Array(1...31) + Array(35...38) + Array(40...61)
    private static let storeKit2 =
        Array(1...6) + Array(8...16) + Array(20...25) + Array(27...31) + Array(40...46) + Array(50...85)
        + Array(90...92) + [94] + Array(100...105)

    @Test func tableHoldsEveryRuleOnce() throws {
        #expect(try RuleTable().rows.map(\.rule) == Self.rules.map { "R\($0)" } + Self.storeKit2.map { "S\($0)" })
    }

    @Test func everyRuleHasASentenceAndATest() throws {
        for row in try RuleTable().rows {
            #expect(row.sentence.hasSuffix(".") && row.sentence.count > 20, "\(row.rule)")
            #expect(!row.tests.isEmpty, "\(row.rule)")
            #expect(Set(row.tests).count == row.tests.count, "\(row.rule)")
        }
    }

    // A test that was renamed or removed must not linger in the table.
    @Test func everyTestInTheTableExists() throws {
        let existing = try RuleTable.existingTests()
        #expect(existing.count > 200)
        for row in try RuleTable().rows {
            for test in row.tests { #expect(existing.contains(test), "\(row.rule): \(test) is no test") }
        }
    }

    // Where the documentation is silent there is a knob, and the row of its rule names it.
    @Test func everyKnobIsNamedByARule() throws {
        let sentences = try RuleTable().rows.map(\.sentence).joined()
        for knob in StoreBehaviour().knobs.map(\.key) { #expect(sentences.contains("`\(knob)`"), "\(knob)") }
    }
}
