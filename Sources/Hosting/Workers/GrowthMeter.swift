// Whether memory goes on growing although users come and go.
// Confined to one worker of the virtual clock.

import Host

/// Notes, cell after cell, what the worker's thread has allocated and not freed, and fits a line through it.
///
/// A cell's memory is gone when it has been judged. What then still grows with the number of users, and of their
/// launches, is kept by somebody: the client, or the harness.
package struct GrowthMeter {
    /// A worker that holds more bytes than this between two pieces of work, beside those that it began with, is replaced.
    package static let limitStandard = 256 << 20

    private var points: [Point] = []
    private let began = MemoryStatistics.threadHeldBytes()
    private var users = 0
    private var launches = 0
    /// One cell in so many is noted, so that a run of any length needs no more room.
    private var stride = 1
    private var cells = 0

    private static let pointsMax = 256
    /// Fewer say nothing.
    private static let pointsMin = 8

    private struct Point {
        let users: Double
        let launches: Double
        let bytes: Double
    }

    /// What memory grows by.
    package struct Growth: Sendable {
        /// Bytes more for every user.
        package let bytesPerUser: Double
        /// The users that it was seen in.
        package let users: Int
        /// The same of launches.
        package let bytesPerLaunch: Double
        package let launches: Int
    }

    package init() {}

    /// A cell has ended, and its memory has been let go of.
    package mutating func cellEnded(users count: Int, launches: Int) {
        users += count
        self.launches += launches
        cells += 1
        guard cells % stride == 0, let bytes = MemoryStatistics.threadHeldBytes() else { return }
        points.append(Point(users: Double(users), launches: Double(self.launches), bytes: Double(bytes)))
        if points.count < Self.pointsMax { return }
        points = points.indices.filter { $0 % 2 == 1 }.map { points[$0] }
        stride *= 2
    }

    /// Bytes more than at the beginning; nil where that cannot be told.
    package var held: Int? {
        guard let began, let now = MemoryStatistics.threadHeldBytes() else { return nil }
        return Int(now - began)
    }

    /// Nil where there is too little to say.
    ///
    /// - Parameter isFull: the worker has ended for what it held: that says enough, however few its cells were.
    package func growth(isFull: Bool = false) -> Growth? {
        // What is made once, such as a table at its first use, lies in the first half.
        let late = points.suffix(points.count - points.count / 2)
        if late.count >= Self.pointsMin, let perUser = Self.slope(late, \.users) {
            return Growth(
                bytesPerUser: perUser, users: users, bytesPerLaunch: Self.slope(late, \.launches) ?? 0,
                launches: launches)
        }
        guard isFull, let held, users > 0 else { return nil }
        return Growth(
            bytesPerUser: Double(held) / Double(users), users: users,
            bytesPerLaunch: Double(held) / Double(max(1, launches)), launches: launches)
    }

    /// Nil where nothing has changed that bytes could grow with.
    private static func slope(_ points: ArraySlice<Point>, _ over: KeyPath<Point, Double>) -> Double? {
        let count = Double(points.count)
        let mean = points.reduce(0) { $0 + $1[keyPath: over] } / count
        let meanBytes = points.reduce(0) { $0 + $1.bytes } / count
        let covariance = points.reduce(0) { $0 + ($1[keyPath: over] - mean) * ($1.bytes - meanBytes) }
        let variance = points.reduce(0) { $0 + ($1[keyPath: over] - mean) * ($1[keyPath: over] - mean) }
        return variance > 0 ? covariance / variance : nil
    }
}
