// Streams of chance: independence, evenness, and what draws nothing.

import Simulation
import Testing

@Suite struct RandomStreamTests {
    enum Neighbour: CaseIterable { case users, seeds, purposesOfUsers }

    @Test(arguments: Neighbour.allCases)
    func neighbouringStreamsBeginDifferently(_ neighbour: Neighbour) {
        let purposes = ChancePurpose.allCases
        let firsts = (0..<10_000).map { number in
            var stream =
                switch neighbour {
                case .users: RandomStream(seed: 7, user: number, purpose: .journey)
                case .seeds: RandomStream(seed: UInt64(number), user: 7, purpose: .journey)
                case .purposesOfUsers:
                    RandomStream(
                        seed: 7, user: number / purposes.count, purpose: purposes[number % purposes.count])
                }
            return stream.next()
        }
        #expect(Set(firsts).count == 10_000)
        // The streams together are as even as one of them: no bit leans to one side.
        for bit in 0..<64 {
            let ones = firsts.count { $0 >> UInt64(bit) & 1 == 1 }
            #expect((4_700...5_300).contains(ones), "bit \(bit)")
        }
    }

    // SplitMix64 streams lie on one cycle: a neighbour that were only shifted would repeat its neighbour's draws.
    @Test func neighbouringStreamsShareNoDraws() {
        var seen: Set<UInt64> = []
        for user in 0..<100 {
            for purpose in ChancePurpose.allCases {
                var stream = RandomStream(seed: 1, user: user, purpose: purpose)
                for _ in 0..<50 { #expect(seen.insert(stream.next()).inserted) }
            }
        }
    }

    @Test func equalSeedUserAndPurposeGiveTheSameStream() {
        var first = RandomStream(seed: 99, user: 3, purpose: .link)
        var second = RandomStream(seed: 99, user: 3, purpose: .link)
        for _ in 0..<1_000 { #expect(first.next() == second.next()) }
    }

    // Chi-square with 9, 99 or 255 degrees of freedom; the limit is passed once in a thousand fair streams.
    @Test(arguments: [(10, 27.9), (100, 148.2), (256, 330.5)] as [(UInt64, Double)])
    func drawsBelowABoundAreEven(_ bound: UInt64, _ limit: Double) {
        var stream = RandomStream(seed: 2026, user: 1, purpose: .store)
        var counts = [Int](repeating: 0, count: Int(bound))
        let draws = 1_000 * Int(bound)
        for _ in 0..<draws { counts[Int(stream.below(bound))] += 1 }
        let expected = Double(draws) / Double(bound)
        let chiSquare = counts.reduce(0.0) { sum, count in
            let distance = Double(count) - expected
            return sum + distance * distance / expected
        }
        #expect(chiSquare < limit)
    }

    @Test func drawBelowOneIsZero() {
        var stream = RandomStream(seed: 1, user: 1, purpose: .store)
        for _ in 0..<100 { #expect(stream.below(1) == 0) }
    }

    @Test func unitLiesStrictlyBetweenZeroAndOne() {
        var stream = RandomStream(seed: 5, user: 1, purpose: .store)
        let draws = (0..<100_000).map { _ in stream.unit() }
        #expect(draws.allSatisfy { $0 > 0 && $0 < 1 })
        let mean: Double = draws.reduce(0, +) / 100_000
        #expect((0.495...0.505).contains(mean))
    }

    @Test(arguments: [(Share.none, false), (.all, true)])
    func certainSharesDrawNothing(_ share: Share, _ answer: Bool) {
        var asked = RandomStream(seed: 4, user: 2, purpose: .crash)
        var untouched = asked
        for _ in 0..<10 { #expect(asked.hits(share) == answer) }
        #expect(asked.next() == untouched.next())
    }

    @Test(arguments: [0.1, 1, 25, 50, 99.9])
    func sharesAreHitInProportion(_ percent: Double) {
        var stream = RandomStream(seed: 8, user: 2, purpose: .crash)
        let share = Share.percent(percent)
        let hits = (0..<200_000).count { _ in stream.hits(share) }
        // Four standard deviations.
        let expected = 200_000 * share.fraction
        let deviation = (expected * (1 - share.fraction)).squareRoot()
        #expect(((expected - 4 * deviation)...(expected + 4 * deviation)).contains(Double(hits)))
    }

    @Test(arguments: [(0, 0), (0.1, 1_000_000), (33.3, 333_000_000), (0.0000001, 1), (100, 1_000_000_000)])
    func percentagesAreExactParts(_ percent: Double, _ parts: Int) {
        #expect(Share.percent(percent).partsPerBillion == parts)
        #expect(Share.percent(percent) == Share(partsPerBillion: parts))
    }

    @Test(arguments: [-1, 1_000_000_001])
    func shareOutsideTheWholeTraps(_ parts: Int) async {
        await #expect(processExitsWith: .failure) { [parts] in _ = Share(partsPerBillion: parts) }
    }
}
