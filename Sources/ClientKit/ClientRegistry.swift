// The clients that a program knows by name.
// A value; any thread.

/// Finds a client by the name that scenarios use.
package struct ClientRegistry: Sendable {
    package let clients: [any StoreClient.Type]
    /// The clients that the program itself adds.
    package let additional: [any StoreClient.Type]

    /// - Parameter additional: a user's own clients. One with the name of a shipped client replaces it.
    package init(_ shipped: [any StoreClient.Type], additional: [any StoreClient.Type]) {
        let names = Set(additional.map { $0.name })
        clients = shipped.filter { !names.contains($0.name) } + additional
        self.additional = additional
    }

    package subscript(name: String) -> (any StoreClient.Type)? { clients.first { $0.name == name } }

    /// The options of each client by its name, with their legal values, for checking scenarios.
    package var optionValues: [String: [String: [String]]] {
        Dictionary(
            clients.map { client in
                let values = client.options.map { ($0.name, $0.values) }
                return (client.name, Dictionary(values) { first, _ in first })
            }
        ) { first, _ in first }
    }
}
