// A reader of HTML and XML that is strict where browsers are kind.

import Foundation
import Testing
import Text

/// What is wrong with a page, if anything.
struct Markup {
    /// Names of the elements, in the order in which they begin.
    private(set) var elements: [String] = []
    /// Name and value of every attribute.
    private(set) var attributes: [(name: String, value: String)] = []
    /// Of the whole page, as it is written.
    private(set) var text = ""
    private(set) var scripts: [String] = []
    private(set) var problems: [String] = []

    init(_ source: String, isHTML: Bool) {
        var open: [String] = []
        var rest = Substring(source)
        while let start = rest.firstIndex(of: "<") {
            take(text: rest[..<start])
            rest = rest[start...].dropFirst()
            guard let end = Self.end(of: rest) else {
                problems.append("a tag does not end: \(rest.prefix(40))")
                return
            }
            let tag = rest[..<end]
            rest = rest[end...].dropFirst()
            if tag.hasPrefix("!") || tag.hasPrefix("?") { continue }
            if tag.hasPrefix("/") {
                let name = String(tag.dropFirst())
                if open.popLast() != name { problems.append("</\(name)> closes another element") }
                continue
            }
            let name = String(tag.prefix { $0.isLetter || $0.isNumber })
            if name.isEmpty { problems.append("an element without a name: \(tag.prefix(40))") }
            elements.append(name)
            take(attributes: tag.dropFirst(name.count), of: name)
            let isVoid = tag.hasSuffix("/") || (isHTML && name == "meta")
            if !isVoid { open.append(name) }
            // What a script says is no markup.
            if isHTML, name == "script" {
                guard let end = rest.range(of: "</script>") else {
                    problems.append("a script does not end")
                    return
                }
                scripts.append(String(rest[..<end.lowerBound]))
                rest = rest[end.lowerBound...]
            }
        }
        take(text: rest)
        if !open.isEmpty { problems.append("not closed: \(open)") }
    }

    /// A bracket within quotes ends nothing.
    private static func end(of tag: Substring) -> Substring.Index? {
        var isQuoted = false
        for index in tag.indices {
            if tag[index] == "\"" { isQuoted.toggle() }
            if tag[index] == ">", !isQuoted { return index }
        }
        return nil
    }

    private mutating func take(text part: Substring) {
        text += part
        checkEntities(part)
    }

    private mutating func checkEntities(_ part: Substring) {
        for piece in part.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
            let name = piece.prefix { $0 != ";" }
            if piece.count == name.count || !["amp", "lt", "gt", "quot", "#39"].contains(String(name)) {
                problems.append("a bare ampersand: &\(piece.prefix(20))")
            }
        }
    }

    private mutating func take(attributes source: Substring, of element: String) {
        var rest = source
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals].drop { $0.isWhitespace })
            let value = rest[equals...].dropFirst()
            guard value.first == "\"", let end = value.dropFirst().firstIndex(of: "\"") else {
                problems.append("<\(element) \(name)> is not quoted")
                return
            }
            let content = value[..<end].dropFirst()
            if content.contains("<") { problems.append("<\(element) \(name)> holds a tag") }
            checkEntities(content)
            attributes.append((name, String(content)))
            rest = value[end...].dropFirst()
        }
    }
}
