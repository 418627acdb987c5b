// Bytes that are no scenario: whatever they are, they are refused quickly, with a place, and never trap.
// Mutations are drawn from a seeded stream, so that a failure can be looked at again.

import Foundation
import Scenario
import Simulation
import Testing
import Text

@Suite struct HostileInputTests {

    @Test(arguments: [
        ("", "1:1: the file is empty"), ("# nothing\n", "1:1: the file is empty"),
        ("---\n", "2:1: expected a mapping, found nothing"), ("hello", "1:1: expected a mapping, found 'hello'"),
        ("[1]", "1:1: expected a mapping, found a list"),
        ("name: a\n---\nname: b\n", "2:1: a scenario file holds one document, and a second document begins here"),
        ("name: a\nseed: \u{0}\n", "2:7: the control character U+0000 is not allowed"),
        ("name: a\r\nseed: \u{7}\n", "2:7: the control character U+0007 is not allowed"),
        ("a: \u{E005}", "1:4: the private use character U+E005 is not allowed"),
        ("name: [1, 2", "1:12: while parsing a flow sequence, did not find expected ',' or ']'"),
        ("name: \"open", "1:7: while scanning a quoted scalar, found unexpected end of stream"),
        ("? [a, b]\n: c\n", "2:1: did not find expected <document start>"), ("{? a: b}", "1:2: unexpected '?'"),
    ])
    func invalidSyntaxIsRefusedAtItsPlace(text: String, problem: String) {
        #expect(problems(text).first.map { "\($0.line):\($0.column): \($0.message)" } == problem)
    }

    @Test func invalidUTF8IsRefusedAtItsPlace() {
        let bytes = Array("name: a\nseed: ä".utf8) + [0xC3, 0x28]
        #expect(brief(problems(bytes)) == ["2:8: the file is not valid UTF-8 | save it as UTF-8 text"])
        #expect(problems([0xFF, 0xFE, 0x6E, 0x00]).map(\.message) == ["the file is not valid UTF-8"])
    }

    @Test func keysMustBeSingleWords() {
        #expect(brief(problems("[a]: 1\n")).contains("1:1: a key must be a single word, not a list"))
    }

    // Nine levels of nine aliases each: billions of nodes, minutes for whoever visits them all. Defusing takes
    // milliseconds; the limits leave room for a busy machine.
    private var bomb: String {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        return text
    }

    @Test func aliasBombsAreRefused() {
        let found = problems(bomb)
        #expect(brief(found) == ["6:5: the document has more than 100000 nodes once its aliases are expanded"])
    }

    // As a key, the library beneath would hash all of it.
    @Test(arguments: ["*a7 : 1\n", "{*a7 : 1, *a6 : 2}: 1\n", "? *a7\n: 1\n", "? [*a7, *a7]\n: 1\n"])
    func aliasBombsAsKeysAreRefused(key: String) {
        let found = problems(bomb + key)
        #expect(!found.isEmpty)
    }

    @Test func mergeBombsAreRefused() {
        var text = "m0: &m0 {a: 1}\n"
        for level in 1...40 { text += "m\(level): &m\(level) {<<: [*m\(level - 1), *m\(level - 1)]}\n" }
        let found = problems(text)
        #expect(found.map(\.message) == ["the document has more than 100000 nodes once its aliases are expanded"])
    }

    @Test(arguments: ["[", "{a: ", "- ", "a:\n ", "{[", "? "])
    func scenarioReaderRefusesDeepNesting(opening: String) {
        let found = problems(String(repeating: opening, count: 20_000))
        #expect(!found.isEmpty)
    }

