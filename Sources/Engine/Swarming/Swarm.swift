// Scenarios drawn by chance and run in parallel: their findings are distinguished, counted, and shrunk.
// Blocks the calling thread; scenarios run beside each other.

import ClientKit
import Foundation
package import Hosting
import Judgement
import Scenario
import Simulation
import Statics

package final class Swarm: Sendable {
    private let plan: SwarmPlan
    package let board = SwarmBoard()

    package init(_ plan: SwarmPlan) { self.plan = plan }

    /// The same result for the same plan, whatever the number of workers, unless it is ended by time or by a stop.
    ///
    /// - Parameter drawn: what all parts of it have found; nil: they are drawn here.
    package func perform(drawn: SwarmLedger? = nil) throws(WorkerDeath) -> SwarmResult {
        try exchanging { () throws(WorkerDeath) -> SwarmResult in try search(drawn) }
    }

    /// Draws a part of the scenarios, and no more.
    package func draw(_ shard: Shard) throws(WorkerDeath) -> SwarmLedger {
        try exchanging { () throws(WorkerDeath) -> SwarmLedger in
            let ledger = SwarmLedger()
            try draw(shard.share(of: plan.runs), into: ledger)
            return ledger
        }
    }

    private func exchanging<Result>(_ body: () throws(WorkerDeath) -> Result) throws(WorkerDeath) -> Result {
        try DeviceData.exchanging(oneAtATime: plan.housing.isOneDeviceAtATime(plan.workers), body)
    }

    private func search(_ drawn: SwarmLedger?) throws(WorkerDeath) -> SwarmResult {
        var result = SwarmResult()
        result.kept = try tryKept()
        let ledger = drawn ?? SwarmLedger()
        if drawn == nil { try draw(0..<plan.runs, into: ledger) }
        result.seconds = board.stageSeconds
        result.scenarios = ledger.scenarios
        result.unjudged = ledger.unjudged
        result.faults = ledger.faults.map {
            SwarmFault(number: $0.number, fault: $0.fault, text: text(of: $0.number))
        }
        for place in result.kept.indices {
            result.kept[place].scenarios = ledger.groups[result.kept[place].conduct]?.scenarios ?? 0
        }
        // What a kept scenario shows no more, another may: that is news.
        let shown = Set(result.kept.filter { $0.evidence != nil }.map(\.conduct))
        result.findings = try shrink(ledger.sorted.filter { !shown.contains($0.conduct) })
        result.stopCause = board.stop.cause
        return result
    }

    /// Runs a whole scenario under the virtual clock. Nil if it was stopped before its end.
    private func run(_ scenario: Scenario) throws(WorkerDeath) -> SwarmOutcome? {
        var outcome: SwarmOutcome?
        try SwarmWorkers(plan).run([scenario], until: { [board] in board.stop.isMade }) { outcome = $1 }
        return outcome
    }

    private func text(of number: Int) -> String {
        Self.named(plan.drawing.outline(seed: plan.seed, number: number), client: plan).text
    }

    // MARK: What was found before

    private func tryKept() throws(WorkerDeath) -> [SwarmKept] {
        board.begin(.trying, planned: plan.kept.count)
        var tried: [SwarmKept] = []
        for kept in plan.kept {
            defer { board.done() }
            switch plan.read(kept.text) {
            case .failure(let problem):
                tried.append(
                    SwarmKept(
                        conduct: kept.conduct, evidence: nil, users: 0, steps: 0,
                        problem: .unreadable(problem: problem.message)))
            case .success(let scenario):
                guard let outcome = try run(scenario) else { return tried }
                let found = outcome.found.first { $0.conduct == kept.conduct }
                tried.append(
                    SwarmKept(
                        conduct: kept.conduct, evidence: found?.evidence, users: scenario.population.users,
                        steps: scenario.stepCount, problem: outcome.faults.first))
            }
            board.found(tried.count { $0.evidence != nil })
        }
        return tried
    }

    // MARK: Drawing

    private func draw(_ numbers: Range<Int>, into ledger: SwarmLedger) throws(WorkerDeath) {
        board.begin(.drawing, planned: numbers.count, seconds: plan.seconds)
        let alreadyThere = board.snapshot.findings
        try SwarmWorkers(plan).draw(
            numbers, until: { [board] in board.stop.isMade }, isEnough: { [board] in board.isStageOver }
        ) {
            [board] number, drawn in
            switch drawn {
            case .unreadable(let problem): ledger.add(number, .unreadable(problem: problem))
            case .run(let outcome): ledger.add(number, outcome)
            }
            board.done()
            board.found(alreadyThere + ledger.groupCount)
        }
    }

    // MARK: Shrinking

    private func shrink(_ groups: [SwarmLedger.Group]) throws(WorkerDeath) -> [SwarmFinding] {
        board.begin(.shrinking, planned: groups.count)
        var findings: [SwarmFinding] = []
        for group in groups {
            findings.append(try finding(group))
            board.done()
        }
        return findings
    }

    private func finding(_ group: SwarmLedger.Group) throws(WorkerDeath) -> SwarmFinding {
        let outline = plan.drawing.outline(seed: plan.seed, number: group.first)
        let whole = try? plan.read(outline.text).get()
        var shrunk: Shrunk?
        if let whole, plan.shrinks, !board.stop.isMade { shrunk = try shrink(group.conduct, outline, whole) }
        var evidence: Evidence?
        if let shrunk { evidence = try self.evidence(of: group.conduct, shrunk.text) }
        return SwarmFinding(
            conduct: group.conduct, scenarios: group.scenarios, first: group.first,
            evidence: evidence ?? group.evidence, text: shrunk?.text ?? Self.named(outline, client: plan).text,
            users: shrunk?.users ?? whole?.population.users ?? 0, steps: shrunk?.steps ?? whole?.stepCount ?? 0,
            isMinimal: shrunk?.isMinimal ?? false)
    }

    /// As the scenario that is kept shows it.
    private func evidence(of conduct: Conduct, _ text: String) throws(WorkerDeath) -> Evidence? {
        guard let scenario = try? plan.read(text).get(), let outcome = try run(scenario) else { return nil }
        return outcome.found.first { $0.conduct == conduct }?.evidence
    }

    /// Fewer than for one finding alone: a swarm has many.
    private static let seedsMax = 12

    private func shrink(
        _ conduct: Conduct, _ outline: ScenarioOutline, _ scenario: Scenario
    ) throws(WorkerDeath) -> Shrunk? {
        var task = ShrinkTask(
            rule: conduct.rule, conduct: conduct, client: plan.client, clientOptions: plan.clientOptions,
            storeDefects: plan.storeDefects, seed: scenario.seed, population: scenario.population.users,
            outline: outline, workers: plan.workers, seedsMax: Self.seedsMax,
            read: { [read = plan.read] in try? read($0).get() })
        (task.severity, task.housing, task.updates) = (.error, plan.housing, plan.updates)
        return try Shrinker(task, isStopped: { [board] in board.stop.isMade }).perform()
    }

    /// The scenario as it was drawn, for this client.
    private static func named(_ outline: ScenarioOutline, client plan: SwarmPlan) -> ScenarioOutline {
        var outline = outline
        outline["client"] = .client(plan.client.name, options: plan.clientOptions)
        return outline
    }
}
