// The keys that the schema knows, and those that an outline has, by the same paths.
// Pure; any thread.

import RunSupport
import Simulation

@testable import Scenario

enum DrawnSample {
    static func drawing(users: Int) -> ScenarioDrawing {
        guard case .success(let catalog) = SchemaSample.context.loadCatalog("shop.storekit") else {
            preconditionFailure("the sample has a catalog")
        }
        return ScenarioDrawing(catalog: catalog, catalogPath: "shop.storekit", users: users)
    }

    // MARK: The schema's

    /// True: keys that are not drawn, and what is in them.
    private static let keysByPath: [String: Bool] = {
        var keys: [String: Bool] = [:]
        collect(SchemaSample.schema.top.schema, "", isLeftOut: false, &keys)
        if let step = ScenarioSchema.definition("step") { collect(step, "step", isLeftOut: false, &keys) }
        return keys
    }()

    static let schemaKeys = Set(keysByPath.keys)

    static func isLeftOut(_ key: String) -> Bool { keysByPath[key] ?? false }

    private static func collect(
        _ value: SchemaValue, _ path: String, isLeftOut: Bool, _ keys: inout [String: Bool]
    ) {
        switch value {
        case .object(let fields), .restricted(let fields, _):
            collect(fields, path, isLeftOut, &keys)
        case .variants(let key, let common, let cases):
            collect([key] + common + cases.flatMap(\.fields), path, isLeftOut, &keys)
        case .openObject(let fields, _): collect(fields, path, isLeftOut, &keys)
        case .list(let element, _): collect(element, path + "[]", isLeftOut: isLeftOut, &keys)
        case .choice(let values):
            // A mean or a median is a way to write a number.
            for value in values where !isDistribution(value) { collect(value, path, isLeftOut: isLeftOut, &keys) }
        // Steps are keys of their own, wherever they stand.
        case .reference("step"), .reference("steps"), .reference("request"): break
        case .reference(let name):
            if ScenarioSchema.values[name] == nil, let value = ScenarioSchema.definition(name) {
                collect(value, path, isLeftOut: isLeftOut, &keys)
            }
        default: break
        }
    }

    private static func collect(
        _ fields: [SchemaValue.Field], _ path: String, _ isLeftOut: Bool, _ keys: inout [String: Bool]
    ) {
        for field in fields {
            let inner = path.isEmpty ? field.name : "\(path).\(field.name)"
            let isHere = if case .leftOut = field.drawing { true } else { isLeftOut }
            keys[inner] = isHere
            collect(field.value, inner, isLeftOut: isHere, &keys)
        }
    }

    private static func isDistribution(_ value: SchemaValue) -> Bool {
        guard case .object(let fields) = value else { return false }
        return fields.allSatisfy { ["median", "p99", "mean"].contains($0.name) }
    }

    // MARK: An outline's

    static func keys(of outline: ScenarioOutline) -> Set<String> { Set(KeySite.all(in: outline).map(\.key)) }
}
