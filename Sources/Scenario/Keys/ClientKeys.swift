// `client`: the code under test, and what it is told.
// Values; any thread.

import Text

extension KeyFacts {
    /// - Parameter clients: the legal values of every option of every client.
    fileprivate static func clientName(_ clients: [String: [String: [String]]]) -> KeyFacts {
        KeyFacts(
            "name", .string(among: clients.keys.sorted()), "name", "`stampede list clients` describes each client.",
            required: true)
    }

    /// - Parameter options: the legal values of every option of the client.
    fileprivate static func clientOptions(_ client: String, _ options: [String: [String]]) -> KeyFacts {
        KeyFacts(
            "options", .object(clientOptions(options).map(\.field)), "section", "Options of \(client).")
    }

    fileprivate static func clientOptions(_ options: [String: [String]]) -> [KeyFacts] {
        options.sorted { $0.key < $1.key }.map { KeyFacts($0.key, .words($0.value), "words", "") }
    }
}

extension ScenarioSchema {
    static func client(_ clients: [String: [String: [String]]]) -> SchemaValue {
        let names = clients.keys.sorted()
        let cases = names.map { name in
            SchemaValue.Variant(name: name, fields: [KeyFacts.clientOptions(name, clients[name, default: [:]]).field])
        }
        return .choice([
            .string(among: names), .variants(by: KeyFacts.clientName(clients).field, common: [], cases: cases),
        ])
    }
}

extension ScenarioReader {
    func client(_ node: SourceNode) -> ClientChoice? {
        let names = context.clients.keys.sorted()
        if context.clientInstead != nil, let name = nameOfClient(node), !names.contains(name) {
            return ClientChoice(name: name, options: [:])
        }
        guard case .mapping = node.content else {
            return word(node, "client", of: names, called: "clients", otherwise: ScenarioContext.ownClientHint).map {
                ClientChoice(name: $0, options: [:])
            }
        }
        let keys = [KeyFacts.clientName(context.clients), KeyFacts.clientOptions("the client", [:])]
        guard let fields = fields(node, "client", of: keys), let nameNode = fields["name"],
            let name = word(
                nameNode, "client.name", of: names, called: "clients", otherwise: ScenarioContext.ownClientHint)
        else { return nil }
        let known = context.clients[name, default: [:]]
        guard let node = fields["options"],
            let given = self.fields(node, "client.options", of: KeyFacts.clientOptions(known))
        else { return ClientChoice(name: name, options: [:]) }
        var options: [String: String] = [:]
        for (option, value) in given {
            options[option] = word(value, "client.options.\(option)", of: known[option, default: []], called: "values")
        }
        return ClientChoice(name: name, options: options)
    }

    /// A client that takes the place of another.
    func otherClient(_ node: SourceNode, _ path: String) -> String? {
        word(
            node, path, of: context.clients.keys.sorted(), called: "clients", otherwise: ScenarioContext.ownClientHint)
    }

    /// As it stands there, whether there is such a client or not.
    private func nameOfClient(_ node: SourceNode) -> String? {
        switch node.content {
        case .scalar(let text, _): node.isNothing ? nil : text
        case .mapping(let entries): entries.first { $0.key == "name" }.flatMap { nameOfClient($0.value) }
        case .sequence: nil
        }
    }
}
