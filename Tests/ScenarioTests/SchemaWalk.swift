// Goes through a scenario and says what of the schema applies at each place; makes changed copies of it.
// Confined to the test that made it.

import Scenario

/// A place in a scenario, what the schema says of it, and copies of the whole with a change there.
struct SchemaSite {
    enum Step {
        case key(String)
        case item(Int)
    }

    let root: ScenarioOutline
    let steps: [Step]
    let value: ScenarioOutline
    let places: [SchemaPlace]

    var path: String {
        steps.map { step in
            switch step {
            case .key(let key): ".\(key)"
            case .item(let place): "[\(place)]"
            }
        }.joined()
    }

    var keys: [String] {
        guard case .mapping(let entries) = value else { return [] }
        return entries.map(\.key)
    }

    func replaced(by value: ScenarioOutline) -> ScenarioOutline { Self.replaced(root, steps[...], by: value) }

    func adding(_ key: String) -> ScenarioOutline {
        var value = value
        value[key] = .scalar("1")
        return replaced(by: value)
    }

    func removing(_ key: String) -> ScenarioOutline {
        var value = value
        value[key] = nil
        return replaced(by: value)
    }

    private static func replaced(
        _ whole: ScenarioOutline, _ steps: ArraySlice<Step>, by value: ScenarioOutline
    ) -> ScenarioOutline {
        switch (steps.first, whole) {
        case (.key(let key), .mapping(var entries)):
            guard let place = entries.firstIndex(where: { $0.key == key }) else { return whole }
            entries[place].value = replaced(entries[place].value, steps.dropFirst(), by: value)
            return .mapping(entries)
        case (.item(let place), .list(var items)):
            items[place] = replaced(items[place], steps.dropFirst(), by: value)
            return .list(items)
        default: return value
        }
    }
}

struct SchemaWalk {
    private let checker: SchemaChecker
    private let root: ScenarioOutline

    init(_ checker: SchemaChecker, _ root: ScenarioOutline) {
        self.checker = checker
        self.root = root
    }

    func mappings(_ visit: (SchemaSite) throws -> Void) rethrows {
        try walk { site in if case .mapping = site.value { try visit(site) } }
    }

    func scalars(_ visit: (SchemaSite) throws -> Void) rethrows {
        try walk { site in if case .scalar = site.value { try visit(site) } }
    }

    private func walk(_ visit: (SchemaSite) throws -> Void) rethrows {
        try walk(SchemaSite(root: root, steps: [], value: root, places: [checker.root]), visit)
    }

    private func walk(_ site: SchemaSite, _ visit: (SchemaSite) throws -> Void) rethrows {
        try visit(site)
        switch site.value {
        case .scalar: break
        case .list(let items):
            for (place, item) in items.enumerated() {
                let rules = site.places.compactMap { $0["items"] }
                let places = rules.flatMap { checker.applying(to: item, $0) }
                try walk(SchemaSite(root: root, steps: site.steps + [.item(place)], value: item, places: places), visit)
            }
        case .mapping(let entries):
            for entry in entries {
                let places = checker.member(entry.key, entry.value, of: site.places)
                let steps = site.steps + [.key(entry.key)]
                try walk(SchemaSite(root: root, steps: steps, value: entry.value, places: places), visit)
            }
        }
    }
}

extension SchemaChecker {
    /// Where in the schema something stands.
    func pointers(_ isMeant: (SchemaPlace) -> Bool) -> Set<String> {
        var found: Set<String> = []
        func look(_ place: SchemaPlace) {
            // A property may be called like a keyword, and its value is then no list of words.
            if case .mapping = place.body, isMeant(place) { found.insert(place.pointer) }
            for inner in place.entries.map(\.place) + place.items { look(inner) }
        }
        look(root)
        return found
    }
}
