// How far runs, sweeps and swarms have come, for the live line.
// Any thread.

package import Engine
package import Hosting
import Judgement

/// How far something has come.
package struct RunProgress: Sendable, Equatable {
    /// From 0 to 1; nil where nobody knows how much there is to do.
    var fraction: Double?
    var done: Int
    /// Nil as above.
    var total: Int?
    /// Users whose journeys are under way; nil where that is not what it is about.
    var active: Int?
    /// Where all of these wait for the app's answers: how long at most, in nanoseconds.
    var waitLeft: Int64?
    /// What is counted: users, trials.
    var unit = "users"
    /// Of these in a second of real time; nil where that is not what it is about.
    var rate: Double?
    /// Nil where purchases are not what it is about.
    var purchases: Int?
    /// Nil where none are counted.
    var violations: Int?
    /// What is counted as such: violations, findings.
    var violationIsCalled = "violation"
    var crashes = 0
    /// Nil before the first purchase.
    var p95PurchaseNanoseconds: Int64?
    /// Real time since the run began.
    var elapsedSeconds: Double
    /// Real time since that began of which `fraction` is a part, where it is a stage of several.
    var stageSeconds: Double?
    /// How long it takes by its plan; nil where no plan says so.
    var totalSeconds: Double?
    /// Of the load, where there are several.
    var entries: [Entry] = []

    /// A part of it.
    struct Entry: Sendable, Equatable {
        var name: String
        var done: Int
        var total: Int
    }

    package init(
        fraction: Double?, done: Int, total: Int?, unit: String = "users", violations: Int? = nil,
        elapsedSeconds: Double
    ) {
        (self.fraction, self.done, self.total, self.unit) = (fraction, done, total, unit)
        (self.violations, self.elapsedSeconds) = (violations, elapsedSeconds)
    }
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
        var progress = RunProgress(
            fraction: Self.fraction(now.usersDone, of: total, after: elapsed, planned: plannedSeconds),
            done: now.usersDone, total: total, violations: now.violations, elapsedSeconds: elapsed)
        (progress.active, progress.waitLeft) = (now.usersActive, now.waitLeft)
        progress.purchases = now.purchases
        progress.crashes = now.crashes
        progress.p95PurchaseNanoseconds = now.purchaseP95
        progress.totalSeconds = plannedSeconds
        progress.entries = zip(entries, now.entriesDone).map {
            RunProgress.Entry(name: $0.name, done: $1, total: $0.users)
        }
        return progress
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
        var progress = RunProgress(
            fraction: now.fraction, done: now.done, total: now.planned, unit: unit, violations: now.findings,
            elapsedSeconds: elapsed)
        (progress.rate, progress.stageSeconds) = (now.perSecond, now.stageSeconds)
        progress.violationIsCalled = "finding"
        return progress
    }
}

extension Shrinker: WatchedWork {
    package func requestStop(_ cause: StopCause) { stop.make(cause) }

    package func progress(elapsed: Double) -> RunProgress {
        RunProgress(fraction: nil, done: attempts, total: nil, unit: "attempts", elapsedSeconds: elapsed)
    }
}
