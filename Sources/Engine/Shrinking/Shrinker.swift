// From a scenario that breaks a rule to the smallest that still breaks it: delta debugging on the file itself.
// Blocks the calling thread; attempts run beside each other.

package import ClientKit
import Files
import Foundation
package import Hosting
package import Judgement
package import Scenario
package import Simulation
import Statics
import Synchronization

/// What to shrink.
package struct ShrinkTask: Sendable {
    package let rule: AuditRule
    /// A breach counts that is as grave, or graver.
    package var severity = Severity.info
    /// What the app must have done to break it; nil: anything.
    package let conduct: Conduct?
    package let client: any StoreClient.Type
    package let clientOptions: [String: String]
    package let storeDefects: Set<StoreDefect>
    package let seed: UInt64
    /// Users in the run that broke the rule.
    package let population: Int
    package let outline: ScenarioOutline
    package let workers: Int
    /// Seeds tried for every simplification: what was luck in the large scenario is luck in the small one too.
    package let seedsMax: Int
    /// Clients that the app may be updated to.
    package var updates: [any StoreClient.Type] = []
    /// Where attempts run.
    package var housing = WorkerHousing.threads
    /// Reads a scenario from its text; nil if anything is wrong with it.
    package let read: @Sendable (String) -> Scenario?

    package init(
        rule: AuditRule, conduct: Conduct? = nil, client: any StoreClient.Type, clientOptions: [String: String],
        storeDefects: Set<StoreDefect> = [], seed: UInt64, population: Int, outline: ScenarioOutline, workers: Int,
        seedsMax: Int = 48, read: @escaping @Sendable (String) -> Scenario?
    ) {
        self.rule = rule
        self.conduct = conduct
        self.storeDefects = storeDefects
        self.client = client
        self.clientOptions = clientOptions
        self.seed = seed
        self.population = population
        self.outline = outline
        self.workers = workers
        self.seedsMax = seedsMax
        self.read = read
    }
}

/// The smallest scenario found.
package struct Shrunk: Sendable {
    package let text: String
    package let seed: UInt64
    package let users: Int
    /// Steps of the journeys, with those inside others.
    package let steps: Int
    /// What was done, in order.
    package let moves: [String]
    package let attempts: Int
    /// Whether nothing more can be taken away; false if it was stopped before.
    package let isMinimal: Bool
}

