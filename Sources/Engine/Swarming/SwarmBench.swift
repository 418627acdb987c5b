// One scenario under the virtual clock, run for what it shows and nothing else.
// Confined to the worker that made it; what it returns is a value.

import ClientKit
import Judgement
import Scenario
import Simulation

/// What a scenario showed.
struct SwarmOutcome {
    /// Each conduct once, in the order in which it was come upon.
    var found: [Found] = []
    /// What it says against the harness.
    var faults: [RunFault] = []
    /// Not everybody came to an end that could be judged, for a reason that lies in the scenario.
    var isUnjudged = false

    struct Found {
        let conduct: Conduct
        let evidence: Evidence
    }

    func shows(_ conduct: Conduct) -> Bool { found.contains { $0.conduct == conduct } }
}

/// Runs whole scenarios, one after the other.
struct SwarmBench {
    let client: any StoreClient.Type
    let clientOptions: [String: String]
    let storeDefects: Set<StoreDefect>
    /// Asked after each event.
    let isStopped: () -> Bool

    /// Nil if it was stopped before its end.
    func run(_ scenario: Scenario) -> SwarmOutcome? {
        let series = CellSeries(
            scenario, client: client, clientOptions: clientOptions, storeDefects: storeDefects)
        let judge = SwarmJudge()
        let ended = series.run(judge, until: isStopped)
        guard ended.isWhole else { return nil }
        judge.outcome.faults += ended.stuck.map { .stuck(cell: $0) }
        if !ended.endless.isEmpty { judge.outcome.isUnjudged = true }
        return judge.outcome
    }
}

private final class SwarmJudge: UserJudge {
    var outcome = SwarmOutcome()
    private var auditor = Auditor()

    func absorb(_ record: UserRecord) {
        for input in record.devices.map(\.input) {
            let findings = auditor.audit(input)
            outcome.faults += findings.faults.map(RunFault.broken)
            for violation in findings.violations where violation.rule.isViolation {
                let conduct = auditor.story.conduct(violation)
                if outcome.shows(conduct) { continue }
                outcome.found.append(.init(conduct: conduct, evidence: Evidence(violation, auditor.story)))
            }
        }
        if record.totals.isSpinning { outcome.isUnjudged = true }
    }

    func cellEnded(_ summary: CellSummary) {}
}
