// What a run is asked to do: the scenario with the command line's changes applied.
// A value; any thread.

package import ClientKit
package import Hosting
package import Judgement
package import Scenario
package import Simulation

/// A line that the client of a user has printed.
package struct ClientOutputLine: Sendable {
    package let user: Int
    /// Which of the user's devices, counted from 1; nil: there is one only.
    package let device: Int?
    package let line: ClientLine
}

package struct RunOptions: Sendable {
    /// Scaled to the users asked for.
    package var scenario: Scenario
    package var client: any StoreClient.Type
    package var clientOptions: [String: String]
    /// Clients that the app may be updated to.
    package var updates: [any StoreClient.Type] = []
    /// Threads that run cells beside each other, or serve the wall clock's queues.
    package var workers: Int
    /// Where the workers of the virtual clock live.
    package var housing = WorkerHousing.threads
    /// A worker process that holds more bytes than this between two cells, beside those that it began with, is replaced.
    package var workerGrowthMax = GrowthMeter.limitStandard
    /// Judge and report this user alone; the rest of its cell runs too, because they share a store.
    package var onlyUser: Int?
    /// The part of the run that is to be done; nil: all of it.
    package var shard: Shard?
    /// Keeps what was found by the way; nil: that is lost with the process. Nothing is kept where workers are threads.
    package var journal: RunJournal?
    /// Where the users' operations are kept; nil: nowhere.
    package var operations: (any OperationRecord)?
    /// Whether a display or an export reads the board's counts during the run. If not, workers send no progress.
    package var isWatched = true
    /// Receives each line that client code prints under the virtual clock,
    /// from the worker that runs it; nil: no receiver.
    package var onClientLine: (@Sendable (ClientOutputLine) -> Void)?
    /// The scenario's, unless changed.
    package var behaviour: StoreBehaviour
    /// A store broken on purpose. For tests of the audit only.
    package var storeDefects: Set<StoreDefect> = []

    /// The thresholds that may end the run.
    /// A part does not know the measurements of any other part, and runs to its end.
    var abortWatch: AbortWatch { shard == nil ? AbortWatch(scenario, client: client.name) : .idle }

    package init(
        scenario: Scenario, client: any StoreClient.Type, clientOptions: [String: String] = [:], workers: Int,
        onlyUser: Int? = nil
    ) {
        precondition(workers > 0, "\(workers) workers")
        self.scenario = scenario
        behaviour = scenario.store.behaviour
        self.client = client
        self.clientOptions = clientOptions
        self.workers = workers
        self.onlyUser = onlyUser
    }
}
