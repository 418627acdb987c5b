// Work done by processes that are forked from this one: what they need is there already, what they find comes back.
// Main thread of a process that keeps to one thread.

import CWorkers
import Foundation
import Metrics
import Simulation

/// Places, each for one worker, in order.
///
/// A worker shares no memory with the others but the board's: what client code leaves behind, or breaks, is its own.
final class WorkerProcesses {
    private let places: Int
    private let work: @Sendable (WorkerSide) -> any WorkerTask
    let board: WorkerBoard
    private var workers: [Worker?]
    /// The first that there was.
    private(set) var death: WorkerDeath?

    private struct Worker {
        let process: pid_t
        let feed: WorkerFeed
        var hasEnded = false
        var needsReplacement = false
    }

    /// Between looks at whether the work is over, in milliseconds.
    private static let lookPeriod: Int32 = 20
    /// What comes meanwhile, in milliseconds, is taken together: waking up for each message would cost the workers a
    /// core's time.
    private static let gatheringTime: Int32 = 1
    private static let pipeSize: Int32 = 1 << 20

    /// - Parameters:
    ///   - count: workers at a time; no more than there are places.
    ///   - work: called in each worker.
    init(_ count: Int, places: Int, _ work: @escaping @Sendable (WorkerSide) -> any WorkerTask) {
        self.places = places
        self.work = work
        let count = min(count, places)
        board = WorkerBoard(workers: count)
        workers = Array(repeating: nil, count: count)
    }

    /// Returns when all places are done, or it is over, or a worker has died, and no worker is left.
    ///
    /// - Parameters:
    ///   - isOver: asked now and then; what the workers are at is broken off then.
    ///   - isEnough: asked likewise; nothing more is begun then.
    ///   - receive: what they send, in order of each.
    func run(
        until isOver: () -> Bool, isEnough: () -> Bool = { false }, _ receive: (WorkerMessage) throws -> Void
    ) {
        for place in workers.indices where death == nil { fork(place) }
        while workers.contains(where: { $0 != nil }) {
            SingleThread.attend()
            if isOver() || death != nil { board.stop() } else if isEnough() { board.close() }
            let isQuiet = waitForMessages() == 0
            for place in workers.indices { look(at: place, isQuiet: isQuiet, receive) }
            if !isQuiet, board.taken < places, !board.isClosed { _ = poll(nil, 0, Self.gatheringTime) }
        }
    }

    /// - Returns: how many workers have sent something.
    private func waitForMessages() -> Int32 {
        var waits = workers.compactMap { worker in
            worker.map { pollfd(fd: $0.feed.descriptor, events: Int16(POLLIN), revents: 0) }
        }
        return poll(&waits, nfds_t(waits.count), Self.lookPeriod)
    }

    private func look(at place: Int, isQuiet: Bool, _ receive: (WorkerMessage) throws -> Void) {
        guard var worker = workers[place] else { return }
        // A process that client code has left behind may hold the pipe open.
        var status: Int32 = 0
        let isGone = isQuiet && waitpid(worker.process, &status, WNOHANG) == worker.process
        var cause: WorkerDeath.Cause?
        do {
            try worker.feed.read { message in
                switch message.kind {
                case .farewell, .replacement:
                    worker.hasEnded = true
                    worker.needsReplacement = message.kind == .replacement
                case .left:
                    var body = Unpacker(message.body)
                    cause = .call(try body.text())
                    return
                case .value, .note: break
                }
                try receive(message)
            }
        } catch {
            kill(worker.process, SIGKILL)
            cause = .torn
        }
        workers[place] = worker
        guard isGone || cause != nil || worker.hasEnded || worker.feed.isAtEnd else { return }
        if !isGone { waitpid(worker.process, &status, 0) }
        workers[place] = nil
        ended(worker, place, status, cause)
    }

    private func ended(_ worker: Worker, _ place: Int, _ status: Int32, _ cause: WorkerDeath.Cause?) {
        let signal = stampede_signal_of(status)
        if cause == nil, worker.hasEnded {
            if worker.needsReplacement, board.taken < places, !board.isClosed { fork(place) }
            return
        }
        RunFolder.remove(of: worker.process)
        let found = cause ?? (signal != 0 ? .signal(signal) : .status(stampede_code_of(status)))
        if death == nil {
            death = WorkerDeath(found, place: board.place(of: place), lastLines: board.lastLines(of: place))
        }
    }

    private func fork(_ place: Int) {
        precondition(SingleThread.isKept, "workers are forked by a process that keeps to one thread")
        if let count = SingleThread.threadCount {
            precondition(count == 1, "workers cannot be forked by a process with \(count) threads")
        }
        var ends: [Int32] = [-1, -1]
        guard stampede_make_pipe(&ends, Self.pipeSize) == 0 else {
            return death = WorkerDeath(.unborn(errno), place: nil)
        }
        let process = stampede_fork_worker()
        if process == 0 {
            SingleThread.release()
            close(ends[0])
            for worker in workers { if let worker { close(worker.feed.descriptor) } }
            board.clear(place)
            WorkerSide(ends[1], board, worker: place).run(places, work)
        }
        close(ends[1])
        let feed = WorkerFeed(ends[0])
        guard process > 0 else { return death = WorkerDeath(.unborn(errno), place: nil) }
        workers[place] = Worker(process: process, feed: feed)
    }
}
