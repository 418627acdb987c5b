// Distributions: bounds, quantiles, proportions and means, over a hundred thousand seeded draws.

import Simulation
import Testing

@Suite struct DistributionTests {
    private func draws(_ distribution: Distribution, seed: UInt64 = 1) -> [Int64] {
        var stream = RandomStream(seed: seed, user: 0, purpose: .population)
        return (0..<100_000).map { _ in distribution.draw(&stream) }
    }

    private func isWithin(_ percent: Double, _ value: Int64, of expected: Int64) -> Bool {
        abs(Double(value) - Double(expected)) <= Double(expected) * percent / 100
    }

    @Test func constantDistributionDrawsNothing() {
        var stream = RandomStream(seed: 1, user: 0, purpose: .population)
        var untouched = stream
        #expect(Distribution.constant(42).draw(&stream) == 42)
        #expect(stream.next() == untouched.next())
    }

    @Test func uniformDrawsReachBothEndsAndNothingBeyond() {
        let values = draws(.uniform(10, 20))
        #expect(Set(values) == Set(10...20))
        #expect(isWithin(1, values.reduce(0, +) / 100_000, of: 15))
    }

    @Test(arguments: [(100_000, 900_000), (80, 81), (1_000_000_000, 30_000_000_000)] as [(Int64, Int64)])
    func logNormalKeepsItsMedianAndItsTail(_ median: Int64, _ p99: Int64) {
        let values = draws(.logNormal(median: median, p99: p99)).sorted()
        #expect(isWithin(3, values[50_000], of: median))
        #expect(isWithin(5, values[99_000], of: p99))
        #expect(values[0] >= 0)
    }

    @Test func logNormalOfZeroDrawsZero() {
        #expect(draws(.logNormal(median: 0, p99: 0)).allSatisfy { $0 == 0 })
        #expect(Distribution.logNormal(median: 0, p99: 0).mean == 0)
    }

    @Test func exponentialKeepsItsMean() {
        let values = draws(.exponential(mean: 5_000_000))
        #expect(isWithin(2, values.reduce(0, +) / 100_000, of: 5_000_000))
        // Its median is the mean times the logarithm of two.
        #expect(isWithin(2, values.sorted()[50_000], of: 3_465_736))
        #expect(values.allSatisfy { $0 >= 0 })
    }

    @Test func weightedKeepsItsProportions() {
        let distribution = Distribution.weighted([
            .init(value: 1, weight: 70), .init(value: 2, weight: 0), .init(value: 3, weight: 20),
            .init(value: 4, weight: 10),
        ])
        let values = draws(distribution)
        let counts = Dictionary(grouping: values) { $0 }.mapValues(\.count)
        #expect(counts[2] == nil)
        #expect((69_400...70_600).contains(counts[1] ?? 0))
        #expect((19_400...20_600).contains(counts[3] ?? 0))
        #expect((9_500...10_500).contains(counts[4] ?? 0))
    }

    @Test func noDrawExceedsTheCeiling() {
        let ceiling = Distribution.ceiling
        for distribution in [Distribution.exponential(mean: ceiling), .logNormal(median: ceiling, p99: ceiling * 2)] {
            #expect(draws(distribution).allSatisfy { (0...ceiling).contains($0) })
        }
    }

    @Test(
        arguments: [
            .constant(7_000), .uniform(1_000, 9_000), .exponential(mean: 80_000),
            .logNormal(median: 50_000, p99: 200_000),
            .weighted([.init(value: 1_000, weight: 3), .init(value: 9_000, weight: 1)]),
        ] as [Distribution])
    func distributionMeanIsTheMeanOfItsDraws(_ distribution: Distribution) {
        #expect(isWithin(2, draws(distribution).reduce(0, +) / 100_000, of: distribution.mean))
    }

    @Test func spansAreDrawnInNanoseconds() {
        var stream = RandomStream(seed: 1, user: 0, purpose: .population)
        #expect(Distribution.span(.milliseconds(3)).drawSpan(&stream) == .milliseconds(3))
        let drawn = Distribution.spans(.seconds(2), .seconds(20)).drawSpan(&stream)
        #expect(drawn >= .seconds(2) && drawn <= .seconds(20))
    }
}
