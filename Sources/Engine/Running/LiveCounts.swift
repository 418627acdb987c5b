// What goes on in a run at the moment: a page of memory that all of its processes share.
// Any thread of any of them: every word is atomic.

import Foundation
import Synchronization

/// Two additions for each journey and one for each user, and only the wall clock counts the journeys.
final class LiveCounts: @unchecked Sendable {  // Unchecked: the address never changes.
    private let words: UnsafeMutablePointer<Atomic<Int>>
    private let size: Int
    private let entries: Int

    /// - Parameter entries: of the load; before workers are forked.
    init(entries: Int) {
        self.entries = entries
        size = (1 + entries) * MemoryLayout<Atomic<Int>>.stride
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("\(size) bytes could not be shared: \(errno)") }
        // Zero is how an atomic zero lies in memory.
        words = memory.bindMemory(to: Atomic<Int>.self, capacity: 1 + entries)
    }

    deinit { munmap(words, size) }

    func journeysBegin() { words[0].add(1, ordering: .relaxed) }
    func journeysEnd() { words[0].subtract(1, ordering: .relaxed) }
    /// A user of this entry has been judged, or was never needed.
    func userDone(entry: Int) { words[1 + entry].add(1, ordering: .relaxed) }

    /// Users whose journeys are under way.
    var active: Int { words[0].load(ordering: .relaxed) }
    /// Of each entry. What is done once more after a worker's death counts once more.
    var done: [Int] { (0..<entries).map { words[1 + $0].load(ordering: .relaxed) } }
}
