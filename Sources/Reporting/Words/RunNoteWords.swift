// Sentences for what a report tells of a run beside verdict and findings.
// Pure; any thread.

import Engine
import Hosting
import Judgement
import Simulation

extension RunNote {
    var sentence: String {
        switch self {
        case .remarked(let rule, let times): "\(rule.rawValue), \(HumanNumbers.quantity(times, "time")): \(rule.breach)"
        case .sharedSingletons(let names):
            "Under the wall clock devices run at once, and here all of them had one \(names.joined(separator: ", ")): a user "
                + "may be accused of what another one did. With perDevice each device has its own, and under the virtual "
                + "clock without it."
        case .stopped(.interrupt, let unjudged): "The run was stopped: \(Self.words(unjudged))."
        case .stopped(.timeLimit(let limit), let unjudged):
            "The run's time limit of \(HumanNumbers.roundDuration(nanoseconds: limit.nanoseconds)) was over: "
                + "\(Self.words(unjudged))."
        case .warmUp(let length):
            "Warm-up: durations and success rates are of what began after the first "
                + "\(HumanNumbers.duration(nanoseconds: length.nanoseconds))."
        case .endedByThreshold(let threshold, let at, let judged, let users):
            "\(threshold) ended the run \(HumanNumbers.duration(nanoseconds: at.nanoseconds)) into it: "
                + "\(HumanNumbers.count(judged)) of \(HumanNumbers.count(users)) users were judged."
        case .halted(let isWall, let unjudged):
            "The client hung and the run was broken off: \(Self.words(unjudged))." + (isWall ? "" : Self.loop)
        case .crashLimit(let times, let unjudged):
            "The client had crashed or hung \(HumanNumbers.quantity(times, "time")), and the run was broken off: "
                + "\(Self.words(unjudged))."
        case .crashNotAgain(let cell):
            "The client crashed in \(cell.map { "cell \($0)" } ?? "a cell"), and did not when the cell was run once more: "
                + "what its users came to is not known."
        case .workerDied(let death, let isWall, let unjudged): Self.words(death, isWall: isWall, unjudged)
        case .unattributed(let calls, let isServed): Self.words(calls, isServed: isServed)
        case .partsIgnoredAborts(let thresholds):
            "\(thresholds.joined(separator: ", ")) may end a run before its time. Parts of one go to their end, and it was "
                + "judged then."
        case .scaledThresholds(let users, let written, let notJudged):
            "Thresholds on counts are for the \(HumanNumbers.count(users)) users of this run, and not for the "
                + "\(HumanNumbers.count(written)) that the scenario has"
                + (notJudged.isEmpty ? "." : "; not judged (too few users): \(notJudged.joined(separator: ", ")).")
        }
    }

    private static func words(_ unjudged: Int) -> String { VerdictReason.words(forUnjudged: unjudged) }

    private static let loop =
        " A loop that looks at the clock until some time has passed has no end under the virtual clock, which stands still "
        + "while code runs: there a sleep or a timer passes the time."

    private static func words(_ death: WorkerDeath, isWall: Bool, _ unjudged: Int) -> String {
        let place = death.place.map { " of cell \($0)" } ?? ""
        let printed = death.lastLines.map { "`\($0)`" }.joined(separator: ", ")
        let others =
            isWall ? "its devices ended there, and those of other workers went on" : "the run was broken off"
        return "The worker process\(place) was ended by \(death.words), and \(others): \(words(unjudged))."
            + (printed.isEmpty ? "" : " It had last printed: \(printed).")
    }

    private static func words(_ calls: UnattributedCalls.Found, isServed: Bool) -> String {
        let came = calls.count == 1 ? "1 StoreKit call came" : "\(calls.count) StoreKit calls came"
        let remedy =
            isServed
            ? "threads that the app makes itself under the virtual clock are not its device's. Go on there on a queue that "
                + "the app made."
            : "add the file that `stampede glue` prints to the client's module."
        return "\(came) from a queue or thread that belongs to no device, the first to \(calls.first): \(remedy)"
    }
}
