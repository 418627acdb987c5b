// Work done by processes that are forked from this one: what they need is there already, what they find comes back.
// Main thread of a process that keeps to one thread.

import CWorkers
import Files
import Foundation
package import Simulation
import Statics

/// How workers do the places that they are given.
package enum WorkStyle: Equatable {
    /// One device runs at a time, and what brings a worker down is done once more.
    case oneByOne
    /// A place each, all devices at once, in real time: what brings one down has ended what it was at, and others go on.
    case allAtOnce

    /// In nanoseconds, beside the time that users are waited for, to say what came of them.
    fileprivate var endingTime: Int64 { self == .oneByOne ? 0 : 3_000_000_000 }
}

/// Worker processes, each of which takes one place after another.
///
/// Workers share no memory but the board's: memory that client code leaves behind or breaks is its own worker's.
package final class WorkerProcesses {
    private let places: Int
    private let conditions: AppConditions
    private let crashLimitOfPlaces: Int?
    private let style: WorkStyle
    private let work: @Sendable (WorkerSide) -> any WorkerTask
    package let board: WorkerBoard
    private var workers: [Worker?]
    /// The first that could not be told as the app's.
    package private(set) var death: WorkerDeath?
    private var fatal: FatalCalls
    /// Places that have come to their ends.
    private var done = IndexSet()
    /// Places whose values are worth nothing: they are done once more, or given up.
    private var strayedPlaces: Set<Int> = []
    /// To be done once more by the next worker that is forked.
    private var redo: [Int] = []
    /// To be done once more, before there is a new one.
    private var again: [Int?]
    /// When workers that have been asked to break off are waited for no longer, on the machine's clock.
    private var lastCall: Int64?

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
    ///   - conditions: how long calls into client code may take.
    ///   - deathsMax: how many workers may die before nothing more is begun.
    ///   - crashLimit: at how many places in its code the client may crash before nothing more is begun; nil: at any number.
    ///   - style: how workers do their places.
    ///   - work: called in each worker.
    package init(
        _ count: Int, places: Int, _ conditions: AppConditions, deathsMax: Int = FatalCalls.deathsStandard,
        crashLimit: Int? = nil, style: WorkStyle = .oneByOne,
        _ work: @escaping @Sendable (WorkerSide) -> any WorkerTask
    ) {
        (self.places, self.conditions, crashLimitOfPlaces) = (places, conditions, crashLimit)
        fatal = FatalCalls(deathsMax: deathsMax)
        (self.style, self.work) = (style, work)
        let count = min(count, places)
        board = WorkerBoard(workers: count)
        workers = Array(repeating: nil, count: count)
        again = Array(repeating: nil, count: count)
    }

    /// Returns when all places are done, or it is over, or a worker has died, and no worker is left.
    ///
    /// - Parameters:
    ///   - isOver: asked now and then; what the workers are at is broken off then.
    ///   - isEnough: asked likewise; nothing more is begun then.
    ///   - receive: what they send, in order of each.
    package func run(
        until isOver: () -> Bool, isEnough: () -> Bool = { false }, _ receive: (WorkerMessage) throws -> Void
    ) {
        for place in workers.indices where !isLost { fork(place) }
        while workers.contains(where: { $0 != nil }) {
            SingleThread.attend()
            if isOver() || isLost || isTooSlow {
                breakOff()
            } else if isEnough() || fatal.areMany || areTooDifferent {
                board.close()
            }
            let isQuiet = waitForMessages() == 0
            for place in workers.indices { look(at: place, isQuiet: isQuiet, receive) }
            if !isQuiet, board.taken < places, !board.isClosed { _ = poll(nil, 0, Self.gatheringTime) }
        }
    }

    /// Client code that does not come back keeps its worker from noticing.
    private func breakOff() {
        board.stop()
        let now = HostClock.nanoseconds
        let end = lastCall ?? now + StopRequest.patience + style.endingTime
        lastCall = end
        if now >= end { for worker in workers { if let worker { kill(worker.process, SIGKILL) } } }
    }

    /// The end of the app is unknown, and the work ends.
    private var isLost: Bool { style == .oneByOne && death.map { !$0.wasElsewhere } ?? false }

    /// Client code has brought workers down so often that nothing new was begun; nil: it has not.
    package var crashLimit: Int? {
        if isTooSlow { return board.interruptionCount + fatal.deathCount }
        return fatal.areMany ? fatal.deathCount : areTooDifferent ? board.sites.total : nil
    }

    /// It crashes at so many places.
    private var areTooDifferent: Bool { crashLimitOfPlaces.map { board.sites.total >= $0 } ?? false }

    /// Client code has been waited for so often that this is known well enough.
    private var isTooSlow: Bool { board.interruptionCount >= Self.interruptionsMax || board.isTooLarge }
    private static let interruptionsMax = 100

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
                case .hung:
                    var body = Unpacker(message.body)
                    let hang = try body.plain(HungCall.self)
                    cause = .hung(hang)
                    if hang.overrun == nil { board.hangsAreKnown = true }
                    return
                case .strayed:
                    var body = Unpacker(message.body)
                    strayed(message.place, try body.plains(CallPlace.self), board.lastLines(of: place))
                    return
                case .value:
                    if strayedPlaces.contains(message.place) { return }
                    if !fatal.accepts(message.place) { return giveUp(message.place, board.lastLines(of: place)) }
                    done.insert(message.place)
                    if let site = fatal.takeProven(of: message.place) { board.sites.add(site.code, site.place) }
                case .note: break
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
            again[place] = board.isStopped ? nil : redo.popLast()
            if let next = again[place] { strayedPlaces.remove(next) }
            if again[place] != nil || worker.needsReplacement && board.taken < places && !board.isClosed { fork(place) }
            return
        }
        RunFolder.remove(of: worker.process)
        if lastCall.map({ HostClock.nanoseconds >= $0 }) ?? false { return }
        let found = cause ?? (signal != 0 ? .signal(signal) : .status(stampede_code_of(status)))
        let calls = board.lastCalls(of: place)
        let met = WorkerDeath(
            found, place: board.place(of: place), lastLines: board.lastLines(of: place),
            call: board.lastCall(of: place), code: ClientCode.place(of: calls), calls: calls,
            sender: board.sender(of: place))
        // Time has passed in the real world: what was under way is over.
        if style == .allAtOnce {
            if met.place == nil, !board.isStopped { return fork(place) }
            return death = death ?? met
        }
        // What was under way is begun anew, even if there is to be nothing new.
        let underWay = met.place.flatMap { done.contains($0) ? nil : $0 }
        if !board.isStopped, fatal.take(met, underWay: underWay) {
            again[place] = underWay
            return fork(place)
        }
        if !isLost { death = met }
    }

    /// What client code had done did not come again.
    private func strayed(_ place: Int, _ missed: [CallPlace], _ lines: [String]) {
        strayedPlaces.insert(place)
        if fatal.take(missed: missed, at: place) { redo.append(place) } else { giveUp(place, lines) }
    }

    private func giveUp(_ place: Int, _ lines: [String]) {
        if death != nil { return }
        death = WorkerDeath(.notAgain, place: place, lastLines: lines)
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
            let side = WorkerSide(ends[1], board, worker: place)
            side.run(places, style, after: again[place], fatal, conditions, work)
        }
        close(ends[1])
        let feed = WorkerFeed(ends[0])
        guard process > 0 else { return death = WorkerDeath(.unborn(errno), place: nil) }
        again[place] = nil
        workers[place] = Worker(process: process, feed: feed)
    }
}
