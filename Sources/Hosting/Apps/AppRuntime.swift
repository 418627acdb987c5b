// The runtime's side of the simulation: what it asks for on behalf of client code.
// Under the virtual clock called by the thread that holds the baton of its worker, except what says otherwise.

internal import CRuntime

/// The runtime under which client code runs: its Dispatch queues and waits are its device's, and under the virtual clock its
/// clocks.
package enum AppRuntime {
    /// Whether it is in force: in a program whose libraries are linked into it, or that a sanitizer watches, the system's
    /// own functions stay where they are.
    package static let isInForce: Bool = {
        RunFolder.find()
        var host = AppRuntime.host
        guard stampede_runtime_install(&host, TimelineCalendar.simulatedSeconds) else { return false }
        TaskExecutors.install()
        return true
    }()

    /// Puts it in force, once in a process and before any client code runs.
    static func install() { _ = isInForce }

    /// Whether the runtime serves the calling code's calls of Dispatch and of the clocks. Any thread.
    package static var isServing: Bool { stampede_current_app() != nil && isInForce }

    /// How many jobs of tasks ran as events of their devices since it was last asked. Any thread.
    package static func takeTaskJobs() -> Int { Int(stampede_jobs_taken()) }

    /// Whether an address lies where the harness calls into client code. Any thread, in a signal's handler too.
    package static func isCallIntoClientCode(at place: UInt64) -> Bool { stampede_is_try(place) }

    /// Whether the calling thread runs client code. Any thread, in a signal's handler too.
    package static var isInClientCode: Bool { stampede_current_process() != nil }

    /// Whether client code has made the calling thread, and it serves no call. Any thread, in a signal's handler too.
    package static var isOnThreadOfClient: Bool { stampede_is_thread_of_client() }

    /// What the calling thread does from here on is the harness's own, whatever called it. Any thread.
    package static func leaveClientCode() {
        _ = stampede_step_out()
        stampede_thread_leave()
    }

    /// Does what is the harness's own in the middle of client code. Any thread.
    package static func asHarness<Value>(_ body: () throws -> Value) rethrows -> Value {
        let frame = stampede_step_out()
        defer { stampede_step_in(frame) }
        return try body()
    }

    /// Sets the function to call on a signal by which client code would end the process, on that code's thread.
    /// Set it before there is client code.
    package static func onOwnSignal(_ note: @escaping @convention(c) (Int32) -> Void) { stampede_on_own_signal(note) }

    /// What is open now stays open whatever client code closes. In a worker, before there is client code.
    ///
    /// - Parameter pipe: the one by which the worker tells what it found.
    package static func keepDescriptors(pipe: Int32) { stampede_keep_descriptors(pipe) }

    /// Whether the calling code, which the runtime serves, runs on its device's main queue. Any thread.
    package static var isOnMainQueue: Bool { stampede_is_on_main() }

    /// Told of what client code writes to descriptors 1 and 2, on the thread that does. Guard: set before there is any.
    nonisolated(unsafe) package static var onWrite: (@Sendable (UnsafeRawBufferPointer) -> Void)?

    private static var host: stampede_host {
        var host = stampede_host()
        host.now = { AppRuntime.process($0).now.nanoseconds }
        host.schedule_turn = { AppRuntime.process($0).scheduleTurn(of: $1, isMain: $2) }
        host.schedule_timer = { AppRuntime.process($0).schedule($1, after: Span(nanoseconds: $2), isMain: $3) }
        host.cancel = { AppRuntime.process($0).cancelTimer($1) }
        host.waits = { AppRuntime.process($0).waits() }
        host.entered = { process in
            // Held by the call that enters it, and not once more: this is the commonest of all.
            guard let process else { return }
            Unmanaged<AppProcess>.fromOpaque(process)._withUnsafeGuaranteedRef { $0.bringStaticsIn() }
        }
        host.park = { AppRuntime.process($0).park($1) }
        host.wake = { AppRuntime.process($0).wake($1) }
        host.hangs = { AppRuntime.process($0).isGivenUpInVain() }
        host.crash = { AppRuntime.process($0).crash($1.map { String(cString: $0) } ?? "") }
        host.hop = { AppRuntime.process($0).hop($1, $2) }
        host.nudge = { AppRuntime.process($0).nudge() }
        host.fill_random = {
            AppRuntime.process($0).fillRandom(UnsafeMutableRawBufferPointer(start: $1, count: Int($2)))
        }
        host.wrote = { AppRuntime.process($0).wrote(UnsafeRawBufferPointer(start: $2, count: Int($3))) }
        host.home = { AppRuntime.process($0).device.home.path }
        host.file_changes = { AppRuntime.process($0).changesFile() }
        host.file_changed = { AppRuntime.process($0).changedFile() }
        host.uses_outside = { ClientRemarks.noteOutsideUse($1, $2) }
        host.transfer = { AppRuntime.process($0).makes($1.unsafelyUnwrapped) }
        addWallClock(to: &host)
        return host
    }

    @inline(__always)
    static func process(_ pointer: UnsafeMutableRawPointer?) -> AppProcess {
        // The runtime gives back what it was given, and never nothing.
        Unmanaged<AppProcess>.fromOpaque(pointer.unsafelyUnwrapped).takeUnretainedValue()
    }
}

