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
            "Under the wall clock devices run at once, and here all devices shared \(names.joined(separator: ", ")): the "
                + "audit may blame a user for another user's actions. With perDevice each device has its own; under the "
                + "virtual clock that is so without it."
        case .stopped(.interrupt, let unjudged): "The run was stopped: \(Self.words(unjudged))."
        case .stopped(.timeLimit(let limit), let unjudged):
            "The run's time limit of \(HumanNumbers.roundDuration(nanoseconds: limit.nanoseconds)) ended: "
                + "\(Self.words(unjudged))."
        case .warmUp(let length):
            "Warm-up: durations and success rates leave out everything that started in the first "
                + "\(HumanNumbers.duration(nanoseconds: length.nanoseconds))."
        case .endedByThreshold(let threshold, let at, let judged, let users):
            "\(threshold) stopped the run after \(HumanNumbers.duration(nanoseconds: at.nanoseconds)): "
                + "\(HumanNumbers.count(judged)) of \(HumanNumbers.count(users)) users were judged."
        case .halted(let isWall, let unjudged):
            "The client hung and the run stopped early: \(Self.words(unjudged))." + (isWall ? "" : Self.loop)
        case .crashLimit(let times, let unjudged):
            "The client crashed or hung \(HumanNumbers.quantity(times, "time")), and the run stopped early: "
                + "\(Self.words(unjudged))."
        case .crashNotAgain(let cell):
            "The client crashed in \(cell.map { "cell \($0)" } ?? "a cell"), but did not crash when the cell was run again: "
                + "the outcome of its users is unknown."
        case .workerDied(let death, let isWall, let unjudged): Self.words(death, isWall: isWall, unjudged)
        case .unattributed(let calls, let isServed): Self.words(calls, isServed: isServed)
        case .partsIgnoredAborts(let thresholds):
            "\(thresholds.joined(separator: ", ")) can stop a run early. Parts of a run always finish, and thresholds were "
                + "judged at the end."
        case .scaledThresholds(let users, let written, let notJudged):
            "Thresholds on counts are scaled to the \(HumanNumbers.count(users)) users of this run from the "
                + "\(HumanNumbers.count(written)) users of the scenario"
                + (notJudged.isEmpty ? "." : "; not judged (too few users): \(notJudged.joined(separator: ", ")).")
        }
    }

    private static func words(_ unjudged: Int) -> String { VerdictReason.words(forUnjudged: unjudged) }

    private static let loop =
        " A loop that checks the clock until some time has passed never ends under the virtual clock, because the clock "
        + "stands still while code runs: use a sleep or a timer to let time pass."

    private static func words(_ death: WorkerDeath, isWall: Bool, _ unjudged: Int) -> String {
        let place = death.place.map { " of cell \($0)" } ?? ""
        let printed = death.lastLines.map { "`\($0)`" }.joined(separator: ", ")
        let others =
            isWall ? "its devices ended there, while devices of other workers continued" : "the run stopped early"
        return "The worker process\(place) was ended by \(death.words), and \(others): \(words(unjudged))."
            + (printed.isEmpty ? "" : " Its last output: \(printed).")
    }

    private static func words(_ calls: UnattributedCalls.Found, isServed: Bool) -> String {
        let came = calls.count == 1 ? "1 StoreKit call came" : "\(calls.count) StoreKit calls came"
        let remedy =
            isServed
            ? "under the virtual clock, threads that the app creates do not belong to its device. Continue on a queue that "
                + "the app created."
            : "add the file that `stampede glue` prints to the client's module."
        return "\(came) from a queue or thread that belongs to no device, the first to \(calls.first): \(remedy)"
    }
}
