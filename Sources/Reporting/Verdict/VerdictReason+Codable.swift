// Reasons in report.json: what kind, the facts, and the sentence for whoever reads nothing else.
// Values; any thread.

import Engine
import Simulation

extension VerdictReason: Codable {
    /// As report.json names the cases.
    enum Kind: String, Codable, CaseIterable {
        case brokenInvariants = "broken_invariants"
        case usersStuck = "users_stuck"
        case stopped
        case clientRaised = "client_raised"
        case clientHung = "client_hung"
        case thresholdFailed = "threshold_failed"
        case thresholdUnknown = "threshold_unknown"
        case journeysEndless = "journeys_endless"
        case journeysSpinning = "journeys_spinning"
        case machineSaturated = "machine_saturated"
        case nobodyJudged = "nobody_judged"
        case nothingTried = "nothing_tried"
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
        var fault: String?
        var trial: String?
        var scenario: Int?
        var threshold: ThresholdText?
        var breach: Breach?
        var sign: Sign?
        var request: String?
        var refused: Int?
        var rules: [String]?
        var accepted: Int?
        var finding: String?
        var until: String?
        var exitCode: Int?
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
            Facts(kind: .brokenInvariants, count: count, user: first?.user, fault: first?.sentence)
        case .usersStuck(let cell): Facts(kind: .usersStuck, cell: cell)
        case .stopped(let unjudged): Facts(kind: .stopped, unjudged: unjudged)
        case .clientRaised(let times): Facts(kind: .clientRaised, count: times)
        case .clientHung(let times, let unjudged): Facts(kind: .clientHung, count: times, unjudged: unjudged)
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
        case .faultInTrial(let fault, let trial): Facts(kind: .faultInTrial, fault: fault, trial: trial)
        case .rulesBroken(let rules): Facts(kind: .rulesBroken, rules: rules)
        case .trialsLeft: Facts(kind: .trialsLeft)
        case .faultInScenario(let number, let fault): Facts(kind: .faultInScenario, fault: fault, scenario: number)
        case .scenariosLeft: Facts(kind: .scenariosLeft)
        case .findings(let count, let accepted): Facts(kind: .findings, count: count, accepted: accepted)
        case .acceptanceOver(let finding, let day): Facts(kind: .acceptanceOver, finding: finding, until: day)
        case .acceptedIsGone(let finding): Facts(kind: .acceptedIsGone, finding: finding)
        case .keptUntried(let problem): Facts(kind: .keptUntried, fault: problem)
        case .noScenarioJudged: Facts(kind: .noScenarioJudged)
        case .told(_, let status): Facts(kind: .told, exitCode: Int(status.rawValue))
        }
    }

    package init(from decoder: any Decoder) throws {
        let facts = try Facts(from: decoder)
        guard let cause = Cause(facts) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "facts of \(facts.kind.rawValue) are missing"))
        }
        self.init(cause, seed: facts.seed, journey: facts.journey)
    }
}

extension VerdictReason.Cause {
    /// Nil where a fact is missing.
    fileprivate init?(_ facts: VerdictReason.Facts) {
        switch facts.kind {
        case .brokenInvariants:
            guard let count = facts.count else { return nil }
            let first = facts.fault.flatMap { fault in facts.user.map { VerdictReason.Fault(sentence: fault, user: $0) }
            }
            self = .brokenInvariants(count, first: first)
        case .usersStuck, .journeysEndless:
            guard let cell = facts.cell else { return nil }
            self = facts.kind == .usersStuck ? .usersStuck(cell: cell) : .journeysEndless(cell: cell)
        case .stopped:
            guard let unjudged = facts.unjudged else { return nil }
            self = .stopped(unjudged: unjudged)
        case .clientRaised: self = .clientRaised(times: facts.count)
        case .clientHung:
            guard let times = facts.count, let unjudged = facts.unjudged else { return nil }
            self = .clientHung(times: times, unjudged: unjudged)
        case .thresholdFailed:
            guard let threshold = facts.threshold, let breach = facts.breach else { return nil }
            self = .thresholdFailed(threshold, breach)
        case .thresholdUnknown:
            guard let threshold = facts.threshold else { return nil }
            self = .thresholdUnknown(threshold)
        case .journeysSpinning:
            guard let users = facts.count else { return nil }
            self = .journeysSpinning(users: users)
        case .machineSaturated:
            guard let sign = facts.sign?.saturation else { return nil }
            self = .machineSaturated(sign)
        case .nobodyJudged: self = .nobodyJudged
        case .nothingTried:
            guard let kind = facts.request.flatMap(RequestKind.init), let asked = facts.count,
                let refused = facts.refused
            else { return nil }
            self = .nothingTried(kind, asked: asked, refused: refused)
        case .told:
            guard let status = facts.exitCode.flatMap(ExitStatus.init(exitCode:)) else { return nil }
            self = .told(facts.sentence, status)
        case .faultInTrial, .rulesBroken, .trialsLeft, .faultInScenario, .scenariosLeft, .findings, .acceptanceOver,
            .acceptedIsGone, .keptUntried, .noScenarioJudged:
            self.init(ofSeries: facts)
        }
    }

    /// Those of sweeps and swarms.
    private init?(ofSeries facts: VerdictReason.Facts) {
        switch (facts.kind, facts.fault, facts.finding, facts.count) {
        case (.faultInTrial, let fault?, _, _):
            guard let trial = facts.trial else { return nil }
            self = .faultInTrial(sentence: fault, trial: trial)
        case (.rulesBroken, _, _, _):
            guard let rules = facts.rules else { return nil }
            self = .rulesBroken(rules)
        case (.trialsLeft, _, _, _): self = .trialsLeft
        case (.faultInScenario, let fault?, _, _):
            guard let scenario = facts.scenario else { return nil }
            self = .faultInScenario(scenario, sentence: fault)
        case (.scenariosLeft, _, _, _): self = .scenariosLeft
        case (.findings, _, _, let count?):
            guard let accepted = facts.accepted else { return nil }
            self = .findings(count, accepted: accepted)
        case (.acceptanceOver, _, let finding?, _):
            guard let day = facts.until else { return nil }
            self = .acceptanceOver(finding: finding, until: day)
        case (.acceptedIsGone, _, let finding?, _): self = .acceptedIsGone(finding: finding)
        case (.keptUntried, let problem?, _, _): self = .keptUntried(problem: problem)
        case (.noScenarioJudged, _, _, _): self = .noScenarioJudged
        default: return nil
        }
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
