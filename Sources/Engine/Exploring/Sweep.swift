// Everything that can go wrong at one place, and at two, tried out: every crash, every lost message.
// Blocks the calling thread; trials run beside each other.

import Foundation
package import Hosting
package import Judgement
import Scenario
package import Simulation
import Statics

/// What a sweep is to try.
package struct SweepPlan: Sendable {
    package var options: RunOptions
    /// Mishaps in one trial, at most.
    package var depth: Int
    /// Trials of other orders of events for each journey; 0: none.
    package var interleavings: Int
    /// Events due within this of each other may change places.
    package var window: Span
    /// Journeys by index; all that the load begins where nil.
    package var journeys: [Int]?

    package init(
        options: RunOptions, depth: Int = 1, interleavings: Int = 0, window: Span = .zero, journeys: [Int]? = nil
    ) {
        precondition(depth >= 0 && interleavings >= 0, "depth \(depth), \(interleavings) interleavings")
        self.options = options
        self.depth = depth
        self.interleavings = interleavings
        self.window = window
        self.journeys = journeys
    }
}

/// How far a sweep has come, and whether it shall stop. Any thread.
package final class SweepBoard: @unchecked Sendable {  // Guard: `lock`.
    package struct Snapshot: Sendable {
        package var done = 0
        package var planned = 0
        package var failing = 0
    }

    private let lock = NSLock()
    private var state = Snapshot()
    package let stop = StopRequest()

    package init() {}

    package var snapshot: Snapshot { lock.withLock { state } }

    func plan(_ count: Int) { lock.withLock { state.planned += count } }

    func done(isFailing: Bool) {
        lock.withLock {
            state.done += 1
            if isFailing { state.failing += 1 }
        }
    }
}

/// What a sweep found in one journey.
package struct JourneySweep: Sendable {
    package let journey: String
    /// The journey as it goes when nothing goes wrong.
    package let undisturbed: TrialOutcome
    /// A mishap each, in the order of their places.
    package fileprivate(set) var singles: [Single] = []
    /// Trials with more than one mishap, by how many.
    package fileprivate(set) var deeper: [Deeper] = []
    package fileprivate(set) var interleavings: Interleavings?
    package fileprivate(set) var planned = 1
    package fileprivate(set) var done = 1
    /// For each rule broken, the shortest story that shows it; in the order of the rule book.
    package fileprivate(set) var stories: [Story] = []
    /// Trials that show something wrong with the harness: an invariant broke, or a journey did not come to its end.
    package fileprivate(set) var faults: [Fault] = []

    package struct Single: Sendable {
        package let mishap: Mishap
        package let rules: [AuditRule]
    }

    package struct Deeper: Encodable, Sendable, Equatable {
        package let mishaps: Int
        package let planned: Int
        package let done: Int
        package let failing: Int
    }

    package struct Interleavings: Encodable, Sendable, Equatable {
        package internal(set) var done = 0
        package internal(set) var failing = 0
        /// Whether there is no other order.
        package internal(set) var isExhaustive = true
        /// The most places in one trial where another event could have come next.
        package internal(set) var choicesMax = 0
    }

    package struct Story: Sendable {
        package let rule: AuditRule
        /// How many trials broke the rule.
        package let trials: Int
        package let trial: TrialCase
        /// Nil: the trial did not break it again.
        package let evidence: Evidence?
    }

    package struct Fault: Sendable {
        package let trial: TrialCase
        package let fault: RunFault
    }
}

