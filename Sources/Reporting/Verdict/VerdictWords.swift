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
            "the client used more memory than an app may, \(HumanNumbers.quantity(times, "time"))"
        case .clientHung(let times, let unjudged):
            "the client hung \(HumanNumbers.quantity(times, "time"))"
                + (unjudged.map { ": \(Self.words(forUnjudged: $0))" } ?? "")
        case .clientLimit(let times, let unjudged):
            "the client crashed or hung \(HumanNumbers.quantity(times, "time")), and the run stopped early: "
                + Self.words(forUnjudged: unjudged)
        case .workerDied(let how, let cell, let unjudged, let blame):
            "\(WorkerDeath.subject(blame)) was ended by \(how)" + (cell.map { " in cell \($0)" } ?? "")
                + ": \(Self.words(forUnjudged: unjudged))"
        case .thresholdFailed(let threshold, let breach):
            "\(threshold.metric): \(threshold.expression) does not hold"
                + (breach.actual.map { ": it is \(HumanNumbers.value($0, unit: breach.unit ?? .count))" } ?? "")
                + (breach.endedRun ? ", and stopped the run" : "")
        case .thresholdUnknown(let threshold): "\(threshold.metric): \(threshold.expression) had nothing to judge"
        case .journeysEndless(let cell): "the journeys of cell \(cell) last longer than 100 simulated years"
        case .journeysSpinning(let users):
            "the journeys of \(HumanNumbers.quantity(users, "user")) take no time and would never end: add a think step"
        case .machineSaturated(let sign): "the machine could not keep up: \(sign.words)"
        case .nobodyJudged: "no user was judged: the load needed no user, or no user could be judged"
        case .nothingTried(let kind, let asked, let refused):
            "nothing tried: \(Self.words(forUntried: kind, asked: asked, refused: refused))"
        case .catalogFails(let kind, let setting):
            "no \(Self.noun(kind)) could succeed: the catalog's setting \(setting.name) makes each attempt fail; switch it off, "
                + "or write `store: {errors: …}` in the scenario"
        case .methodsNotCalled(let times):
            "StoreKit could not call an optional method that only a subclass has (\(HumanNumbers.quantity(times, "time"))): "
                + "its effects were not judged"
        case .faultInTrial(let fault, let trial): "\(fault.sentence) (\(trial))"
        case .rulesBroken(let rules): rules.joined(separator: ", ")
        case .trialsLeft(let cause): "\(cause.words) every trial was run"
        case .faultInScenario(let number, let fault): "scenario \(number): \(fault.sentence)"
        case .scenariosLeft(let cause): "\(cause.words) every scenario was run"
        case .findings(let count, let accepted):
            HumanNumbers.quantity(count, "finding") + (accepted > 0 ? " in addition to the accepted findings" : "")
        case .acceptanceOver(let finding, let day): "\(finding) was accepted until \(day)"
        case .acceptedIsGone(let finding):
            "\(finding) is accepted but was not found any more: remove it from the list"
        case .keptUntried(let finding, let fault):
            "the kept scenario of \(finding) could not be run: \(fault.sentence)"
        case .noScenarioJudged: "no scenario was judged"
        }
    }

    static func words(forUnjudged users: Int) -> String {
        users == 0 ? "everything done so far was judged" : "\(HumanNumbers.count(users)) users were not judged"
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
        case .fetch: return "users opened the shop \(times), but the app never asked StoreKit for products"
        case .purchase:
            // Only then it may be the products that the app does not know.
            let guess = refused == asked ? " (another catalog's products?)" : ""
            return "users asked to buy \(times), but the app never added a payment\(guess)"
        case .restore: return "users asked to restore \(times), but the app never asked StoreKit for anything"
        }
    }
}

extension Saturation {
    fileprivate var words: String {
        switch self {
        case .pressure(let share):
            "tasks waited for a processor in \(Int(share * 100)) % of the time (cpu_pressure)"
        case .steal(let share): "\(Int(share * 100)) % of the processors' time went to other guests (cpu_steal)"
        case .lag(let nanoseconds):
            "one in a hundred events ran at least \(HumanNumbers.duration(nanoseconds: nanoseconds)) late"
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
            "the time limit of \(HumanNumbers.roundDuration(nanoseconds: limit.nanoseconds)) ended before"
        }
    }
}
