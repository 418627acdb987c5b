// Where the axes of a plot have their ticks, and where a value lies between them.
// Pure; any thread.

/// A tick: its place on the axis from 0 to 1, and what stands beside it.
struct PlotTick {
    let place: Double
    let label: String
}

/// The axis of simulated time, from the start of the run.
struct TimeScale {
    /// In nanoseconds, above zero.
    let end: Int64
    let ticks: [PlotTick]

    private static let ticksMax: Int64 = 6
    private static let second: Int64 = 1_000_000_000
    // Seconds that clocks and calendars like.
    private static let steps: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800,
        432_000, 864_000, 2_592_000, 8_640_000, 31_536_000, 315_360_000,
    ]

    init(end: Int64) {
        self.end = max(1, end)
        let last = self.end
        let step = (Self.steps.first { last / ($0 * Self.second) < Self.ticksMax } ?? 3_153_600_000) * Self.second
        ticks = stride(from: 0, through: last, by: Int64.Stride(step)).map {
            PlotTick(place: Double($0) / Double(last), label: HumanNumbers.roundDuration(nanoseconds: $0))
        }
    }

    func place(_ nanoseconds: Int64) -> Double { min(1, max(0, Double(nanoseconds) / Double(end))) }
}

/// An axis of counts or rates from zero.
struct LinearScale {
    let top: Double
    let ticks: [PlotTick]

    /// - Parameter maximum: the largest value shown.
    init(maximum: Double) {
        var magnitude = 1.0
        let largest = maximum.isFinite && maximum > 0 ? maximum : 1
        while magnitude * 10 <= largest { magnitude *= 10 }
        while magnitude > largest { magnitude /= 10 }
        // At most four steps of a round size.
        let step = [0.25, 0.5, 1, 2.5, 5].map { $0 * magnitude }.first { largest <= $0 * 4 } ?? magnitude * 5
        let count = (largest / step).rounded(.up)
        top = step * max(1, count)
        let whole = top
        ticks = stride(from: 0, through: max(1, count), by: 1).map {
            PlotTick(place: $0 * step / whole, label: Self.label($0 * step, step: step))
        }
    }

    /// With as many decimals as tell neighbours apart.
    private static func label(_ value: Double, step: Double) -> String {
        if value == 0 { return "0" }
        // Long numbers would not fit beside the plot.
        if step >= 1_000_000 { return HumanNumbers.number(value / 1_000_000) + "M" }
        if step >= 2_500 {
            return value >= 1_000_000
                ? "\(HumanNumbers.number(value / 1_000_000))M" : HumanNumbers.number(value / 1_000) + "k"
        }
        if step >= 1 { return HumanNumbers.number(value) }
        var decimals = 0
        var scaled = step
        while decimals < 9, abs(scaled - scaled.rounded()) > 1e-6 {
            decimals += 1
            scaled *= 10
        }
        return HumanNumbers.fixed(value, decimals: decimals)
    }

    func place(_ value: Double) -> Double { min(1, max(0, value / top)) }
}

/// A logarithmic axis of durations.
struct DurationScale {
    /// In nanoseconds.
    let low: Double
    let high: Double
    let ticks: [PlotTick]

    private static let ticksMax = 6
    private static let minute = 60e9
    private static let day = 86_400e9
    /// Durations that people name, ten times apart or a little less.
    private static let coarse: [Double] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10] + [1, 10, 60, 600].map { $0 * minute }
        + [1, 10, 100, 1_000, 10_000].map { $0 * day }
    private static let fine: [Double] =
        (0...9).flatMap { power in [1, 2, 5].map { $0 * (0..<power).reduce(1) { result, _ in result * 10 } } }
        + [1e10, 2e10] + [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600].map { $0 * minute }
        + [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000].map { $0 * day }

    /// How many times shorter than the largest duration the smallest is that has a place of its own.
    private static let reach = 1e7

    /// - Parameters:
    ///   - minimum: the smallest duration that is worth showing, in nanoseconds; zero has no place on such an axis.
    ///   - isCut: whether there are smaller ones, which are drawn at the bottom.
    init(minimum: Int64, maximum: Int64, isCut: Bool = false) {
        let largest = Double(max(1, maximum))
        let smallest = max(Double(max(1, minimum)), largest / Self.reach)
        let marks = Self.between(smallest, largest, Self.fine)
        // As close around the data as marks are; where they are too many to be named, those that are round.
        let (low, high) = (marks.first ?? 1, marks.last ?? 10)
        let chosen = marks.count <= Self.ticksMax ? marks : Self.coarse.filter { (low...high).contains($0) }
        self.low = low
        self.high = high
        // A range of many powers of ten names every other one.
        let stride = max(1, (chosen.count + Self.ticksMax) / (Self.ticksMax + 1))
        let isBelow = isCut || Double(minimum) < low
        ticks = chosen.enumerated().filter { $0.offset.isMultiple(of: stride) }.map {
            let label = HumanNumbers.roundDuration(nanoseconds: Int64($0.element))
            return PlotTick(
                place: Self.place($0.element, low, high), label: isBelow && $0.element == low ? "≤ " + label : label)
        }
    }

    func place(_ nanoseconds: Double) -> Double { min(1, max(0, Self.place(max(1, nanoseconds), low, high))) }

    /// The marks that hold the range between them, two at least.
    private static func between(_ low: Double, _ high: Double, _ marks: [Double]) -> [Double] {
        let first = marks.lastIndex { $0 <= low } ?? 0
        let last = marks.firstIndex { $0 >= high } ?? marks.count - 1
        if first < last { return Array(marks[first...last]) }
        return last > 0 ? [marks[last - 1], marks[last]] : [marks[0], marks[1]]
    }

    private static func place(_ value: Double, _ low: Double, _ high: Double) -> Double {
        Logarithm.of(value / low) / Logarithm.of(high / low)
    }
}
