// Does a scenario break a rule? Answered as soon as one user did.
// Confined to the worker that made it.

import Audit
import Clients
import Scenario
import Simulation

/// Runs small scenarios, and looks for one rule only.
struct RuleProbe {
    let rule: AuditRule
    let client: any StoreClient.Type

    /// Whether any user of this scenario breaks the rule. Under the virtual clock, whatever the scenario says.
    func shows(_ scenario: Scenario, _ options: [String: String]) -> Bool {
        var scenario = scenario
        scenario.clock = .virtual
        let runOptions = RunOptions(scenario: scenario, client: client, clientOptions: options, workers: 1)
        let plan = CellPlan(scenario)
        let material = Material(runOptions)
        for cell in 0..<plan.cellCount {
            let judge = ProbeJudge(rule)
            if let exploration = scenario.exploration {
                let chance = RandomStream(seed: scenario.seed, user: cell, purpose: .order)
                let timeline = ExploredTimeline(EventOrders(chance: chance), window: exploration.window)
                run(cell, runOptions, plan, material, judge, on: timeline) { timeline.run(until: $0) }
            } else {
                let timeline = VirtualTimeline()
                run(cell, runOptions, plan, material, judge, on: timeline) { timeline.run(until: $0) }
            }
            if judge.isFound { return true }
        }
        return false
    }

    private func run(
        _ index: Int, _ options: RunOptions, _ plan: CellPlan, _ material: Material, _ judge: ProbeJudge,
        on lane: Lane, _ run: (() -> Bool) -> Bool
    ) {
        let cell = Cell(
            index: index, options: options, plan: plan, material: material, judge: judge, judgeLane: lane,
            storeLane: lane, makeLanes: { Array(repeating: lane, count: $0) })
        var isDone = false
        cell.onDone = { isDone = true }
        cell.start()
        _ = run { isDone || judge.isFound }
    }
}

private final class ProbeJudge: Judge {
    private let rule: AuditRule
    private(set) var isFound = false
    private var auditor = Auditor()

    init(_ rule: AuditRule) { self.rule = rule }

    func absorb(_ record: UserRecord, _ statement: AccountStatement, cell: Cell) {
        for input in auditInputs(record, statement, cell: cell) where !isFound {
            let findings = auditor.audit(input)
            // What a broken simulation shows is no evidence against a client.
            isFound = findings.faults.isEmpty && findings.violations.contains { $0.rule == rule }
        }
    }

    func cellEnded(_ cell: Cell, droppedIterations: Int) {}
}
