// A JSON file that a decoder could not make anything of: what is wrong with it, and where.
// Pure; any thread. Made for files with mistakes alone: the text is read a second time.

package import Foundation

package struct JSONDocument {
    private let file: String
    private let source: SourceText
    private let root: SourceNode

    /// - Parameters:
    ///   - file: what problems call it.
    ///   - hint: what to do about text that is no JSON.
    /// - Throws: where the text stops being JSON.
    package init(_ data: Data, file: String, hint: String) throws(Problem) {
        self.file = file
        let kind = SourceKind(noun: "JSON file", bytesMax: .max)
        source = try SourceText(bytes: Array(data), file: file, as: kind) { _ in nil }
        root = try JSONReader.read(source, file: file, hint: hint)
    }

    /// What a decoder said, at the value that it spoke of, or what should have held it.
    ///
    /// - Parameter key: how a coding key is spelled in the file.
    package func problem(_ error: DecodingError, hint: String, key: (any CodingKey) -> String) -> Problem {
        func place(_ path: [any CodingKey]) -> String {
            path.isEmpty ? "at the top" : "at " + path.map(key).joined(separator: ".")
        }
        let (path, message): ([any CodingKey], String) =
            switch error {
            case .keyNotFound(let missing, let context):
                (context.codingPath, "'\(key(missing))' is missing \(place(context.codingPath))")
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                (context.codingPath, "the value has the wrong type \(place(context.codingPath))")
            case .dataCorrupted(let context):
                (context.codingPath, "the value is invalid \(place(context.codingPath))")
            @unknown default: ([], "the document is invalid")
            }
        let position = node(path, key).position
        return Problem(
            file: file, position: position, message: message, hint: hint, snippet: source.snippet(at: position))
    }

    /// The node at the end of a path, or the last on the way.
    private func node(_ path: [any CodingKey], _ key: (any CodingKey) -> String) -> SourceNode {
        var node = root
        for part in path {
            switch node.content {
            case .sequence(let items):
                guard let index = part.intValue, items.indices.contains(index) else { return node }
                node = items[index]
            case .mapping(let entries):
                let name = key(part)
                guard let entry = entries.first(where: { $0.key == name }) else { return node }
                node = entry.value
            case .scalar: return node
            }
        }
        return node
    }
}
