// What is written name=value on the command line.
// Values; any thread.

import ArgumentParser

struct NamedValue: Sendable {
    let name: String
    let value: String

    /// As it stands on the command line.
    var text: String { "\(name)=\(value)" }

    private static let tagLengthMax = 200

    /// Nil without an equals sign.
    private init?(_ argument: String) {
        guard let equals = argument.firstIndex(of: "=") else { return nil }
        name = String(argument[..<equals])
        value = String(argument[argument.index(after: equals)...])
    }

    /// A value for one of the client's options.
    ///
    /// - Throws: a `ValidationError` unless it is a name, an equals sign and a text.
    init(clientOption argument: String) throws {
        guard let setting = NamedValue(argument), !setting.name.isEmpty else {
            throw ValidationError("write a client option as name=value, such as verify=true")
        }
        self = setting
    }

    /// A label of a run.
    ///
    /// - Throws: a `ValidationError` unless it is a name, an equals sign and a text.
    init(tag argument: String) throws {
        guard let tag = NamedValue(argument) else {
            throw ValidationError("write a tag as name=value, such as commit=1a2b3c")
        }
        let isName = tag.name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
        guard isName, !tag.name.isEmpty else {
            throw ValidationError("a tag's name may contain letters, digits, - and _")
        }
        guard argument.count <= Self.tagLengthMax else {
            throw ValidationError("a tag has at most \(Self.tagLengthMax) characters")
        }
        self = tag
    }
}

extension [NamedValue] {
    /// - Throws: a `ValidationError` if one is given twice.
    func checkNames(_ option: String) throws {
        var names: Set<String> = []
        for item in self where !names.insert(item.name).inserted {
            throw ValidationError("\(option) \(item.name) is given twice")
        }
    }

    /// Of the same name, the last.
    var byName: [String: String] { Dictionary(map { ($0.name, $0.value) }) { $1 } }
}
