// What one scenario of a swarm shows.
// Confined to the worker that made it; what it returns is a value.

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
        /// Nil for what its worker has shown before.
        var evidence: Evidence?
    }

    func shows(_ conduct: Conduct) -> Bool { found.contains { $0.conduct == conduct } }
}

final class SwarmJudge: SeriesJudge {
    private(set) var outcome = SwarmOutcome()
    private var auditor = Auditor()

    func absorb(_ record: UserRecord) {
        for input in record.devices.map(\.input) {
            let findings = auditor.audit(input)
            outcome.faults += findings.faults.map(RunFault.broken)
            keep(findings.violations.filter(\.severity.isViolation))
        }
        if record.totals.isSpinning { outcome.isUnjudged = true }
    }

    func absorb(hang input: AuditInput) { keep(auditor.auditDeaths(input)) }

    private func keep(_ violations: [Violation]) {
        for violation in violations {
            let conduct = auditor.story.conduct(violation)
            if outcome.shows(conduct) { continue }
            outcome.found.append(.init(conduct: conduct, evidence: Evidence(violation, auditor.story)))
        }
    }

    func cellEnded(_ summary: CellSummary) {}

    /// What is left to say once all cells have ended.
    func ended(_ series: CellSeries.Outcome) {
        outcome.faults += series.stuck.map { .stuck(cell: $0) }
        if !series.endless.isEmpty || !series.hung.isEmpty { outcome.isUnjudged = true }
    }
}
