// What a verdict rests on: facts, of which `VerdictWords` makes sentences, and what report.json has of each.
// Values; any thread.

package import Engine
package import Hosting
package import Judgement
package import ReportModel
package import Simulation

/// One thing that kept a run, a sweep or a swarm from passing.
package enum VerdictReason: Sendable, Equatable {
    // Runs.
    /// - Parameter first: nil where none was kept.
    case brokenInvariants(Int, first: Fault?)
    /// Users wait, and nothing is left to happen.
    case usersStuck(cell: Int)
    case stopped(unjudged: Int, by: StopCause)
    /// - Parameter times: nil where they were not counted.
    case clientRaised(times: Int?)
    case clientExited(times: Int)
    /// It took more memory than an app may.
    case clientOverran(times: Int)
    /// - Parameter unjudged: nil where the run went on.
    case clientHung(times: Int, unjudged: Int?)
    /// It crashed or hung so often that nothing more was begun.
    case clientLimit(times: Int, unjudged: Int)
    /// The process that the client ran in ended before it should.
    /// - Parameter cell: nil: between two cells.
    case workerDied(how: String, cell: Int?, unjudged: Int, WorkerDeath.Blame)
    case thresholdFailed(Report.Reason.ThresholdText, Report.Reason.Breach)
    case thresholdUnknown(Report.Reason.ThresholdText)
    /// Journeys that go on for longer than there is time.
    case journeysEndless(cell: Int)
    /// Journeys that take no time, and would never end.
    case journeysSpinning(users: Int)
    case machineSaturated(Saturation)
    case nobodyJudged
    /// Users asked for it, and the app never tried.
    case nothingTried(RequestKind, asked: Int, refused: Int)
    /// No request of the kind succeeded, because the catalog's file has each of them fail.
    case catalogFails(RequestKind, FailingSetting)
    /// StoreKit did not call optional methods that only a subclass has.
    case methodsNotCalled(times: Int)

    // Sweeps.
    case faultInTrial(RunFault, trial: String)
    case rulesBroken([String])
    case trialsLeft(StopCause)

    // Swarms.
    case faultInScenario(Int, RunFault)
    case scenariosLeft(StopCause)
    case findings(Int, accepted: Int)
    case acceptanceOver(finding: String, until: String)
    case acceptedIsGone(finding: String)
    case keptUntried(finding: String, RunFault)
    case noScenarioJudged

    package struct Fault: Sendable, Equatable {
        package let fault: HarnessFault
        package let user: Int
    }
}

extension Report.Reason {
    /// - Parameter journey: that it is of, in a sweep.
    package init(_ reason: VerdictReason, journey: String? = nil) {
        self = reason.facts
        self.journey = journey
        sentence = (journey.map { "\($0): " } ?? "") + reason.words
    }
}

extension Report.Verdict {
    package init(of reasons: [VerdictReason]) { self.init(reasons.map { Report.Reason($0) }) }
}

extension VerdictReason {
    fileprivate var facts: Report.Reason {
        switch self {
        case .brokenInvariants(let count, let first):
            Report.Reason(kind: .brokenInvariants, count: count, user: first?.user).of(first.map { .broken($0.fault) })
        case .usersStuck(let cell): Report.Reason(kind: .usersStuck, cell: cell)
        case .stopped(let unjudged, let cause):
            Report.Reason(kind: .stopped, unjudged: unjudged, timeLimitNs: cause.limitNs)
        case .clientRaised(let times): Report.Reason(kind: .clientRaised, count: times)
        case .clientExited(let times): Report.Reason(kind: .clientExited, count: times)
        case .clientOverran(let times): Report.Reason(kind: .clientOverran, count: times)
        case .clientHung(let times, let unjudged): Report.Reason(kind: .clientHung, count: times, unjudged: unjudged)
        case .clientLimit(let times, let unjudged): Report.Reason(kind: .clientLimit, count: times, unjudged: unjudged)
        case .workerDied(let how, let cell, let unjudged, let blame):
            Report.Reason(kind: .workerDied, unjudged: unjudged, cell: cell, how: how, blame: blame)
        case .thresholdFailed(let threshold, let breach):
            Report.Reason(kind: .thresholdFailed, threshold: threshold, breach: breach)
        case .thresholdUnknown(let threshold): Report.Reason(kind: .thresholdUnknown, threshold: threshold)
        case .journeysEndless(let cell): Report.Reason(kind: .journeysEndless, cell: cell)
        case .journeysSpinning(let users): Report.Reason(kind: .journeysSpinning, count: users)
        case .machineSaturated(.pressure(let share)):
            Report.Reason(kind: .machineSaturated, sign: Report.Reason.Sign(.pressure, share))
        case .machineSaturated(.steal(let share)):
            Report.Reason(kind: .machineSaturated, sign: Report.Reason.Sign(.steal, share))
        case .machineSaturated(.lag(let time)):
            Report.Reason(kind: .machineSaturated, sign: Report.Reason.Sign(.lag, Double(time)))
        case .nobodyJudged: Report.Reason(kind: .nobodyJudged)
        case .nothingTried(let request, let asked, let refused):
            Report.Reason(kind: .nothingTried, count: asked, request: request.rawValue, refused: refused)
        case .catalogFails(let request, let setting):
            Report.Reason(kind: .catalogFails, request: request.rawValue, setting: setting.rawValue)
        case .methodsNotCalled(let times): Report.Reason(kind: .methodsNotCalled, count: times)
        case .faultInTrial(let fault, let trial): Report.Reason(kind: .faultInTrial, trial: trial).of(fault)
        case .rulesBroken(let rules): Report.Reason(kind: .rulesBroken, rules: rules)
        case .trialsLeft(let cause): Report.Reason(kind: .trialsLeft, timeLimitNs: cause.limitNs)
        case .faultInScenario(let number, let fault): Report.Reason(kind: .faultInScenario, scenario: number).of(fault)
        case .scenariosLeft(let cause): Report.Reason(kind: .scenariosLeft, timeLimitNs: cause.limitNs)
        case .findings(let count, let accepted): Report.Reason(kind: .findings, count: count, accepted: accepted)
        case .acceptanceOver(let finding, let day): Report.Reason(kind: .acceptanceOver, finding: finding, until: day)
        case .acceptedIsGone(let finding): Report.Reason(kind: .acceptedIsGone, finding: finding)
        case .keptUntried(let finding, let fault): Report.Reason(kind: .keptUntried, finding: finding).of(fault)
        case .noScenarioJudged: Report.Reason(kind: .noScenarioJudged)
        }
    }
}

extension Report.Reason {
    /// With what the harness, or a file, says against itself.
    fileprivate func of(_ fault: RunFault?) -> Self {
        var facts = self
        (facts.fault, facts.faultFacts) = (fault?.sentence, fault.map(FaultFacts.init))
        return facts
    }
}

extension StopCause {
    /// What work ends with that was stopped, if nothing graver was found by then.
    package var status: ExitStatus {
        switch self {
        case .interrupt: .interrupted
        case .timeLimit: .unknown
        }
    }

    fileprivate var limitNs: Int64? {
        if case .timeLimit(let limit) = self { limit.nanoseconds } else { nil }
    }
}