extension AppProcess {
    // MARK: Events

    fileprivate func scheduleTurn(of queue: OpaquePointer?, isMain: Bool) {
        guard let queue else { return }
        if isOnWallClock { return scheduleTurnOnWallClock(of: queue, isMain: isMain) }
        scheduleOwn(after: .zero, isMain: isMain) { stampede_queue_turn(queue) }
    }

    fileprivate func schedule(
        _ timer: OpaquePointer?, after delay: Span, isMain: Bool
    ) -> stampede_ticket {
        if isOnWallClock, let timer {
            scheduleOnWallClock(timer, after: delay, isMain: isMain)
            return stampede_ticket()
        }
        let ticket = scheduleOwn(after: delay, isMain: isMain) { stampede_timer_fire(timer) }
        return stampede_ticket(sequence: ticket.sequence, slot: Int64(ticket.slot))
    }

    /// An event in which the runtime runs what the app has put off. It counts as the app's own work.
    @discardableResult
    private func scheduleOwn(after delay: Span, isMain: Bool, _ body: @escaping () -> Void) -> Ticket {
        let device = device
        device.beginsOwnWork()
        return device.lane.schedule(after: delay, from: isMain ? .mainQueue(of: device.number) : .harness) { [self] in
            device.endsOwnWork()
            runOwn(isMain ? .mainQueueBlock : .ownQueueBlock, body)
            device.ranOwnWork()
            device.checkQuiet()
        }
    }

    fileprivate func cancelTimer(_ ticket: stampede_ticket) {
        if isOnWallClock { return cancelTimerOnWallClock() }
        device.endsOwnWork()
        device.lane.cancel(Ticket(sequence: ticket.sequence, slot: Int(ticket.slot), wallEvent: nil))
    }

    // MARK: Waiting

    fileprivate func park(_ waiter: OpaquePointer?) {
        guard let clock = device.lane as? VirtualClock else { return }
        device.hasWaited = true
        device.onWaiting?()
        // Whatever else is under way decides in its own events whether anything can still wake it; at the latest here.
        device.schedule {}
        let former = CallBoard.current
        defer { if let former { CallBoard.restore(former) } }
        clock.park { thread in
            stampede_waiter_slot(waiter)?.pointee = Unmanaged.passUnretained(thread).toOpaque()
        }
    }

    fileprivate func wake(_ waiter: OpaquePointer?) {
        guard let clock = device.lane as? VirtualClock, let thread = stampede_waiter_slot(waiter)?.pointee else {
            return
        }
        clock.wake(Unmanaged<RelayThread>.fromOpaque(thread).takeUnretainedValue())
    }

    // MARK: What else client code does

    fileprivate func crash(_ reason: String) {
        if isOnWallClock { return crashOnWallClock(reason) }
        device.log.end(because: reason, at: device.lane.now, process: number)
        raise(.failedAssertion)
    }

    /// Any thread.
    fileprivate func hop(
        _ body: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?, _ argument: UnsafeMutableRawPointer?
    ) {
        let transfer = UnsafeTransfer(argument)
        device.performInOrder { [self] in
            record(.calledOffLane)
            body?(transfer.value)
        }
    }

    /// Any thread.
    fileprivate func nudge() { device.sendFromOutside {} }

    fileprivate func fillRandom(_ bytes: UnsafeMutableRawBufferPointer) {
        var left = bytes[...]
        while !left.isEmpty {
            withUnsafeBytes(of: device.clientChance.next()) { drawn in
                let count = min(drawn.count, left.count)
                UnsafeMutableRawBufferPointer(rebasing: left.prefix(count)).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: drawn.prefix(count)))
                left = left.dropFirst(count)
            }
        }
    }

    /// What an app prints after its end is lost with it.
    fileprivate func wrote(_ bytes: UnsafeRawBufferPointer) {
        AppRuntime.onWrite?(bytes)
        if isOnWallClock, !device.lane.isCurrent { return wroteOnWallClock(bytes) }
        if isAlive { device.log.write(bytes, at: device.lane.now, process: number) }
    }
}
