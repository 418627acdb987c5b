// What a run has handed to the process that sends its metrics.
// One thread reads, another takes: `condition` guards everything.

import Foundation

final class RelayInbox: @unchecked Sendable {
    private let condition = NSCondition()
    private var newest: Data?
    private var closedAt: Date?

    /// When the run had no more to say; nil: it still may.
    var end: Date? {
        condition.lock()
        defer { condition.unlock() }
        return closedAt
    }

    /// Reads lines until the end of the input. Of those that nobody has taken, the last stays.
    func fill(from descriptor: Int32) {
        var rest = Data()
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            rest += piece[..<count]
            while let place = rest.firstIndex(of: UInt8(ascii: "\n")) {
                put(Data(rest[..<place]))
                rest = Data(rest[(place + 1)...])
            }
        }
        condition.lock()
        closedAt = Date()
        condition.broadcast()
        condition.unlock()
    }

    private func put(_ line: Data) {
        condition.lock()
        newest = line
        condition.broadcast()
        condition.unlock()
    }

    /// The newest line; waits for one. Nil at the end.
    func take() -> Data? {
        condition.lock()
        defer { condition.unlock() }
        while newest == nil, closedAt == nil { condition.wait() }
        defer { newest = nil }
        return newest
    }

    /// Waits for so many seconds, or until there is something newer than what was taken.
    ///
    /// - Returns: whether there is.
    func wait(seconds: Double) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let wasOpen = closedAt == nil
        let limit = Date(timeIntervalSinceNow: seconds)
        while newest == nil, !(wasOpen && closedAt != nil), condition.wait(until: limit) {}
        return newest != nil
    }
}
