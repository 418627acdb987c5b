// Where the time of purchases goes.
// Values; the table is owned by one tally.

import Files

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
    package static let metrics = MetricName.allCases.filter { $0.row.stage != nil }

    /// In the order of `metrics`.
    package var parts: [Int64] { [sending, processing, deciding, receiving] }
}

/// The stages of purchases, by how long the purchases took: what makes the slow ones slow.
///
/// Commutative, as all that is measured.
package struct StageTable: Sendable {
    /// The purchases that took at least `from` and less than `to`, in nanoseconds.
    package struct Band: Sendable, Codable {
        package let from: Int64
        package var count = 0
        // By name: an array in each row would be one more allocation, and one more look-up for each sample.
        private var sending = ExactSum(0)
        private var processing = ExactSum(0)
        private var deciding = ExactSum(0)
        private var receiving = ExactSum(0)

        fileprivate init(from: Int64) { self.from = from }

        /// - Parameter sums: of all its purchases, in nanoseconds, in the order of `PurchaseStages.metrics`.
        package init(from: Int64, count: Int, sums: (ExactSum, ExactSum, ExactSum, ExactSum)) {
            (self.from, self.count) = (from, count)
            (sending, processing, deciding, receiving) = sums
        }

        /// Nil for the last.
        package var to: Int64? { StageTable.limits.first { $0 > from } }
        package var sums: [ExactSum] { [sending, processing, deciding, receiving] }

        fileprivate mutating func record(_ stages: PurchaseStages) {
            count += 1
            sending.value += Int128(stages.sending)
            processing.value += Int128(stages.processing)
            deciding.value += Int128(stages.deciding)
            receiving.value += Int128(stages.receiving)
        }

        fileprivate mutating func merge(_ other: Band) {
            count.add(other.count)
            sending.value += other.sending.value
            processing.value += other.processing.value
            deciding.value += other.deciding.value
            receiving.value += other.receiving.value
        }
    }

    /// Where the bands begin, in nanoseconds: durations that people name.
    package static let limits: [Int64] =
        [0, 1, 10, 100, 200, 500].map { $0 * 1_000_000 }
        + [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 3_600, 86_400].map { $0 * 1_000_000_000 }

    private var all = limits.map { Band(from: $0) }

    package init() {}

    /// As files hold it; nil for what no run writes.
    package init?(_ bands: [Band]) {
        for band in bands {
            guard let place = Self.limits.firstIndex(of: band.from), all[place].count == 0, band.count > 0 else {
                return nil
            }
            all[place] = band
        }
    }

    package mutating func record(_ stages: PurchaseStages) {
        let total = stages.total
        var place = 0
        while place + 1 < Self.limits.count, Self.limits[place + 1] <= total { place += 1 }
        all[place].record(stages)
    }

    /// Packs what was recorded, and is empty then.
    mutating func unload(into packer: inout Packer) {
        for place in all.indices where all[place].count > 0 {
            packer.put(place + 1)
            packer.put(plain: all[place])
            all[place] = Band(from: all[place].from)
        }
        packer.put(0)
    }

    /// As if what another one has packed had been recorded here.
    mutating func load(_ unpacker: inout Unpacker) throws(TornValue) {
        while true {
            let number = try unpacker.number()
            if number == 0 { return }
            guard all.indices.contains(number - 1) else { throw TornValue() }
            all[number - 1].merge(try unpacker.plain(Band.self))
        }
    }

    mutating func merge(_ other: StageTable) {
        for (place, band) in other.all.enumerated() { all[place].merge(band) }
    }

    /// Those that any purchase is in, from quick to slow.
    package var bands: [Band] { all.filter { $0.count > 0 } }

    /// Whether more purchases are in a band than a number holds.
    var isFull: Bool { all.contains { $0.count == .max } }
}

extension StageTable: Codable {
    package init(from decoder: any Decoder) throws { self = try decoder.sound(StageTable([Band](from: decoder))) }

    package func encode(to encoder: any Encoder) throws { try bands.encode(to: encoder) }
}
