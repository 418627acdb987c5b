// A JSON Schema as a value.
// Pure; any thread.

package import Foundation

/// The versions of JSON Schema that are written: what readers of reports know, and what editors of YAML know best.
package enum SchemaDialect: Sendable {
    case draft7
    case draft2020

    var address: String {
        switch self {
        case .draft7: "http://json-schema.org/draft-07/schema#"
        case .draft2020: "https://json-schema.org/draft/2020-12/schema"
        }
    }

    var definitionsKey: String {
        switch self {
        case .draft7: "definitions"
        case .draft2020: "$defs"
        }
    }
}

/// As much of JSON Schema as the report and the scenario need.
package indirect enum SchemaValue: Sendable {
    case string(among: [String]? = nil)
    case integer(from: Int? = nil)
    case number
    case boolean
    /// A text or a number, as YAML may take what has or has not a unit.
    case scalar(SchemaScalar)
    /// One of a few texts, which YAML may take for truth values or numbers where they look like such.
    case words([String])
    case array(of: SchemaValue)
    /// Elements may be null.
    case arrayWithGaps(of: SchemaValue)
    case list(of: SchemaValue, count: ClosedRange<Int>)
    /// Keys are data.
    case map(to: SchemaValue)
    /// Keys are data, at least one, and look like the pattern.
    case dictionary(keys: String, to: SchemaValue)
    case object([Field])
    /// An object in which other keys, by their patterns, are known too.
    case openObject([Field], patterns: [String: SchemaValue])
    /// An object that holds at least or exactly so many keys of some.
    case restricted([Field], SchemaRule)
    /// An object whose further keys depend on what one of them says.
    case variants(by: Field, common: [Field], cases: [Variant])
    case choice([SchemaValue])
    /// One of the definitions.
    case reference(String)
    case constant(Int)

    package struct Field: Sendable {
        let name: String
        let value: SchemaValue
        let isRequired: Bool
        let meaning: String
        var drawing = KeyDrawing.byKind
    }

    package struct Variant: Sendable {
        let name: String
        let fields: [Field]
    }

    /// A member that is always there.
    package static func field(_ name: String, _ value: SchemaValue, _ meaning: String = "") -> Field {
        Field(name: name, value: value, isRequired: true, meaning: meaning)
    }

    /// A member that may be left out.
    package static func optional(_ name: String, _ value: SchemaValue, _ meaning: String = "") -> Field {
        Field(name: name, value: value, isRequired: false, meaning: meaning)
    }

    /// The whole document: this value, which is an object, at its root.
    package func document(title: String, dialect: SchemaDialect, definitions: [String: SchemaValue]) -> Data {
        guard case .object(var root) = node(dialect) else { preconditionFailure("a schema is an object") }
        root["$schema"] = .text(dialect.address)
        root["title"] = .text(title)
        root[dialect.definitionsKey] = .object(definitions.mapValues { $0.node(dialect) })
        return SchemaNode.object(root).data
    }
}

/// What a scalar may be: any of the types, with bounds for numbers and a pattern for texts.
package struct SchemaScalar: Sendable {
    package enum Kind: String, Sendable {
        case string, integer, number, boolean
    }

    var kinds: [Kind]
    var pattern: String?
    /// Seeds use all 64 bits.
    var range: ClosedRange<UInt64>?
}

package enum SchemaRule: Sendable {
    case anyKey
    case oneKey
    case oneOf([String])
}
