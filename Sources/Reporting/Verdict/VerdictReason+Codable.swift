// Reasons in report.json: what kind, the facts, and the sentence for people.
// Values; any thread.

import Engine
import Hosting
import Judgement
import Simulation

extension VerdictReason: Codable {
    /// As report.json names the cases.
    enum Kind: String, Codable, CaseIterable {
        case brokenInvariants = "broken_invariants"
        case usersStuck = "users_stuck"
        case stopped
        case clientRaised = "client_raised"
        case clientExited = "client_exited"
        case clientOverran = "client_overran"
        case clientHung = "client_hung"
        case clientLimit = "client_limit"
        case workerDied = "worker_died"
        case thresholdFailed = "threshold_failed"
        case thresholdUnknown = "threshold_unknown"
        case journeysEndless = "journeys_endless"
        case journeysSpinning = "journeys_spinning"
        case machineSaturated = "machine_saturated"
        case nobodyJudged = "nobody_judged"
        case nothingTried = "nothing_tried"
        case catalogFails = "catalog_fails"
        case methodsNotCalled = "methods_not_called"
        case faultInTrial = "fault_in_trial"
        case rulesBroken = "rules_broken"
        case trialsLeft = "trials_left"
        case faultInScenario = "fault_in_scenario"
        case scenariosLeft = "scenarios_left"
        case findings
        case acceptanceOver = "acceptance_over"
        case acceptedIsGone = "accepted_is_gone"
        case keptUntried = "kept_untried"
        case noScenarioJudged = "no_scenario_judged"
        case told
    }

    /// Which facts there are depends on the kind.
    fileprivate struct Facts: Codable {
        let kind: Kind
        var sentence = ""
        var seed: UInt64?
        var journey: String?
        var count: Int?
        var unjudged: Int?
        var user: Int?
        var cell: Int?
        /// For people.
        var fault: String?
        /// Absent in older reports.
        var faultFacts: FaultFacts?
        var trial: String?
        var scenario: Int?
        var threshold: ThresholdText?
        var breach: Breach?
        var sign: Sign?
        var request: String?
        var refused: Int?
        var setting: String?
        var rules: [String]?
        var accepted: Int?
        var finding: String?
        var until: String?
        var exitCode: Int?
        var how: String?
        /// Absent in older reports: the client's.
        var blame: WorkerDeath.Blame?
        /// What was over; nil: a signal came.
        var timeLimitNs: Int64?
    }

    /// A sign that the machine could not keep up.
    fileprivate struct Sign: Codable {
        enum Measure: String, Codable { case pressure, steal, lag }

        let measure: Measure
        /// A share, or nanoseconds.
        let value: Double
    }

    package func encode(to encoder: any Encoder) throws {
        var facts = facts
        (facts.sentence, facts.seed, facts.journey) = (sentence, seed, journey)
        try facts.encode(to: encoder)
    }

