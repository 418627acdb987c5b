// What goes on in a run at the moment: a page of memory that all of its processes share.
// Any thread of any of them: every word is atomic.

import Foundation
import Simulation
import Synchronization

/// Two additions for each journey and for each wait, and one for each user; only the wall clock counts journeys and waits.
final class LiveCounts: @unchecked Sendable {  // Unchecked: the address never changes.
    private let words: UnsafeMutablePointer<Atomic<Int>>
    private let size: Int
    private let entries: Int
    /// How many words stand before the entries.
    private static let own = 3

    /// - Parameter entries: of the load; before workers are forked.
    init(entries: Int) {
        self.entries = entries
        size = (Self.own + entries) * MemoryLayout<Atomic<Int>>.stride
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { fatalError("\(size) bytes could not be shared: \(errno)") }
        // Zero is how an atomic zero lies in memory.
        words = memory.bindMemory(to: Atomic<Int>.self, capacity: Self.own + entries)
    }

    deinit { munmap(words, size) }

    func journeysBegin() { words[0].add(1, ordering: .relaxed) }
    func journeysEnd() { words[0].subtract(1, ordering: .relaxed) }
    /// A user waits for the app's answer.
    func waitBegins(atMost limit: Span) {
        words[1].add(1, ordering: .relaxed)
        // Of the machine, and so the same for all processes.
        words[2].max(Int(HostClock.nanoseconds + limit.nanoseconds), ordering: .relaxed)
    }
    func waitEnds() { words[1].subtract(1, ordering: .relaxed) }
    /// A user of this entry has been judged, or was never needed.
    func userDone(entry: Int) { words[Self.own + entry].add(1, ordering: .relaxed) }

    /// Users whose journeys are under way.
    var active: Int { words[0].load(ordering: .relaxed) }
    /// Of these, the users who wait for the app's answer.
    var waiting: Int { words[1].load(ordering: .relaxed) }
    /// How long the last of them waits at most, in nanoseconds from now.
    var waitLeft: Int64 { max(0, Int64(words[2].load(ordering: .relaxed)) - HostClock.nanoseconds) }
    /// Of each entry. What is done once more after a worker's death counts once more.
    var done: [Int] { (0..<entries).map { words[Self.own + $0].load(ordering: .relaxed) } }
}
