// What a process and its workers all see: a page of memory that they share.
// Any thread of any of them: every word is atomic.

import Foundation
import Synchronization

/// Hands out places, says where each worker is, and tells all of them to stop.
final class WorkerBoard: @unchecked Sendable {  // Unchecked: `words` is an address that never changes.
    private let words: UnsafeMutablePointer<Atomic<Int>>
    private let size: Int
    private let workers: Int

    private enum Head {
        static let stop = 0
        static let next = 1
        static let count = 8
    }

    /// Of each worker, a cache line apart.
    private enum Word {
        static let place = 0
        static let allocated = 1
        static let resident = 2
        static let count = 8
    }

    /// Before the workers are forked.
    init(workers: Int) {
        self.workers = workers
        let count = Head.count + workers * Word.count
        size = count * MemoryLayout<Atomic<Int>>.stride
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("\(size) bytes could not be shared: \(errno)") }
        // Zero is how an atomic zero lies in memory.
        words = memory.bindMemory(to: Atomic<Int>.self, capacity: count)
    }

    deinit { munmap(words, size) }

    /// From here on nothing more is begun.
    func close() { _ = words[Head.stop].max(1, ordering: .relaxed) }
    /// The same, and what is under way is broken off.
    func stop() { words[Head.stop].store(2, ordering: .relaxed) }
    var isClosed: Bool { words[Head.stop].load(ordering: .relaxed) != 0 }
    var isStopped: Bool { words[Head.stop].load(ordering: .relaxed) == 2 }

    /// The next place, whether there is one or not.
    func take() -> Int { words[Head.next].add(1, ordering: .relaxed).oldValue }
    /// How many have been taken, and more once there are no others.
    var taken: Int { words[Head.next].load(ordering: .relaxed) }

    private func word(_ which: Int, of worker: Int) -> Int { Head.count + worker * Word.count + which }

    func begin(_ place: Int, _ worker: Int) {
        words[word(Word.place, of: worker)].store(place + 1, ordering: .relaxed)
    }
    /// Before the first place of a worker that takes over from another.
    func clear(_ worker: Int) { words[word(Word.place, of: worker)].store(0, ordering: .relaxed) }

    /// Where a worker is, or was last: threads of its client code may have outlasted the place. Nil before the first.
    func place(of worker: Int) -> Int? {
        let place = words[word(Word.place, of: worker)].load(ordering: .relaxed)
        return place > 0 ? place - 1 : nil
    }

    /// Bytes that a worker has beside those that it began with.
    func note(allocated: Int, resident: Int, of worker: Int) {
        words[word(Word.allocated, of: worker)].store(allocated, ordering: .relaxed)
        words[word(Word.resident, of: worker)].store(resident, ordering: .relaxed)
    }

    /// Of all workers.
    var memory: (allocated: Int, resident: Int) {
        (0..<workers).reduce((0, 0)) { sum, worker in
            (
                sum.0 + words[word(Word.allocated, of: worker)].load(ordering: .relaxed),
                sum.1 + words[word(Word.resident, of: worker)].load(ordering: .relaxed)
            )
        }
    }
}
