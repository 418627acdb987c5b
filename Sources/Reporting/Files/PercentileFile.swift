// HdrHistogram's percentile file, which its plotters read.
// Pure; any thread.

import Metrics
package import ReportModel

/// Values in milliseconds, five steps for each half of the distance to 100 per cent.
package enum PercentileFile {
    private static let ticksPerHalfDistance = 5.0
    private static let nanosecondsPerMillisecond = 1e6

    /// Empty for a histogram that cannot be read.
    package static func render(_ trend: ReportMetric.Trend) -> String {
        guard let buckets = HistogramBuckets(base64: trend.histogram), buckets.total > 0 else { return "" }
        var lines = [line("Value", "Percentile", "TotalCount", "1/(1-Percentile)"), ""]
        var level = 0.0
        var reached = 0
        for bucket in buckets.buckets {
            reached += bucket.count
            let value = milliseconds(buckets.layout.values(at: bucket.index).upperBound)
            // The last bucket holds everything that is left: one line for the level, and one for the whole.
            let isLast = reached == buckets.total
            while 100 * Double(reached) / Double(buckets.total) >= level {
                let share = level / 100
                lines.append(line(value, number(share, 12), String(reached), number(1 / (1 - share), 2)))
                level += step(after: level)
                if isLast { break }
            }
            if isLast { lines.append(line(value, number(1, 12), String(reached), nil)) }
        }
        return (lines + footer(trend, buckets)).joined(separator: "\n") + "\n"
    }

    /// Halved with each half of the way that is left.
    private static func step(after level: Double) -> Double {
        var halves = 1.0
        var left = 100 - level
        while left <= 50 {
            left *= 2
            halves += 1
        }
        var ticks = ticksPerHalfDistance
        for _ in 0..<Int(halves) { ticks *= 2 }
        return 100 / ticks
    }

    private static func footer(_ trend: ReportMetric.Trend, _ buckets: HistogramBuckets) -> [String] {
        var squares = 0.0
        for bucket in buckets.buckets {
            let range = buckets.layout.values(at: bucket.index)
            let distance = Double(range.lowerBound) + Double(range.upperBound - range.lowerBound) / 2 - trend.avg
            squares += distance * distance * Double(bucket.count)
        }
        let deviation = (squares / Double(buckets.total)).squareRoot() / nanosecondsPerMillisecond
        let mean = trend.avg / nanosecondsPerMillisecond
        let halfOctave = buckets.layout.count >> 10
        return [
            "#[Mean    = \(padded(number(mean, 6))), StdDeviation   = \(padded(number(deviation, 6)))]",
            "#[Max     = \(padded(milliseconds(trend.max))), Total count    = \(padded(String(buckets.total)))]",
            "#[Buckets = \(padded(String(halfOctave))), SubBuckets     = \(padded("2048"))]",
        ]
    }

    private static func milliseconds(_ nanoseconds: Int64) -> String {
        number(Double(nanoseconds) / nanosecondsPerMillisecond, 6)
    }

    private static func number(_ value: Double, _ decimals: Int) -> String {
        HumanNumbers.fixed(value, decimals: decimals)
    }

    private static func padded(_ text: String) -> String { padded(text, to: 16) }

    /// All of it is ASCII, where a byte is a column.
    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    private static func line(_ value: String, _ share: String, _ count: String, _ odds: String?) -> String {
        let start =
            padded(value) + " " + padded(share, to: 14) + " "
            + padded(count, to: 10)
        return odds.map { start + " " + padded($0, to: 16) } ?? start
    }
}
