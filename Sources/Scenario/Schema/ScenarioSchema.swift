// What scenario files look like, for editors that complete, explain and check them as they are written.
// Pure; any thread. Tests hold it and the reader together.

package import Foundation
import Simulation

/// The JSON Schema of scenario files: every key with its meaning, its unit and its default.
///
/// It refuses what the reader refuses of shape and spelling; what several places of a file or its catalog have to do
/// with each other only the reader knows. Draft 7, which the language server for YAML knows best.
package struct ScenarioSchema: Sendable {
    /// The name of the file that scenarios refer to in their first line.
    package static let fileName = "scenario.schema.json"

    /// The first line of a scenario beside the file, by which editors find it.
    package static let comment = "# yaml-language-server: $schema=\(fileName)"

    let clients: [String: [String: [String]]]
    let rules: [String]
    let toleratedRules: [String]

    /// - Parameters:
    ///   - clients: the legal values of every option of every client, as in `ScenarioContext`.
    ///   - rules: the identifiers of the rules of the audit.
    ///   - toleratedRules: of these, the ones whose breach a scenario may tolerate.
    package init(clients: [String: [String: [String]]], rules: [String], toleratedRules: [String] = []) {
        self.clients = clients
        self.rules = rules
        self.toleratedRules = toleratedRules
    }

    init(_ context: ScenarioContext) {
        self.init(clients: context.clients, rules: context.rules, toleratedRules: context.toleratedRules)
    }

    package func json() -> Data {
        let names = ["client": SchemaValue.string(among: clients.keys.sorted())]
        let definitions = [Self.values, Self.sections, limits].reduce(names) { $0.merging($1) { first, _ in first } }
        return top.schema.document(title: "A scenario of stampede", dialect: .draft7, definitions: definitions)
    }

    /// Definitions that are sections, which stand in several places or hold themselves.
    static let sections: [String: SchemaValue] = ScenarioStep.definitions.merging([
        "outages": .list(of: KeySection.outageSchema, count: 1...ScenarioLimits.outagesMax),
        "crash": KeySection.crash.schema,
    ]) { first, _ in first }

    /// One of the definitions that a reference names.
    static func definition(_ name: String) -> SchemaValue? { sections[name] ?? values[name] }
}
