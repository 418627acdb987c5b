// A JSON Schema as JSON.
// Pure; any thread.

import Foundation

/// JSON as it is written.
indirect enum SchemaNode: Encodable {
    case text(String)
    case number(Int)
    case bound(UInt64)
    case flag(Bool)
    case list([SchemaNode])
    case object([String: SchemaNode])

    static func typed(_ type: String) -> SchemaNode { .object(["type": .text(type)]) }

    /// An object with one member more; the same where there is no value.
    func adding(_ key: String, _ value: SchemaNode?) -> SchemaNode {
        guard let value else { return self }
        return merging(.object([key: value]))
    }

    /// The members of both objects; where both have a member, those of both members.
    func merging(_ other: SchemaNode) -> SchemaNode {
        guard case .object(let own) = self, case .object(let more) = other else { return other }
        return .object(own.merging(more) { $0.merging($1) })
    }

    /// Sorted and indented, with a line end.
    var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Nothing in it can fail to encode: it is text, whole numbers and flags.
        let data = (try? encoder.encode(self)) ?? Data()
        return data + Data("\n".utf8)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .bound(let bound): try container.encode(bound)
        case .flag(let flag): try container.encode(flag)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}

extension SchemaValue {
    func node(_ dialect: SchemaDialect) -> SchemaNode {
        switch self {
        case .string(let values): return .typed("string").adding("enum", values.map { .list($0.map(SchemaNode.text)) })
        case .integer(let least): return .typed("integer").adding("minimum", least.map(SchemaNode.number))
        case .number: return .typed("number")
        case .boolean: return .typed("boolean")
        case .scalar(let scalar): return Self.node(scalar)
        case .words(let words): return .object(["enum": .list(words.flatMap(Self.readings))])
        case .array(let element): return .typed("array").adding("items", element.node(dialect))
        case .arrayWithGaps(let element):
            return .typed("array")
                .adding("items", .object(["anyOf": .list([element.node(dialect), .typed("null")])]))
        case .list(let element, let count):
            return .typed("array").adding("items", element.node(dialect))
                .adding("minItems", .number(count.lowerBound)).adding("maxItems", .number(count.upperBound))
        case .map(let value): return .typed("object").adding("additionalProperties", value.node(dialect))
        case .dictionary(let keys, let value):
            return .typed("object").adding("patternProperties", .object([keys: value.node(dialect)]))
                .adding("additionalProperties", .flag(false)).adding("minProperties", .number(1))
        case .object(let fields): return Self.members(fields, dialect)
        case .openObject(let fields, let patterns):
            return Self.members(fields, dialect)
                .adding("patternProperties", .object(patterns.mapValues { $0.node(dialect) }))
        case .restricted(let fields, let rule): return Self.members(fields, dialect).merging(Self.node(rule))
        case .variants(let key, let common, let cases): return Self.variants(key, common, cases, dialect)
        case .choice(let values): return .object(["anyOf": .list(values.map { $0.node(dialect) })])
        case .reference(let name): return .object(["$ref": .text("#/\(dialect.definitionsKey)/\(name)")])
        case .constant(let value): return .object(["const": .number(value)])
        }
    }

    private static func node(_ scalar: SchemaScalar) -> SchemaNode {
        let kinds = scalar.kinds.map { SchemaNode.text($0.rawValue) }
        return SchemaNode.object(["type": kinds.count == 1 ? kinds[0] : .list(kinds)])
            .adding("pattern", scalar.pattern.map(SchemaNode.text))
            .adding("minimum", scalar.range.map { .bound($0.lowerBound) })
            .adding("maximum", scalar.range.map { .bound($0.upperBound) })
    }

    private static func node(_ rule: SchemaRule) -> SchemaNode {
        switch rule {
        case .anyKey: .object(["minProperties": .number(1)])
        case .oneKey: .object(["minProperties": .number(1), "maxProperties": .number(1)])
        case .oneOf(let keys): .object(["oneOf": .list(keys.map { .object(["required": .list([.text($0)])]) })])
        }
    }

    /// What YAML may make of a word.
    private static func readings(_ word: String) -> [SchemaNode] {
        switch word {
        case "true": [.text(word), .flag(true)]
        case "false": [.text(word), .flag(false)]
        default: [.text(word)] + (Int(word).map { [.number($0)] } ?? [])
        }
    }

    private static func members(_ fields: [Field], _ dialect: SchemaDialect) -> SchemaNode {
        open(fields, dialect).adding("additionalProperties", .flag(false))
    }

    private static func open(_ fields: [Field], _ dialect: SchemaDialect) -> SchemaNode {
        var properties: [String: SchemaNode] = [:]
        for field in fields {
            let description: SchemaNode? = field.meaning.isEmpty ? nil : .text(field.meaning)
            properties[field.name] = field.value.node(dialect).adding("description", description)
        }
        return .typed("object").adding("properties", .object(properties))
            .adding("required", .list(fields.filter(\.isRequired).map { .text($0.name) }))
    }

    /// The common members always; those of a case, and no others, once the key says which.
    private static func variants(
        _ key: Field, _ common: [Field], _ cases: [Variant], _ dialect: SchemaDialect
    ) -> SchemaNode {
        let branches = cases.map { variant -> SchemaNode in
            let says = SchemaNode.object([
                "properties": .object([key.name: .object(["const": .text(variant.name)])]),
                "required": .list([.text(key.name)]),
            ])
            // The common ones are described outside.
            let known = Dictionary(uniqueKeysWithValues: ([key] + common).map { ($0.name, SchemaNode.flag(true)) })
            let own = members(variant.fields, dialect).merging(.object(["properties": .object(known)]))
            return .object(["if": says, "then": own])
        }
        return open([key] + common, dialect).adding("allOf", .list(branches))
    }
}
