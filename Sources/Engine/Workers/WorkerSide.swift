// A worker process, seen from within: its places, its pipe, its end.
// Any thread; `lock` guards the pipe, so that messages do not get into each other.

import CHostCalls
import CWorkers
import Foundation
import Metrics
import Simulation
import Statics

/// What a worker does with the places that it is given.
protocol WorkerTask: AnyObject {
    /// Runs it to its end, or until the side is over.
    ///
    /// - Parameter orElse: called on another thread, instead of a return, if the calling one waits in client code for
    ///   ever. That one does the worker's work from there on.
    /// - Returns: what goes back.
    func perform(_ place: Int, orElse: @escaping (Packer) -> Void) -> Packer
    /// Whether a fresh worker should go on.
    var isFull: Bool { get }
    /// What is left to say when no place comes any more.
    func end() -> Packer
}

final class WorkerSide: @unchecked Sendable {
    private let lock = NSLock()
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    let board: WorkerBoard
    let worker: Int
    private var fatal = FatalCalls()

    /// Of this process. Set once, before client code runs.
    nonisolated(unsafe) private static var current: WorkerSide?

    /// What a process returns that client code has ended; who reads the pipe knows better.
    private static let leftStatus: Int32 = 107

    init(_ descriptor: Int32, _ board: WorkerBoard, worker: Int) {
        (self.descriptor, self.board, self.worker) = (descriptor, board, worker)
        bytes.reserveCapacity(WorkerMessage.roomOfMost)
    }

    /// Whether what is under way is to be broken off.
    var isOver: Bool { board.isStopped }

    func send(_ kind: WorkerMessage.Kind, place: Int = 0, _ body: Packer = Packer()) {
        lock.withLock {
            WorkerMessage.write(kind, place, body.bytes, into: &bytes)
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    write(descriptor, buffer.baseAddress.map { $0 + sent }, bytes.count - sent)
                }
                if count < 0, errno == EINTR { continue }
                // Nobody reads: nobody wants to know anything any more.
                if count < 0 { stampede_end(0) }
                sent += count
            }
        }
    }

    /// Does all the work on a thread of its own: client code is not on the main thread of a process.
    ///
    /// - Parameters:
    ///   - again: a place that another worker has not come to the end of.
    ///   - fatal: where client code ends the process.
    func run(
        _ places: Int, after again: Int?, _ fatal: FatalCalls,
        _ work: @escaping @Sendable (WorkerSide) -> any WorkerTask
    ) -> Never {
        Self.current = self
        self.fatal = fatal
        CallBoard.share(board.calls(of: worker)) { [self] in lastNote(of: $0) }
        stampede_note_death(board.note(of: worker), { AppRuntime.isInClientCode }, { CallBoard.leaveClientCode() })
        AppRuntime.onWrite = { [board, worker] in board.print($0, worker) }
        guardEnd()
        Thread { [self] in
            stampede_own_fault_stack()
            goOn(work(self), places, first: again)
        }.start()
        while true { pause() }
    }

    /// On the worker's thread, or on the one that has taken its place.
    private func goOn(_ task: any WorkerTask, _ places: Int, first: Int? = nil) -> Never {
        var first = first
        var isWorn = false
        while first != nil || !board.isClosed && !task.isFull && !isWorn {
            let place = first.take() ?? board.take()
            guard place < places else { break }
            board.begin(place, worker)
            CallBoard.begin(fatal.at(place))
            isWorn = fatal.at(place).hasWaysOut
            let value = task.perform(place) { [self] value in
                tell(value, of: place)
                if isWorn { leave(task, isWorn: true) }
                goOn(task, places)
            }
            tell(value, of: place)
        }
        leave(task, isWorn: isWorn)
    }

    /// - Parameter isWorn: client code may have been left in the middle here: another process goes on.
    private func leave(_ task: any WorkerTask, isWorn: Bool) -> Never {
        send(task.isFull || isWorn ? .replacement : .farewell, task.end())
        // What client code has printed.
        fflush(nil)
        quit()
    }

    private func tell(_ value: Packer, of place: Int) {
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
        return fatal.words.note(
            CodeWords.End(note.pointee), code: ClientCode.place(of: board.lastCalls(of: worker)),
            lastLines: process.device.log.lines.filter { $0.process == process.number }.map(\.text))
    }

    /// Nothing of what this process was forked from ends with it.
    func quit() -> Never {
        RunFolder.remove()
        stampede_end(0)
    }

    private func guardEnd() {
        stampede_guard_end { WorkerSide.current?.meetEnd($0) }
    }

    private func meetEnd(_ call: UnsafePointer<CChar>?) {
        // Whoever is next is met as well, if this one is left in the middle.
        guardEnd()
        stampede_note_exit(call)
        var packer = Packer()
        packer.put(call.map { String(cString: $0) } ?? "exit")
        send(.left, packer)
        RunFolder.remove()
        stampede_end(Self.leftStatus)
    }
}
