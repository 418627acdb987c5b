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

    static let schemaKeys: Set<String> = {
        var keys: Set<String> = []
        collect(SchemaSample.schema.root, "", &keys)
        if let step = ScenarioSchema.steps["step"] { collect(step, "step", &keys) }
        return keys
    }()

    private static func collect(_ fields: [SchemaValue.Field], _ path: String, _ keys: inout Set<String>) {
        for field in fields {
            let inner = DrawingPen.join(path, field.name)
            keys.insert(inner)
            collect(field.value, inner, &keys)
        }
    }

    private static func collect(_ value: SchemaValue, _ path: String, _ keys: inout Set<String>) {
        switch value {
        case .object(let fields), .restricted(let fields, _): collect(fields, path, &keys)
        case .variants(let key, let common, let cases):
            collect([key] + common + cases.flatMap(\.fields), path, &keys)
        case .list(let element, _): collect(element, path + "[]", &keys)
        case .choice(let values):
            // A mean or a median is a way to write a number.
            for value in values where !isDistribution(value) { collect(value, path, &keys) }
        // Steps are keys of their own, wherever they stand.
        case .reference("step"), .reference("steps"), .reference("request"): break
        case .reference(let name):
            if ScenarioSchema.values[name] == nil, let value = ScenarioSchema.definition(name) {
                collect(value, path, &keys)
            }
        default: break
        }
    }

    private static func isDistribution(_ value: SchemaValue) -> Bool {
        guard case .object(let fields) = value else { return false }
        return fields.allSatisfy { ["median", "p99", "mean"].contains($0.name) }
    }

    static func isLeftOut(_ key: String) -> Bool {
        DrawnKeys.leftOut.keys.contains { key == $0 || key.hasPrefix($0 + ".") || key.hasPrefix($0 + "[]") }
    }

    // MARK: An outline's

    static func keys(of outline: ScenarioOutline) -> Set<String> { Set(KeySite.all(in: outline).map(\.key)) }
}
