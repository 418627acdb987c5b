// The axis of a trend: the range of the values, not from zero, because a trend is about small changes.
// Pure; any thread.

import ReportModel

struct LevelScale {
    let low: Double
    let high: Double
    let ticks: [PlotTick]

    /// Of the largest value: what is closer together has the same label anyway.
    private static let rangeMin = 0.04

    /// - Parameter values: finite; at least one.
    init(_ values: [Double], unit: ReportUnit) {
        let smallest = values.min() ?? 0
        let largest = values.max() ?? 0
        let middle = (smallest + largest) / 2
        let least = max(abs(smallest), abs(largest)) * Self.rangeMin
        let range = max(largest - smallest, least > 0 ? least : 1)
        let step = Self.step(range / 4)
        var low = ((middle - range / 2) / step).rounded(.down) * step
        // A count or a duration below zero there is none.
        if smallest >= 0, low < 0 { low = 0 }
        let count = max(1, (((middle + range / 2) - low) / step).rounded(.up))
        let span = count * step
        self.low = low
        high = low + span
        ticks = stride(from: 0, through: count, by: 1).map {
            PlotTick(place: $0 / count, label: HumanNumbers.value(low + $0 * step, unit: unit))
        }
    }

    /// The smallest of 1, 2 and 5 times a power of ten that is no less.
    private static func step(_ least: Double) -> Double {
        var magnitude = 1.0
        while magnitude > least { magnitude /= 10 }
        while magnitude * 10 <= least { magnitude *= 10 }
        return [1, 2, 5].map { $0 * magnitude }.first { $0 >= least } ?? magnitude * 10
    }

    /// From 0 to 1.
    func place(_ value: Double) -> Double { min(1, max(0, (value - low) / (high - low))) }
}
