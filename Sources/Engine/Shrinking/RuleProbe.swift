// Does a scenario break a rule? Answered as soon as one user did.
// Confined to the worker that made it.

import ClientKit
import Judgement
import Scenario
import Simulation

/// Runs small scenarios, and looks for one rule only.
struct RuleProbe {
    let rule: AuditRule
    /// A breach counts that is as grave, or graver.
    var severity = Severity.info
    /// What the app must have done to break it; nil: anything.
    var conduct: Conduct?
    let client: any StoreClient.Type
    var updates: [any StoreClient.Type] = []
    var storeDefects: Set<StoreDefect> = []
    /// Asked after each event. Any thread.
    let isStopped: () -> Bool

    /// Runs this scenario until a user breaks the rule, under the virtual clock, whatever the scenario says.
    ///
    /// - Parameter eventsMax: the run is given up after so many events.
    /// - Returns: how many events it took; nil if the rule is not broken, or not as soon.
    func eventsUntilShown(_ scenario: Scenario, _ options: [String: String], eventsMax: Int) -> Int? {
        let judge = ProbeJudge(self)
        let series = CellSeries(
            scenario, client: client, clientOptions: options, updates: updates, storeDefects: storeDefects)
        let outcome = series.run(judge, eventsMax: eventsMax) { [isStopped] in judge.isFound || isStopped() }
        return judge.isFound && outcome.events <= eventsMax ? outcome.events : nil
    }
}

private final class ProbeJudge: SeriesJudge {
    private let probe: RuleProbe
    private(set) var isFound = false
    private var auditor = Auditor()

    init(_ probe: RuleProbe) { self.probe = probe }

    func absorb(_ record: UserRecord) {
        // A run with a journey that never ends is not judged, and the longest of all to try.
        if record.totals.isSpinning { return }
        for input in record.devices.map(\.input) where !isFound {
            let findings = auditor.audit(input)
            // What a broken simulation shows is no evidence against a client.
            guard findings.faults.isEmpty else { continue }
            isFound = findings.violations.contains(where: isMeant)
        }
    }

    func absorb(hang input: AuditInput) {
        if auditor.auditDeaths(input).contains(where: isMeant) { isFound = true }
    }

    private func isMeant(_ violation: Violation) -> Bool {
        guard violation.rule == probe.rule, violation.severity >= probe.severity else { return false }
        return probe.conduct.map { $0 == auditor.story.conduct(violation) } ?? true
    }

    func cellEnded(_ summary: CellSummary) {}
}
