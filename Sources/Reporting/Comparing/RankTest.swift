// A sign test and a rank test, two-sided. They ask nothing of how the values are distributed.
// Pure; any thread.

import Foundation

enum RankTest {
    /// The sign test: how likely so many differences of one sign are, if neither is favoured.
    ///
    /// Not signed ranks: on a machine that does other things too, a few pairs are far off, and with ranks those few weigh
    /// as much as all the others.
    static func signs(_ differences: [Double]) -> Double {
        let moved = differences.filter { $0 != 0 }
        let positive = moved.count { $0 > 0 }
        let most = max(positive, moved.count - positive)
        // From the far end: ways to choose, relative to all.
        var ways = pow(0.5, Double(moved.count))
        var sum = 0.0
        for chosen in stride(from: moved.count, through: most, by: -1) {
            sum += ways
            ways *= Double(chosen) / Double(moved.count - chosen + 1)
        }
        return min(1, 2 * sum)
    }

    /// Mann and Whitney's rank sum: how likely the candidate's ranks are as uneven, if both are drawn from one urn.
    static func rankSum(_ base: [Double], _ candidate: [Double]) -> Double {
        let ranks = doubledRanks(base + candidate)
        let observed = ranks[base.count...].reduce(0, +)
        let sums = sumsOfSubsets(ranks).filter { $0.key.count == candidate.count }
        return twoSided(observed, sums.map { (sum: $0.key.sum, ways: $0.value) })
    }

    /// The least that either test can say of so many runs: all of one side beyond all of the other.
    static func least(base: Int, candidate: Int, isPaired: Bool) -> Double {
        if isPaired { return min(1, 2 * pow(0.5, Double(base))) }
        let ways = (0..<base).reduce(1.0) { $0 * Double(candidate + $1 + 1) / Double($1 + 1) }
        return min(1, 2 / ways)
    }

    /// Ranks from the smallest, times two, so that those of equal values, their mean, are whole numbers.
    private static func doubledRanks(_ values: [Double]) -> [Int] {
        values.map { value in
            let below = values.count { $0 < value }
            let equal = values.count { $0 == value }
            return 2 * below + equal + 1
        }
    }

    private struct Subset: Hashable {
        let count: Int
        let sum: Int
    }

    /// In how many ways, relative to all, subsets of each size have each sum.
    private static func sumsOfSubsets(_ ranks: [Int]) -> [Subset: Double] {
        var ways: [Subset: Double] = [Subset(count: 0, sum: 0): 1]
        for rank in ranks {
            var next = ways
            for (subset, number) in ways {
                next[Subset(count: subset.count + 1, sum: subset.sum + rank), default: 0] += number
            }
            ways = next
        }
        return ways
    }

    /// The share of the ways that lie at least as far from the middle.
    private static func twoSided(_ observed: Int, _ sums: [(sum: Int, ways: Double)]) -> Double {
        // In order, because sums of doubles depend on it.
        let sorted = sums.sorted { $0.sum < $1.sum }
        let all = sorted.reduce(0) { $0 + $1.ways }
        let low = sorted.filter { $0.sum <= observed }.reduce(0) { $0 + $1.ways }
        let high = sorted.filter { $0.sum >= observed }.reduce(0) { $0 + $1.ways }
        return min(1, 2 * min(low, high) / all)
    }
}
