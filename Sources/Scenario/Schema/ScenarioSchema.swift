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

    package func json() -> Data {
        var definitions = Self.values
        definitions.merge(Self.steps) { first, _ in first }
        definitions.merge(limits) { first, _ in first }
        definitions["outages"] = Self.outages
        definitions["crash"] = KeySection.crash.schema
        return SchemaValue.object(root).document(
            title: "A scenario of stampede", dialect: .draft7, definitions: definitions)
    }

    var root: [SchemaValue.Field] {
        let about = [
            SchemaValue.field("name", .reference("text"), "What reports call the scenario: one line."),
            SchemaValue.optional("description", .reference("text"), "What it shows, in a few sentences."),
            SchemaValue.optional(
                "clock", .string(among: RunClock.allCases.map(\.rawValue)),
                """
                virtual jumps from event to event, as fast as the machine and repeatable to the bit; wall is real time. \
                Default: virtual.
                """),
            SchemaValue.optional(
                "seed", Self.seed, "Where chance begins: the same seed gives the same run. A whole number. Default: 1."),
            SchemaValue.optional(
                "client", client, "The code under test: a name, or {name, options}. Default: reference."),
        ]
        let world = [
            SchemaValue.field(
                "store", KeySection.store.schema, "The simulated App Store: what it sells and how it behaves."),
            SchemaValue.optional(
                "validator", KeySection.validator.schema, "The server that apps send their receipts to."),
            SchemaValue.optional("network", KeySection.network.schema, "The link between a device and the servers."),
            SchemaValue.optional("buyers", KeySection.buyers.schema, "What people do when the store asks them."),
            SchemaValue.field(
                "population", KeySection.population.schema, "Who there is, and what they own at the start."),
            SchemaValue.optional("app", KeySection.app.schema, "How the app is treated by its user and by the system."),
        ]
        let run = [
            SchemaValue.field(
                "load", .list(of: Self.loadEntry, count: 1...ScenarioLimits.loadEntriesMax),
                "Who begins which journey when. The entries take disjoint users."),
            Self.time(
                "warm_up", "What begins before this is no part of durations and success rates.", default: .zero),
            SchemaValue.field(
                "journeys", .dictionary(keys: "^\(Self.name)$", to: .reference("steps")),
                "What one user does, step after step, by name."),
            SchemaValue.optional("faults", KeySection.faults.schema, "What is made to go wrong."),
            SchemaValue.optional(
                "audit", KeySection.audit(tolerable: toleratedRules).schema, "What the audit leaves to the app."),
            SchemaValue.optional("explore", Self.exploration, "Other orders of events, on the virtual clock only."),
            SchemaValue.optional(
                "thresholds", thresholds,
                """
                What must hold at the end, by metric; a tag selects a part: violations{rule:lost-purchase}. Without a \
                threshold on violations, count == 0 is in force.
                """),
        ]
        return about + world + run
    }

    // MARK: Client

    private var client: SchemaValue {
        let names = clients.keys.sorted()
        let cases = names.map { name in
            let options = clients[name, default: [:]].sorted { $0.key < $1.key }
            let fields = options.map { SchemaValue.optional($0.key, .words($0.value)) }
            return SchemaValue.Variant(
                name: name, fields: [SchemaValue.optional("options", .object(fields), "Options of \(name).")])
        }
        let key = SchemaValue.field("name", .string(among: names), "`stampede list clients` says what each is.")
        return .choice([.string(among: names), .variants(by: key, common: [], cases: cases)])
    }

    static let outages = SchemaValue.list(
        of: KeySection.outageSchema, count: 1...ScenarioLimits.outagesMax)

    static let exploration = SchemaValue.choice([
        .string(among: ["interleavings"]), KeySection.exploration.schema,
    ])

    // MARK: Settings

    static func setting(_ key: String, _ standard: Bool, _ meaning: String) -> SchemaValue.Field {
        SchemaValue.optional(key, .boolean, "\(meaning) Default: \(standard).")
    }
}
