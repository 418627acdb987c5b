// Two rank tests, two-sided: of runs in pairs, and of runs that have no partners. They ask nothing of how the values are
// distributed.
// Pure; any thread.

import Foundation

enum RankTest {
    /// Pairs that are ranked together: within so few, a machine that gets slower meanwhile does not matter.
    private static let pairsPerBlock = 10

    /// Of runs made in turn: how likely the candidates lie as far from their partners, if each pair had been dealt the
    /// other way round as well.
    ///
    /// How far is counted in ranks among the runs of some pairs. By size the few runs that were disturbed would weigh as
    /// much as all the others; by sign alone, one that was disturbed as much as one that was not.
    static func pairs(_ base: [Double], _ candidate: [Double]) -> Double {
        var distances: [Int] = []
        for first in stride(from: 0, to: base.count, by: pairsPerBlock) {
            let block = first..<min(base.count, first + pairsPerBlock)
            let ranks = doubledRanks(Array(base[block]) + candidate[block])
            distances += zip(ranks.prefix(block.count), ranks.suffix(block.count)).map { $1 - $0 }
        }
        // The share of deals in which what the candidates are ahead adds up to each sum.
        var ways = [1.0]
        for size in distances.map(abs) {
            var next = Array(repeating: 0.0, count: ways.count + size)
            for (sum, number) in ways.enumerated() {
                next[sum] += number / 2
                next[sum + size] += number / 2
            }
            ways = next
        }
        let observed = distances.reduce(0) { $0 + max(0, $1) }
        return twoSided(observed, ways)
    }

    /// Mann and Whitney's rank sum: how likely the candidate's ranks are as uneven, if both are drawn from one urn.
    static func rankSum(_ base: [Double], _ candidate: [Double]) -> Double {
        let ranks = doubledRanks(base + candidate)
        let observed = ranks[base.count...].reduce(0, +)
        return twoSided(observed, sumsOfSubsets(ranks, of: candidate.count))
    }

    /// The least that either test can say of so many runs: all of one side beyond all of the other.
    static func least(base: Int, candidate: Int, isPaired: Bool) -> Double {
        if isPaired { return min(1, 2 * pow(0.5, Double(base))) }
        let ways = (0..<base).reduce(1.0) { $0 * Double(candidate + $1 + 1) / Double($1 + 1) }
        return min(1, 2 / ways)
    }

    /// Ranks from the smallest, times two, so that those of equal values, their mean, are whole numbers.
    static func doubledRanks(_ values: some Collection<Double>) -> [Int] {
        let sorted = values.sorted()
        func place(_ value: Double, isAfter: Bool) -> Int {
            var (low, high) = (0, sorted.count)
            while low < high {
                let middle = (low + high) / 2
                if isAfter ? sorted[middle] <= value : sorted[middle] < value {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }
        return values.map { place($0, isAfter: false) + place($0, isAfter: true) + 1 }
    }

    /// By sum, in how many ways so many of the ranks add up to it.
    private static func sumsOfSubsets(_ ranks: [Int], of size: Int) -> [Double] {
        var top = 0
        let empty = Array(repeating: 0.0, count: ranks.reduce(1, +))
        var ways = Array(repeating: empty, count: size + 1)
        ways[0][0] = 1
        for rank in ranks {
            top += rank
            for chosen in stride(from: size, to: 0, by: -1) {
                for sum in rank...top { ways[chosen][sum] += ways[chosen - 1][sum - rank] }
            }
        }
        return ways[size]
    }

    /// The share of the ways, by sum, that lie at least as far from the middle.
    private static func twoSided(_ observed: Int, _ ways: [Double]) -> Double {
        let low = ways[...observed].reduce(0, +)
        let high = ways[observed...].reduce(0, +)
        return min(1, 2 * min(low, high) / ways.reduce(0, +))
    }
}
