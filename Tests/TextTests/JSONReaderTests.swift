// JSON as nodes that know their places; whatever is none, refused with its place.

import Foundation
import Testing

@testable import Text

@Suite struct JSONReaderTests {
    private func read(_ text: String) throws(Problem) -> SourceNode {
        let kind = SourceKind(noun: "JSON file", bytesMax: 1 << 20)
        let source = try SourceText(bytes: Array(text.utf8), file: "x.json", as: kind) { _ in nil }
        return try JSONReader.read(source, file: "x.json", hint: "write it again")
    }

    private func problem(_ text: String) -> Problem? {
        do throws(Problem) {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("", 1, 1, "the file ends where a value should follow"),
        ("{} x", 1, 4, "more text follows the end of the document"),
        ("{\"a\": 1,\n \"a\": 2}", 2, 2, "one object has the key 'a' twice"),
        ("{\"a\": \"b", 1, 7, "this string never ends"),
        ("{\"a\": \"\\ud800\"}", 1, 8, "this escape is not a character"),
        ("{\"a\": \"\t\"}", 1, 8, "a string contains a control character"),
        ("{\"a\": 01}", 1, 8, "'1' stands where ',' or '}' should"),
        ("{\"a\": -}", 1, 8, "'}' stands where a digit should"),
        ("{\"a\": nul}", 1, 7, "'n' stands where a value should"),
        ("{\r\n\r\n\"é\" 1}", 3, 5, "'1' stands where ':' after a key should"),
    ])
    func brokenJSONIsReportedAtItsPlace(text: String, line: Int, column: Int, message: String) {
        #expect(problem(text)?.position == SourcePosition(line: line, column: column))
        #expect(problem(text)?.message == message)
    }

    @Test func brokenJSONCarriesTheCallersHint() { #expect(problem("{a}")?.hint == "write it again") }

    @Test func readerDecodesStringEscapes() throws {
        guard case .sequence(let items) = try read(#"["\u00e9\ud83d\ude00\n\/"]"#).content,
            case .scalar(let text, isPlain: false)? = items.first?.content
        else {
            Issue.record("a list of one string is read")
            return
        }
        #expect(text == "é😀\n/")
    }

    @Test func jsonNodesCarryTheirPositions() throws {
        guard case .mapping(let entries) = try read("{\"a\":\n  [null, 1.5e3]}").content,
            case .sequence(let items)? = entries.first?.value.content
        else {
            Issue.record("an object with a list is read")
            return
        }
        #expect(entries[0].keyPosition == SourcePosition(line: 1, column: 2))
        #expect(items.map(\.position) == [SourcePosition(line: 2, column: 4), SourcePosition(line: 2, column: 10)])
        #expect(items.map(\.isNothing) == [true, false])
    }

    @Test func jsonReaderRefusesDeepNesting() {
        #expect(problem(String(repeating: "[", count: 200_000))?.message == "nested more than 64 deep")
    }

    // MARK: What a decoder could not make anything of

    private struct Shelf: Decodable {
        struct Item: Decodable { let count: Int }
        let items: [Item]
    }

    private func decodingProblem(_ text: String) -> Problem? {
        let data = Data(text.utf8)
        do {
            _ = try JSONDecoder().decode(Shelf.self, from: data)
            return nil
        } catch let error as DecodingError {
            do throws(Problem) {
                return try JSONDocument(data, file: "x.json", hint: "").problem(error, hint: "h") { $0.stringValue }
            } catch {
                return error
            }
        } catch {
            return nil
        }
    }

    @Test(arguments: [
        ("{\"items\": [{\"count\": 1},\n {\"count\": \"b\"}]}", 2, 12),
        ("{\"items\": [{\"count\": 1},\n {\"cont\": 2}]}", 2, 2),
        ("{\n \"items\": 7}", 2, 11), ("{}", 1, 1), ("{\"items\": [}", 1, 12),
    ])
    func decodingMistakesAreReportedAtTheirPlace(text: String, line: Int, column: Int) {
        #expect(decodingProblem(text)?.position == SourcePosition(line: line, column: column))
    }
}
