// What a process and its workers all see: a page of memory that they share.
// Any thread of any of them: every word is atomic.

import CWorkers
import Foundation
import Simulation
import Synchronization

/// Hands out places, says where each worker is, and tells all of them to stop.
package final class WorkerBoard: @unchecked Sendable {  // Unchecked: both are addresses that never change.
    private let words: UnsafeMutablePointer<Atomic<Int>>
    /// The end of what client code has printed, in circles, of each worker. It is read once the worker has ended.
    private let texts: UnsafeMutablePointer<UInt8>
    /// Of each worker the call into client code that it is in, and what it notes in the moment of its death.
    private let calls: UnsafeMutablePointer<Int>
    private let notes: UnsafeMutablePointer<stampede_last_note>
    /// Where client code is known to crash.
    let sites: CrashSites
    private let size: Int
    private let workers: Int

    private enum Head {
        static let stop = 0
        static let next = 1
        static let hangs = 2
        static let interruptions = 3
        static let isTooLarge = 4
        static let count = 8
    }

    /// Of each worker, a cache line apart.
    private enum Word {
        static let place = 0
        static let allocated = 1
        static let resident = 2
        /// Bytes that client code has printed, ever.
        static let printed = 3
        static let count = 8
    }

    /// How many bytes of a worker's client output are kept, and how many lines of these are reported.
    private static let (printedMax, linesMax) = (8_192, 4)

    /// Before the workers are forked.
    init(workers: Int) {
        self.workers = workers
        let count = Head.count + workers * Word.count
        let wordSize = MemoryLayout<Atomic<Int>>.stride
        let callCount = workers * CallBoard.wordCount
        let noteSize = workers * MemoryLayout<stampede_last_note>.stride
        let textsSize = workers * Self.printedMax
        size = (count + callCount) * wordSize + noteSize + CrashSites.size + textsSize
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("\(size) bytes could not be shared: \(errno)") }
        // Zero is how an atomic zero lies in memory.
        words = memory.bindMemory(to: Atomic<Int>.self, capacity: count)
        calls = (memory + count * wordSize).bindMemory(to: Int.self, capacity: callCount)
        notes = (memory + (count + callCount) * wordSize).bindMemory(to: stampede_last_note.self, capacity: workers)
        sites = CrashSites(memory + (count + callCount) * wordSize + noteSize)
        texts = (memory + (count + callCount) * wordSize + noteSize + CrashSites.size).bindMemory(
            to: UInt8.self, capacity: textsSize)
    }

    deinit { munmap(words, size) }

    /// From here on nothing more is begun.
    func close() { _ = words[Head.stop].max(1, ordering: .relaxed) }
    /// The same, and what is under way is broken off.
    func stop() { words[Head.stop].store(2, ordering: .relaxed) }
    var isClosed: Bool { words[Head.stop].load(ordering: .relaxed) != 0 }
    var isStopped: Bool { words[Head.stop].load(ordering: .relaxed) == 2 }

    /// Client code of some worker does not come back, and that of others may not either.
    var hangsAreKnown: Bool {
        get { words[Head.hangs].load(ordering: .relaxed) != 0 }
        set { words[Head.hangs].store(newValue ? 1 : 0, ordering: .relaxed) }
    }

    /// How often client code was left where it went round in circles.
    var interruptionCount: Int { words[Head.interruptions].load(ordering: .relaxed) }
    /// - Parameter isLast: what it holds that was left is too much for the process to go on.
    func interrupted(isLast: Bool) {
        words[Head.interruptions].add(1, ordering: .relaxed)
        if isLast { words[Head.isTooLarge].store(1, ordering: .relaxed) }
    }
    var isTooLarge: Bool { words[Head.isTooLarge].load(ordering: .relaxed) != 0 }

    /// The next place, whether there is one or not.
    func take() -> Int { words[Head.next].add(1, ordering: .relaxed).oldValue }
    /// How many have been taken, and more once there are no others.
    var taken: Int { words[Head.next].load(ordering: .relaxed) }

    private func word(_ which: Int, of worker: Int) -> Int { Head.count + worker * Word.count + which }

    func begin(_ place: Int, _ worker: Int) {
        words[word(Word.place, of: worker)].store(place + 1, ordering: .relaxed)
    }
    /// Before the first place of a worker that takes over from another.
    func clear(_ worker: Int) {
        words[word(Word.place, of: worker)].store(0, ordering: .relaxed)
        words[word(Word.printed, of: worker)].store(0, ordering: .relaxed)
        calls(of: worker).update(repeating: 0, count: CallBoard.wordCount)
        notes[worker] = stampede_last_note()
    }

    /// Where a worker writes which call into client code it is in.
    func calls(of worker: Int) -> UnsafeMutablePointer<Int> { calls + worker * CallBoard.wordCount }

    /// Where a worker notes how it died.
    func note(of worker: Int) -> UnsafeMutablePointer<stampede_last_note> { notes + worker }

    /// Where a worker, which has ended, was in client code; nil: it was not.
    func lastCall(of worker: Int) -> CallPlace? {
        // A worker that another process ended has noted nothing.
        let note = notes[worker]
        return note.count > 0 && note.is_clients == 0 ? nil : CallBoard.place(in: calls(of: worker))
    }

    /// Where a worker died, and the calls that led there, the innermost first.
    func lastCalls(of worker: Int) -> [UInt] { notes[worker].addresses }

    /// Whose doing a signal was that ended a worker.
    func sender(of worker: Int) -> WorkerDeath.Sender {
        let note = notes[worker]
        if note.is_own != 0 { return .client }
        // What comes from outside is noted only if it is one of those that faults bring.
        if note.count == 0 || note.is_sent != 0 { return .outside }
        let isClients = note.is_clients != 0 || note.is_clients_own != 0
        return isClients || note.is_after_leaving != 0 ? .client : .harness
    }

    /// Where a worker is, or was last: threads of its client code may have outlasted the place. Nil before the first.
    func place(of worker: Int) -> Int? {
        let place = words[word(Word.place, of: worker)].load(ordering: .relaxed)
        return place > 0 ? place - 1 : nil
    }

    /// Client code of a worker has printed something.
    func print(_ bytes: UnsafeRawBufferPointer, _ worker: Int) {
        let count = words[word(Word.printed, of: worker)].add(bytes.count, ordering: .relaxed).oldValue
        for (place, byte) in bytes.enumerated().suffix(Self.printedMax) {
            texts[worker * Self.printedMax + (count + place) % Self.printedMax] = byte
        }
    }

    /// The last lines that client code of a worker has printed, which has ended.
    func lastLines(of worker: Int) -> [String] {
        let lines = printedLines(of: worker)
        // Where Swift says what is wrong, the addresses that may follow say nothing more.
        let message = lines.lastIndex(where: SwiftMessage.isOne)
        return Array((message.map { lines[...$0] } ?? lines[...]).suffix(Self.linesMax))
    }

    private func printedLines(of worker: Int) -> [String] {
        let count = words[word(Word.printed, of: worker)].load(ordering: .relaxed)
        let kept = max(0, count - Self.printedMax)..<count
        let bytes = kept.map { texts[worker * Self.printedMax + $0 % Self.printedMax] }
        // The first has lost its beginning, where there was more.
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.dropFirst(kept.lowerBound > 0 && lines.count > 1 ? 1 : 0).filter { !$0.isEmpty }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Bytes that a worker has beside those that it began with.
    func note(allocated: Int, resident: Int, of worker: Int) {
        words[word(Word.allocated, of: worker)].store(allocated, ordering: .relaxed)
        words[word(Word.resident, of: worker)].store(resident, ordering: .relaxed)
    }

    /// Of all workers.
    package var memory: (allocated: Int, resident: Int) {
        (0..<workers).reduce((0, 0)) { sum, worker in
            (
                sum.0 + words[word(Word.allocated, of: worker)].load(ordering: .relaxed),
                sum.1 + words[word(Word.resident, of: worker)].load(ordering: .relaxed)
            )
        }
    }
}
