// What `stampede doctor` runs.
// Main thread; a stop may be requested on any.

import Engine
import Hosting
import ReportModel
import Reporting
import Scenario
import Simulation

/// The runs of a checkup: the scenario's, and for apps of StoreKit 2 the same with transactions that cannot be verified.
struct CheckupRuns: WatchedWork {
    private let options: RunOptions
    private let run: Run
    /// Nil: the scenario has such transactions itself.
    private let unverified: Run?

    init(_ options: RunOptions) {
        self.options = options
        run = Run(options)
        var others = options
        others.scenario.delivery.verification.fails = .percent(50)
        unverified = options.scenario.delivery.verification == VerificationFaults() ? Run(others) : nil
    }

    func perform() -> ClientCheckup {
        var checkup = ClientCheckup(run.perform(), options)
        if checkup.usesStoreKit2 { checkup.unverified = unverified?.perform() }
        return checkup
    }

    func requestStop(_ cause: StopCause) {
        run.board.requestStop(cause)
        unverified?.board.requestStop(cause)
    }

    func progress(elapsed: Double) -> RunProgress { run.board.progress(elapsed: elapsed) }
}
