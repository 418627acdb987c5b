// What a verdict rests on: facts, of which one place makes sentences.
// Values; any thread.

package import Engine
package import Hosting
package import Judgement
package import Simulation

/// One thing that kept a run, a sweep or a swarm from passing.
package struct VerdictReason: Sendable, Equatable {
    package let cause: Cause
    /// The seed of the run that it is of, in a merged report.
    package var seed: UInt64?
    /// The journey that it is of, in a sweep.
    package var journey: String?

    package init(_ cause: Cause, seed: UInt64? = nil, journey: String? = nil) {
        self.cause = cause
        self.seed = seed
        self.journey = journey
    }

    package enum Cause: Sendable, Equatable {
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
        case thresholdFailed(ThresholdText, Breach)
        case thresholdUnknown(ThresholdText)
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

        /// A sentence of a report of schema version 1, which had nothing else, and what its run ended with.
        case told(String, ExitStatus)
    }

    package struct Fault: Sendable, Equatable {
        package let fault: HarnessFault
        package let user: Int
    }

    /// A threshold as its scenario has it.
    package struct ThresholdText: Codable, Sendable, Equatable {
        package let metric: String
        package let expression: String
    }

    /// How a threshold was broken.
    package struct Breach: Codable, Sendable, Equatable {
        /// It asks for violations, and there are some. It may also be broken because there are none.
        package let isOfViolations: Bool
        package var endedRun = false
        /// What it was held against, in `unit`; nil where the machine's figures decide, and in reports of former versions.
        package var actual: Double?
        package var unit: ReportUnit?
    }
}

extension VerdictReason {
    /// What a run ends with of which this alone holds.
    package var status: ExitStatus {
        switch cause {
        case .brokenInvariants, .usersStuck, .faultInTrial, .faultInScenario: .harnessFault
        case .stopped(_, let cause), .trialsLeft(let cause), .scenariosLeft(let cause): cause.status
        case .clientRaised, .clientExited, .clientOverran, .clientHung, .clientLimit: .clientCrashed
        case .workerDied(_, _, _, let blame): blame.status
        case .thresholdFailed(_, let breach): breach.isOfViolations ? .violationsFound : .thresholdFailed
        case .rulesBroken, .findings, .acceptanceOver: .violationsFound
        case .acceptedIsGone: .thresholdFailed
        case .thresholdUnknown, .journeysEndless, .journeysSpinning, .machineSaturated, .nobodyJudged, .nothingTried,
            .catalogFails, .methodsNotCalled, .keptUntried, .noScenarioJudged:
            .unknown
        case .told(_, let status): status
        }
    }

    /// Whether it says what no threshold does, and what may explain those that do not hold.
    package var isBeyondThresholds: Bool {
        switch cause {
        case .thresholdFailed, .thresholdUnknown, .told: false
        default: true
        }
    }

    /// Whether it is that the work was ended before it was done.
    package var isOfStop: Bool {
        switch cause {
        case .stopped, .trialsLeft, .scenariosLeft: true
        default: false
        }
    }

    /// Whether it is that a worker died.
    package var isOfWorker: Bool {
        if case .workerDied = cause { true } else { false }
    }

    /// Whether it is a threshold's: others may come out in all of several runs.
    var isOfThreshold: Bool { threshold != nil }

    /// The threshold that it is about.
    var threshold: ThresholdText? {
        switch cause {
        case .thresholdFailed(let threshold, _), .thresholdUnknown(let threshold): threshold
        default: nil
        }
    }

    /// Whether the run was ended by it.
    var hasEndedRun: Bool {
        if case .thresholdFailed(_, let breach) = cause { breach.endedRun } else { false }
    }
}

extension Report.Verdict {
    /// What a run that did not pass can end with, the gravest first.
    package static let byGravity: [ExitStatus] = [
        .harnessFault, .interrupted, .clientCrashed, .violationsFound, .thresholdFailed, .unknown,
    ]

    /// The gravest of these decides; passed if there is none.
    package init(_ reasons: [VerdictReason]) {
        let status = Self.byGravity.first { status in reasons.contains { $0.status == status } } ?? .passed
        self.init(
            outcome: status.outcome, exitCode: Int(status.rawValue),
            reasons: Self.byGravity.flatMap { rank in reasons.filter { $0.status == rank } })
    }

    /// What the process returns. A number that no command of ours returns is a fault of ours.
    package var status: ExitStatus { ExitStatus(exitCode: exitCode) ?? .harnessFault }
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

extension StopCause {
    /// What work ends with that was stopped, if nothing graver was found by then.
    package var status: ExitStatus {
        switch self {
        case .interrupt: .interrupted
        case .timeLimit: .unknown
        }
    }
}
