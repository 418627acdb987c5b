// Cells in the order of their numbers, however many there are.
// A value; any thread.

import Foundation

/// A list of numbers would take eight bytes for each.
struct CellSet: RandomAccessCollection, Sendable {
    private let ranges: [Range<Int>]
    /// How many are in the ranges before each, and in all of them.
    private let before: [Int]

    init(_ cells: Range<Int>) { self.init(cells.isEmpty ? [] : [cells]) }

    init(_ cells: IndexSet) { self.init(cells.rangeView.map { $0 }) }

    /// - Parameter ranges: in order, apart from each other, none empty.
    private init(_ ranges: [Range<Int>]) {
        self.ranges = ranges
        before = ranges.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    }

    var startIndex: Int { 0 }
    var endIndex: Int { before[ranges.count] }

    subscript(place: Int) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if before[middle + 1] <= place { low = middle + 1 } else { high = middle }
        }
        return ranges[low].lowerBound + place - before[low]
    }

    /// Those at some places.
    subscript(places: Range<Int>) -> CellSet {
        var left: [Range<Int>] = []
        for (range, start) in zip(ranges, before) {
            let part = places.clamped(to: start..<(start + range.count))
            if part.isEmpty { continue }
            let first = range.lowerBound + part.lowerBound - start
            left.append(first..<(first + part.count))
        }
        return CellSet(left)
    }

    /// Without these.
    func subtracting(_ others: IndexSet) -> CellSet {
        if others.isEmpty { return self }
        var left = IndexSet()
        for range in ranges { left.insert(integersIn: range) }
        return CellSet(left.subtracting(others))
    }
}
