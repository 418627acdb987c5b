// A worker process, seen from within: its places, its pipe, its end.
// Any thread; `lock` guards the pipe, so that messages do not get into each other.

import CHostCalls
import CWorkers
package import Files
import Foundation
import Host
package import Simulation
import Statics
import Synchronization

/// What a worker does with the places that it is given.
package protocol WorkerTask: AnyObject {
    /// Runs it to its end, or until the side is over.
    ///
    /// - Parameter orElse: called on another thread, instead of a return, if the calling one waits in client code for
    ///   ever. That one does the worker's work from there on.
    /// - Returns: what goes back.
    func perform(_ place: Int, orElse: @escaping (Packer) -> Void) -> Packer
    /// How many users a place has: what the harness holds of each is not the client's.
    func users(of place: Int) -> Int
    /// Whether a fresh worker should go on.
    var isFull: Bool { get }
    /// What is left to say when no place comes any more.
    func end() -> Packer
}

extension WorkerTask {
    package func users(of place: Int) -> Int { 1 }
}

package final class WorkerSide: @unchecked Sendable {
    private let lock = NSLock()
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    let board: WorkerBoard
    let worker: Int
    private var fatal = FatalCalls()
    /// The call into client code that the worker is in.
    package let slot = CallSlot()
    private var watch: ClientWatch?
    /// Something was left in the middle that may be missed: another process is to go on.
    private let isWorn = Atomic<Bool>(false)
    /// Whether what each app holds is counted in the place that the worker is at.
    fileprivate let countsMemory = Atomic<Bool>(false)
    /// Whether the place that the worker is at is done once more, and client code may be left in the middle of whatever it does,
    /// and whether it is known to need that because it does not come back.
    private let hasWaysOut = Atomic<Bool>(false)
    private let hasHangs = Atomic<Bool>(false)
    private let leftMemory = LeftMemory()
    /// How much memory an app may hold; nil if the code that runs many at once limits it.
    private var memoryLimit: Int?
    /// How much the process may grow in the place that it is at, before it is counted what each app holds.
    fileprivate let growthMax = Atomic<Int>(.max)
    private static let bytesPerUser = 64 << 10
    /// The most that the process had held before the place that it is at. On the thread that works.
    private var peakBefore = 0

    /// Of this process. Set once, before client code runs.
    nonisolated(unsafe) private static var current: WorkerSide?

    /// What a process returns that client code has ended; who reads the pipe knows better.
    private static let leftStatus: Int32 = 107

    init(_ descriptor: Int32, _ board: WorkerBoard, worker: Int) {
        (self.descriptor, self.board, self.worker) = (descriptor, board, worker)
        bytes.reserveCapacity(WorkerMessage.roomOfMost)
    }

    /// Whether what is under way is to be broken off.
    package var isOver: Bool { board.isStopped || board.isTooLarge }

    package func send(_ kind: WorkerMessage.Kind, place: Int = 0, _ body: Packer = Packer()) {
        lock.withLock {
            WorkerMessage.write(kind, place, body.bytes, into: &bytes)
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    stampede_send(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent)
                }
                if count < 0, errno == EINTR { continue }
                // No process reads the pipe: the results are no longer wanted.
                if count < 0 { stampede_end(0) }
                sent += count
            }
        }
    }

    /// Does all the work on a thread of its own: client code is not on the main thread of a process.
    ///
    /// - Parameters:
    ///   - style: how they are done.
    ///   - again: a place that another worker has not come to the end of.
    ///   - fatal: where client code ends the process.
    func run(
        _ places: Int, _ style: WorkStyle, after again: Int?, _ fatal: FatalCalls, _ conditions: AppConditions,
        _ work: @escaping @Sendable (WorkerSide) -> any WorkerTask
    ) -> Never {
        Self.current = self
        self.fatal = fatal
        guardEnd()
        stampede_fence_worker()
        AppRuntime.keepDescriptors(pipe: descriptor)
        // Threads that run at once see to that themselves.
        if style == .oneByOne { attend(conditions) } else { stampede_share_last_words(board.note(of: worker)) }
        Thread { [self] in
            stampede_own_fault_stack()
            goOn(work(self), places, first: again)
        }.start()
        while true { pause() }
    }

    /// From here on it is known which call into client code the worker is in, and how it ends.
    private func attend(_ conditions: AppConditions) {
        CallBoard.share(board.calls(of: worker)) { [self] in lastNote(of: $0) }
        stampede_note_death(
            board.note(of: worker), { AppRuntime.isInClientCode }, { AppRuntime.isOnThreadOfClient },
            { place, waits in
                guard CallBoard.isOverdue else { return stampede_stays }
                return !waits && ClientCode.contains(UInt(place)) ? stampede_leaves_here : stampede_leaves_elsewhere
            },
            { if CallBoard.isAgain || WorkerSide.current?.knownSite != nil { CallBoard.leaveClientCode() } },
            { AppRuntime.isCallIntoClientCode(at: $0) })
        AppRuntime.onOwnSignal(stampede_note_signal)
        AppRuntime.onWrite = { [board, worker] in board.print($0, worker) }
        CallBoard.threadHeldBytes = { MemoryStatistics.threadHeldBytes() }
        CallSlot.ofProcess = slot
        watch(conditions)
    }

    /// On the worker's thread, or on the thread that has replaced it.
    private func goOn(_ task: any WorkerTask, _ places: Int, first: Int? = nil) -> Never {
        var first = first
        while first != nil || !board.isClosed && !task.isFull && !isWorn.load(ordering: .relaxed) {
            let place = first.take() ?? board.take()
            guard place < places else { break }
            board.begin(place, worker)
            let expected = fatal.at(place)
            CallBoard.begin(expected, hasSites: board.sites.total > 0)
            hasWaysOut.store(expected.hasWaysOut, ordering: .relaxed)
            hasHangs.store(expected.hasHangs, ordering: .relaxed)
            countsMemory.store(expected.countsMemory, ordering: .relaxed)
            peakBefore = ResidentMemory.peakBytes
            if let memoryLimit {
                growthMax.store(memoryLimit + task.users(of: place) * Self.bytesPerUser, ordering: .relaxed)
            }
            let value = task.perform(place) { [self] value in
                tell(value, of: place)
                goOn(task, places)
            }
            tell(value, of: place)
        }
        leave(task)
    }

    private func leave(_ task: any WorkerTask) -> Never {
        send(task.isFull || isWorn.load(ordering: .relaxed) ? .replacement : .farewell, task.end())
        watch?.stop()
        // What client code has printed.
        fflush(nil)
        quit()
    }

    private func tell(_ value: Packer, of place: Int) {
        // What its apps came to hold at once, however short it was.
        let growth = ResidentMemory.peakBytes - peakBefore
        if growth > growthMax.load(ordering: .relaxed), !countsMemory.load(ordering: .relaxed), !isOver {
            hangs(HungCall(waited: .zero, wait: .unknown, overrun: MemoryOverrun(held: growth, isOfAll: true)))
        }
        let missed = isOver ? [] : CallBoard.missed
        if !missed.isEmpty {
            var packer = Packer()
            packer.put(plain: missed)
            send(.strayed, place: place, packer)
        }
        send(.value, place: place, value)
    }

    /// What is known of client code that was left in the middle just now. On the thread that it ran on.
    private func lastNote(of process: AppProcess) -> FatalCall {
        let note = board.note(of: worker)
        defer { note.pointee = stampede_last_note() }
        if !stampede_left_cleanly(note) {
            isWorn.store(true, ordering: .relaxed)
        }
        let site = knownSite
        // Its words are there: to look them up takes another program.
        if let site { fatal.words.learn(board.sites.place(at: site), at: site) }
        return AppRuntime.asHarness {
            fatal.words.note(
                CodeWords.Death(note.pointee, code: site), lastLines: process.device.log.lines(of: process.number))
        }
    }

    /// Where client code was, as this worker's note has it, if it is known to crash there. In a signal's handler too.
    private var knownSite: UInt? {
        let note = board.note(of: worker)
        return withUnsafeBytes(of: &note.pointee.calls) { [sites = board.sites] calls in
            for call in calls.bindMemory(to: UInt64.self).prefix(Int(note.pointee.count)) {
                if sites.contains(UInt(call)) { return UInt(call) }
            }
            return nil
        }
    }

    // MARK: Calls that do not come back

    private func watch(_ conditions: AppConditions) {
        memoryLimit = conditions.memoryLimit
        // Looked up here, and not first where client code is interrupted.
        if fatal.areThereHangs { _ = ClientCode.contains(0) }
        let memory = WatchedMemory(
            limit: conditions.memoryLimit, held: { _ in ResidentMemory.bytes },
            all: { [growth = PlaceGrowth(self)] in growth.overrun() },
            onOverrunOfAll: { [self] in hangs($0) })
        watch = ClientWatch(conditions, memory: memory) { [self] in
            patience($0)
        } slots: { [slot] in
            [slot]
        } interrupt: { [self] in
            interrupt($0, $1, $2)
        } onLost: { [self] client in
            hangs(client.hang)
        }
    }

    /// Where some calls do not come back, others that take long will not either, and each would cost the whole limit.
    private func patience(_ limit: Int64) -> Int64 {
        if hasHangs.load(ordering: .relaxed) {
            let isKnownWell = board.interruptionCount >= Self.interruptionsOfLength
            return max(min(limit, Self.patienceMin), limit / (isKnownWell ? 300 : 30))
        }
        return board.hangsAreKnown ? max(min(limit, 10 * Self.patienceMin), limit / 10) : limit
    }

    private static let patienceMin: Int64 = 100_000_000
    private static let interruptionsOfLength = 10

    /// Has client code leave the call, which it can only where it computes itself: that is tried for some time.
    private func interrupt(_ slot: CallSlot, _ seen: CallSlot.Sight, _ hang: HungCall) -> Bool {
        guard hasWaysOut.load(ordering: .relaxed) else { return false }
        CallBoard.hangs(hang)
        defer { _ = CallBoard.takeHang() }
        guard ClientWatch.leaves(slot, seen, askedBy: { stampede_interrupt_clients() }) else { return false }
        if let overrun = hang.overrun { leftMemory.add(overrun) }
        if leftMemory.isMuch { CallBoard.exhaust() }
        if hang.overrun == nil || leftMemory.isMuch { board.interrupted(isLast: leftMemory.isMuch) }
        return true
    }

    /// The process that reads the pipe knows from the board whose call it is.
    /// On the watch's thread, or in the event that found it out: the worker's own thread stands still for ever.
    package func hangs(_ hang: HungCall) -> Never {
        var packer = Packer()
        packer.put(plain: hang)
        send(.hung, packer)
        quit()
    }

    /// Nothing of what this process was forked from ends with it.
    func quit() -> Never {
        AppRuntime.leaveClientCode()
        RunFolder.remove()
        stampede_end(0)
    }

    private func guardEnd() {
        stampede_guard_end { WorkerSide.current?.meetEnd($0) }
    }

    private func meetEnd(_ call: UnsafePointer<CChar>?) {
        // The next call that ends the process is caught too, if this one is left in the middle.
        guardEnd()
        stampede_note_exit(call)
        // What follows is not the app's to do.
        AppRuntime.leaveClientCode()
        var packer = Packer()
        packer.put(call.map { String(cString: $0) } ?? "exit")
        send(.left, packer)
        RunFolder.remove()
        stampede_end(Self.leftStatus)
    }
}

/// By how much a worker has grown since it began with its place, from one look to the next.
// Unchecked: confined to the thread of the worker's watch.
private final class PlaceGrowth: @unchecked Sendable {
    private let side: WorkerSide
    private var place: Int?
    private var before: Int?

    init(_ side: WorkerSide) { self.side = side }

    /// The memory of its apps together, if it is more than one app may hold and is not counted for each app.
    func overrun() -> MemoryOverrun? {
        let now = ResidentMemory.bytes
        let current = side.board.place(of: side.worker)
        if current != place { (place, before) = (current, now) }
        let limit = side.growthMax.load(ordering: .relaxed)
        guard let now, let before, now - before > limit, !side.countsMemory.load(ordering: .relaxed) else { return nil }
        return MemoryOverrun(held: now - before, isOfAll: true)
    }
}
