// From a scenario that breaks a rule to the smallest one that still does: delta debugging on the file itself.
// Blocks the calling thread; attempts run beside each other on Dispatch.

package import Audit
package import Clients
import Dispatch
import Foundation
package import Scenario
import Synchronization

/// What to shrink.
package struct ShrinkTask: Sendable {
    package let rule: AuditRule
    package let client: any StoreClient.Type
    package let clientOptions: [String: String]
    package let seed: UInt64
    /// Whom the rule was broken for, out of how many.
    package let population: Int
    package let outline: ScenarioOutline
    package let workers: Int
    /// Reads a scenario from its text; nil if anything is wrong with it.
    package let read: @Sendable (String) -> Scenario?

    package init(
        rule: AuditRule, client: any StoreClient.Type, clientOptions: [String: String], seed: UInt64, population: Int,
        outline: ScenarioOutline, workers: Int, read: @escaping @Sendable (String) -> Scenario?
    ) {
        self.rule = rule
        self.client = client
        self.clientOptions = clientOptions
        self.seed = seed
        self.population = population
        self.outline = outline
        self.workers = workers
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
    private let probe: RuleProbe
    private let onMove: @Sendable (String) -> Void
    private let lock = NSLock()
    private var attemptCount = 0
    private let stop = Atomic<Bool>(false)

    /// Seeds tried for every simplification: what was luck in the large scenario is luck in the small one too.
    private static let seedsMax = 48
    /// The same for the first step, from a population to one user.
    private static let firstSeedsMax = 400

    /// - Parameter onMove: told of every simplification that was kept, on the calling thread.
    package init(_ task: ShrinkTask, onMove: @escaping @Sendable (String) -> Void = { _ in }) {
        self.task = task
        self.onMove = onMove
        probe = RuleProbe(rule: task.rule, client: task.client)
    }

    package func requestStop() { stop.store(true, ordering: .relaxed) }
    package var attempts: Int { lock.withLock { attemptCount } }

    /// Nil if the rule is not broken under the virtual clock at all.
    package func perform() -> Shrunk? {
        var state = State(outline: prepared(), seed: task.seed, moves: [])
        // The file may be for another number of users than the command line asked for, and then reads only when cut.
        guard takeFewUsers(&state) || shows(state.outline, [state.seed]) != nil else { return nil }
        while !isStopped, takeOneMove(&state) {}
        return result(state)
    }

    private struct State {
        var outline: ScenarioOutline
        var seed: UInt64
        var moves: [String]
    }

    private var isStopped: Bool { stop.load(ordering: .relaxed) }

    /// The scenario with what the command line had changed.
    private func prepared() -> ScenarioOutline {
        var outline = task.outline
        outline["clock"] = nil
        outline["client"] = client
        var population = outline["population"] ?? .mapping([])
        population["users"] = .scalar("\(task.population)")
        outline["population"] = population
        return outline
    }

    private var client: ScenarioOutline {
        let name = ScenarioOutline.scalar(task.client.name)
        if task.clientOptions.isEmpty { return name }
        let options = task.clientOptions.sorted { $0.key < $1.key }.map {
            ScenarioOutline.Entry($0.key, .scalar($0.value))
        }
        return .mapping([.init("name", name), .init("options", .mapping(options))])
    }

    // MARK: Users

    /// One journey, by as few users as will do.
    private func takeFewUsers(_ state: inout State) -> Bool {
        for users in [1, 2, 4, 16, 64, 256, 1_024] where users <= task.population && !isStopped {
            let seeds = Self.seeds(from: state.seed, count: max(4, Self.firstSeedsMax / users))
            for load in loads(state.outline) {
                var smaller = state.outline
                smaller["load"] = .list([load])
                smaller["population"] = smaller["population"].map {
                    var population = $0
                    population["users"] = .scalar("\(users)")
                    return population
                }
                guard let seed = shows(smaller, seeds) else { continue }
                keep(smaller, seed, "\(task.population) → \(users) users (seed \(seed))", &state)
                return true
            }
        }
        return false
    }

    /// One entry each, at once where that will do.
    private func loads(_ outline: ScenarioOutline) -> [ScenarioOutline] {
        guard case .list(let entries)? = outline["load"] else { return [] }
        let atOnce = entries.compactMap { entry in
            entry["journey"].map {
                ScenarioOutline.mapping([.init("journey", $0), .init("executor", .scalar("at-once"))])
            }
        }
        var seen: Set<ScenarioOutline> = []
        return
            (atOnce
            + entries.map { entry in
                var entry = entry
                entry["users"] = nil
                return entry
            }).filter { seen.insert($0).inserted }
    }

    // MARK: Moves

    /// Takes the first simplification that still breaks the rule. False if none does.
    private func takeOneMove(_ state: inout State) -> Bool {
        let cost = state.outline.cost
        for move in state.outline.moves where move.outline.cost < cost {
            if isStopped { return false }
            guard let seed = shows(move.outline, Self.seeds(from: state.seed, count: Self.seedsMax)) else { continue }
            keep(move.outline, seed, move.words, &state)
            return true
        }
        return false
    }

    private func keep(_ outline: ScenarioOutline, _ seed: UInt64, _ words: String, _ state: inout State) {
        state.outline = outline
        state.seed = seed
        state.moves.append(words)
        onMove(words)
    }

    /// The present one first, then the small ones.
    private static func seeds(from seed: UInt64, count: Int) -> [UInt64] {
        [seed] + (1...UInt64(count)).filter { $0 != seed }
    }

    /// The first of the seeds with which the rule is broken.
    private func shows(_ outline: ScenarioOutline, _ seeds: [UInt64]) -> UInt64? {
        // Without its client a scenario would be another client's; and where its catalog lies is not for us to shorten.
        guard outline["client"] == client, outline["store"]?["catalog"] == task.outline["store"]?["catalog"],
            let scenario = task.read(outline.text)
        else { return nil }
        // The first alone: mostly it is enough.
        if attempt(scenario, seeds[0]) { return seeds[0] }
        let rest = Array(seeds.dropFirst())
        let best = Atomic<Int>(rest.count)
        DispatchQueue.concurrentPerform(iterations: task.workers) { worker in
            var place = worker
            while place < best.load(ordering: .relaxed), !isStopped {
                if attempt(scenario, rest[place]) { best.min(place, ordering: .relaxed) }
                place += task.workers
            }
        }
        let found = best.load(ordering: .relaxed)
        return found < rest.count ? rest[found] : nil
    }

    private func attempt(_ scenario: Scenario, _ seed: UInt64) -> Bool {
        lock.withLock { attemptCount += 1 }
        var scenario = scenario
        scenario.seed = seed
        return probe.shows(scenario, scenario.client.options)
    }

    // MARK: The result

    private func result(_ state: State) -> Shrunk {
        var outline = state.outline
        outline["seed"] = .scalar("\(state.seed)")
        let scenario = task.read(outline.text)
        return Shrunk(
            text: outline.text, seed: state.seed, users: scenario?.population.users ?? 0,
            steps: scenario?.journeys.reduce(0) { $0 + $1.steps.reduce(0) { $0 + $1.count } } ?? 0, moves: state.moves,
            attempts: attempts, isMinimal: !isStopped)
    }
}

extension Step {
    /// Itself and the steps in it.
    fileprivate var count: Int {
        switch kind {
        case .repeated(_, let steps), .together(let steps), .onOtherDevice(let steps):
            return steps.reduce(1) { $0 + $1.count }
        case .choose(let branches): return branches.reduce(1) { $0 + $1.steps.reduce(0) { $0 + $1.count } }
        default: return 1
        }
    }
}
