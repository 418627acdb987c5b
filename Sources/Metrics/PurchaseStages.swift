// Where the time of purchases goes.
// Values; the table is owned by one tally.

/// The stages of one purchase, in nanoseconds. Together they are exactly its `purchase_duration`.
package struct PurchaseStages: Sendable, Equatable {
    /// On its way to the store, tries that were lost or that the store did not take included.
    package var sending: Int64 = 0
    /// In the store's queue, and in its work.
    package var processing: Int64 = 0
    /// The payment sheet is up.
    package var deciding: Int64 = 0
    /// From the store's answer to the final callback.
    package var receiving: Int64 = 0

    package init() {}

    package var total: Int64 { sending + processing + deciding + receiving }

    /// The metric of each stage, in the order of time.
    package static let metrics: [MetricName] = [
        .purchaseSending, .purchaseProcessing, .purchaseDeciding, .purchaseReceiving,
    ]

    /// In the order of `metrics`.
    package var parts: [Int64] { [sending, processing, deciding, receiving] }
}

/// The stages of purchases, by how long the purchases took: what makes the slow ones slow.
///
/// Commutative, as all of a tally is.
package struct StageTable: Sendable {
    /// The purchases that took at least `from` and less than `to`.
    package struct Band: Sendable, Equatable, Codable {
        /// In nanoseconds.
        package let from: Int64
        /// Nil for the last.
        package let to: Int64?
        package let count: Int
        /// In nanoseconds, in the order of `PurchaseStages.metrics`.
        package let sums: [ExactSum]

        package init(from: Int64, to: Int64?, count: Int, sums: [ExactSum]) {
            (self.from, self.to, self.count, self.sums) = (from, to, count, sums)
        }
    }

    /// Where the bands begin, in nanoseconds: durations that people name.
    package static let limits: [Int64] =
        [0, 1, 10, 100, 200, 500].map { $0 * 1_000_000 }
        + [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 3_600, 86_400].map { $0 * 1_000_000_000 }

    private struct Row {
        var count = 0
        // By name: an array in each row would be one more allocation, and one more look-up for each sample.
        var sending: Int128 = 0
        var processing: Int128 = 0
        var deciding: Int128 = 0
        var receiving: Int128 = 0
    }

    private var rows = [Row](repeating: Row(), count: limits.count)

    package init() {}

    /// As files hold it; nil for what no run writes.
    package init?(_ bands: [Band]) {
        for band in bands {
            guard let place = Self.limits.firstIndex(of: band.from), rows[place].count == 0, band.count > 0,
                band.sums.count == PurchaseStages.metrics.count
            else { return nil }
            let sums = band.sums.map(\.value)
            rows[place] = Row(
                count: band.count, sending: sums[0], processing: sums[1], deciding: sums[2], receiving: sums[3])
        }
    }

    package mutating func record(_ stages: PurchaseStages) {
        let total = stages.total
        var place = 0
        while place + 1 < Self.limits.count, Self.limits[place + 1] <= total { place += 1 }
        rows[place].count += 1
        rows[place].sending += Int128(stages.sending)
        rows[place].processing += Int128(stages.processing)
        rows[place].deciding += Int128(stages.deciding)
        rows[place].receiving += Int128(stages.receiving)
    }

    package mutating func merge(_ other: StageTable) {
        for place in rows.indices {
            rows[place].count.add(other.rows[place].count)
            rows[place].sending += other.rows[place].sending
            rows[place].processing += other.rows[place].processing
            rows[place].deciding += other.rows[place].deciding
            rows[place].receiving += other.rows[place].receiving
        }
    }

    /// Those that any purchase is in, from quick to slow.
    package var bands: [Band] {
        rows.enumerated().filter { $0.element.count > 0 }.map { place, row in
            Band(
                from: Self.limits[place], to: place + 1 < Self.limits.count ? Self.limits[place + 1] : nil,
                count: row.count,
                sums: [row.sending, row.processing, row.deciding, row.receiving].map { ExactSum($0) })
        }
    }

    /// Whether more purchases are in a band than a number holds.
    var isFull: Bool { rows.contains { $0.count == .max } }
}

extension StageTable: Codable {
    package init(from decoder: any Decoder) throws { self = try decoder.sound(StageTable([Band](from: decoder))) }

    package func encode(to encoder: any Encoder) throws { try bands.encode(to: encoder) }
}