    private var facts: Facts {
        switch cause {
        case .brokenInvariants(let count, let first):
            Facts(kind: .brokenInvariants, count: count, user: first?.user).of(first.map { .broken($0.fault) })
        case .usersStuck(let cell): Facts(kind: .usersStuck, cell: cell)
        case .stopped(let unjudged, let cause):
            Facts(kind: .stopped, unjudged: unjudged, timeLimitNs: cause.limitNs)
        case .clientRaised(let times): Facts(kind: .clientRaised, count: times)
        case .clientExited(let times): Facts(kind: .clientExited, count: times)
        case .clientOverran(let times): Facts(kind: .clientOverran, count: times)
        case .clientHung(let times, let unjudged): Facts(kind: .clientHung, count: times, unjudged: unjudged)
        case .clientLimit(let times, let unjudged): Facts(kind: .clientLimit, count: times, unjudged: unjudged)
        case .workerDied(let how, let cell, let unjudged, let blame):
            Facts(kind: .workerDied, unjudged: unjudged, cell: cell, how: how, blame: blame)
        case .thresholdFailed(let threshold, let breach):
            Facts(kind: .thresholdFailed, threshold: threshold, breach: breach)
        case .thresholdUnknown(let threshold): Facts(kind: .thresholdUnknown, threshold: threshold)
        case .journeysEndless(let cell): Facts(kind: .journeysEndless, cell: cell)
        case .journeysSpinning(let users): Facts(kind: .journeysSpinning, count: users)
        case .machineSaturated(.pressure(let share)):
            Facts(kind: .machineSaturated, sign: Sign(measure: .pressure, value: share))
        case .machineSaturated(.steal(let share)):
            Facts(kind: .machineSaturated, sign: Sign(measure: .steal, value: share))
        case .machineSaturated(.lag(let time)):
            Facts(kind: .machineSaturated, sign: Sign(measure: .lag, value: Double(time)))
        case .nobodyJudged: Facts(kind: .nobodyJudged)
        case .nothingTried(let request, let asked, let refused):
            Facts(kind: .nothingTried, count: asked, request: request.rawValue, refused: refused)
        case .catalogFails(let request, let setting):
            Facts(kind: .catalogFails, request: request.rawValue, setting: setting.rawValue)
        case .methodsNotCalled(let times): Facts(kind: .methodsNotCalled, count: times)
        case .faultInTrial(let fault, let trial): Facts(kind: .faultInTrial, trial: trial).of(fault)
        case .rulesBroken(let rules): Facts(kind: .rulesBroken, rules: rules)
        case .trialsLeft(let cause): Facts(kind: .trialsLeft, timeLimitNs: cause.limitNs)
        case .faultInScenario(let number, let fault): Facts(kind: .faultInScenario, scenario: number).of(fault)
        case .scenariosLeft(let cause): Facts(kind: .scenariosLeft, timeLimitNs: cause.limitNs)
        case .findings(let count, let accepted): Facts(kind: .findings, count: count, accepted: accepted)
        case .acceptanceOver(let finding, let day): Facts(kind: .acceptanceOver, finding: finding, until: day)
        case .acceptedIsGone(let finding): Facts(kind: .acceptedIsGone, finding: finding)
        case .keptUntried(let finding, let fault): Facts(kind: .keptUntried, finding: finding).of(fault)
        case .noScenarioJudged: Facts(kind: .noScenarioJudged)
        case .told(_, let status): Facts(kind: .told, exitCode: Int(status.rawValue))
        }
    }

    package init(from decoder: any Decoder) throws {
        let facts = try Facts(from: decoder)
        do {
            let cause = try Cause(facts)
            // The sentence of an older report names its seed or journey already.
            if case .told = cause {
                self.init(cause)
            } else {
                self.init(cause, seed: facts.seed, journey: facts.journey)
            }
        } catch is FactMissing {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "facts of \(facts.kind.rawValue) are missing"))
        }
    }

    fileprivate struct FactMissing: Error {}
}

extension VerdictReason.Facts {
    fileprivate var stopCause: StopCause { timeLimitNs.map { .timeLimit(Span(nanoseconds: $0)) } ?? .interrupt }
    fileprivate var requestKind: RequestKind? { request.flatMap(RequestKind.init) }
    fileprivate var status: ExitStatus? { exitCode.flatMap(ExitStatus.init(exitCode:)) }

    /// With what the harness, or a file, says against itself.
    fileprivate func of(_ fault: RunFault?) -> Self {
        var facts = self
        (facts.fault, facts.faultFacts) = (fault?.sentence, fault.map(FaultFacts.init))
        return facts
    }

    /// Whether it is of an older report, which has nothing of a fault but its sentence.
    fileprivate var isOfUntypedFault: Bool { fault != nil && faultFacts == nil }

    /// A fact without which there is no reason of the kind.
    fileprivate func need<Fact>(_ fact: KeyPath<Self, Fact?>) throws -> Fact {
        guard let fact = self[keyPath: fact] else { throw VerdictReason.FactMissing() }
        return fact
    }
}

