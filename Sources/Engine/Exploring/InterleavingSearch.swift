// Other orders of the same events: all of them where there are few, chosen ones where there are many.
// Confined to the caller; trials run beside each other.

import Hosting
import Judgement
import Simulation

/// Tries the orders of events of one journey.
///
/// Orders that differ from the natural one in fewer places come first. Where the limit does not allow for all of them,
/// the last third of the trials takes every choice by chance, so that far-off orders have a chance too.
struct InterleavingSearch {
    let limit: Int
    let seed: UInt64
    private(set) var planned = 0
    private(set) var found = JourneySweep.Interleavings()

    /// Trials in one go: large enough to keep the workers busy, small enough to stop soon.
    private static let batch = 512

    mutating func perform(
        _ workers: TrialWorkers, _ note: (TrialCase, TrialOutcome) -> Void
    ) throws(WorkerDeath) {
        var frontier: [[Int]] = [[]]
        let systematic = limit - limit / 3
        while !frontier.isEmpty {
            // Beyond the first part the limit holds only if there are more orders than it allows.
            let allowed = (frontier.count + found.done <= limit ? limit : systematic) - found.done
            if allowed <= 0 {
                found.isExhaustive = false
                break
            }
            let orders = Array(frontier.prefix(min(allowed, Self.batch)))
            frontier.removeFirst(orders.count)
            let trials = orders.map { TrialCase(order: $0) }
            planned += trials.count
            for (trial, outcome) in zip(trials, try workers.run(trials, keepsPlaces: false)) {
                guard let outcome, let order = trial.order else {
                    found.isExhaustive = false
                    continue
                }
                take(trial, outcome, note)
                // One more than can be tried is enough to know that there are more.
                if frontier.count > limit { continue }
                frontier += Self.alternatives(to: outcome.choices, from: order.count)
            }
            if found.done < planned { return }
        }
        if !found.isExhaustive { try byChance(workers, note) }
    }

    private mutating func byChance(
        _ workers: TrialWorkers, _ note: (TrialCase, TrialOutcome) -> Void
    ) throws(WorkerDeath) {
        let count = limit - found.done
        planned += count
        let outcomes = try workers.run(count: count) {
            .byChance($0)
        } name: {
            "the trial by chance of number \($0)"
        } body: { [seed] bench, place in
            bench.run([], chance: RandomStream(seed: seed, user: place, purpose: .order))
        }
        for case let outcome? in outcomes {
            // Told by its choices, a trial by chance can be repeated like any other.
            take(TrialCase(order: outcome.choices.map(\.taken)), outcome, note)
        }
    }

    private mutating func take(
        _ trial: TrialCase, _ outcome: TrialOutcome, _ note: (TrialCase, TrialOutcome) -> Void
    ) {
        found.done += 1
        if !outcome.rules.isEmpty { found.failing += 1 }
        found.choicesMax = max(found.choicesMax, outcome.choices.count)
        note(trial, outcome)
    }

    /// Every order that differs from this one first at a place from `start` on: each order comes up exactly once.
    private static func alternatives(to choices: [EventOrders.Choice], from start: Int) -> [[Int]] {
        let taken = choices.map(\.taken)
        return choices.indices.dropFirst(start).flatMap { place in
            (0..<choices[place].count).filter { $0 != taken[place] }.map { Array(taken[..<place]) + [$0] }
        }
    }
}
