// One scenario under the virtual clock, run for what it shows and nothing else.
// Confined to the worker that made it; what it returns is a value.

import Audit
import Clients
import Scenario
import Simulation

/// What a scenario showed.
struct SwarmOutcome {
    /// Each conduct once, in the order in which it was come upon.
    var found: [Found] = []
    /// What it says against the harness.
    var faults: [String] = []
    /// Not everybody came to an end that could be judged, for a reason that lies in the scenario.
    var isUnjudged = false

    struct Found {
        let conduct: Conduct
        let sentence: String
    }

    func shows(_ conduct: Conduct) -> Bool { found.contains { $0.conduct == conduct } }
}

/// Runs whole scenarios, one after the other.
struct SwarmBench {
    let client: any StoreClient.Type
    let clientOptions: [String: String]
    let storeDefects: Set<StoreDefect>
    /// Asked after every event.
    let isStopped: () -> Bool

    /// Nil if it was stopped before its end.
    func run(_ scenario: Scenario) -> SwarmOutcome? {
        var scenario = scenario
        scenario.clock = .virtual
        var options = RunOptions(scenario: scenario, client: client, clientOptions: clientOptions, workers: 1)
        options.storeDefects = storeDefects
        let plan = CellPlan(scenario)
        let material = Material(options)
        let judge = SwarmJudge()
        for cell in 0..<plan.cellCount {
            let clock = scenario.virtualClock(cell: cell)
            let part = Cell(
                index: cell, options: options, plan: plan, material: material, judge: judge, judgeLane: clock,
                storeLane: clock, makeLanes: { Array(repeating: clock, count: $0) })
            var isDone = false
            var events = 0
            part.onDone = { isDone = true }
            part.start()
            let ended = clock.run(until: {
                events &+= 1
                return isDone || events & 0xfff == 0 && isStopped()
            })
            clock.dropEvents()
            if !isDone, isStopped() { return nil }
            if clock.hasReachedLimit {
                judge.outcome.isUnjudged = true
            } else if !ended || !isDone {
                judge.outcome.faults.append("users waited for ever in cell \(cell)")
            }
        }
        return judge.outcome
    }
}

private final class SwarmJudge: Judge {
    var outcome = SwarmOutcome()
    private var auditor = Auditor()

    func absorb(_ record: UserRecord, _ statement: AccountStatement, cell: Cell) {
        for input in auditInputs(record, statement, cell: cell) {
            let findings = auditor.audit(input)
            outcome.faults += findings.faults.map(\.sentence)
            let violations = findings.violations.filter(\.rule.isViolation)
            if violations.isEmpty { continue }
            let narrator = Narrator(input)
            for violation in violations {
                let conduct = narrator.conduct(violation)
                if outcome.shows(conduct) { continue }
                outcome.found.append(.init(conduct: conduct, sentence: narrator.sentence(violation)))
            }
        }
        if record.totals.isSpinning { outcome.isUnjudged = true }
    }

    func cellEnded(_ summary: CellSummary) {}
}
