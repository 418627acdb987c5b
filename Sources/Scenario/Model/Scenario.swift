// A scenario file, read and checked: everything a run needs to know.
// Plain values; any thread.

package import Metrics
package import Simulation

package enum RunClock: String, Sendable, Codable, CaseIterable {
    /// Time jumps from event to event: as fast as the machine, repeatable to the bit.
    case virtual
    /// Time passes.
    case wall
}

package struct Scenario: Sendable {
    package var name: String
    /// Empty when the file has none.
    package var description: String
    package var clock: RunClock
    package var seed: UInt64
    package var client: ClientChoice
    package var store: StoreSetup
    package var validator: ServerConditions
    /// What other servers answer: the first that a request fits.
    package var http: [ServerStub]
    package var network: LinkConditions
    package var buyers: BuyerBehaviour
    package var population: Population
    package var app: AppConditions
    /// At least one. The entries take disjoint users, in this order.
    package var load: [LoadEntry]
    /// At least one, in the order of the file.
    package var journeys: [Journey]
    package var crashes: [CrashFault]
    package var delivery: DeliveryFaults
    package var audit = AuditSettings()
    /// Nil: events run as they are due.
    package var exploration: Exploration?
    /// As written; `thresholdsInForce` is what a run is judged by.
    package var thresholds: [Threshold]
    /// Sub-metrics that are reported although no threshold is about them.
    package var subMetrics: [MetricSelection] = []
    /// What begins before this is no part of durations and success rates.
    package var warmUp = Span.zero
    /// The text of the file.
    package var source: String
    /// Where the file was read from, as it was asked for.
    package var path: String

    /// The thresholds written that are not about another client, for as many users as there are, with
    /// `violations: count == 0` first when none is about violations as a whole: a limit for one rule or one part of the run
    /// does not excuse the others. Where warnings fail too, `warnings: count == 0` stands beside it.
    package func thresholdsInForce(for client: String) -> [Threshold] {
        let own = thresholds.filter { $0.tags.allSatisfy { $0.name != "client" || $0.value == client } }
            .map { $0.scaled(to: population.users, from: population.usersWritten ?? population.users) }
        let isWhole = own.contains { $0.metric == .violations && ($0.selection?.isOfTheWhole ?? true) }
        let standing = (isWhole ? [] : [Threshold.noViolations]) + (audit.isStrict ? [.noWarnings] : [])
        return standing + own
    }

    /// From the start to the end of the last load entry, as far as that is planned: what has no planned end, or waits
    /// for something that has none, counts from where it is known to begin.
    package var plannedLength: Span {
        var ends: [Span] = []
        for entry in load {
            let begin = entry.startAfter + (entry.after.map { ends[$0] } ?? .zero)
            ends.append(begin + (entry.executor.schedule.length ?? .zero))
        }
        return ends.max() ?? .zero
    }

    /// Steps of the journeys as written, those inside others with them.
    package var stepCount: Int { journeys.reduce(0) { $0 + $1.steps.reduce(0) { $0 + $1.count } } }

    /// The load entries whose users carry a tag: the name of a phase, of its journey, or one of their own.
    package func entries(tagged tag: MetricTag) -> Set<Int> {
        let matching = load.indices.filter { place in
            switch tag.name {
            case "phase": load[place].name == tag.value
            case "journey": journeys[load[place].journey].name == tag.value
            default: load[place].tags[tag.name] == tag.value
            }
        }
        return Set(matching)
    }
}

extension MetricSelection {
    /// Whether it leaves nothing of the metric out, once the client is the right one.
    fileprivate var isOfTheWhole: Bool { window == nil && tags.allSatisfy { $0.name == "client" } }
}

/// What the audit leaves to the app.
package struct AuditSettings: Sendable, Equatable {
    /// Identifiers of rules whose breach is the app's own decision.
    package var tolerated: [String] = []
    /// How long after its end an expired subscription may still be granted.
    package var staleAfter = Span.zero
    /// Whether warnings fail a run as violations do: the command line asks for it.
    package var isStrict = false
}

/// Other orders of events than the one in which they are due. Under the virtual clock only.
package struct Exploration: Sendable, Equatable {
    /// What is due within this of each other may change places.
    package var window: Span
}

package struct ClientChoice: Sendable, Equatable {
    package static let reference = ClientChoice(name: "reference", options: [:])

    package var name: String
    /// Only names that the client has; the values are the client's to read.
    package var options: [String: String]
}

package struct StoreSetup: Sendable {
    package var catalog: Catalog
    /// As written, relative to the scenario's directory.
    package var catalogPath: String
    package var conditions: StoreConditions
    package var behaviour: StoreBehaviour
}

package struct Population: Sendable, Equatable {
    /// A share of the users and the product it is about.
    package struct ProductShare: Sendable, Equatable {
        package var product: ProductIndex
        package var share: Share
    }

    package var users: Int
    /// How many the file has, for whom its thresholds are; nil: as many.
    package var usersWritten: Int?
    /// Bought before the run starts; restorable products only, each once.
    package var owns: [ProductShare]
    /// Charged and delivered in an earlier launch, never finished; each product once.
    package var unfinishedAtStart: [ProductShare]
    /// Nil: one each. Draws lie in `ScenarioLimits.devicesPerUser`.
    package var devicesPerUser: Distribution?

    /// The numbers that devices can have: from 1 to as many as one user may draw.
    package var devices: ClosedRange<Int> {
        switch devicesPerUser {
        case .constant(let count)?, .uniform(_, let count)?: 1...Int(count)
        case .weighted(let choices)?: 1...Int(choices.filter { $0.weight > 0 }.map(\.value).max() ?? 1)
        // A median or a mean has no end, and is refused.
        case .logNormal?, .exponential?: ScenarioLimits.devices
        case nil: 1...1
        }
    }

    package init(
        users: Int, owns: [ProductShare], unfinishedAtStart: [ProductShare], devicesPerUser: Distribution? = nil
    ) {
        self.devicesPerUser = devicesPerUser
        self.users = users
        self.owns = owns
        self.unfinishedAtStart = unfinishedAtStart
    }
}
