// Trials of one journey beside each other.
// Confined to the caller; workers share nothing.

import Files
import Hosting
import Judgement
import Scenario
import Simulation

/// Each worker with memory of its own.
struct TrialWorkers {
    private let options: RunOptions
    private let window: Span
    private let board: SweepBoard
    private let share: TrialShare
    /// By its place in the scenario.
    private let journey: Int

    init(_ options: RunOptions, window: Span, board: SweepBoard, share: TrialShare = .all, journey: Int = 0) {
        (self.options, self.window, self.board) = (options, window, board)
        (self.share, self.journey) = (share, journey)
    }

    /// The outcomes in the order of the trials; nil for those that were not tried any more.
    func run(_ trials: [TrialCase], keepsPlaces: Bool) throws(WorkerDeath) -> [TrialOutcome?] {
        try run(count: trials.count, keepsPlaces: keepsPlaces) {
            .given(trials[$0])
        } name: {
            "trial " + trials[$0].text
        } body: { bench, place in
            bench.run(trials[place])
        }
    }

    func run(
        count: Int, keepsPlaces: Bool = false, key: (Int) -> TrialRecord.Trial,
        name: @escaping @Sendable (Int) -> String, body: @escaping @Sendable (TrialBench, Int) -> TrialOutcome
    ) throws(WorkerDeath) -> [TrialOutcome?] {
        board.plan(count)
        if case .recorded(let record) = share { return (0..<count).map { record[journey, key($0)] } }
        var outcomes: [TrialOutcome?] = Array(repeating: nil, count: count)
        try workforce(options.workers, name: name) { bench, place in
            var outcome = body(bench, place)
            if !keepsPlaces { outcome.forgetPlaces() }
            return outcome
        }.run(count, until: { [board] in board.stop.isMade }) { place, outcome in
            outcomes[place] = outcome
            board.done(isFailing: !outcome.rules.isEmpty)
        }
        if case .part(_, let record) = share {
            for (place, outcome) in outcomes.enumerated() { if let outcome { record[journey, key(place)] = outcome } }
        }
        return outcomes
    }

    /// One trial with its whole story, whether the sweep is to stop or not. Nil: it did not come to its end in time then.
    func tell(_ trial: TrialCase) throws(WorkerDeath) -> TrialOutcome? {
        var told: TrialOutcome?
        try workforce(1) { _ in
            trial.mishaps.isEmpty ? "the undisturbed journey" : "trial " + trial.text
        } body: { bench, _ in
            bench.run(trial, tells: true)
        }.run(1, until: { [board] in board.stop.isOverdue }) { told = $1 }
        return told
    }

    private func workforce(
        _ count: Int, name: @escaping @Sendable (Int) -> String,
        body: @escaping @Sendable (TrialBench, Int) -> TrialOutcome
    ) -> Workforce<TrialOutcome> {
        let catalog = options.scenario.store.catalog
        let conditions = options.scenario.app
        return Workforce(count: count, housing: options.housing, conditions: conditions, name: name) {
            [options, window] _ in
            let bench = TrialBench(options, window: window)
            return { body(bench, $0) }
        } pack: { outcome, packer in
            packer.put(outcome)
        } unpack: { unpacker throws(TornValue) in
            try TrialOutcome(&unpacker, catalog)
        }
    }
}
