// What stands before a batch of a journal.
// Pure; any thread.

import Files
import Foundation

enum BatchHead {
    /// - Parameter operations: how long the file of operations is with this batch.
    static func pack(_ cells: IndexSet, _ operations: Int) -> [UInt8] {
        var packer = Packer()
        packer.put(operations)
        packer.put(cells.rangeView.count)
        for range in cells.rangeView {
            packer.put(range.lowerBound)
            packer.put(range.count)
        }
        return packer.bytes
    }

    static func unpack(
        _ bytes: ArraySlice<UInt8>
    ) throws(TornValue) -> (cells: IndexSet, operations: Int, part: ArraySlice<UInt8>) {
        var unpacker = Unpacker(bytes)
        let operations = try unpacker.number()
        var cells = IndexSet()
        for _ in 0..<(try unpacker.count()) {
            let first = try unpacker.number()
            cells.insert(integersIn: first..<(first + (try unpacker.number())))
        }
        return (cells, operations, unpacker.rest)
    }
}
