// Where the jobs of Swift's tasks run: on their device, as events of its own. The only file that knows the interface of custom
// executors, which no version of Swift promises.

internal import CRuntime
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

#if !compiler(>=6.3)
    #error("Stampede needs Swift 6.3: older ones keep the executors of tasks to themselves")
#endif

/// The executors of the whole process. In client code, tasks, actors and the main actor belong to its device; elsewhere they go
/// to Dispatch, as without us.
enum TaskExecutors {
    /// Puts them in the place of Swift's own, once in a process and before any client code runs.
    static func install() { _createExecutors(factory: Factory.self) }

    private struct Factory: ExecutorFactory {
        static var mainExecutor: any MainExecutor { DeviceMainExecutor.shared }
        static var defaultExecutor: any TaskExecutor { DeviceTaskExecutor.shared }
    }

    /// False outside client code, where the job is not ours.
    ///
    /// - Parameter delay: in nanoseconds.
    fileprivate static func put(_ job: UnownedJob, isMain: Bool, delay: Int64 = 0) -> Bool {
        let job = unsafeBitCast(job, to: UnsafeMutableRawPointer.self)
        return stampede_job_put(job, isMain ? runOnMain : runBeside, isMain, delay)
    }

    /// The app ends: its jobs are kept from here on.
    static func beginEnding(_ app: OpaquePointer) { stampede_tasks_begin_ending(app, runOnMain, runBeside) }

    private static let runOnMain: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
        TaskExecutors.job($0).runSynchronously(on: DeviceMainExecutor.unowned)
    }

    private static let runBeside: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
        TaskExecutors.job($0).runSynchronously(on: DeviceTaskExecutor.unowned)
    }

    private static func job(_ pointer: UnsafeMutableRawPointer?) -> UnownedJob {
        // The runtime gives back what it was given, and never nothing.
        unsafeBitCast(pointer.unsafelyUnwrapped, to: UnownedJob.self)
    }

    /// In nanoseconds, rounded up, so that no task wakes too early.
    /// Only the clocks of the standard library sleep this way, and all of them count in `Duration`.
    fileprivate static func nanoseconds(_ delay: some DurationProtocol) -> Int64 {
        guard let delay = delay as? Duration else { return 0 }
        let (seconds, attoseconds) = delay.components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? 0 : .max }
        let (sum, isTooLong) = nanoseconds.addingReportingOverflow((attoseconds + 999_999_999) / 1_000_000_000)
        return isTooLong ? .max : max(0, sum)
    }
}

/// Runs tasks and default actors beside the main queue.
private final class DeviceTaskExecutor: TaskExecutor, DeviceExecutor {
    static let shared = DeviceTaskExecutor()
    static let unowned = shared.asUnownedTaskExecutor()

    let next: any Executor = PlatformExecutorFactory.defaultExecutor
    var isMain: Bool { false }
}

/// Runs the main actor on the main queue of the calling code's device.
private final class DeviceMainExecutor: MainExecutor, DeviceExecutor {
    static let shared = DeviceMainExecutor()
    static let unowned = shared.asUnownedSerialExecutor()

    private let system = PlatformExecutorFactory.mainExecutor
    var next: any Executor { system }
    var isMain: Bool { true }

    // The process's own main queue.
    func run() throws { try system.run() }
    func stop() { system.stop() }

    func isIsolatingCurrentContext() -> Bool? {
        if stampede_current_app() == nil { return system.isIsolatingCurrentContext() }
        return stampede_is_on_main() ? true : nil
    }

    func checkIsolated() {
        if stampede_current_app() == nil { return system.checkIsolated() }
        if !stampede_is_on_main() { stampede_job_refused() }
    }
}

/// What both do with jobs.
private protocol DeviceExecutor: SchedulingExecutor {
    /// Runs what is not client code's.
    var next: any Executor { get }
    var isMain: Bool { get }
}

extension DeviceExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !TaskExecutors.put(job, isMain: isMain) { next.enqueue(job) }
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
        let job = UnownedJob(job)
        if TaskExecutors.put(job, isMain: isMain, delay: TaskExecutors.nanoseconds(delay)) { return }
        guard let next = next as? any SchedulingExecutor else { return next.enqueue(job) }
        next.enqueue(ExecutorJob(job), after: delay, tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
        _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
        enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
    }
}
