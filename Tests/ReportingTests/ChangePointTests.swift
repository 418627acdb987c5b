// Changes are found where they are, and in noise hardly ever. All chance has a fixed seed.

import Foundation
import Reporting
import Simulation
import Testing

@Suite struct ChangePointTests {
    /// Values around levels, each with so many runs; the noise has the shape of a bell, and is a share of the level.
    private func series(_ levels: [(Double, Int)], noise: Double, seed: Int) -> [Double] {
        var chance = RandomStream(seed: 7, user: seed, purpose: .store)
        return levels.flatMap { level, count in
            (0..<count).map { _ -> Double in
                let normal = sqrt(-2 * log(chance.unit())) * cos(2 * .pi * chance.unit())
                return level * (1 + noise * normal)
            }
        }
    }

    @Test func noiseAloneIsNoChange() {
        // 1 % of all series may show one: of a hundred, more than four do in one of three hundred tries.
        let wrong = (0..<100).count {
            !ChangePoints.measured(series([(5e9, 40)], noise: 0.03, seed: $0), noise: 0).isEmpty
        }
        #expect(wrong <= 4, "\(wrong) of 100 series without a change show one")
        #expect(ChangePoints.level == 0.01)
    }

    @Test(arguments: 0..<20)
    func stepInASeriesIsFoundAtItsPlace(seed: Int) throws {
        let values = series([(5e9, 22), (5.5e9, 18)], noise: 0.03, seed: seed)
        let points = ChangePoints.measured(values, noise: 0.01)
        let point = try #require(points.first { abs($0.index - 22) <= 1 }, "\(points)")
        #expect(points.count == 1 && abs((point.ratio ?? 0) - 1.1) < 0.03)
        #expect(point.probability ?? 1 <= 0.01)
    }

    @Test func severalStepsInASeriesAreFound() {
        let values = series([(100, 20), (80, 20), (100, 20), (130, 20)], noise: 0.03, seed: 3)
        let found = ChangePoints.measured(values, noise: 0.01).map(\.index)
        #expect(found.count == 3)
        for (index, expected) in zip(found, [20, 40, 60]) { #expect(abs(index - expected) <= 1, "\(found)") }
    }

    @Test func outliersAreNoChange() {
        var values = series([(100, 40)], noise: 0.01, seed: 1)
        values[10] = 900
        values[11] = 700
        values[30] = 1
        #expect(ChangePoints.measured(values, noise: 0.01).isEmpty)
    }

    @Test func stepWithinTheNoiseIsNoChange() {
        let values = series([(100, 30), (102, 30)], noise: 0.002, seed: 1)
        #expect(ChangePoints.measured(values, noise: 0.01).map(\.index) == [30])
        #expect(ChangePoints.measured(values, noise: 0.03).isEmpty)
    }

    @Test func changePointsAreTheSameForTheSameRuns() {
        let values = series([(100, 12), (104, 14)], noise: 0.03, seed: 5)
        let first = ChangePoints.measured(values, noise: 0)
        for _ in 0..<3 { #expect(ChangePoints.measured(values, noise: 0) == first) }
    }

    @Test func fewerThanTwelveRunsShowNoChange() {
        let low = series([(1, 6)], noise: 0.01, seed: 1)
        let high = series([(2, 6)], noise: 0.01, seed: 2)
        #expect(ChangePoints.measured(low + high, noise: 0).map(\.index) == [6])
        #expect(ChangePoints.measured(low + high.dropLast(), noise: 0).isEmpty)
        #expect(ChangePoints.runsMin == 12)
        for values in [[], [1], [1, 2], [1, 1, 1, 1, 1, 1]] as [[Double]] {
            #expect(ChangePoints.measured(values, noise: 0).isEmpty)
        }
    }

    // MARK: Exact figures

    @Test func exactFiguresShowEveryChangeAtOnce() {
        #expect(ChangePoints.exact([], noise: 0).isEmpty)
        #expect(ChangePoints.exact([3, 3, 3], noise: 0).isEmpty)
        let points = ChangePoints.exact([0, 0, 1, 1, 1.000001, 0], noise: 0)
        #expect(points.map(\.index) == [2, 4, 5])
        #expect(points.map(\.before) == [0, 1, 1.000001] && points.map(\.after) == [1, 1.000001, 0])
        #expect(points[0].ratio == nil && points.allSatisfy { $0.probability == nil })
    }

    @Test func noiseIsMeasuredFromTheLevel() {
        // Each run differs little from the one before it, and the last more than the noise from the first.
        #expect(ChangePoints.exact([100, 100.6, 101.2, 101.8], noise: 0.01).map(\.index) == [2])
        #expect(ChangePoints.exact([100, 100.9, 100.1, 99.2], noise: 0.01).isEmpty)
    }
}
