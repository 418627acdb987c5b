// How HdrHistogram cuts a range of values into buckets.
// Pure; any thread.

/// Which bucket a value belongs to, and which values a bucket holds.
///
/// Every octave has the same number of buckets, so that their width is a fixed share of the values in them.
package struct HistogramLayout: Sendable, Equatable {
    package let significantDigits: Int
    /// In nanoseconds; smaller values cannot be told apart.
    package let lowest: Int64
    package let highest: Int64
    private let unitBits: Int
    /// Twice as many buckets as an octave has, as a power of two.
    private let subBits: Int

    /// 1 ns to 24 h to three digits.
    package static let fine = HistogramLayout(significantDigits: 3, lowest: 1, highest: 24 * 3_600 * 1_000_000_000)
    /// 1 µs to 24 h, sixteen buckets an octave: 1.5 kB, for histograms of which there are many.
    package static let coarse = HistogramLayout(
        significantDigits: 1, lowest: 1_024, highest: 24 * 3_600 * 1_000_000_000)

    package init(significantDigits: Int, lowest: Int64, highest: Int64) {
        precondition((1...5).contains(significantDigits), "\(significantDigits) significant digits")
        precondition(lowest > 0 && highest >= 2 * lowest, "a range from \(lowest) to \(highest)")
        self.significantDigits = significantDigits
        self.lowest = lowest
        self.highest = highest
        unitBits = 63 - lowest.leadingZeroBitCount
        var resolution = 2
        for _ in 0..<significantDigits { resolution *= 10 }
        subBits = Int.bitWidth - (resolution - 1).leadingZeroBitCount
    }

    /// How many buckets the whole range has.
    package var count: Int { index(of: highest) + 1 }

    /// The bucket of a value in `0...highest`.
    @inline(__always)
    package func index(of value: Int64) -> Int {
        let mask = ((Int64(1) << subBits) - 1) << unitBits
        let octave = 64 - subBits - unitBits - (value | mask).leadingZeroBitCount
        return (octave << (subBits - 1)) + Int(value >> (octave + unitBits))
    }

    /// The smallest and the largest value of a bucket, in nanoseconds.
    package func values(at index: Int) -> ClosedRange<Int64> {
        let half = 1 << (subBits - 1)
        let octave = max(0, (index >> (subBits - 1)) - 1)
        let sub = index < 2 * half ? index : (index & (half - 1)) + half
        let low = Int64(sub) << (octave + unitBits)
        return low...(low + (Int64(1) << (octave + unitBits)) - 1)
    }
}
