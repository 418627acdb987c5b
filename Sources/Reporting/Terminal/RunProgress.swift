// How far runs, sweeps and swarms have come, for the live line.
// Any thread.

package import Engine
import Judgement

/// How far something has come.
package struct RunProgress: Sendable, Equatable {
    /// From 0 to 1.
    var fraction: Double
    var done: Int
    var total: Int
    /// What is counted: users, trials.
    var unit = "users"
    /// Of these in a second of real time; nil where that is not what it is about.
    var rate: Double?
    /// Nil where purchases are not what it is about.
    var purchases: Int?
    var violations: Int
    /// What is counted as such: violations, findings.
    var violationsAreCalled = "violations"
    var crashes = 0
    /// Nil before the first purchase.
    var p95PurchaseNanoseconds: Int64?
    /// Real time since the run began.
    var elapsedSeconds: Double
}

/// Work that can be watched, and that ends early when it is asked to. Any thread.
package protocol WatchedWork: Sendable {
    /// The first cause stands.
    func requestStop(_ cause: StopCause)
    /// - Parameter elapsed: seconds of real time since it began.
    func progress(elapsed: Double) -> RunProgress
}

extension RunBoard: WatchedWork {
    package func requestStop(_ cause: StopCause) { stop.make(cause) }

    package func progress(elapsed: Double) -> RunProgress {
        let now = snapshot()
        let total = max(1, usersTotal)
        return RunProgress(
            fraction: Self.fraction(now.usersDone, of: total, after: elapsed, planned: plannedSeconds),
            done: now.usersDone, total: total, purchases: now.purchases, violations: now.violations,
            crashes: now.crashes, p95PurchaseNanoseconds: now.purchaseP95, elapsedSeconds: elapsed)
    }

    /// Users who go on until their time is up are done all at once: until then, what counts is the time.
    private static func fraction(_ done: Int, of total: Int, after elapsed: Double, planned: Double?) -> Double {
        let ofUsers = min(1, Double(done) / Double(total))
        guard let planned else { return ofUsers }
        return max(ofUsers, min(0.99, elapsed / planned))
    }
}

extension RunSeries: WatchedWork {
    package func progress(elapsed: Double) -> RunProgress {
        let now = snapshot
        return RunProgress(
            fraction: min(1, (Double(now.done) + now.part) / Double(max(1, total))), done: now.done, total: total,
            unit: "runs", violations: now.violations, elapsedSeconds: elapsed)
    }
}

extension SweepBoard: WatchedWork {
    package func requestStop(_ cause: StopCause) { stop.make(cause) }

    package func progress(elapsed: Double) -> RunProgress {
        let now = snapshot
        return RunProgress(
            fraction: Double(now.done) / Double(max(1, now.planned)), done: now.done, total: now.planned,
            unit: "trials", violations: now.failing, elapsedSeconds: elapsed)
    }
}

extension SwarmBoard: WatchedWork {
    package func requestStop(_ cause: StopCause) { stop.make(cause) }

    package func progress(elapsed: Double) -> RunProgress {
        let now = snapshot
        let unit =
            switch now.stage {
            case .trying: "kept findings"
            case .drawing: "scenarios"
            case .shrinking: "findings shrunk"
            }
        return RunProgress(
            fraction: now.fraction, done: now.done, total: now.planned, unit: unit, rate: now.perSecond,
            violations: now.findings, violationsAreCalled: "findings", elapsedSeconds: elapsed)
    }
}
