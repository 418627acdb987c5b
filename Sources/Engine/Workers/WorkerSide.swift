// A worker process, seen from within: its places, its pipe, its end.
// Any thread; `lock` guards the pipe, so that messages do not get into each other.

import CHostCalls
import Foundation
import Metrics
import Simulation

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
    func run(_ places: Int, _ work: @escaping @Sendable (WorkerSide) -> any WorkerTask) -> Never {
        Self.current = self
        AppRuntime.onWrite = { [board, worker] in board.print($0, worker) }
        stampede_guard_end { call in WorkerSide.current?.meetEnd(call.map { String(cString: $0) } ?? "exit") }
        Thread { [self] in goOn(work(self), places) }.start()
        while true { pause() }
    }

    /// On the worker's thread, or on the one that has taken its place.
    private func goOn(_ task: any WorkerTask, _ places: Int) -> Never {
        while !board.isClosed, !task.isFull {
            let place = board.take()
            guard place < places else { break }
            board.begin(place, worker)
            let value = task.perform(place) { [self] value in
                send(.value, place: place, value)
                goOn(task, places)
            }
            send(.value, place: place, value)
        }
        send(task.isFull ? .replacement : .farewell, task.end())
        // What client code has printed.
        fflush(nil)
        quit()
    }

    /// Nothing of what this process was forked from ends with it.
    func quit() -> Never {
        RunFolder.remove()
        stampede_end(0)
    }

    private func meetEnd(_ call: String) {
        var packer = Packer()
        packer.put(call)
        send(.left, packer)
        RunFolder.remove()
        stampede_end(Self.leftStatus)
    }
}
