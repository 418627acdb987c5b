// Axes: ticks that people can read, and everything within them.

import Testing

@testable import Reporting

@Suite struct PlotScaleTests {
    private func expectSound(_ ticks: [PlotTick], max: Int) {
        #expect(ticks.count >= 2 && ticks.count <= max, "\(ticks.map(\.label))")
        #expect(ticks.allSatisfy { (0...1).contains($0.place) })
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.place < $1.place })
        #expect(Set(ticks.map(\.label)).count == ticks.count, "\(ticks.map(\.label))")
    }

    @Test(arguments: [1, 2, 7, 59, 61, 600, 3_600, 90_000, 3_000_000, 400_000_000] as [Int64])
    func timeScaleHasSoundTicks(seconds: Int64) {
        let scale = TimeScale(end: seconds * 1_000_000_000)
        expectSound(scale.ticks, max: 7)
        #expect(scale.ticks[0].label == "0" || scale.ticks[0].label == "0s")
        #expect(scale.place(0) == 0 && scale.place(.max) == 1)
    }

    @Test(arguments: [0, 0.001, 0.4, 1, 3, 9.9, 10, 11, 26, 99, 101, 54_321, 1e9])
    func linearScaleHasSoundTicks(maximum: Double) {
        let scale = LinearScale(maximum: maximum)
        expectSound(scale.ticks, max: 5)
        #expect(scale.top >= maximum && (maximum == 0 || scale.top <= maximum * 4))
    }

    @Test(
        arguments: [
            (1, 1), (0, 0), (1, Int64.max), (5_000_000, 5_100_000), (999, 1_001), (1_000_000, 86_400_000_000_000),
            (700_000_000, 4_000_000_000), (86_400_000_000_000, 86_400_000_000_000),
        ] as [(Int64, Int64)])
    func durationScaleHasSoundTicks(minimum: Int64, maximum: Int64) {
        let scale = DurationScale(minimum: minimum, maximum: maximum)
        expectSound(scale.ticks, max: 8)
        #expect(scale.low < scale.high && scale.high >= Double(maximum) || maximum == .max)
        #expect(scale.place(0) == 0 && scale.place(scale.high) == 1)
    }

    @Test func cutDurationScaleMarksItsFirstTick() {
        #expect(DurationScale(minimum: 1_000_000, maximum: 1_000_000_000, isCut: true).ticks[0].label == "≤ 1ms")
        #expect(DurationScale(minimum: 1_000_000, maximum: 1_000_000_000).ticks[0].label == "1ms")
    }
}
