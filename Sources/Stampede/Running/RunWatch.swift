// What watches a run: its progress, and signals. Where workers are processes, the main thread does both while it waits for
// them (`SingleThread`); where they are threads, each has a thread of its own, because the pool's are busy with the run.

import Engine
import Foundation
import Hosting
import ReportModel
import Reporting
import Simulation
import Synchronization

/// Runs what calls client code: shows its progress, and ends it in an orderly way at the first signal.
///
/// - Parameters:
///   - display: nil: progress is not shown.
///   - limit: it ends in the same way after so long; nil: never.
func watched<Result>(
    _ work: any WatchedWork, _ display: ProgressDisplay?, in housing: WorkerHousing, for limit: Span?,
    _ body: () throws -> Result
) throws -> Result {
    try ClientCode.isAboutToRun(in: housing)
    let interrupts = InterruptWatch(for: limit) { work.requestStop($0) }
    let shown = display.map { ShownProgress(of: work, on: $0) }
    defer {
        shown?.end()
        ClientCode.hasRun()
        interrupts.clientCodeHasRun()
    }
    return try body()
}

/// Shows the progress of something until it has ended.
struct ShownProgress {
    private let work: any WatchedWork
    private let display: ProgressDisplay
    private let began: Date
    private let ticker: Ticker

    init(of work: any WatchedWork, on display: ProgressDisplay) {
        let began = Date()
        (self.work, self.display, self.began) = (work, display, began)
        ticker = Ticker(every: 0.1) { display.update(work.progress(elapsed: Date().timeIntervalSince(began))) }
    }

    func end() {
        ticker.stop()
        display.finish(work.progress(elapsed: Date().timeIntervalSince(began)))
    }
}

/// Stops a run in an orderly way at the first SIGINT, SIGTERM or SIGHUP, or when its time is over, and the process at the
/// second signal.
final class InterruptWatch: Sendable {
    private let stop: @Sendable (StopCause) -> Void
    private let signals: Signals
    private let limit: Deadline?
    /// In a process that keeps to one thread, until client code has run.
    private let ticker: Ticker?

    /// How often signals are looked for, in seconds.
    private static let period = 0.02

    /// - Parameters:
    ///   - limit: how long it may take from now on; nil: for ever.
    ///   - stop: called once for a signal, and once when the time is over.
    init(for limit: Span?, _ stop: @escaping @Sendable (StopCause) -> Void) {
        let signals = Signals()
        let deadline = limit.map { Deadline($0) }
        (self.stop, self.signals, self.limit) = (stop, signals, deadline)
        ticker =
            SingleThread.isKept
            ? Ticker(every: Self.period) {
                if signals.isNext() { Self.meet(signals, stop) }
                deadline?.meet(stop)
            } : nil
        if ticker == nil { beginThread() }
    }

    /// From here on there may be other threads again, and no limit.
    func clientCodeHasRun() {
        limit?.withdraw()
        guard let ticker else { return }
        ticker.stop()
        beginThread()
    }

    private func beginThread() {
        Thread { [signals, stop, limit] in
            while true {
                let deadline = limit.flatMap { $0.isMet ? nil : $0 }
                if signals.awaitNext(until: deadline) { Self.meet(signals, stop) }
                limit?.meet(stop)
            }
        }.start()
    }

    private static func meet(_ signals: Signals, _ stop: (StopCause) -> Void) {
        if signals.isFirst { return stop(.interrupt) }
        ClientCode.release()
        _exit(ExitStatus.interrupted.rawValue)
    }
}

/// Signals that are waited for: blocked in every thread made from here on.
private final class Signals: Sendable {
    private let watched: sigset_t
    private let count = Atomic<Int>(0)

    init() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        // Under nohup the terminal may go, and the run goes on.
        if !Self.isIgnored(SIGHUP) { sigaddset(&signals, SIGHUP) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        watched = signals
    }

    /// Whether one has come. Does not wait.
    func isNext() -> Bool {
        var signals = watched
        var now = timespec()
        return sigtimedwait(&signals, nil, &now) > 0
    }

    /// False if the time was over first.
    func awaitNext(until deadline: Deadline?) -> Bool {
        var signals = watched
        guard let deadline else {
            var signal: Int32 = 0
            return sigwait(&signals, &signal) == 0
        }
        var time = deadline.left
        return sigtimedwait(&signals, nil, &time) > 0
    }

    /// Asked once for each that has come.
    var isFirst: Bool { count.add(1, ordering: .relaxed).oldValue == 0 }

    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        // Of the union only the address can be compared.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// When the time of a command is over.
private final class Deadline: Sendable {
    private let limit: Span
    /// On the machine's clock.
    private let end: Int64
    private let wasMet = Atomic<Bool>(false)

    init(_ limit: Span) {
        self.limit = limit
        let (sum, isTooLarge) = HostClock.nanoseconds.addingReportingOverflow(limit.nanoseconds)
        end = isTooLarge ? .max : sum
    }

    var isMet: Bool { wasMet.load(ordering: .relaxed) }

    var left: timespec {
        let left = max(0, end - HostClock.nanoseconds)
        return timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
    }

    /// It is nobody's any more.
    func withdraw() { wasMet.store(true, ordering: .relaxed) }

    /// Stops what is under way if it is over: once.
    func meet(_ stop: (StopCause) -> Void) {
        guard !isMet, HostClock.nanoseconds >= end, !wasMet.exchange(true, ordering: .relaxed) else { return }
        stop(.timeLimit(limit))
    }
}
