// Whether memory goes on growing although users come and go.
// Confined to one worker of the virtual clock.

import Metrics

/// Notes, cell after cell, what the worker's thread has allocated and not freed, and fits a line through it.
///
/// A cell's memory is gone when it has been judged. What then still grows with the number of users is kept by
/// somebody: the client, or the harness.
struct GrowthMeter {
    private var points: [(users: Double, bytes: Double)] = []
    private var users = 0
    /// One cell in so many is noted, so that a run of any length needs no more room.
    private var stride = 1
    private var cells = 0

    private static let pointsMax = 256
    /// Fewer say nothing.
    private static let pointsMin = 8

    /// A cell has ended, and its memory has been let go of.
    mutating func cellEnded(users count: Int) {
        users += count
        cells += 1
        guard cells % stride == 0, let bytes = MemoryStatistics.threadHeldBytes() else { return }
        points.append((Double(users), Double(bytes)))
        if points.count < Self.pointsMax { return }
        points = points.indices.filter { $0 % 2 == 1 }.map { points[$0] }
        stride *= 2
    }

    struct Growth: Sendable {
        /// Bytes more for every user.
        let bytesPerUser: Double
        /// The users that it was seen in.
        let users: Int
    }

    /// Nil where there is too little to say.
    var growth: Growth? {
        // What is made once, such as a table at its first use, lies in the first half.
        let late = points.suffix(points.count - points.count / 2)
        guard late.count >= Self.pointsMin else { return nil }
        let count = Double(late.count)
        let meanUsers = late.reduce(0) { $0 + $1.users } / count
        let meanBytes = late.reduce(0) { $0 + $1.bytes } / count
        let covariance = late.reduce(0) { $0 + ($1.users - meanUsers) * ($1.bytes - meanBytes) }
        let variance = late.reduce(0) { $0 + ($1.users - meanUsers) * ($1.users - meanUsers) }
        return variance > 0 ? Growth(bytesPerUser: covariance / variance, users: users) : nil
    }
}
