// Values that are about products: what is fetched, bought, used, expected.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    // MARK: Fetching

    /// Whole identifiers where the catalog knows the name, else the name itself: the store is to be asked for it.
    func identifiers(_ node: SourceNode, _ path: String) -> [String]? {
        guard let items = items(node, path, of: "products", max: ScenarioLimits.productsPerFetchMax) else { return nil }
        let names = items.enumerated().compactMap { place, item -> String? in
            guard let name = text(item, "\(path)[\(place)]", as: "a product") else { return nil }
            guard !name.isEmpty else {
                report(item.position, "the product's name in \(path)[\(place)] is empty")
                return nil
            }
            guard let catalog, let index = catalog.resolve(name) else { return name }
            return catalog[index].identifier
        }
        return names.count == items.count ? names : nil
    }

    // MARK: Buying

    func productWeights(_ node: SourceNode, _ path: String) -> [ProductWeight]? {
        guard let entries = entries(node, path) else { return nil }
        var products: [ProductIndex] = []
        for entry in entries {
            guard let product = product(entry.key, at: entry.keyPosition, path) else { continue }
            if products.contains(product) {
                report(entry.keyPosition, "product \(quoted(entry.key)) is listed twice in \(path)")
            }
            products.append(product)
        }
        let weights = self.weights(entries.map { ($0.value, Self.join(path, $0.key)) }, of: node, path)
        guard let weights, products.count == entries.count else { return nil }
        return zip(products, weights).map { ProductWeight(product: $0, weight: $1) }
    }

    func unknownProduct(_ node: SourceNode, _ path: String) -> String? {
        guard let identifier = text(node, path, as: "an identifier") else { return nil }
        guard !identifier.isEmpty else {
            // R11: an empty identifier is no payment at all, StoreKit raises.
            report(node.position, "the identifier in \(path) is empty")
            return nil
        }
        guard catalog?.resolve(identifier) == nil else {
            report(node.position, "the catalog sells \(quoted(identifier)) in \(path)", hint: "write 'product' instead")
            return nil
        }
        return identifier
    }

    // MARK: Using

    func use(_ node: SourceNode, _ path: String) -> UseTarget? {
        if case .scalar("all", _) = node.content, catalog?.resolve("all") == nil { return .all }
        return product(node, path).map { .product($0) }
    }

    // MARK: Expecting

    func expectation(_ node: SourceNode, _ path: String) -> Expectation? {
        guard let expectation = read(.expectation, node, path) else { return nil }
        if let both = expectation.notOwns.first(where: expectation.owns.contains), let catalog {
            let position = (Self.value("not_owns", in: node) ?? node).position
            report(position, "'\(catalog[both].shortName)' is expected to be owned and not owned in \(path)")
        }
        return expectation
    }

    func owned(_ node: SourceNode, _ path: String) -> [ProductIndex]? {
        var nodes = [node]
        if case .sequence = node.content {
            nodes = items(node, path, of: "products", max: ScenarioLimits.productsPerFetchMax) ?? []
        }
        return nodes.compactMap { node in
            guard let product = product(node, path), let catalog else { return nil }
            guard catalog[product].kind.isEntitlement else {
                let name = catalog[product].shortName
                let hint = "write 'holds: {\(name): 1}'"
                report(node.position, "consumable '\(name)' in \(path) is counted, not owned", hint: hint)
                return nil
            }
            return product
        }
    }

    func holdings(_ node: SourceNode, _ path: String) -> [Expectation.Holding]? {
        guard let entries = entries(node, path) else { return nil }
        if entries.isEmpty { report(node.position, "\(path) expects nothing") }
        return entries.compactMap { entry in
            let product = product(entry.key, at: entry.keyPosition, path)
            let count = count(entry.value, Self.join(path, entry.key), in: 0...ScenarioLimits.holdsMax)
            guard let product, let count, let catalog else { return nil }
            guard !catalog[product].kind.isEntitlement else {
                let name = catalog[product].shortName
                report(entry.keyPosition, "'\(name)' in \(path) is owned, not counted", hint: "write 'owns: \(name)'")
                return nil
            }
            return Expectation.Holding(product: product, count: count)
        }
    }
}
