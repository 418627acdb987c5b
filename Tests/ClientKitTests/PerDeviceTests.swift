// `perDevice`: one object of a type for each app process, whoever asks, however many ask at once.

import ClientKit
import Foundation
import Simulation
import Testing

private final class Counter: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func add() { lock.withLock { count += 1 } }
}

private final class Shelf {
    @TaskLocal static var made = Counter()
    static var shared: Shelf { perDevice { Shelf() } }
    let book = Book.shared
    init() {
        // Time for others to come in between.
        for _ in 0..<1_000 { _ = Book.shared }
        Self.made.add()
    }
}

private final class Book {
    static var shared: Book { perDevice { Book() } }
    init() { Shelf.made.add() }
}

@Suite struct PerDeviceTests {
    // A singleton that makes another; every thread finds the same two.
    @Test func manyThreadsGetOnePerDeviceObject() {
        for _ in 0..<20 {
            let benches = [WallBench(), WallBench()]
            let processes = benches.map { $0.onLane { $0.process } }
            let counter = Counter()
            let found = Log()
            Dispatch.DispatchQueue.concurrentPerform(iterations: 64) { turn in
                Shelf.$made.withValue(counter) {
                    CurrentProcess.$bound.withValue(processes[turn % 2]) {
                        let shelf = Shelf.shared
                        found.add("\(turn % 2) \(ObjectIdentifier(shelf)) \(shelf.book === Book.shared)")
                    }
                }
            }
            #expect(counter.value == 4)
            #expect(Set(found.lines).count == 2 && found.lines.allSatisfy { $0.hasSuffix("true") })
        }
    }

    // One is being made on one thread, waits for another thread, and that one asks for a different object.
    @Test(.timeLimit(.minutes(20)))
    func makingOnePerDeviceObjectDoesNotBlockAnother() {
        final class Slow {
            let book: Book
            init(_ process: AppProcess?) {
                nonisolated(unsafe) var found: Book?
                let done = Dispatch.DispatchSemaphore(value: 0)
                Thread {
                    CurrentProcess.$bound.withValue(process) { found = Book.shared }
                    done.signal()
                }.start()
                done.wait()
                book = found ?? Book.shared
            }
        }
        let bench = WallBench()
        let process = bench.onLane { $0.process }
        CurrentProcess.$bound.withValue(process) {
            #expect(perDevice { Slow(process) }.book === Book.shared)
        }
    }

    @Test func everyLaunchGetsNewPerDeviceObjects() {
        let bench = VirtualBench()
        var books: [Book] = []
        for _ in 0..<2 {
            bench.run { books.append(Book.shared) }
            bench.device.terminate()
            _ = bench.device.launch()
        }
        #expect(books.count == 2 && books[0] !== books[1])
    }

    @Test func endedProcessKeepsNoPerDeviceObject() {
        let bench = VirtualBench()
        let dead = bench.process
        bench.device.crash()
        // Until the next one begins it can still be asked for its goods.
        _ = bench.device.launch()
        weak let book = CurrentProcess.$bound.withValue(dead) { Book.shared }
        #expect(book == nil)
    }
}