package struct Sweep: Sendable {
    package let plan: SweepPlan
    package let board = SweepBoard()

    package init(_ plan: SweepPlan) { self.plan = plan }

    /// Sweeps journey after journey; what is left when the board's stop is asked for is not tried.
    ///
    /// - Parameter share: which trials are done here.
    package func perform(_ share: TrialShare = .all) throws(WorkerDeath) -> [JourneySweep] {
        try exchanging { () throws(WorkerDeath) -> [JourneySweep] in
            var sweeps: [JourneySweep] = []
            for (place, journey) in (plan.journeys ?? plan.options.scenario.journeysInUse).enumerated() {
                if let swept = try sweep(journey: journey, place: place, share) { sweeps.append(swept) }
            }
            return sweeps
        }
    }

    /// One trial again, with its whole story. Nil: the board's stop was asked for.
    package func tell(_ trial: TrialCase, journey: Int) throws(WorkerDeath) -> TrialOutcome? {
        try exchanging { () throws(WorkerDeath) -> TrialOutcome? in
            try TrialWorkers(options(for: journey), window: plan.window, board: board).tell(trial)
        }
    }

    private func exchanging<Result>(_ body: () throws(WorkerDeath) -> Result) throws(WorkerDeath) -> Result {
        try DeviceData.exchanging(
            oneAtATime: plan.options.housing.isOneDeviceAtATime(plan.options.workers), body)
    }

    private func options(for journey: Int) -> RunOptions {
        var options = plan.options
        options.scenario = options.scenario.alone(journey: journey)
        return options
    }

    /// Nil if even the undisturbed journey did not come to its end before the stop.
    ///
    /// - Parameter place: of the journey among those that are swept.
    private func sweep(journey: Int, place: Int, _ share: TrialShare) throws(WorkerDeath) -> JourneySweep? {
        let workers = TrialWorkers(
            options(for: journey), window: plan.window, board: board, share: share, journey: journey)
        board.plan(1)
        guard let base = try workers.tell(TrialCase()) else { return nil }
        board.done(isFailing: !base.rules.isEmpty)
        var found = FoundInTrials()
        found.note(TrialCase(), base)
        var sweep = JourneySweep(journey: plan.options.scenario.journeys[journey].name, undisturbed: base)

        var generation: [TrialCase] = plan.depth > 0 ? Self.next(after: TrialCase(), base) : []
        // What follows from a trial is done with it.
        if let shard = share.shard { generation = Array(generation[shard.share(of: generation.count)]) }
        for depth in 1...max(1, plan.depth) where !generation.isEmpty {
            sweep.planned += generation.count
            let results = try workers.run(generation, keepsPlaces: depth < plan.depth)
            sweep.done += results.count { $0 != nil }
            var next: [TrialCase] = []
            var failing = 0
            for (trial, result) in zip(generation, results) {
                guard let result else { continue }
                found.note(trial, result)
                if !result.rules.isEmpty { failing += 1 }
                if depth == 1 { sweep.singles.append(.init(mishap: trial.mishaps[0], rules: result.rules)) }
                if depth < plan.depth { next += Self.next(after: trial, result) }
            }
            if depth > 1 {
                sweep.deeper.append(
                    .init(
                        mishaps: depth, planned: generation.count, done: results.count { $0 != nil }, failing: failing))
            }
            generation = next
        }
        // Which orders are left depends on what came of those before: one part has them all.
        let isOwn = share.shard.map { place % $0.count == $0.index - 1 } ?? true
        if plan.interleavings > 0, isOwn { try interleave(&sweep, workers, &found) }
        sweep.faults = found.faults
        if share.shard == nil { sweep.stories = try stories(found, journey: journey) }
        return sweep
    }

    private func interleave(
        _ sweep: inout JourneySweep, _ workers: TrialWorkers, _ found: inout FoundInTrials
    ) throws(WorkerDeath) {
        var search = InterleavingSearch(limit: plan.interleavings, seed: plan.options.scenario.seed)
        try search.perform(workers) { found.note($0, $1) }
        sweep.interleavings = search.found
        sweep.planned += search.planned
        sweep.done += search.found.done
    }

    /// All trials that add one mishap after the mishaps of `trial`.
    private static func next(after trial: TrialCase, _ outcome: TrialOutcome) -> [TrialCase] {
        // What comes before the last mishap is as it was, and is tried in a trial of its own.
        let last = trial.mishaps.last.flatMap { mishap in outcome.places.lastIndex { $0.allows(mishap) } } ?? -1
        return outcome.places.dropFirst(last + 1).flatMap { place in
            place.mishaps.map { TrialCase(mishaps: trial.mishaps + [$0]) }
        }
    }

    private func stories(_ found: FoundInTrials, journey: Int) throws(WorkerDeath) -> [JourneySweep.Story] {
        var stories: [JourneySweep.Story] = []
        for rule in AuditRule.allCases {
            guard let shown = found.byRule[rule] else { continue }
            let told = try tell(shown.shortest, journey: journey)
            let finding = told?.findings.first { $0.violation.rule == rule }
            stories.append(.init(rule: rule, trials: shown.count, trial: shown.shortest, evidence: finding))
        }
        return stories
    }
}

/// What trials showed, so far: order of trials decides nothing but between equals.
private struct FoundInTrials {
    struct Shown {
        var count: Int
        var shortest: TrialCase
        var length: Int
    }

    private(set) var byRule: [AuditRule: Shown] = [:]
    private(set) var faults: [JourneySweep.Fault] = []
    private static let faultsKept = 10

    mutating func note(_ trial: TrialCase, _ outcome: TrialOutcome) {
        if faults.count < Self.faultsKept, let fault = outcome.fault(trial) {
            faults.append(.init(trial: trial, fault: fault))
        }
        for rule in outcome.rules {
            guard var shown = byRule[rule] else {
                byRule[rule] = Shown(count: 1, shortest: trial, length: outcome.length)
                continue
            }
            shown.count += 1
            if (trial.mishaps.count, outcome.length) < (shown.shortest.mishaps.count, shown.length) {
                shown.shortest = trial
                shown.length = outcome.length
            }
            byRule[rule] = shown
        }
    }
}

extension TrialOutcome {
    /// What it says against the harness; nil if nothing.
    fileprivate func fault(_ trial: TrialCase) -> RunFault? {
        if let first = faults.first { return first }
        if !isJudged { return .standstill }
        if let missed = trial.mishaps.first(where: { !happened.contains($0) }) { return .strayed(missed) }
        return nil
    }
}
