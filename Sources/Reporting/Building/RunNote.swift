// What a report has to tell of a run beside verdict and findings: facts, of which one place makes sentences.
// Values; any thread.

import Engine
import Hosting
import Judgement
import ReportModel
import Simulation

enum RunNote {
    /// A rule that is no violation was broken.
    case remarked(AuditRule, times: Int)
    /// Under the wall clock all devices had one of each of these objects.
    case sharedSingletons([String])
    case stopped(StopCause, unjudged: Int)
    case warmUp(Span)
    /// - Parameter threshold: as the scenario has it.
    case endedByThreshold(_ threshold: String, at: Span, judged: Int, of: Int)
    /// The client hung, and the run was broken off.
    case halted(isWall: Bool, unjudged: Int)
    case crashLimit(times: Int, unjudged: Int)
    /// A crash did not come again when its cell was run once more.
    case crashNotAgain(cell: Int?)
    case workerDied(WorkerDeath, isWall: Bool, unjudged: Int)
    /// Calls of StoreKit belong to no device.
    ///
    /// - Parameter isServed: whether the app runtime is in force.
    case unattributed(UnattributedCalls.Found, isServed: Bool)
    /// Thresholds that may end a run before its time, which parts do not.
    case partsIgnoredAborts(of: [String])
    /// Bounds on counts are for another number of users than the scenario's.
    ///
    /// - Parameter notJudged: thresholds of which so few users say nothing.
    case scaledThresholds(users: Int, written: Int, notJudged: [String])
}

extension Report {
    /// What is to be said of thresholds that are not in force as written; nil where all are.
    var scaledThresholdsNote: RunNote? {
        let scaled = (thresholds + host.thresholds).filter { $0.written != nil }
        guard let written = scaled.first?.written?.users else { return nil }
        let notJudged = scaled.filter { $0.outcome == .notJudged }.map { "\($0.metric) \($0.expression)" }
        return .scaledThresholds(users: run.population, written: written, notJudged: notJudged)
    }
}
