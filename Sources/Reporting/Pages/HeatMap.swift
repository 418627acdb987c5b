// Purchases by when they ended and how long they took, as fields of a heat map.
// Pure; any thread.

import Metrics

struct HeatMap {
    /// Shades, from one purchase to the most of a field.
    static let levels = 6
    private static let rowsMax = 36

    let scale: DurationScale
    let countMax: Int
    let description: String

    private struct Field: Hashable {
        let column: Int
        let row: Int
    }

    private let counts: [Field: Int]
    private let series: PlottedSeries
    /// Buckets of the histograms that make one row: a power of two, so that rows meet where octaves do.
    private let bucketsPerRow: Int
    private let layout: HistogramLayout

    /// Nil without purchases, or when the histograms cannot be read.
    init?(_ series: PlottedSeries) {
        self.series = series
        let found = series.durations.enumerated().compactMap { column, buckets in
            buckets.map { (column: column, buckets: $0) }
        }
        guard let layout = found.first?.buckets.layout, found.allSatisfy({ $0.buckets.layout == layout }),
            let high = found.compactMap({ $0.buckets.buckets.last?.index }).max()
        else { return nil }
        self.layout = layout
        let low = Self.lowest(found.map(\.buckets), high)
        var bucketsPerRow = 2
        while (high - low) / bucketsPerRow >= Self.rowsMax { bucketsPerRow *= 2 }
        self.bucketsPerRow = bucketsPerRow
        let lowRow = low / bucketsPerRow
        var counts: [Field: Int] = [:]
        var rows: [Int: Int] = [:]
        for (column, buckets) in found {
            for bucket in buckets.buckets {
                let field = Field(column: column, row: max(lowRow, bucket.index / bucketsPerRow))
                counts[field, default: 0] += bucket.count
                rows[field.row, default: 0] += bucket.count
            }
        }
        self.counts = counts
        countMax = counts.values.max() ?? 0
        scale = DurationScale(
            minimum: layout.values(at: lowRow * bucketsPerRow).lowerBound,
            maximum: layout.values(at: (high / bucketsPerRow + 1) * bucketsPerRow - 1).upperBound,
            isCut: found.contains { ($0.buckets.buckets.first?.index ?? 0) < lowRow * bucketsPerRow })
        let fullest = rows.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
        let bounds = [fullest * bucketsPerRow, (fullest + 1) * bucketsPerRow].map {
            HumanNumbers.duration(nanoseconds: Double(layout.values(at: $0).lowerBound))
        }
        description = "the most common durations are from \(bounds[0]) to \(bounds[1])."
    }

    /// The lowest bucket that is not an exception: what took no time at all is drawn at the bottom.
    private static func lowest(_ found: [HistogramBuckets], _ high: Int) -> Int {
        HistogramBuckets(sumOf: found).flatMap { all in all.lowestOfMany.map(all.layout.index) } ?? high
    }

    func draw(into plot: inout Plot) {
        var paths = [String](repeating: "", count: Self.levels)
        for (field, count) in counts.sorted(by: { ($0.key.column, $0.key.row) < ($1.key.column, $1.key.row) }) {
            let first = layout.values(at: field.row * bucketsPerRow).lowerBound
            let last = layout.values(at: (field.row + 1) * bucketsPerRow - 1).upperBound
            let (bottom, top) = (scale.place(Double(first)), scale.place(Double(last) + 1))
            let (left, right) = (series.start(field.column), series.start(field.column + 1))
            paths[level(count)] +=
                "M\(Plot.unit(left)) \(Plot.down(top))H\(Plot.unit(right))V\(Plot.down(bottom))H\(Plot.unit(left))z"
        }
        for (level, path) in paths.enumerated() { plot.path(path, class: "heat h\(level + 1)") }
    }

    /// Each shade stands for the same factor.
    private func level(_ count: Int) -> Int {
        guard countMax > 1 else { return Self.levels - 1 }
        let share = Logarithm.of(Double(count)) / Logarithm.of(Double(countMax))
        return min(Self.levels - 1, Int(share * Double(Self.levels)))
    }
}
