// Where client code is known to crash, for all workers to see: there it need not bring another one down to be believed.
// Any thread of any of them, in a signal's handler too: the process that has forked them writes, one at a time.

import Synchronization

/// Places in client code that ended a worker, and ended the app at the same call when its work was done once more.
struct CrashSites: @unchecked Sendable {  // Unchecked: addresses that never change.
    /// How many are written. A site is there in full before it counts.
    private let count: UnsafeMutablePointer<Atomic<Int>>
    private let sites: UnsafeMutablePointer<Site>

    private struct Site {
        var code: UInt
        var length: Int
        var words: InlineArray<480, UInt8>
    }

    /// More are not taken, nor any of which there is too much to say: each brings workers down as the first one did.
    static let countMax = 1_024
    static let size = MemoryLayout<Atomic<Int>>.stride + countMax * MemoryLayout<Site>.stride

    /// - Parameter memory: `size` zeros, for words.
    init(_ memory: UnsafeMutableRawPointer) {
        count = memory.bindMemory(to: Atomic<Int>.self, capacity: 1)
        sites = (memory + MemoryLayout<Atomic<Int>>.stride).bindMemory(to: Site.self, capacity: Self.countMax)
    }

    var total: Int { count.pointee.load(ordering: .relaxed) }

    /// - Parameter words: what is said of the place; nil where nothing is known.
    func add(_ code: UInt, _ words: String?) {
        let place = count.pointee.load(ordering: .relaxed)
        let bytes = Array((words ?? "").utf8)
        guard code != 0, place < Self.countMax, bytes.count <= sites[place].words.count, !contains(code) else { return }
        sites[place].code = code
        for (index, byte) in bytes.enumerated() { sites[place].words[index] = byte }
        sites[place].length = bytes.count
        count.pointee.store(place + 1, ordering: .releasing)
    }

    func contains(_ code: UInt) -> Bool { find(code) != nil }

    /// What is said of a place that is known; empty where nothing is.
    func words(at code: UInt) -> String? {
        guard let place = find(code) else { return nil }
        let site = sites + place
        return String(decoding: (0..<site.pointee.length).map { site.pointee.words[$0] }, as: UTF8.self)
    }

    private func find(_ code: UInt) -> Int? {
        for place in 0..<count.pointee.load(ordering: .acquiring) where sites[place].code == code { return place }
        return nil
    }
}
