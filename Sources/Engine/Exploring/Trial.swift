// One user's journey from beginning to end, with given mishaps and a given order of events.
// Confined to the worker that made it; what it returns is a value.

package import Judgement
import Scenario
package import Simulation

/// What a trial is to try.
package struct TrialCase: Sendable, Hashable {
    package var mishaps: [Mishap] = []
    /// Which event to take at each choice; after the last choice always the event that is due first.
    /// Nil: no choices, events run when they are due.
    package var order: [Int]?
}

/// What came of a trial.
package struct TrialOutcome: Sendable {
    /// Each rule once, the gravest first; only what counts as a violation.
    package internal(set) var rules: [AuditRule] = []
    package internal(set) var faults: [RunFault] = []
    /// How many records the user's devices left: how long the story is.
    package internal(set) var length = 0
    /// Where something could go wrong.
    package internal(set) var places: [MishapPlace] = []
    package internal(set) var happened: Set<Mishap> = []
    package internal(set) var choices: [EventOrders.Choice] = []
    /// Whether the journey came to its end and was judged.
    package internal(set) var isJudged = false
    /// Only of a trial that was asked to tell.
    package internal(set) var findings: [Evidence] = []
    /// Of each device.
    package internal(set) var stories: [UserStory] = []

    package var effectCount: Int { places.count { if case .effect = $0.kind { true } else { false } } }
    package var messageCount: Int { places.count - effectCount }

    /// For outcomes after which no further mishap is added.
    mutating func forgetPlaces() { places = [] }
}

/// Runs trials of one journey, one after the other.
final class TrialBench {
    private let options: RunOptions
    private let plan: CellPlan
    private let setup: CellSetup
    private let window: Span

    /// - Parameter options: of a scenario made by `alone(journey:)`.
    init(_ options: RunOptions, window: Span = .zero) {
        self.options = options
        self.window = window
        plan = CellPlan(options.scenario)
        setup = CellSetup(options)
    }

    func run(_ trial: TrialCase, tells: Bool = false) -> TrialOutcome {
        let orders = trial.order.map { EventOrders(given: $0) }
        return run(trial.mishaps, orders, tells: tells)
    }

    /// Every choice by chance.
    func run(_ mishaps: [Mishap], chance: RandomStream) -> TrialOutcome {
        run(mishaps, EventOrders(chance: chance), tells: false)
    }

    private func run(_ mishaps: [Mishap], _ orders: EventOrders?, tells: Bool) -> TrialOutcome {
        let script = MishapScript(Set(mishaps))
        let judge = TrialJudge(tells: tells)
        let clock: VirtualClock = orders.map { ExploredTimeline($0, window: window) } ?? VirtualTimeline()
        let cell = Cell(
            index: 0, options: options, plan: plan, setup: setup, judge: judge, judgeLane: clock,
            storeLane: clock, script: script, makeLanes: { Array(repeating: clock, count: $0) })
        var isDone = false
        cell.onDone = { isDone = true }
        cell.onSettling = { orders?.close() }
        cell.endsOnHang(clock, judge)
        cell.start()
        _ = clock.runApart(until: { isDone })
        clock.dropEvents()
        var outcome = judge.outcome
        outcome.places = script.places
        outcome.happened = script.happened
        outcome.choices = orders?.choices ?? []
        return outcome
    }
}

/// Judges the only user of a trial.
private final class TrialJudge: SeriesJudge {
    private(set) var outcome = TrialOutcome()
    private let tells: Bool
    private var auditor = Auditor()

    init(tells: Bool) { self.tells = tells }

    func absorb(_ record: UserRecord) {
        var rules: Set<AuditRule> = []
        for input in record.devices.map(\.input) {
            let findings = auditor.audit(input)
            outcome.faults += findings.faults.map(RunFault.broken)
            outcome.length += input.events.count
            for violation in findings.violations where violation.severity.isViolation {
                rules.insert(violation.rule)
                if tells { outcome.findings.append(Evidence(violation, auditor.story)) }
            }
            if tells { outcome.stories.append(auditor.story) }
        }
        if record.totals.isSpinning { outcome.faults.append(.endless) }
        outcome.rules = AuditRule.allCases.filter(rules.contains)
        outcome.isJudged = true
    }

    /// The journey ends there.
    func absorb(hang input: AuditInput) {
        let hangs = auditor.auditDeaths(input)
        outcome.length += input.events.count
        outcome.rules = hangs.isEmpty ? [] : [.clientHang]
        if tells {
            outcome.findings = hangs.map { Evidence($0, auditor.story) }
            outcome.stories.append(auditor.story)
        }
        outcome.isJudged = true
    }

    func cellEnded(_ summary: CellSummary) {}
}
