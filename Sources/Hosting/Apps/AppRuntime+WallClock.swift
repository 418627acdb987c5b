// What the runtime asks for under the wall clock, where threads of one app run at once.
// Any thread, and mostly with all of the runtime's objects locked: nothing here waits, except what says so.

internal import CRuntime
internal import Foundation
internal import Synchronization

extension AppRuntime {
    static func addWallClock(to host: inout stampede_host) {
        host.retain = { _ = $0.map { Unmanaged<AppProcess>.fromOpaque($0).retain() } }
        host.release = { $0.map { Unmanaged<AppProcess>.fromOpaque($0).release() } }
        host.wakes = { AppRuntime.process($0).wakes() }
        host.wait_begins = { AppRuntime.process($0).waitBegins(untilWoken: $1) }
        host.wait_ends = { AppRuntime.process($0).waitEnds(untilWoken: $1) }
        host.goes_to_main = { AppRuntime.process($0).goesToMain() }
        host.leaves_main = { AppRuntime.process($0).leavesMain() }
    }
}

extension AppProcess {
    private var wallLane: WallLane { unsafeDowncast(device.lane, to: WallLane.self) }

    /// The device's time.
    var now: Instant { isOnWallClock ? wallLane.nowAnywhere : device.lane.now }

    // MARK: What is put off

    func scheduleTurnOnWallClock(of queue: OpaquePointer, isMain: Bool) {
        let line = isMain ? nil : stampede_queue_line(queue).flatMap { lines.line(of: $0, on: wallLane) }
        scheduleOwnOnWallClock(after: .zero, isMain: isMain, in: line) {
            stampede_queue_turn(queue)
            return true
        }
    }

    private var lines: QueueLines { processObject(QueueLines.self) { QueueLines() } }

    func scheduleOnWallClock(_ timer: OpaquePointer, after delay: Span, isMain: Bool) {
        guard let app else { return }
        let serial = stampede_timer_serial(timer)
        scheduleOwnOnWallClock(after: delay, isMain: isMain) { stampede_timer_fire_if_pending(app, timer, serial) }
    }

    /// A cancelled timer comes all the same, and finds that it is not pending.
    func cancelTimerOnWallClock() { ownWork.end(of: device) }

    /// Counts as outstanding until `body` has run, or was cancelled meanwhile.
    ///
    /// - Parameters:
    ///   - line: where it stands with others that come one after the other; nil: beside all.
    ///   - body: says whether it was still wanted.
    private func scheduleOwnOnWallClock(
        after delay: Span, isMain: Bool, in line: Mailbox? = nil, _ body: @escaping () -> Bool
    ) {
        ownWork.begin(of: device)
        let transfer = UnsafeTransfer(body)
        let run: @Sendable () -> Void = { [self] in
            runCounted(isMain ? .mainQueueBlock : .ownQueueBlock, transfer.value)
        }
        if let line {
            line.put(run)
        } else if isMain {
            wallLane.schedule(after: delay, run)
        } else {
            wallLane.scheduleBeside(after: delay, run)
        }
    }

    private func runCounted(_ call: ClientCall, _ body: () -> Bool) {
        let thread = WallThread.current
        thread.isCounted = true
        var wasWanted = false
        // What belongs to a process that has ended is dropped.
        if isAlive, call == .ownQueueBlock || mayWork(asking: false) {
            measured(call) { wasWanted = body() }
        } else {
            wasWanted = body()
        }
        thread.isCounted = false
        if wasWanted { ownWork.end(of: device) }
    }

    // MARK: Waiting

    fileprivate func wakes() { ownWork.begin(of: device) }

    /// - Parameter untilWoken: others of the app's wake it, and what it does then counts from that moment on; else it goes
    ///   on by itself.
    fileprivate func waitBegins(untilWoken: Bool) {
        let thread = WallThread.current
        thread.isWaiting = true
        if untilWoken, thread.isCounted { ownWork.end(of: device) }
        if let lane = WallThread.lane {
            if !untilWoken, !thread.isCounted { ownWork.begin(of: device) }
            // Goods are read in the middle of what the harness does: nothing may come in between.
            if lane !== device.lane || !device.isReadingGoods {
                thread.left = lane
                if lane === device.lane { device.onWaiting?() }
                CallingThread.current.slot.isAside = true
                lane.leave()
            }
        } else {
            // Beside the main queue an app may keep a thread waiting for as long as it likes.
            thread.suspendedCall = CallingThread.current.slot.suspend()
        }
        thread.pool?.waitBegins()
    }

