// How sure a difference between two sets of runs is.
// Pure: chance comes from a stream with a fixed seed, so the same runs give the same answer.

import Foundation
import Simulation

/// The ratio of two builds' figures, as far as repeated runs tell.
struct RatioEstimate: Sendable, Equatable {
    /// Median of the candidate over median of the base; of pairs, the median of their ratios.
    let ratio: Double
    /// 95 % of the resampled ratios lie within.
    let interval: ClosedRange<Double>
    /// How often ranks as uneven as these would come about by chance, if the builds were the same.
    let probability: Double
}

enum Resampling {
    /// Bootstrap resamples.
    private static let rounds = 2_000

    /// - Parameter isPaired: the n-th run of each were made right after each other, and are drawn together.
    /// - Returns: nil where there is too little to resample.
    static func ratio(base: [Double], candidate: [Double], isPaired: Bool) -> RatioEstimate? {
        guard base.count > 1, candidate.count > 1, base.allSatisfy({ $0 > 0 }), candidate.allSatisfy({ $0 > 0 })
        else { return nil }
        if isPaired, base.count == candidate.count {
            return paired(base.map { log($0) }, candidate.map { log($0) })
        }
        return unpaired(base.map { log($0) }, candidate.map { log($0) })
    }

    /// Of differences of logarithms, a pair each: whatever slowed both is gone.
    private static func paired(_ base: [Double], _ candidate: [Double]) -> RatioEstimate {
        let differences = zip(base, candidate).map { $1 - $0 }
        var chance = RandomStream(seed: 1, user: differences.count, purpose: .client)
        let resampled = (0..<rounds).map { _ in median(differences.map { _ in draw(differences, &chance) }) }
        return estimate(median(differences), resampled, RankTest.pairs(base, candidate))
    }

    private static func unpaired(_ base: [Double], _ candidate: [Double]) -> RatioEstimate {
        var chance = RandomStream(seed: 1, user: base.count + candidate.count, purpose: .client)
        let resampled = (0..<rounds).map { _ in
            median(candidate.map { _ in draw(candidate, &chance) }) - median(base.map { _ in draw(base, &chance) })
        }
        return estimate(median(candidate) - median(base), resampled, RankTest.rankSum(base, candidate))
    }

    private static func estimate(_ centre: Double, _ resampled: [Double], _ probability: Double) -> RatioEstimate {
        let sorted = resampled.sorted()
        let low = sorted[Int(Double(rounds) * 0.025)]
        let high = sorted[min(rounds - 1, Int(Double(rounds) * 0.975))]
        return RatioEstimate(ratio: exp(centre), interval: exp(low)...exp(high), probability: probability)
    }

    private static func draw(_ values: [Double], _ chance: inout RandomStream) -> Double {
        values[Int(chance.below(UInt64(values.count)))]
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
