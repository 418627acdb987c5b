// Why a run, a sweep or a swarm did not pass, as report.json has it: what kind, the facts, and the sentence for people.
// Plain values; any thread.

package import Hosting

extension Report {
    /// One thing that kept a run, a sweep or a swarm from passing. Which facts there are depends on the kind.
    package struct Reason: Codable, Sendable, Equatable {
        package let kind: Kind
        /// Without a full stop.
        package var sentence = ""
        /// The seed of the run that it is of, in a merged report.
        package var seed: UInt64?
        /// The journey that it is of, in a sweep.
        package var journey: String?
        package var count: Int?
        package var unjudged: Int?
        package var user: Int?
        package var cell: Int?
        /// For people.
        package var fault: String?
        package var faultFacts: FaultFacts?
        package var trial: String?
        package var scenario: Int?
        package var threshold: ThresholdText?
        package var breach: Breach?
        package var sign: Sign?
        package var request: String?
        package var refused: Int?
        package var setting: String?
        package var rules: [String]?
        package var accepted: Int?
        package var finding: String?
        package var until: String?
        package var how: String?
        package var blame: WorkerDeath.Blame?
        /// What was over; nil: a signal came.
        package var timeLimitNs: Int64?

        package init(
            kind: Kind, count: Int? = nil, unjudged: Int? = nil, user: Int? = nil, cell: Int? = nil,
            trial: String? = nil, scenario: Int? = nil, threshold: ThresholdText? = nil, breach: Breach? = nil,
            sign: Sign? = nil, request: String? = nil, refused: Int? = nil, setting: String? = nil,
            rules: [String]? = nil, accepted: Int? = nil, finding: String? = nil, until: String? = nil,
            how: String? = nil, blame: WorkerDeath.Blame? = nil, timeLimitNs: Int64? = nil
        ) {
            (self.kind, self.count, self.unjudged, self.user, self.cell) = (kind, count, unjudged, user, cell)
            (self.trial, self.scenario, self.threshold, self.breach) = (trial, scenario, threshold, breach)
            (self.sign, self.request, self.refused, self.setting) = (sign, request, refused, setting)
            (self.rules, self.accepted, self.finding, self.until) = (rules, accepted, finding, until)
            (self.how, self.blame, self.timeLimitNs) = (how, blame, timeLimitNs)
        }

        package enum Kind: String, Codable, Sendable, CaseIterable {
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
        }

        /// A threshold as its scenario has it.
        package struct ThresholdText: Codable, Sendable, Equatable {
            package let metric: String
            package let expression: String

            package init(metric: String, expression: String) { (self.metric, self.expression) = (metric, expression) }
        }

        /// How a threshold was broken.
        package struct Breach: Codable, Sendable, Equatable {
            /// It asks for violations, and there are some. It may also be broken because there are none.
            package let isOfViolations: Bool
            package let endedRun: Bool
            /// What it was held against, in `unit`; nil where the machine's figures decide, and in reports of former
            /// versions.
            package let actual: Double?
            package let unit: ReportUnit?

            package init(
                isOfViolations: Bool, endedRun: Bool = false, actual: Double? = nil, unit: ReportUnit? = nil
            ) {
                (self.isOfViolations, self.endedRun) = (isOfViolations, endedRun)
                (self.actual, self.unit) = (actual, unit)
            }
        }

        /// A sign that the machine could not keep up.
        package struct Sign: Codable, Sendable, Equatable {
            package enum Measure: String, Codable, Sendable { case pressure, steal, lag }

            package let measure: Measure
            /// A share, or nanoseconds.
            package let value: Double

            package init(_ measure: Measure, _ value: Double) { (self.measure, self.value) = (measure, value) }
        }
    }
}

extension Report.Reason {
    /// What a run ends with of which this alone holds.
    package var status: ExitStatus {
        switch kind {
        case .brokenInvariants, .usersStuck, .faultInTrial, .faultInScenario: .harnessFault
        case .stopped, .trialsLeft, .scenariosLeft: timeLimitNs == nil ? .interrupted : .unknown
        case .clientRaised, .clientExited, .clientOverran, .clientHung, .clientLimit: .clientCrashed
        case .workerDied: (blame ?? .client).status
        case .thresholdFailed: breach?.isOfViolations ?? false ? .violationsFound : .thresholdFailed
        case .rulesBroken, .findings, .acceptanceOver: .violationsFound
        case .acceptedIsGone: .thresholdFailed
        case .thresholdUnknown, .journeysEndless, .journeysSpinning, .machineSaturated, .nobodyJudged, .nothingTried,
            .catalogFails, .methodsNotCalled, .keptUntried, .noScenarioJudged:
            .unknown
        }
    }

    /// Whether it is a threshold's: others may come out in all of several runs.
    package var isOfThreshold: Bool { threshold != nil }

    /// Whether it is that the work was ended before it was done.
    package var isOfStop: Bool { [.stopped, .trialsLeft, .scenariosLeft].contains(kind) }

    /// Whether it is that a worker died.
    package var isOfWorker: Bool { kind == .workerDied }

    /// Whether the run was ended by it.
    package var hasEndedRun: Bool { breach?.endedRun ?? false }
}

extension Report.Reason {
    /// Whether a fact is missing without which there is no reason of the kind.
    var lacksFacts: Bool {
        let needed: [Any?] =
            switch kind {
            case .brokenInvariants: user == nil ? [count] : [count, faultFacts]
            case .usersStuck, .journeysEndless: [cell]
            case .stopped: [unjudged]
            case .clientExited, .clientOverran, .clientHung, .journeysSpinning, .methodsNotCalled: [count]
            case .clientLimit: [count, unjudged]
            case .workerDied: [how, unjudged, blame]
            case .thresholdFailed: [threshold, breach]
            case .thresholdUnknown: [threshold]
            case .machineSaturated: [sign]
            case .nothingTried: [request, count, refused]
            case .catalogFails: [request, setting]
            case .faultInTrial: [faultFacts, trial]
            case .rulesBroken: [rules]
            case .faultInScenario: [faultFacts, scenario]
            case .findings: [count, accepted]
            case .acceptanceOver: [finding, until]
            case .acceptedIsGone: [finding]
            case .keptUntried: [finding, faultFacts]
            case .clientRaised, .nobodyJudged, .trialsLeft, .scenariosLeft, .noScenarioJudged: []
            }
        return needed.contains { $0 == nil }
    }
}

extension WorkerDeath.Blame {
    /// What work ends with in which a worker process died.
    package var status: ExitStatus {
        switch self {
        case .client: .clientCrashed
        case .harness: .harnessFault
        case .nobody: .unknown
        }
    }
}
