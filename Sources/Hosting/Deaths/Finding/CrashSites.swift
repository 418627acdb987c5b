// Where client code is known to crash, for all workers to see: there it need not bring another one down to be believed.
// Any thread of any of them, in a signal's handler too: the process that has forked them writes, one at a time.

import Statics
import Synchronization

/// Places in client code that ended a worker, and ended the app at the same call when its work was done once more.
struct CrashSites: @unchecked Sendable {  // Unchecked: addresses that never change.
    /// How many are written. A site is there in full before it counts.
    private let count: UnsafeMutablePointer<Atomic<Int>>
    private let sites: UnsafeMutablePointer<Site>

    private struct Site {
        var code: UInt
        var function: SharedText
        var file: SharedText
        /// 0: that is not known.
        var line: Int
        var failure: SharedText
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

    /// - Parameter place: what is said of it; nil where nothing is known.
    func add(_ code: UInt, _ place: CodePlace?) {
        let next = count.pointee.load(ordering: .relaxed)
        guard code != 0, next < Self.countMax, !contains(code) else { return }
        let site = sites + next
        let hasRoom =
            site.pointee.function.set(place?.function) && site.pointee.file.set(place?.file)
            && site.pointee.failure.set(place?.failure)
        if !hasRoom { return }
        site.pointee.line = place?.line ?? 0
        site.pointee.code = code
        count.pointee.store(next + 1, ordering: .releasing)
    }

    func contains(_ code: UInt) -> Bool { find(code) != nil }

    /// What is said of a place that is known; nil where nothing is.
    func place(at code: UInt) -> CodePlace? {
        guard let place = find(code) else { return nil }
        let site = sites + place
        guard let function = site.pointee.function.text else { return nil }
        return CodePlace(
            function: function, file: site.pointee.file.text, line: site.pointee.line == 0 ? nil : site.pointee.line,
            failure: site.pointee.failure.text)
    }

    private func find(_ code: UInt) -> Int? {
        for place in 0..<count.pointee.load(ordering: .acquiring) where sites[place].code == code { return place }
        return nil
    }
}

/// A text of bounded length in memory that processes share.
private struct SharedText {
    /// 0: there is none.
    private var length: Int
    private var bytes: InlineArray<480, UInt8>

    /// False if it is too long.
    mutating func set(_ text: String?) -> Bool {
        let new = Array((text ?? "").utf8)
        guard new.count <= bytes.count else { return false }
        for (index, byte) in new.enumerated() { bytes[index] = byte }
        length = new.count
        return true
    }

    var text: String? {
        length == 0 ? nil : String(decoding: (0..<length).map { bytes[$0] }, as: UTF8.self)
    }
}
