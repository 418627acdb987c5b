// As much of a JSON Schema validator as the schema of scenarios needs, which also tells what applies where.
// Confined to the test that made it.

import Foundation
import Scenario

/// A part of the schema, and where it stands in it.
struct SchemaPlace {
    let pointer: String
    let body: ScenarioOutline

    subscript(key: String) -> SchemaPlace? {
        body[key].map { SchemaPlace(pointer: "\(pointer)/\(key)", body: $0) }
    }

    var items: [SchemaPlace] {
        guard case .list(let items) = body else { return [] }
        return items.enumerated().map { SchemaPlace(pointer: "\(pointer)/\($0)", body: $1) }
    }

    var entries: [(key: String, place: SchemaPlace)] {
        guard case .mapping(let entries) = body else { return [] }
        return entries.map { ($0.key, SchemaPlace(pointer: "\(pointer)/\($0.key)", body: $0.value)) }
    }

    var text: String? { if case .scalar(let text) = body { text } else { nil } }
    func texts(_ key: String) -> [String] { self[key]?.items.compactMap(\.text) ?? [] }

    /// Whether it knows all keys there may be by name.
    var isClosed: Bool { self["additionalProperties"]?.text == "false" && self["patternProperties"] == nil }
}

final class SchemaChecker {
    let root: SchemaPlace
    private var patterns: [String: NSRegularExpression] = [:]

    /// JSON is YAML.
    init(_ schema: ScenarioSchema) {
        let outline = ScenarioOutline(text: String(decoding: schema.json(), as: UTF8.self))
        root = SchemaPlace(pointer: "#", body: outline ?? .scalar(""))
    }

    func accepts(_ value: ScenarioOutline) -> Bool { accepts(value, root) }

    /// The place, and all that says more about the value that stands there.
    func applying(to value: ScenarioOutline, _ place: SchemaPlace) -> [SchemaPlace] {
        let place = resolved(place)
        var more = place["allOf"]?.items ?? []
        more += (place["anyOf"]?.items ?? []).filter { accepts(value, $0) }
        if let condition = place["if"], let then = place["then"], accepts(value, condition) { more.append(then) }
        return [place] + more.flatMap { applying(to: value, $0) }
    }

    /// What applies to a member of a value, by what applies to the value.
    func member(_ key: String, _ value: ScenarioOutline, of places: [SchemaPlace]) -> [SchemaPlace] {
        places.flatMap { place in
            rules(for: key, in: place).filter { $0.text == nil }.flatMap { applying(to: value, $0) }
        }
    }

    func resolved(_ place: SchemaPlace) -> SchemaPlace {
        guard let address = place["$ref"]?.text else { return place }
        let parts = address.split(separator: "/").dropFirst().map(String.init)
        let target = parts.reduce(root) { $0[$1] ?? SchemaPlace(pointer: "nowhere", body: .scalar("false")) }
        return resolved(target)
    }

    private func rules(for key: String, in place: SchemaPlace) -> [SchemaPlace] {
        var rules = place["properties"]?[key].map { [$0] } ?? []
        rules += (place["patternProperties"]?.entries ?? []).filter { matches(key, $0.key) }.map(\.place)
        return rules.isEmpty ? place["additionalProperties"].map { [$0] } ?? [] : rules
    }

    // MARK: Validation

    private func accepts(_ value: ScenarioOutline, _ unresolved: SchemaPlace) -> Bool {
        let place = resolved(unresolved)
        if let flag = place.text { return flag == "true" }
        let kind = Self.kind(value)
        let kinds = place["type"].map { $0.text.map { [$0] } ?? place.texts("type") }
        if let kinds, !kinds.contains(kind), !(kind == "integer" && kinds.contains("number")) { return false }
        guard (place["allOf"]?.items ?? []).allSatisfy({ accepts(value, $0) }) else { return false }
        if let any = place["anyOf"]?.items, !any.contains(where: { accepts(value, $0) }) { return false }
        if let one = place["oneOf"]?.items, one.count(where: { accepts(value, $0) }) != 1 { return false }
        if let condition = place["if"], accepts(value, condition), let then = place["then"], !accepts(value, then) {
            return false
        }
        return switch value {
        case .scalar(let text): accepts(text, kind, place)
        case .list(let items):
            within(items.count, place["minItems"], place["maxItems"])
                && items.allSatisfy { item in place["items"].map { accepts(item, $0) } ?? true }
        case .mapping(let entries): accepts(entries, place)
        }
    }

    private func accepts(_ text: String, _ kind: String, _ place: SchemaPlace) -> Bool {
        if place["enum"] != nil, !place.texts("enum").contains(text) { return false }
        if let constant = place["const"]?.text, constant != text { return false }
        if kind == "string" { return place["pattern"]?.text.map { matches(text, $0) } ?? true }
        guard let number = Double(text) else { return true }
        return within(number, place["minimum"], place["maximum"])
    }

    private func accepts(_ entries: [ScenarioOutline.Entry], _ place: SchemaPlace) -> Bool {
        let names = Set(entries.map(\.key))
        return names.isSuperset(of: place.texts("required"))
            && within(entries.count, place["minProperties"], place["maxProperties"])
            && entries.allSatisfy { entry in rules(for: entry.key, in: place).allSatisfy { accepts(entry.value, $0) } }
    }

    private func within<Number: LosslessStringConvertible & Comparable>(
        _ number: Number, _ least: SchemaPlace?, _ most: SchemaPlace?
    ) -> Bool {
        if let least = least?.text.flatMap(Number.init), number < least { return false }
        if let most = most?.text.flatMap(Number.init), number > most { return false }
        return true
    }

    /// As YAML 1.2 takes a plain scalar.
    private static func kind(_ value: ScenarioOutline) -> String {
        switch value {
        case .list: "array"
        case .mapping: "object"
        case .scalar("true"), .scalar("false"): "boolean"
        case .scalar(""), .scalar("~"), .scalar("null"): "null"
        case .scalar(let text):
            text.wholeMatch(of: #/[-+]?[0-9]+/#) != nil
                ? "integer" : text.wholeMatch(of: #/[-+]?[0-9]*\.?[0-9]+/#) != nil ? "number" : "string"
        }
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        let expression = patterns[pattern] ?? (try? NSRegularExpression(pattern: pattern))
        patterns[pattern] = expression
        return expression?.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
}
