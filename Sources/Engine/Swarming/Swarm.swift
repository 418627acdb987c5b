// Scenarios drawn by chance, run beside each other: what they show is told apart, counted, and made small.
// Blocks the calling thread; scenarios run beside each other on Dispatch.

import ClientKit
import Dispatch
import Foundation
import Judgement
import Scenario
import Simulation
import Synchronization

package final class Swarm: Sendable {
    private let plan: SwarmPlan
    package let board = SwarmBoard()

    package init(_ plan: SwarmPlan) { self.plan = plan }

    /// The same result for the same plan, whatever the number of workers, unless it is ended by time or by a stop.
    package func perform() -> SwarmResult {
        var result = SwarmResult()
        result.kept = tryKept()
        let ledger = SwarmLedger()
        draw(into: ledger)
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
        result.findings = shrink(ledger.sorted.filter { !shown.contains($0.conduct) })
        result.wasStopped = board.isStopRequested
        return result
    }

    /// Runs a whole scenario under the virtual clock. Nil if it was stopped before its end.
    private func run(_ scenario: Scenario) -> SwarmOutcome? {
        let series = CellSeries(
            scenario, client: plan.client, clientOptions: plan.clientOptions, storeDefects: plan.storeDefects)
        let judge = SwarmJudge()
        let ended = series.run(judge) { [board] in board.isStopRequested }
        guard ended.isWhole else { return nil }
        judge.ended(ended)
        return judge.outcome
    }

    private func text(of number: Int) -> String { plan.drawing.outline(seed: plan.seed, number: number).text }

    // MARK: What was found before

    private func tryKept() -> [SwarmKept] {
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
                guard let outcome = run(scenario) else { return tried }
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

    private func draw(into ledger: SwarmLedger) {
        board.begin(.drawing, planned: plan.runs, seconds: plan.seconds)
        let alreadyThere = board.snapshot.findings
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: plan.workers) { _ in
            while !board.isStageOver {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < plan.runs else { return }
                switch plan.read(text(of: number)) {
                case .failure(let problem):
                    ledger.add(number, .unreadable(problem: problem.message))
                case .success(let scenario):
                    guard let outcome = run(scenario) else { return }
                    ledger.add(number, outcome)
                }
                board.done()
                board.found(alreadyThere + ledger.groupCount)
            }
        }
    }

    // MARK: Shrinking

    private func shrink(_ groups: [SwarmLedger.Group]) -> [SwarmFinding] {
        board.begin(.shrinking, planned: groups.count)
        return groups.map { group in
            defer { board.done() }
            let outline = plan.drawing.outline(seed: plan.seed, number: group.first)
            let whole = try? plan.read(outline.text).get()
            let isWhole = board.isStopRequested || !plan.shrinks
            let shrunk = isWhole ? nil : whole.flatMap { shrink(group.conduct, outline, $0) }
            return SwarmFinding(
                conduct: group.conduct, scenarios: group.scenarios, first: group.first,
                evidence: shrunk.flatMap { evidence(of: group.conduct, $0.text) } ?? group.evidence,
                text: shrunk?.text ?? Self.named(outline, client: plan).text,
                users: shrunk?.users ?? whole?.population.users ?? 0,
                steps: shrunk?.steps ?? whole?.stepCount ?? 0, isMinimal: shrunk?.isMinimal ?? false)
        }
    }

    /// As the scenario that is kept shows it.
    private func evidence(of conduct: Conduct, _ text: String) -> Evidence? {
        guard let scenario = try? plan.read(text).get(), let outcome = run(scenario) else { return nil }
        return outcome.found.first { $0.conduct == conduct }?.evidence
    }

    /// Fewer than for one finding alone: a swarm has many.
    private static let seedsMax = 12

    private func shrink(_ conduct: Conduct, _ outline: ScenarioOutline, _ scenario: Scenario) -> Shrunk? {
        let shrinker = Shrinker(
            ShrinkTask(
                rule: conduct.rule, conduct: conduct, client: plan.client, clientOptions: plan.clientOptions,
                storeDefects: plan.storeDefects, seed: scenario.seed, population: scenario.population.users,
                outline: outline, workers: plan.workers, seedsMax: Self.seedsMax,
                read: { [read = plan.read] in try? read($0).get() }),
            isStopped: { [board] in board.isStopRequested })
        return shrinker.perform()
    }

    /// The scenario as it was drawn, for this client.
    private static func named(_ outline: ScenarioOutline, client plan: SwarmPlan) -> ScenarioOutline {
        var outline = outline
        outline["client"] = .client(plan.client.name, options: plan.clientOptions)
        return outline
    }
}

/// What the workers of a swarm have found so far.
private final class SwarmLedger: @unchecked Sendable {  // Guard: `lock`; read by the swarm when its workers are done.
    struct Group {
        let conduct: Conduct
        var scenarios: Int
        var first: Int
        var evidence: Evidence
    }

    private let lock = NSLock()
    private(set) var scenarios = 0
    private(set) var unjudged = 0
    private(set) var groups: [Conduct: Group] = [:]
    private(set) var faults: [(number: Int, fault: RunFault)] = []

    private static let faultsKept = 20

    var groupCount: Int { lock.withLock { groups.count } }

    /// In the order of the rule book, the most frequent first.
    var sorted: [Group] {
        groups.values.sorted { left, right in
            (left.conduct.rule.place, -left.scenarios, left.first, left.conduct.identifier)
                < (right.conduct.rule.place, -right.scenarios, right.first, right.conduct.identifier)
        }
    }

    func add(_ number: Int, _ outcome: SwarmOutcome) {
        lock.withLock {
            scenarios += 1
            if outcome.isUnjudged { unjudged += 1 }
            if let fault = outcome.faults.first { keep(number, fault) }
            for found in outcome.found {
                guard var group = groups[found.conduct] else {
                    groups[found.conduct] = Group(
                        conduct: found.conduct, scenarios: 1, first: number, evidence: found.evidence)
                    continue
                }
                group.scenarios += 1
                // Which worker is the first to come upon it must not show.
                if number < group.first { (group.first, group.evidence) = (number, found.evidence) }
                groups[found.conduct] = group
            }
        }
    }

    func add(_ number: Int, _ fault: RunFault) {
        lock.withLock {
            scenarios += 1
            keep(number, fault)
        }
    }

    private func keep(_ number: Int, _ fault: RunFault) {
        faults.append((number, fault))
        faults.sort { $0.number < $1.number }
        if faults.count > Self.faultsKept { faults.removeLast() }
    }
}
