// When journeys begin at a rate that rises and falls.
// Pure values; any thread.

package import Simulation

/// A rate that changes linearly from stage to stage, and the arrivals it plans: number k comes when the integral of the
/// rate reaches k. All in whole numbers, so that nothing drifts and cells agree on every arrival.
package struct ArrivalRamp: Sendable, Equatable {
    /// To a rate in millionths of an arrival an hour.
    package typealias Stage = LoadStage<Int64>

    /// A stage that takes time.
    private struct Segment: Sendable, Equatable {
        let start: Int64
        let length: Int64
        let from: Int64
        let to: Int64
        /// In `unitsPerArrival`.
        let arrivalsBefore: Int128
    }

    /// A ratio in its lowest terms.
    private struct Factor: Sendable, Equatable {
        let above: Int64
        let below: Int64
    }

    /// Areas under the ramp are counted in halves, since a trapezium's is, of a millionth of an arrival an hour for a
    /// nanosecond.
    private static let unitsPerArrival: Int128 = 2 * 1_000_000 * 3_600_000_000_000

    /// In millionths of an arrival an hour.
    package let startRate: Int64
    package let stages: [Stage]
    package let duration: Span
    /// Rates are these times as high as the stages say.
    private var factor = Factor(above: 1, below: 1)
    private let segments: [Segment]
    private let area: Int128

    package init(startRate: Int64, stages: [Stage]) {
        precondition(startRate >= 0, "a ramp from a rate of \(startRate)")
        self.startRate = startRate
        self.stages = stages
        var segments: [Segment] = []
        var rate = startRate
        var start: Int64 = 0
        var area: Int128 = 0
        for stage in stages {
            let length = stage.over.nanoseconds
            if length > 0 {
                segments.append(Segment(start: start, length: length, from: rate, to: stage.to, arrivalsBefore: area))
            }
            area += (Int128(rate) + Int128(stage.to)) * Int128(length)
            start += length
            rate = stage.to
        }
        self.segments = segments
        self.area = area
        duration = Span(nanoseconds: start)
    }

    /// The same ramp with every rate times a ratio of two numbers of users.
    package func scaled(by numerator: Int, over denominator: Int) -> ArrivalRamp {
        precondition((1...ScenarioLimits.usersMax).contains(numerator), "a ramp scaled by \(numerator)")
        precondition((1...ScenarioLimits.usersMax).contains(denominator), "a ramp scaled over \(denominator)")
        // Products of an area and a number of users then fit in 127 bits.
        precondition(area <= Int128(ScenarioLimits.arrivalsMax) * Self.unitsPerArrival, "a ramp of area \(area)")
        var copy = self
        let above = factor.above * Int64(numerator)
        let below = factor.below * Int64(denominator)
        let divisor = greatestCommonDivisor(above, below)
        copy.factor = Factor(above: above / divisor, below: below / divisor)
        return copy
    }

    /// How many arrivals are planned: those that come before the last stage ends.
    package var arrivals: Int {
        let unit = Self.unitsPerArrival * Int128(factor.below)
        return Int(clamping: (area * Int128(factor.above) + unit - 1) / unit)
    }

    /// From the start of the entry to one planned arrival, rounded down to the nanosecond. An arrival that falls on a
    /// stretch without any comes when that ends.
    package func start(of index: Int) -> Span {
        precondition(index >= 0, "arrival \(index)")
        let wanted = Int128(index) * Int128(factor.below) * Self.unitsPerArrival
        let above = Int128(factor.above)
        guard let segment = segments.last(where: { $0.arrivalsBefore * above <= wanted }) else { return duration }
        let rest = wanted - segment.arrivalsBefore * above
        return Span(nanoseconds: segment.start + offset(of: rest, in: segment))
    }

    /// The last nanosecond of a segment before which at most `rest` has come, in units times `factor.above`.
    private func offset(of rest: Int128, in segment: Segment) -> Int64 {
        if rest == 0 { return 0 }
        if segment.from == segment.to {
            return Int64(clamping: rest / (2 * Int128(factor.above) * Int128(segment.from)))
        }
        // The root of the quadratic in floating point is where the search begins, and no more: the result is exact.
        let from = Double(segment.from)
        let target = Double(rest) / Double(factor.above)
        let slope = (Double(segment.to) - from) / Double(segment.length)
        let root = target / (from + max(0, from * from + slope * target).squareRoot())
        let guess = Int64(min(max(0, root), Double(segment.length)))
        var low: Int64 = 0
        var high = segment.length
        var step: Int64 = 1
        if hasCome(at: guess, rest, segment) {
            low = guess
            while low + step < high {
                guard hasCome(at: low + step, rest, segment) else {
                    high = low + step
                    break
                }
                low += step
                step *= 2
            }
        } else {
            high = guess
            while high - step > low {
                guard !hasCome(at: high - step, rest, segment) else {
                    low = high - step
                    break
                }
                high -= step
                step *= 2
            }
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if hasCome(at: middle, rest, segment) { low = middle } else { high = middle }
        }
        return low
    }

    /// Whether at most `rest` has come so long after a segment began. With rates f and t over a length l, what has come
    /// after x is 2 f x + (t - f) x² / l halves.
    private func hasCome(at offset: Int64, _ rest: Int128, _ segment: Segment) -> Bool {
        let above = Int128(factor.above)
        let straight = 2 * above * Int128(segment.from) * Int128(offset)
        let change = (above * (Int128(segment.to) - Int128(segment.from))).magnitude
        let product = change.multipliedFullWidth(by: UInt128(offset) * UInt128(offset))
        let (quotient, remainder) = UInt128(segment.length).dividingFullWidth(product)
        let bent = Int128(quotient)
        if segment.to < segment.from { return straight - bent <= rest }
        return remainder == 0 ? straight + bent <= rest : straight + bent < rest
    }
}
