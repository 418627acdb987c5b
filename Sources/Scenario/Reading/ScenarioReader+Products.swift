// The steps that are about products: fetching, buying, using, expecting.
// Part of `ScenarioReader`; confined as it is.

import Metrics
import Simulation
import Text

extension ScenarioReader {
    // MARK: Fetching

    func fetch(_ node: SourceNode, _ path: String) -> Step.Kind? {
        if case .sequence = node.content {
            return identifiers(node, path).map { .fetchProducts(FetchStep(identifiers: $0, waits: true)) }
        }
        guard let fields = fields(node, path, known: ["products", "wait"]) else { return nil }
        let identifiers = fields["products"].map { self.identifiers($0, "\(path).products") }
        guard let waits = waits(fields, path) else { return nil }
        switch identifiers {
        case .none: return .fetchProducts(FetchStep(identifiers: nil, waits: waits))
        case .some(let identifiers): return identifiers.map { .fetchProducts(FetchStep(identifiers: $0, waits: waits)) }
        }
    }

    /// Whole identifiers where the catalog knows the name, else the name itself: the store is to be asked for it.
    private func identifiers(_ node: SourceNode, _ path: String) -> [String]? {
        guard let items = items(node, path, of: "products", max: ScenarioLimits.productsPerFetchMax) else { return nil }
        let names = items.enumerated().compactMap { place, item -> String? in
            guard let name = text(item, "\(path)[\(place)]", as: "a product") else { return nil }
            guard !name.isEmpty else {
                report(item.position, "a product without a name in \(path)[\(place)]")
                return nil
            }
            guard let catalog, let index = catalog.resolve(name) else { return name }
            return catalog[index].identifier
        }
        return names.count == items.count ? names : nil
    }

    // MARK: Buying

    func buy(_ node: SourceNode, _ path: String) -> Step.Kind? {
        if case .scalar = node.content {
            guard let product = product(node, path) else { return nil }
            return .buy(BuyStep(target: .product(product), quantity: .constant(1), waits: true))
        }
        let targets = ["product", "choose", "unknown_product"]
        guard let fields = fields(node, path, known: targets + ["quantity", "wait"]) else { return nil }
        let quantity = fields["quantity"].map {
            counts($0, "\(path).quantity", in: ScenarioLimits.quantity, bounded: true)
        }
        let waits = waits(fields, path)
        let given = targets.filter { fields[$0] != nil }
        guard given.count == 1, let key = given.first, let targetNode = fields[key] else {
            let names = given.map { "'\($0)'" }.joined(separator: " and ")
            let what = given.isEmpty ? "nothing to buy" : "\(names) at once"
            report(node.position, "\(what) in \(path)", hint: "one of \(targets.joined(separator: ", "))")
            return nil
        }
        let target: BuyStep.Target? =
            switch key {
            case "product": product(targetNode, "\(path).product").map { .product($0) }
            case "choose": productWeights(targetNode, "\(path).choose").map { .oneOf($0) }
            default: unknownProduct(targetNode, "\(path).unknown_product").map { .unknown($0) }
            }
        guard let target, let waits, let quantity = quantity ?? .constant(1) else { return nil }
        return .buy(BuyStep(target: target, quantity: quantity, waits: waits))
    }

    private func productWeights(_ node: SourceNode, _ path: String) -> [ProductWeight]? {
        guard let entries = entries(node, path) else { return nil }
        var products: [ProductIndex] = []
        for entry in entries {
            guard let product = product(entry.key, at: entry.keyPosition, path) else { continue }
            if products.contains(product) {
                report(entry.keyPosition, "product \(quoted(entry.key)) is there twice in \(path)")
            }
            products.append(product)
        }
        let weights = self.weights(entries.map { ($0.value, Self.join(path, $0.key)) }, of: node, path)
        guard let weights, products.count == entries.count else { return nil }
        return zip(products, weights).map { ProductWeight(product: $0, weight: $1) }
    }

    private func unknownProduct(_ node: SourceNode, _ path: String) -> String? {
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

    func use(_ node: SourceNode, _ path: String) -> Step.Kind? {
        if case .scalar("all", _) = node.content, catalog?.resolve("all") == nil { return .use(.all) }
        return product(node, path).map { .use(.product($0)) }
    }

    // MARK: Expecting

    func expectation(_ node: SourceNode, _ path: String) -> Expectation? {
        let known = ["owns", "not_owns", "holds", "answered"]
        guard let fields = fields(node, path, known: known) else { return nil }
        guard !fields.isEmpty else {
            if case .mapping(let entries) = node.content, entries.isEmpty {
                let hint = "keys here: \(known.joined(separator: ", "))"
                report(node.position, "nothing is expected in \(path)", hint: hint)
            }
            return nil
        }
        let owns = fields["owns"].map { owned($0, "\(path).owns") } ?? []
        let notOwns = fields["not_owns"].map { owned($0, "\(path).not_owns") } ?? []
        let holds = fields["holds"].map { holdings($0, "\(path).holds") } ?? []
        let answered: Expectation.Answer?? = fields["answered"].map {
            choice($0, "\(path).answered", called: "answers")
        }
        if let both = notOwns.first(where: owns.contains), let node = fields["not_owns"], let catalog {
            report(node.position, "'\(catalog[both].shortName)' is expected to be owned and not owned in \(path)")
        }
        return Expectation(owns: owns, notOwns: notOwns, holds: holds, answered: answered ?? nil)
    }

    private func owned(_ node: SourceNode, _ path: String) -> [ProductIndex] {
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

    private func holdings(_ node: SourceNode, _ path: String) -> [Expectation.Holding] {
        guard let entries = entries(node, path) else { return [] }
        if entries.isEmpty { report(node.position, "nothing is expected in \(path)") }
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