    /// Waits for the lane.
    fileprivate func waitEnds(untilWoken: Bool) {
        let thread = WallThread.current
        if let lane = thread.left {
            thread.left = nil
            lane.enter()
            CallingThread.current.slot.isAside = false
        } else if WallThread.lane == nil {
            CallingThread.current.slot.resume(thread.suspendedCall)
        }
        if !thread.isCounted, untilWoken || WallThread.lane != nil { ownWork.end(of: device) }
        thread.pool?.waitEnds()
        thread.isWaiting = false
    }

    /// Waits for the lane.
    fileprivate func goesToMain() -> Bool {
        if wallLane.isCurrent { return false }
        let pool = WallThread.current.pool
        pool?.waitBegins()
        wallLane.enter()
        pool?.waitEnds()
        return true
    }

    fileprivate func leavesMain() { wallLane.leave() }

    // MARK: What else client code does

    func crashOnWallClock(_ reason: String) {
        let calls = ClientCalls.now()
        let end: @Sendable () -> Void = { [self] in
            guard isAlive else { return }
            device.log.end(because: reason, at: device.lane.now, process: number)
            raise(.failedAssertion, in: calls)
        }
        if device.lane.isCurrent { end() } else { device.sendFromOutside(end) }
    }

    /// What comes faster than the lane takes it in is left out.
    func wroteOnWallClock(_ bytes: UnsafeRawBufferPointer) {
        let count = bytes.count + Self.writeCost
        if Self.underWay.add(count, ordering: .relaxed).newValue > Self.underWayMax {
            return _ = Self.underWay.subtract(count, ordering: .relaxed)
        }
        let copy = [UInt8](bytes)
        device.lane.sendFromOutside { [self] in
            Self.underWay.subtract(count, ordering: .relaxed)
            guard isAlive else { return }
            copy.withUnsafeBytes { device.log.write($0, at: device.lane.now, process: number) }
        }
    }
}

extension AppProcess {
    /// Bytes of output of all apps, on their way to their lanes.
    private static let underWay = Atomic<Int>(0)
    private static let underWayMax = 4 << 20
    /// Of one write beside its bytes, roughly.
    private static let writeCost = 256
}

/// How much of a process's own is under way under the wall clock; nothing any more once it has ended, whatever its threads
/// still wait for. Any thread.
struct OwnWork: ~Copyable, Sendable {
    private let count = Atomic<Int>(0)
    private static let ended = Int.min

    func begin(of device: Device) {
        if change(by: 1) != nil { device.beginOutside() }
    }

    func end(of device: Device) {
        if change(by: -1) != nil { device.endOutside() }
    }

    func processEnded(of device: Device) {
        let left = count.exchange(Self.ended, ordering: .sequentiallyConsistent)
        guard left != Self.ended else { return }
        for _ in 0..<max(0, left) { device.endOutside() }
    }

    /// Nil once the process has ended.
    private func change(by step: Int) -> Int? {
        var known = count.load(ordering: .relaxed)
        while known != Self.ended {
            let (exchanged, original) = count.compareExchange(
                expected: known, desired: known + step, ordering: .sequentiallyConsistent)
            if exchanged { return known + step }
            known = original
        }
        return nil
    }
}

/// Lines of turns, by the serial queue that all of their queues lead to. Any thread.
private final class QueueLines: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    /// A queue that is gone may have left its line to another one in its place, which may stand there as well.
    private var lines: [OpaquePointer: Mailbox] = [:]

    func line(of queue: OpaquePointer, on lane: WallLane) -> Mailbox? {
        lock.withLock {
            if let known = lines[queue] { return known }
            let made = lane.makeMailbox()
            lines[queue] = made
            return made
        }
    }
}
