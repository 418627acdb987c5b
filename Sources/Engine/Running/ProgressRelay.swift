// Users that a worker process has judged, sent now and then to the process that shows progress.
// Guard: the worker's thread, or code that knows that it stands still.

import Files
import Hosting
import Judgement
import Simulation

/// Several users at once.
struct JudgedUsers {
    fileprivate(set) var users = 0
    fileprivate(set) var violations = 0
    fileprivate(set) var crashes = 0
    /// Of purchases, in nanoseconds.
    fileprivate(set) var purchaseDurations: [Int64] = []

    /// Purchases between two messages, mostly. There is room for them before a worker counts what it allocates.
    static let roomOfMost = 32_768

    init() { purchaseDurations.reserveCapacity(Self.roomOfMost) }

    init(_ unpacker: inout Unpacker) throws(TornValue) {
        users = try unpacker.number()
        violations = try unpacker.number()
        crashes = try unpacker.number()
        purchaseDurations = try unpacker.plains(Int64.self)
    }

    mutating func add(_ user: JudgedUser) {
        users += 1
        violations += user.violations
        crashes += user.crashes
        purchaseDurations += user.purchaseDurations
    }

    mutating func removeAll() {
        (users, violations, crashes) = (0, 0, 0)
        purchaseDurations.removeAll(keepingCapacity: true)
    }

    func pack(into packer: inout Packer) {
        packer.put(users)
        packer.put(violations)
        packer.put(crashes)
        packer.put(plain: purchaseDurations)
    }
}

final class ProgressRelay: @unchecked Sendable {
    private let send: (Packer) -> Void
    private var judged = JudgedUsers()
    private var packer = Packer(capacity: JudgedUsers.roomOfMost * MemoryLayout<Int64>.size)
    private var sentAt = HostClock.nanoseconds

    /// Between two of them, at least.
    private static let period: Int64 = 50_000_000

    private init(_ send: @escaping (Packer) -> Void) { self.send = send }

    /// Nil if the run is not watched.
    static func of(_ task: RunTask, to side: WorkerSide) -> ProgressRelay? {
        guard task.options.isWatched else { return nil }
        return ProgressRelay { side.send(.note, place: RunNote.progress.rawValue, $0) }
    }

    func add(_ user: JudgedUser) {
        judged.add(user)
        if HostClock.nanoseconds - sentAt >= Self.period { flush() }
    }

    func flush() {
        if judged.users == 0 { return }
        packer.removeAll()
        judged.pack(into: &packer)
        send(packer)
        judged.removeAll()
        sentAt = HostClock.nanoseconds
    }
}
