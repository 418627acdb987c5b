// What is packed is unpacked as it was, and torn bytes are no value.

import Files
import Foundation
import Testing

@testable import Metrics

@Suite struct PackerTests {
    @Test(arguments: [0, 1, -1, 63, 64, -64, -65, 127, 128, 1 << 40, .max, .min])
    func packedNumbersUnpackTheSame(number: Int) throws {
        var packer = Packer()
        packer.put(number)
        var unpacker = Unpacker(packer.bytes[...])
        #expect(try unpacker.number() == number)
        #expect(unpacker.isAtEnd)
    }

    @Test func packedValuesOfEveryKindUnpackTheSame() throws {
        var packer = Packer()
        packer.put("tëxt")
        packer.put(nil as String?)
        packer.put(plain: [1, 2, 3] as [Int32])
        packer.put(plain: (7, true))
        packer.put(true)
        var unpacker = Unpacker(packer.bytes[...])
        #expect(try unpacker.text() == "tëxt")
        #expect(try unpacker.optionalText() == nil)
        #expect(try unpacker.plains(Int32.self) == [1, 2, 3])
        #expect(try unpacker.plain((Int, Bool).self) == (7, true))
        #expect(try unpacker.flag())
    }

    // Whatever is cut off, nothing is read beyond the end.
    @Test func unpackingTornBytesThrows() {
        var packer = Packer()
        Self.measured(1).unload(into: &packer)
        for count in stride(from: 0, to: packer.bytes.count, by: 7) {
            var unpacker = Unpacker(packer.bytes[..<count])
            let tally = Tally()
            #expect(throws: TornValue.self) { try tally.load(&unpacker) }
        }
    }

    // One tally that is unloaded again and again says what tallies say that are merged.
    @Test func unloadedTallyPartsEqualAMergedTally() throws {
        let merged = Tally()
        let loaded = Tally()
        let worker = Tally()
        for part in 0..<5 {
            Self.measure(part, in: worker)
            var packer = Packer()
            worker.unload(into: &packer)
            var unpacker = Unpacker(packer.bytes[...])
            try loaded.load(&unpacker)
            #expect(unpacker.isAtEnd)
            merged.merge(Self.measured(part))
        }
        #expect(try Self.text(loaded) == Self.text(merged))
        let left = worker.measurements[.purchaseDuration]
        #expect(left.response?.count == 0 && left.instant == 0)
        for outcome in PaymentOutcome.allCases { #expect(left.response(of: outcome)?.count ?? 0 == 0) }
        #expect(worker.measurements[.purchasesFailed].stages.isEmpty)
        #expect(loaded.measurements[.purchaseDuration].response(of: .deferred)?.count == 100)
    }

    private static func measured(_ part: Int) -> Tally {
        let tally = Tally()
        measure(part, in: tally)
        return tally
    }

    /// The later the part, the longer the run: intervals become longer on the way.
    private static func measure(_ part: Int, in tally: Tally) {
        let second: Int64 = 1_000_000_000
        for number in 0..<200 {
            let length = Int64(number * number * 7_919 + 1) << Int64(part * 4)
            // Each part has an outcome of its own, and one that all have.
            tally.record(purchase: length, number % 2 == 0 ? .success : part == 3 ? .deferred : .failure)
            if number % 9 == part { tally.instant(.purchaseDuration) }
            tally.count(failed: number % 5 == 0 ? "unknown" : "none", at: part % 2 == 0 ? .deciding : .receiving)
            tally.place(purchaseDuration: length, at: Int64(number * (part + 1)) * 5 * second)
            tally.count(.purchases)
            tally.place(.purchases, at: Int64(number * (part + 1)) * 5 * second)
            tally.count(.faults, tag: number % 2 == 0 ? "crash" : "offline")
            tally.rate(.purchaseSuccess, passed: number % 3 == 0)
            tally.place(activeFrom: Int64(number) * second, to: Int64(number * (part + 2)) * second + length)
            var stages = PurchaseStages()
            (stages.sending, stages.deciding) = (length, 3)
            tally.record(stages)
        }
        tally.record(.purchaseDuration, nanoseconds: -5)
        tally.record(.purchaseDuration, nanoseconds: DurationHistogram.highest + 1)
    }

    private static func text(_ tally: Tally) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(tally.measurements), as: UTF8.self)
    }
}
