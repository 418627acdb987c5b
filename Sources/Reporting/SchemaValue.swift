// A JSON Schema as a value.
// Pure; any thread.

import Foundation

/// As much of JSON Schema 2020-12 as the report needs.
indirect enum SchemaValue: Sendable {
    case string(among: [String]? = nil)
    case integer(from: Int? = nil)
    case number
    case array(of: SchemaValue)
    /// Elements may be null.
    case arrayWithGaps(of: SchemaValue)
    /// Keys are data.
    case map(to: SchemaValue)
    case object([Field])
    /// One of `$defs`.
    case reference(String)
    case constant(Int)

    struct Field: Sendable {
        let name: String
        let value: SchemaValue
        let isRequired: Bool
        let meaning: String
    }

    /// A member that is always there.
    static func field(_ name: String, _ value: SchemaValue, _ meaning: String = "") -> Field {
        Field(name: name, value: value, isRequired: true, meaning: meaning)
    }

    /// A member that is left out when there is nothing to tell.
    static func optional(_ name: String, _ value: SchemaValue, _ meaning: String = "") -> Field {
        Field(name: name, value: value, isRequired: false, meaning: meaning)
    }

    fileprivate var node: SchemaNode {
        switch self {
        case .string(let values):
            return .object(["type": .text("string")].adding("enum", values.map { .list($0.map(SchemaNode.text)) }))
        case .integer(let least):
            return .object(["type": .text("integer")].adding("minimum", least.map(SchemaNode.number)))
        case .number: return .object(["type": .text("number")])
        case .array(let element): return .object(["type": .text("array"), "items": element.node])
        case .arrayWithGaps(let element):
            return .object([
                "type": .text("array"),
                "items": .object(["anyOf": .list([element.node, .object(["type": .text("null")])])]),
            ])
        case .map(let value): return .object(["type": .text("object"), "additionalProperties": value.node])
        case .object(let fields): return .object(Self.members(fields))
        case .reference(let name): return .object(["$ref": .text("#/$defs/\(name)")])
        case .constant(let value): return .object(["const": .number(value)])
        }
    }

    private static func members(_ fields: [Field]) -> [String: SchemaNode] {
        var properties: [String: SchemaNode] = [:]
        for field in fields {
            guard case .object(var node) = field.value.node else { continue }
            if !field.meaning.isEmpty { node["description"] = .text(field.meaning) }
            properties[field.name] = .object(node)
        }
        return [
            "type": .text("object"), "properties": .object(properties), "additionalProperties": .flag(false),
            "required": .list(fields.filter(\.isRequired).map { .text($0.name) }),
        ]
    }

    /// The whole document: this value at its root.
    func document(title: String, definitions: [String: SchemaValue]) -> Data {
        guard case .object(var root) = node else { preconditionFailure("a schema is an object") }
        root["$schema"] = .text("https://json-schema.org/draft/2020-12/schema")
        root["title"] = .text(title)
        root["$defs"] = .object(definitions.mapValues(\.node))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Nothing in it can fail to encode: it is text, whole numbers and flags.
        let data = (try? encoder.encode(SchemaNode.object(root))) ?? Data()
        return data + Data("\n".utf8)
    }
}

/// JSON as it is written.
private indirect enum SchemaNode: Encodable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([SchemaNode])
    case object([String: SchemaNode])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}

extension [String: SchemaNode] {
    fileprivate func adding(_ key: String, _ value: SchemaNode?) -> [String: SchemaNode] {
        var copy = self
        copy[key] = value
        return copy
    }
}
