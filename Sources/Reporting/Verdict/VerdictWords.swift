// Sentences for what a verdict rests on: the one place that makes them.
// Pure; any thread.

import Engine
import Hosting
import ReportModel
import Simulation

extension Report.Reason {
    /// The same of a run with that seed, as a merged report tells it.
    func found(underSeed seed: UInt64) -> Self {
        var reason = self
        reason.seed = seed
        reason.sentence = "seed \(seed): " + sentence
        return reason
    }
}

extension VerdictReason {
    /// In one sentence, without a full stop.
    var words: String {
        switch self {
        case .brokenInvariants(let count, let first):
            "\(HumanNumbers.quantity(count, "broken invariant")) of the simulation"
                + (first.map { ": \($0.fault.sentence) (user \($0.user))" } ?? "")
        case .usersStuck(let cell): "users waited for ever in cell \(cell)"
        case .stopped(let unjudged, let cause): "\(cause.words) the end: \(Self.words(forUnjudged: unjudged))"
        case .clientRaised(let times):
            "the client crashed"
                + (times.map { " \(HumanNumbers.quantity($0, "time"))" } ?? ", hung or ended its process")
        case .clientExited(let times): "the client ended its process \(HumanNumbers.quantity(times, "time"))"
        case .clientOverran(let times):
            "the client took more memory than an app may \(HumanNumbers.quantity(times, "time"))"
        case .clientHung(let times, let unjudged):
            "the client hung \(HumanNumbers.quantity(times, "time"))"
                + (unjudged.map { ": \(Self.words(forUnjudged: $0))" } ?? "")
        case .clientLimit(let times, let unjudged):
            "the client crashed or hung \(HumanNumbers.quantity(times, "time")), and the run was broken off: "
                + Self.words(forUnjudged: unjudged)
        case .workerDied(let how, let cell, let unjudged, let blame):
            "\(WorkerDeath.subject(blame)) was ended by \(how)" + (cell.map { " in cell \($0)" } ?? "")
                + ": \(Self.words(forUnjudged: unjudged))"
        case .thresholdFailed(let threshold, let breach):
            "\(threshold.metric): \(threshold.expression) does not hold"
                + (breach.actual.map { ": it is \(HumanNumbers.value($0, unit: breach.unit ?? .count))" } ?? "")
                + (breach.endedRun ? ", and ended the run" : "")
        case .thresholdUnknown(let threshold): "\(threshold.metric): \(threshold.expression) had nothing to judge"
        case .journeysEndless(let cell): "the journeys of cell \(cell) go on for more than 100 simulated years"
        case .journeysSpinning(let users):
            "the journeys of \(HumanNumbers.quantity(users, "user")) take no time and would never end: let them think"
        case .machineSaturated(let sign): "the machine could not keep up: \(sign.words)"
        case .nobodyJudged: "no user was judged: none was needed, or none could be"
        case .nothingTried(let kind, let asked, let refused):
            "nothing tried: \(Self.words(forUntried: kind, asked: asked, refused: refused))"
        case .catalogFails(let kind, let setting):
            "no \(Self.noun(kind)) could succeed: the catalog's setting \(setting.name) makes each one fail; switch it off, or "
                + "state `store: {errors: …}` in the scenario"
        case .methodsNotCalled(let times):
            "StoreKit could not call an optional method that only a subclass has (\(HumanNumbers.quantity(times, "time"))): "
                + "what rests on it was not judged"
        case .faultInTrial(let fault, let trial): "\(fault.sentence) (\(trial))"
        case .rulesBroken(let rules): rules.joined(separator: ", ")
        case .trialsLeft(let cause): "\(cause.words) every trial was run"
        case .faultInScenario(let number, let fault): "scenario \(number): \(fault.sentence)"
        case .scenariosLeft(let cause): "\(cause.words) every scenario was run"
        case .findings(let count, let accepted):
            HumanNumbers.quantity(count, "finding") + (accepted > 0 ? " beside those that are accepted" : "")
        case .acceptanceOver(let finding, let day): "\(finding) was accepted until \(day)"
        case .acceptedIsGone(let finding):
            "\(finding) is accepted, and is not there any more: take it off the list"
        case .keptUntried(let finding, let fault):
            "the scenario kept of \(finding) could not be tried: \(fault.sentence)"
        case .noScenarioJudged: "no scenario was judged"
        }
    }

    static func words(forUnjudged users: Int) -> String {
        users == 0 ? "what users had done by then was judged" : "\(HumanNumbers.count(users)) users were not judged"
    }

    private static func noun(_ kind: RequestKind) -> String {
        switch kind {
        case .fetch: "fetch of products"
        case .purchase: "purchase"
        case .restore: "restore"
        }
    }

    private static func words(forUntried kind: RequestKind, asked: Int, refused: Int) -> String {
        let times = HumanNumbers.quantity(asked, "time")
        switch kind {
        case .fetch: return "users opened the shop \(times), and the app never asked StoreKit for products"
        case .purchase:
            // Only then it may be the products that the app does not know.
            let guess = refused == asked ? " (another catalog's products?)" : ""
            return "users asked to buy \(times), and the app never added a payment\(guess)"
        case .restore: return "users asked to restore \(times), and the app asked StoreKit for nothing"
        }
    }
}

extension Saturation {
    fileprivate var words: String {
        switch self {
        case .pressure(let share):
            "something waited for a processor in \(Int(share * 100)) % of the time (cpu_pressure)"
        case .steal(let share): "\(Int(share * 100)) % of the processors' time went to others (cpu_steal)"
        case .lag(let nanoseconds):
            "one of a hundred events ran \(HumanNumbers.duration(nanoseconds: nanoseconds)) late or more"
                + " (schedule_lag)"
        }
    }
}

extension StopCause {
    /// What follows is what it came before: `stopped before the end`.
    package var words: String {
        switch self {
        case .interrupt: "stopped before"
        case .timeLimit(let limit):
            "the time limit of \(HumanNumbers.roundDuration(nanoseconds: limit.nanoseconds)) was over before"
        }
    }
}