    @Test func nestingIsAllowedUpToItsLimit() {
        func nested(_ levels: Int) -> String {
            "x: " + String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        let isTooDeep: (Problem) -> Bool = { $0.message == "nested more than 64 levels deep" }
        #expect(!problems(nested(ScenarioLimits.nestingMax - 1)).contains(where: isTooDeep))
        #expect(problems(nested(ScenarioLimits.nestingMax)).contains(where: isTooDeep))
    }

    // Every letter goes to a wrong one now and then; most results are no YAML, many are YAML and no scenario.
    @Test(arguments: 0..<8)
    func mutatedScenariosNeverTrap(part: Int) {
        var stream = RandomStream(seed: 7, user: part, purpose: .client)
        let original = Array(validText.utf8)
        let interesting = Array("{}[]:,-&*?!|>'\"%@`#\n\t \r0.9_eE\u{0}".utf8)
        for _ in 0..<250 {
            var bytes = original
            for _ in 0...stream.below(4) {
                let place = Int(stream.below(UInt64(bytes.count)))
                let end = min(bytes.count, place + 1 + Int(stream.below(30)))
                switch stream.below(6) {
                case 0: bytes[place] = UInt8(truncatingIfNeeded: stream.next())
                case 1: bytes[place] = interesting[Int(stream.below(UInt64(interesting.count)))]
                case 2: bytes.insert(interesting[Int(stream.below(UInt64(interesting.count)))], at: place)
                case 3: bytes.removeSubrange(place..<end)
                case 4: bytes.insert(contentsOf: bytes[place..<end], at: Int(stream.below(UInt64(bytes.count))))
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { bytes = [0x20] }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let lines = text.unicodeScalars.split(omittingEmptySubsequences: false) { scalar in
                [0x0A, 0x0D, 0x85, 0x2028, 0x2029].contains(scalar.value)
            }
            for problem in problems(bytes) {
                // The last resort, for a refusal that gives no reason: there must be none.
                #expect(problem.message != "the file cannot be read", "mutation \(text)")
                let isInside = (1...lines.count).contains(problem.line) && problem.column >= 1
                #expect(isInside, "\(problem) in mutation \(text)")
                if isInside, !text.contains("\r") {
                    #expect(problem.column <= lines[problem.line - 1].count + 1, "\(problem) in mutation \(text)")
                }
            }
        }
    }

    @Test func junkNeverTrapsTheReader() {
        var stream = RandomStream(seed: 8, user: 0, purpose: .client)
        for _ in 0..<200 {
            let bytes = (0..<Int(stream.below(400))).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
            #expect(!problems(bytes).isEmpty)
        }
    }

    // MARK: Files

    private func load(_ path: String) -> [String] {
        do {
            _ = try ScenarioFile.load(path: path, context: Shop.context)
            return []
        } catch {
            return brief(error.problems)
        }
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("scenario-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    @Test func foldersMissingFilesAndDevicesAreRefused() throws {
        try withFolder { folder in
            #expect(load(folder.path) == ["this is a folder | name one scenario file in it"])
            #expect(load(folder.appendingPathComponent("none.yml").path) == ["no such file"])
            #expect(load("") == ["no path to a scenario file"])
            #expect(load("/dev/zero") == ["this is not a regular file"])
            #expect(load("/dev/null/x.yml").count == 1)
        }
    }

    @Test func largeFilesAreRefusedUnread() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("large.yml")
            try Data(repeating: 0x61, count: 10_000_000).write(to: file)
            let found = load(file.path)
            #expect(found == ["the file is larger than 1 MiB | name a scenario file; such files have a few kilobytes"])
        }
    }

    @Test func linkedScenarioFilesAreRead() throws {
        try withFolder { folder in
            let file = folder.appendingPathComponent("real.yml")
            let link = folder.appendingPathComponent("link.yml")
            try Data(small().utf8).write(to: file)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            #expect(load(link.path) == [])
        }
    }

    @Test(arguments: ["a: b\n", "- x\n", "'", "\t", "{a", "&a ", "k: *a\n", "!t ", "é"])
    func largeJunkIsRefused(pattern: String) {
        let text = String(repeating: pattern, count: 100_000 / pattern.utf8.count)
        let found = problems(text)
        #expect(!found.isEmpty)
    }
}