package final class Shrinker: @unchecked Sendable {  // Guard: `lock`; the rest belongs to the caller of `perform`.
    private let task: ShrinkTask
    private let onMove: @Sendable (String) -> Void
    private let isStoppedElsewhere: @Sendable () -> Bool
    private let lock = NSLock()
    private var attemptCount = 0
    package let stop = StopRequest()

    /// The same for the first step, from a population to one user: so many times the seeds of a later one.
    private static let firstSeedsFactor = 8

    /// - Parameters:
    ///   - onMove: told of every simplification that was kept, on the calling thread.
    ///   - isStopped: whether it shall stop for another reason than `stop`. Any thread.
    package init(
        _ task: ShrinkTask, onMove: @escaping @Sendable (String) -> Void = { _ in },
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.task = task
        self.onMove = onMove
        isStoppedElsewhere = isStopped
    }

    package var attempts: Int { lock.withLock { attemptCount } }

    /// Nil if the rule is not broken under the virtual clock at all.
    package func perform() throws(WorkerDeath) -> Shrunk? {
        try DeviceData.exchanging(oneAtATime: task.housing.isOneDeviceAtATime(task.workers)) {
            () throws(WorkerDeath) -> Shrunk? in try shrink()
        }
    }

    private func shrink() throws(WorkerDeath) -> Shrunk? {
        var state = State(outline: prepared(), seed: task.seed, moves: [])
        if try isMended(state.outline) { return nil }
        // The file may be for another number of users than the command line asked for, and then reads only when cut.
        if try !takeFewUsers(&state) {
            guard try takeWhole(&state) else { return nil }
        }
        while !isStopped, try takeOneMove(&state) {}
        return result(state)
    }

    /// Whether the scenario as it is does not break the rule any more: a single run shows it, where the search for fewer
    /// users takes thousands. The wall clock's breaches need not come again, and what is large is searched at once.
    private func isMended(_ outline: ScenarioOutline) throws(WorkerDeath) -> Bool {
        guard task.population <= Self.fewUsers.last ?? 0, task.outline["clock"] != .scalar("wall"),
            task.read(outline.text) != nil
        else { return false }
        return try shows(outline, [task.seed], after: nil) == nil && !isStopped
    }

    private struct State {
        var outline: ScenarioOutline
        var seed: UInt64
        var moves: [String]
        /// What the last run that showed it took.
        var events: Int?
        /// Simplifications that did not do, by their words.
        var failed: Set<String> = []
    }

    private var isStopped: Bool { stop.isMade || isStoppedElsewhere() }

    /// The scenario with what the command line had changed.
    private func prepared() -> ScenarioOutline {
        var outline = task.outline
        outline["clock"] = nil
        outline["client"] = client
        if outline["population"] == nil { outline["population"] = .mapping([]) }
        outline["population"]?["users"] = .scalar("\(task.population)")
        return outline
    }

    private var client: ScenarioOutline { .client(task.client.name, options: task.clientOptions) }

    /// A run that showed it.
    private struct Shown {
        let seed: UInt64
        let events: Int
    }

    /// A scenario that takes many times the events is not a simpler one.
    private static let eventsFactor = 20
    private static let eventsFloor = 20_000

    private func takeWhole(_ state: inout State) throws(WorkerDeath) -> Bool {
        guard let shown = try shows(state.outline, [state.seed], after: nil) else { return false }
        state.events = shown.events
        return true
    }

    // MARK: Users

    private static let fewUsers = [1, 2, 4, 16, 64, 256, 1_024]

    /// One journey, by as few users as will do.
    private func takeFewUsers(_ state: inout State) throws(WorkerDeath) -> Bool {
        for users in Self.fewUsers where users <= task.population && !isStopped {
            let seeds = Self.seeds(from: state.seed, count: max(4, Self.firstSeedsFactor * task.seedsMax / users))
            for load in loads(state.outline, users) {
                var smaller = state.outline
                smaller["load"] = .list([load])
                smaller["population"]?["users"] = .scalar("\(users)")
                guard let shown = try shows(smaller, seeds, after: nil) else { continue }
                keep(smaller, shown, "\(task.population) → \(users) users (seed \(shown.seed))", &state)
                return true
            }
        }
        return false
    }

    /// One entry each for so many users, at once where that will do.
    private func loads(_ outline: ScenarioOutline, _ users: Int) -> [ScenarioOutline] {
        guard case .list(let entries)? = outline["load"] else { return [] }
        let plainest = ScenarioOutline.scalar(LoadExecutors.plainest.name)
        let atOnce = entries.compactMap { entry in
            entry["journey"].map { ScenarioOutline.mapping([.init("journey", $0), .init("executor", plainest)]) }
        }
        var seen: Set<ScenarioOutline> = []
        return (atOnce + entries.map { LoadExecutors.shrunk($0, to: users) }).filter { seen.insert($0).inserted }
    }

    // MARK: Moves

    /// Takes the first simplification that still breaks the rule. False if none does.
    ///
    /// What did not do before is tried again only when nothing else does: mostly it will not do now either.
    private func takeOneMove(_ state: inout State) throws(WorkerDeath) -> Bool {
        let cost = state.outline.cost
        let moves = state.outline.moves.filter { $0.cost < cost }
        let tried = state.failed
        for isSecondTime in [false, true] {
            for move in moves where tried.contains(move.words) == isSecondTime {
                if isStopped { return false }
                let seeds = Self.seeds(from: state.seed, count: task.seedsMax)
                guard let shown = try shows(move.outline, seeds, after: state.events) else {
                    state.failed.insert(move.words)
                    continue
                }
                keep(move.outline, shown, move.words, &state)
                return true
            }
        }
        return false
    }

    private func keep(_ outline: ScenarioOutline, _ shown: Shown, _ words: String, _ state: inout State) {
        state.outline = outline
        state.seed = shown.seed
        state.events = shown.events
        state.moves.append(words)
        onMove(words)
    }

    /// The present one first, then the small ones.
    private static func seeds(from seed: UInt64, count: Int) -> [UInt64] {
        [seed] + (1...UInt64(count)).filter { $0 != seed }
    }

    /// The first of the seeds with which the rule is broken.
    ///
    /// - Parameter events: what the scenario that this one would replace took.
    private func shows(_ outline: ScenarioOutline, _ seeds: [UInt64], after events: Int?) throws(WorkerDeath) -> Shown?
    {
        // Without its client a scenario would be another client's; and where its catalog lies is not for us to shorten.
        guard outline["client"] == client, outline["store"]?["catalog"] == task.outline["store"]?["catalog"],
            let scenario = task.read(outline.text)
        else { return nil }
        let eventsMax = events.map { max(Self.eventsFloor, Self.eventsFactor * $0) } ?? .max
        // A single worker would try the remaining seeds after the first anyway.
        if task.workers == 1 { return try shows(scenario, seeds[...], eventsMax) }
        // The first alone: mostly it is enough.
        if let shown = try shows(scenario, seeds.prefix(1), eventsMax) { return shown }
        return try shows(scenario, seeds.dropFirst(), eventsMax)
    }

    private func shows(
        _ scenario: Scenario, _ seeds: ArraySlice<UInt64>, _ eventsMax: Int
    ) throws(WorkerDeath) -> Shown? {
        let best = Best()
        let first = seeds.startIndex
        try workforce(scenario, seeds, eventsMax).run(
            seeds.count, until: { [self] in isStopped }, isEnough: { best.isThere }
        ) { [self] place, attempt in
            lock.withLock { attemptCount += 1 }
            if let events = attempt.events { best.take(Shown(seed: seeds[first + place], events: events), at: place) }
        }
        return best.shown
    }

    /// An attempt is an attempt, whether the rule was broken or not.
    private struct Attempt {
        /// Those that it took; nil if nothing was shown.
        let events: Int?
    }

    private func workforce(
        _ scenario: Scenario, _ seeds: ArraySlice<UInt64>, _ eventsMax: Int
    ) -> Workforce<Attempt> {
        let first = seeds.startIndex
        return Workforce(count: task.workers, housing: task.housing, name: { "seed \(seeds[first + $0])" }) {
            [task] isOver in
            let probe = RuleProbe(
                rule: task.rule, severity: task.severity, conduct: task.conduct, client: task.client,
                updates: task.updates, storeDefects: task.storeDefects,
                isStopped: isOver)
            var hasShown = false
            return { place in
                // Its later ones are of no interest any more.
                if hasShown { return nil }
                var scenario = scenario
                scenario.seed = seeds[first + place]
                let events = probe.eventsUntilShown(scenario, scenario.client.options, eventsMax: eventsMax)
                hasShown = events != nil
                return Attempt(events: events)
            }
        } pack: { attempt, packer in
            packer.put(plain: attempt)
        } unpack: { unpacker throws(TornValue) in
            try unpacker.plain(Attempt.self)
        }
    }

    /// The attempt with the first of the seeds. Those before it are under way or done when it is found.
    private final class Best: Sendable {
        private let found = Mutex<(place: Int, shown: Shown)?>(nil)

        var isThere: Bool { found.withLock { $0 != nil } }
        var shown: Shown? { found.withLock { $0?.shown } }

        func take(_ shown: Shown, at place: Int) {
            found.withLock { if place < $0?.place ?? .max { $0 = (place, shown) } }
        }
    }

    // MARK: The result

    private func result(_ state: State) -> Shrunk {
        var outline = state.outline
        outline["seed"] = .scalar("\(state.seed)")
        let scenario = task.read(outline.text)
        return Shrunk(
            text: outline.text, seed: state.seed, users: scenario?.population.users ?? 0,
            steps: scenario?.stepCount ?? 0, moves: state.moves, attempts: attempts, isMinimal: !isStopped)
    }
}

extension ScenarioOutline {
    /// The code under test, as scenarios name it.
    static func client(_ name: String, options: [String: String]) -> ScenarioOutline {
        if options.isEmpty { return .scalar(name) }
        let given = options.sorted { $0.key < $1.key }.map { Entry($0.key, .scalar($0.value)) }
        return .mapping([Entry("name", .scalar(name)), Entry("options", .mapping(given))])
    }
}
