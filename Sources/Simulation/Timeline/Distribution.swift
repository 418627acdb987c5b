// How long, how many: values drawn from a distribution.
// Pure; the generator is passed in.

import Foundation

/// A distribution over whole numbers: nanoseconds where a duration is meant, plain counts elsewhere.
package enum Distribution: Sendable, Equatable {
    case constant(Int64)
    /// Uniform over both ends.
    case uniform(Int64, Int64)
    /// Log-normal through its median and its 99th percentile.
    case logNormal(median: Int64, p99: Int64)
    case exponential(mean: Int64)
    /// Weights need not sum to anything.
    case weighted([Choice])

    package struct Choice: Sendable, Equatable {
        package let value: Int64
        package let weight: Int64

        package init(value: Int64, weight: Int64) {
            self.value = value
            self.weight = weight
        }
    }

    /// No draw is larger: 400 days in nanoseconds.
    package static let ceiling: Int64 = 400 * 86_400 * 1_000_000_000

    package static func span(_ span: Span) -> Distribution { .constant(span.nanoseconds) }
    package static func spans(_ low: Span, _ high: Span) -> Distribution {
        .uniform(low.nanoseconds, high.nanoseconds)
    }

    package func draw(_ stream: inout RandomStream) -> Int64 {
        switch self {
        case .constant(let value):
            return value
        case .uniform(let low, let high):
            precondition(low <= high, "uniform \(low)..\(high)")
            return low + Int64(stream.below(UInt64(high - low) + 1))
        case .logNormal(let median, let p99):
            if median == 0 { return 0 }
            let sigma = log(Double(p99) / Double(median)) / Self.normalQuantile99
            // Box–Muller, one of the pair: keeping the other would be state between draws.
            let normal = (-2 * log(stream.unit())).squareRoot() * cos(2 * .pi * stream.unit())
            return Self.clamped(Double(median) * exp(sigma * normal))
        case .exponential(let mean):
            return Self.clamped(-Double(mean) * log(stream.unit()))
        case .weighted(let choices):
            return stream.choose(choices) { $0.weight }.value
        }
    }

    package func drawSpan(_ stream: inout RandomStream) -> Span { Span(nanoseconds: draw(&stream)) }

    /// The expected value; exact except for the log-normal, where it is rounded.
    package var mean: Int64 {
        switch self {
        case .constant(let value): return value
        case .uniform(let low, let high): return low + (high - low) / 2
        case .logNormal(let median, let p99):
            if median == 0 { return 0 }
            let sigma = log(Double(p99) / Double(median)) / Self.normalQuantile99
            return Self.clamped(Double(median) * exp(sigma * sigma / 2))
        case .exponential(let mean): return mean
        case .weighted(let choices):
            let total = choices.reduce(0) { $0 + $1.weight }
            return total == 0 ? 0 : choices.reduce(0) { $0 + $1.value * $1.weight } / total
        }
    }

    /// The 99th percentile of the standard normal distribution.
    private static let normalQuantile99 = 2.326_347_874_040_841

    private static func clamped(_ value: Double) -> Int64 {
        value >= Double(ceiling) ? ceiling : Int64(max(0, value))
    }
}