extension VerdictReason.Cause {
    fileprivate init(_ facts: VerdictReason.Facts) throws {
        if facts.isOfUntypedFault {
            self = .told(facts.sentence, facts.kind == .keptUntried ? .unknown : .harnessFault)
            return
        }
        switch facts.kind {
        case .brokenInvariants:
            var first: VerdictReason.Fault?
            if let user = facts.user {
                guard case .broken(let fault) = try facts.need(\.faultFacts?.fault) else {
                    throw VerdictReason.FactMissing()
                }
                first = VerdictReason.Fault(fault: fault, user: user)
            }
            self = .brokenInvariants(try facts.need(\.count), first: first)
        case .usersStuck: self = .usersStuck(cell: try facts.need(\.cell))
        case .stopped: self = .stopped(unjudged: try facts.need(\.unjudged), by: facts.stopCause)
        case .clientRaised: self = .clientRaised(times: facts.count)
        case .clientExited: self = .clientExited(times: try facts.need(\.count))
        case .clientOverran: self = .clientOverran(times: try facts.need(\.count))
        case .clientHung:
            self = .clientHung(times: try facts.need(\.count), unjudged: facts.unjudged)
        case .clientLimit:
            self = .clientLimit(times: try facts.need(\.count), unjudged: try facts.need(\.unjudged))
        case .workerDied:
            self = .workerDied(
                how: try facts.need(\.how), cell: facts.cell, unjudged: try facts.need(\.unjudged),
                facts.blame ?? .client)
        case .thresholdFailed: self = .thresholdFailed(try facts.need(\.threshold), try facts.need(\.breach))
        case .thresholdUnknown: self = .thresholdUnknown(try facts.need(\.threshold))
        case .journeysEndless: self = .journeysEndless(cell: try facts.need(\.cell))
        case .journeysSpinning: self = .journeysSpinning(users: try facts.need(\.count))
        case .machineSaturated: self = .machineSaturated(try facts.need(\.sign?.saturation))
        case .nobodyJudged: self = .nobodyJudged
        case .nothingTried:
            self = .nothingTried(
                try facts.need(\.requestKind), asked: try facts.need(\.count), refused: try facts.need(\.refused))
        case .catalogFails:
            guard let setting = FailingSetting(rawValue: try facts.need(\.setting)) else {
                throw VerdictReason.FactMissing()
            }
            self = .catalogFails(try facts.need(\.requestKind), setting)
        case .methodsNotCalled: self = .methodsNotCalled(times: try facts.need(\.count))
        case .told: self = .told(facts.sentence, try facts.need(\.status))
        case .faultInTrial:
            self = .faultInTrial(try facts.need(\.faultFacts?.fault), trial: try facts.need(\.trial))
        case .rulesBroken: self = .rulesBroken(try facts.need(\.rules))
        case .trialsLeft: self = .trialsLeft(facts.stopCause)
        case .faultInScenario:
            self = .faultInScenario(try facts.need(\.scenario), try facts.need(\.faultFacts?.fault))
        case .scenariosLeft: self = .scenariosLeft(facts.stopCause)
        case .findings: self = .findings(try facts.need(\.count), accepted: try facts.need(\.accepted))
        case .acceptanceOver:
            self = .acceptanceOver(finding: try facts.need(\.finding), until: try facts.need(\.until))
        case .acceptedIsGone: self = .acceptedIsGone(finding: try facts.need(\.finding))
        case .keptUntried: self = .keptUntried(finding: try facts.need(\.finding), try facts.need(\.faultFacts?.fault))
        case .noScenarioJudged: self = .noScenarioJudged
        }
    }
}

extension StopCause {
    fileprivate var limitNs: Int64? {
        if case .timeLimit(let limit) = self { limit.nanoseconds } else { nil }
    }
}

extension VerdictReason.Sign {
    fileprivate var saturation: Saturation? {
        switch measure {
        case .pressure: .pressure(value)
        case .steal: .steal(value)
        case .lag: Int64(exactly: value).map { .lag($0) }
        }
    }
}
