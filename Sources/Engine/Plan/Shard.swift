// One of the parts that a run is cut into, so that several machines share it.
// A value; any thread.

/// Part `index` of `count`, counted from 1.
package struct Shard: Sendable, Equatable, Codable {
    package let index: Int
    package let count: Int

    /// More parts than a scheduler would start.
    package static let countMax = 100_000

    /// Nil where there is no such part.
    package init?(index: Int, of count: Int) {
        guard (1...Self.countMax).contains(count), (1...count).contains(index) else { return nil }
        (self.index, self.count) = (index, count)
    }

    /// `3/16`, as `--shard` takes it.
    package var text: String { "\(index)/\(count)" }

    /// Its share of so many pieces, which are cut evenly and in order; empty where there are fewer pieces than parts.
    package func share(of pieces: Int) -> Range<Int> {
        Self.part(of: pieces, before: index - 1, of: count)..<Self.part(of: pieces, before: index, of: count)
    }

    /// How many of all pieces come before a part. Without the product of both, which may be too large.
    private static func part(of pieces: Int, before index: Int, of count: Int) -> Int {
        pieces / count * index + pieces % count * index / count
    }
}
