// What a swarm is to do, and what it found.
// Values; any thread.

package import ClientKit
package import Hosting
package import Judgement
package import Scenario
package import Simulation

package struct SwarmPlan: Sendable {
    package let client: any StoreClient.Type
    package let clientOptions: [String: String]
    package let storeDefects: Set<StoreDefect>
    package let drawing: ScenarioDrawing
    package let seed: UInt64
    /// Scenarios to draw, at most.
    package let runs: Int
    /// Real time after which no more are drawn; nil: no limit.
    package let seconds: Double?
    package let workers: Int
    /// Clients that the app may be updated to.
    package var updates: [any StoreClient.Type] = []
    /// Where the scenarios run.
    package var housing = WorkerHousing.threads
    /// Scenarios that showed something before.
    package let kept: [Kept]
    /// Whether the first scenario of each finding is made small.
    package let shrinks: Bool
    /// Reads a scenario from its text.
    package let read: @Sendable (String) -> Result<Scenario, Unreadable>

    /// Why a scenario cannot be read, in the reader's words.
    package struct Unreadable: Error {
        package let message: String

        package init(message: String) { self.message = message }
    }

    package struct Kept: Sendable {
        package let conduct: Conduct
        package let text: String

        package init(conduct: Conduct, text: String) {
            self.conduct = conduct
            self.text = text
        }
    }

    package init(
        client: any StoreClient.Type, clientOptions: [String: String], storeDefects: Set<StoreDefect> = [],
        drawing: ScenarioDrawing, seed: UInt64, runs: Int, seconds: Double? = nil, workers: Int, kept: [Kept] = [],
        shrinks: Bool = true, read: @escaping @Sendable (String) -> Result<Scenario, Unreadable>
    ) {
        precondition(runs >= 0 && workers > 0, "\(runs) runs, \(workers) workers")
        self.client = client
        self.clientOptions = clientOptions
        self.storeDefects = storeDefects
        self.drawing = drawing
        self.seed = seed
        self.runs = runs
        self.seconds = seconds
        self.workers = workers
        self.kept = kept
        self.shrinks = shrinks
        self.read = read
    }
}

package struct SwarmResult: Sendable {
    /// Scenarios that were drawn and run to their end.
    package var scenarios = 0
    /// Of these, those whose journeys go on without end: nothing was judged.
    package var unjudged = 0
    /// In the order of the rule book, and within a rule by how many scenarios show it.
    package var findings: [SwarmFinding] = []
    /// Those that were kept from before: whether they are still there.
    package var kept: [SwarmKept] = []
    /// What was found wrong with the harness itself, by the scenario's number.
    package var faults: [SwarmFault] = []
    /// Nil: it came to its end.
    package var stopCause: StopCause?
    package var wasStopped: Bool { stopCause != nil }
    package var seconds = 0.0

    /// Scenarios drawn and run in a second of real time; nil where too little was measured.
    package var scenariosPerSecond: Double? { seconds > 0 && scenarios > 0 ? Double(scenarios) / seconds : nil }
}

/// Findings with one conduct.
package struct SwarmFinding: Sendable {
    package let conduct: Conduct
    /// How many drawn scenarios show it; zero if only a kept scenario shows it.
    package let scenarios: Int
    /// The first drawn scenario that shows it, by its number.
    package let first: Int
    /// What happened in the smallest scenario that shows it, or else in that one.
    package let evidence: Evidence
    /// The smallest scenario that shows it.
    package let text: String
    /// Of that scenario.
    package let users: Int
    package let steps: Int
    /// Whether nothing more can be taken away.
    package let isMinimal: Bool
}

package struct SwarmKept: Sendable {
    package let conduct: Conduct
    /// What happens now; nil: it is not there any more.
    package let evidence: Evidence?
    package let users: Int
    package let steps: Int
    /// Drawn scenarios that show it too.
    package internal(set) var scenarios = 0
    /// What keeps the scenario from being run, where it cannot be.
    package let problem: RunFault?
}

package struct SwarmFault: Sendable {
    package let number: Int
    package let fault: RunFault
    package let text: String
}
