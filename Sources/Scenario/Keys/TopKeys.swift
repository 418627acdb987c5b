// The top of the file: what is short, and the sections.
// Values; any thread.

import Metrics
import Simulation
import Text

/// A scenario while its file is read.
struct ScenarioDraft: Sendable {
    var name = ""
    var description = ""
    var clock = RunClock.virtual
    var seed: UInt64 = 1
    var client = ClientChoice.reference
    /// Nil until it has been read.
    var store: StoreSetup?
    var validator = ServerConditions()
    var http: [ServerStub] = []
    var network = LinkConditions()
    /// Nil: as the catalog says.
    var buyers: BuyerBehaviour?
    /// Nil until it has been read.
    var population: Population?
    var app = AppConditions()
    var load: [LoadEntry] = []
    var warmUp = Span.zero
    var journeys: [Journey] = []
    var faults = FaultsDraft()
    var audit = AuditSettings()
    var exploration: Exploration?
    var thresholds = ReadThresholds()
}

extension ScenarioSchema {
    /// The whole file. Each section may rely on those before it.
    var top: KeySection<ScenarioDraft> { KeySection("", ScenarioDraft(), about + world + run) }

    private var about: [ScenarioKey<ScenarioDraft>] {
        [
            .value(
                KeyFacts(
                    "name", .reference("text"), "text", "The scenario's name in reports: one line.", required: true,
                    example: "My scenario"), \.name
            ) { reader, node, _ in reader.title(node) },
            .value(
                KeyFacts(
                    "description", .reference("text"), "text", "The scenario's purpose, in a few sentences.",
                    drawing: .leftOut("for people")), \.description
            ) { reader, node, _ in reader.description(node) },
            .value(
                KeyFacts(
                    choice: RunClock.self, "clock",
                    """
                    virtual jumps from event to event, as fast as the machine can, and is repeatable to the bit; wall is \
                    real time.
                    """, drawing: .leftOut("a swarm runs under the virtual clock")), \.clock, written: \.rawValue
            ) { $0.choice($1, $2, called: "clocks") },
            .value(
                KeyFacts(
                    "seed", Self.seed, "count",
                    "The seed of all randomness: the same seed gives the same run. A whole number.",
                    drawing: .drawn { .scalar("\($0.number(1...999_999))") }), \.seed, written: { "\($0)" }
            ) { $0.value($1, $2, as: "a seed", ValueParser.seed) },
            .value(
                KeyFacts(
                    "client", Self.client(clients), "name, or {name, options}",
                    "The code under test, and its options.", drawing: .leftOut("the swarm's")), \.client,
                written: \.name
            ) { reader, node, _ in reader.client(node) },
        ]
    }

    private var world: [ScenarioKey<ScenarioDraft>] {
        [
            .value(
                KeyFacts(
                    "store", KeySection<StoreDraft>.store.schema, "section",
                    "The simulated App Store: its products and its behaviour.", required: true,
                    example: "{catalog: Shop.storekit}"), \.store
            ) { reader, node, _ in reader.store(node) },
            .section(.validator, \.validator, "The server that apps send their receipts to."),
            .list(
                "http", of: .server, \.http, called: "servers", max: ScenarioLimits.serversMax,
                "Other servers, which answer requests of `URLSession` and libcurl. The first server that matches a "
                    + "request answers it. All other addresses are unreachable.",
                drawing: .leftOut("the client's own servers")),
            .section(.network, \.network, "The network between a device and the servers."),
            .value(
                KeyFacts(
                    "buyers", KeySection<BuyerBehaviour>.buyers.schema, "section",
                    "How users answer the store's prompts."), \.buyers
            ) { $0.read(.buyers, $1, $2, from: $0.standardBuyers) },
            .value(
                KeyFacts(
                    "population", KeySection<Population>.population.schema, "section",
                    "The users, and what they own at the start.", required: true, example: "{users: 1_000}"),
                \.population
            ) { $0.read(.population, $1, $2) },
            .section(.app, \.app, "How the user and the system treat the app."),
        ]
    }

    private var run: [ScenarioKey<ScenarioDraft>] {
        [
            .custom(
                KeyFacts(
                    "load", .list(of: Self.loadEntry, count: 1...ScenarioLimits.loadEntriesMax), "list",
                    "Which users start which journey, and when. Each entry has its own users.", required: true,
                    example: "[{journey: buyer, executor: \(LoadExecutors.plainest.name)}]")
            ) { reader, node, _, scenario in
                guard let load = reader.load(node, population: scenario.population?.users) else { return false }
                scenario.load = load
                return true
            },
            .duration(
                "warm_up", \.warmUp,
                "Durations and success rates leave out everything that starts before this time. Counters, series and the "
                    + "audit include it.",
                drawing: .leftOut("for figures")),
            .value(
                KeyFacts(
                    "journeys", .dictionary(keys: "^\(Self.name)$", to: .reference("steps")), "steps by name",
                    "The steps that a user takes in order, by journey name.", required: true,
                    example: "{buyer: [launch, terminate]}"), \.journeys
            ) { reader, node, _ in reader.journeys(node) },
            .section(.faults, \.faults, "The faults to inject."),
            .section(
                .audit(tolerable: toleratedRules), \.audit, "What the audit lets the app decide.",
                drawing: .leftOut("what an app may decide for itself is its team's to say")),
            .custom(
                KeyFacts(
                    "explore",
                    .choice([.string(among: ["interleavings"]), KeySection<Exploration>.exploration.schema]),
                    "interleavings, or section", "Try other orders of events, under the virtual clock only.")
            ) { reader, node, _, scenario in
                scenario.exploration = reader.exploration(node, scenario.clock)
                return scenario.exploration != nil
            },
            .custom(
                KeyFacts(
                    "thresholds", thresholds, "limits by metric",
                    """
                    Limits that must hold at the end, by metric. A tag selects a part: violations{rule:lost-purchase}. \
                    Without a threshold on violations, count == 0 applies.
                    """, drawing: .leftOut("a swarm asks for violations, not for figures"))
            ) { reader, node, _, scenario in
                scenario.thresholds = reader.thresholds(
                    node, catalog: scenario.store?.catalog, devices: scenario.population?.devices)
                return true
            },
        ]
    }
}
