// Where a series of runs goes from one level to another.
// Pure: chance comes from a stream with a fixed seed, so the same runs give the same answer.

import Simulation

/// The first run of a new level.
package struct ChangePoint: Codable, Sendable, Hashable {
    /// In the series, from 0; never 0.
    package var index: Int
    /// Medians of the runs between this change and its neighbours.
    package var before: Double
    package var after: Double
    /// How often chance alone shows as much; nil for exact figures, with which it has nothing to do.
    package var probability: Double?

    /// After over before; nil when there was nothing before.
    package var ratio: Double? { before != 0 ? after / before : nil }
}

package enum ChangePoints {
    /// How often, at most, a series without any change shows one.
    package static let level = 0.01
    /// Of fewer runs whose figures are measured, no order is rare enough to tell of a change.
    package static let runsMin = 12
    /// Of the order of the runs.
    private static let permutations = 999
    /// Runs on either side of a change.
    private static let sideMin = 3

    /// Changes of a figure that is the same in every run of one build: all that exceed the noise.
    ///
    /// - Parameter noise: a share of the level, which is that of its first run; 0 for any change at all.
    package static func exact(_ values: [Double], noise: Double) -> [ChangePoint] {
        guard var level = values.first else { return [] }
        var found: [Int] = []
        for (index, value) in values.enumerated() where isBeyond(noise, level, value) {
            found.append(index)
            level = value
        }
        return points(values, found.map { ($0, nil) })
    }

    /// Changes of a figure that no two runs agree on, by ranks: asks nothing of how the values are distributed, and an
    /// outlier counts for one.
    ///
    /// Binary segmentation. A stretch is split where the ranks before and after differ most, in units of what chance
    /// makes of them, if no more than `level` of the permutations of its runs show as much anywhere; then each part is
    /// looked at alike. What has been found is placed anew between its neighbours, and goes again, the smallest first,
    /// where the medians on both sides differ by no more than the noise.
    package static func measured(_ values: [Double], noise: Double) -> [ChangePoint] {
        guard values.count >= runsMin else { return [] }
        var found: [(index: Int, probability: Double?)] = []
        split(values, 0..<values.count, &found)
        found.sort { $0.index < $1.index }
        for place in found.indices {
            let from = place > 0 ? found[place - 1].index : 0
            let to = place + 1 < found.count ? found[place + 1].index : values.count
            if let best = best(RankTest.doubledRanks(values[from..<to])) { found[place].index = from + best.index }
        }
        while true {
            let points = points(values, found)
            let small = points.indices.filter { !isBeyond(noise, points[$0].before, points[$0].after) }
            guard let smallest = small.min(by: { size(points[$0]) < size(points[$1]) }) else { return points }
            found.remove(at: smallest)
        }
    }

    private static func isBeyond(_ noise: Double, _ before: Double, _ after: Double) -> Bool {
        abs(after - before) > noise * abs(before)
    }

    private static func size(_ point: ChangePoint) -> Double { abs(point.after - point.before) }

    private static func points(_ values: [Double], _ found: [(index: Int, probability: Double?)]) -> [ChangePoint] {
        let bounds = [0] + found.map(\.index) + [values.count]
        return found.enumerated().map { place, change in
            ChangePoint(
                index: change.index, before: Resampling.median(Array(values[bounds[place]..<change.index])),
                after: Resampling.median(Array(values[change.index..<bounds[place + 2]])),
                probability: change.probability)
        }
    }

    // MARK: Ranks

    private static func split(
        _ values: [Double], _ stretch: Range<Int>, _ found: inout [(index: Int, probability: Double?)]
    ) {
        let ranks = RankTest.doubledRanks(values[stretch])
        guard let best = best(ranks), let probability = probability(of: best.statistic, ranks) else { return }
        let index = stretch.lowerBound + best.index
        found.append((index, probability))
        split(values, stretch.lowerBound..<index, &found)
        split(values, index..<stretch.upperBound, &found)
    }

    /// Where the ranks on both sides differ most, and by how much: the square of Mann and Whitney's statistic over its
    /// variance, but for a factor that is the same for every order of the ranks.
    private static func best(_ ranks: [Int]) -> (index: Int, statistic: Double)? {
        let count = ranks.count
        guard count >= 2 * sideMin else { return nil }
        var best: (index: Int, statistic: Double)?
        var sum = 0
        for index in 1...(count - sideMin) {
            sum += ranks[index - 1]
            if index < sideMin { continue }
            let excess = Double(sum - index * (count + 1))
            let statistic = excess * excess / Double(index * (count - index))
            if statistic > best?.statistic ?? 0 { best = (index, statistic) }
        }
        return best
    }

    /// The share of the permutations that show as much; nil as soon as it is above `level`.
    private static func probability(of statistic: Double, _ ranks: [Int]) -> Double? {
        let most = Int(level * Double(permutations + 1)) - 1
        var chance = RandomStream(seed: 1, user: ranks.count, purpose: .client)
        var shuffled = ranks
        var reached = 0
        for _ in 0..<permutations {
            for place in stride(from: shuffled.count - 1, to: 0, by: -1) {
                shuffled.swapAt(place, Int(chance.below(UInt64(place + 1))))
            }
            if (best(shuffled)?.statistic ?? 0) >= statistic { reached += 1 }
            if reached > most { return nil }
        }
        return Double(reached + 1) / Double(permutations + 1)
    }
}
