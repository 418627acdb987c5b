// Durable storage of a device: keys, files, defaults with a flush delay, and the fence before them.

import DeviceSupport
import Foundation
import Simulation
import Testing

@Suite struct StorageTests {
    @Test(arguments: [.integer(7), .flag(true), .text("seven"), .bytes(Data([7, 0]))] as [StorageValue])
    func writeIsDurableWhenItReturns(_ value: StorageValue) {
        let bench = TestDevice()
        bench.launch(observing: false)
        bench.device.write([StorageChange("key", value)], from: bench.process)
        bench.device.crash()
        #expect(bench.device.storage.value("key") == value)
        #expect(bench.device.storage.durableValue("key") == value)
    }

    @Test func writingNilRemovesTheKey() {
        let bench = TestDevice()
        bench.launch(observing: false)
        bench.device.write([StorageChange("a", .integer(1)), StorageChange("b", .integer(2))], from: bench.process)
        bench.device.write([StorageChange("a", nil)], from: bench.process)
        #expect(bench.device.storage.value("a") == nil)
        #expect(bench.device.storage.values.keys.sorted() == ["b"])
    }

    // One effect: a crash falls before all of it or after all of it.
    @Test(arguments: [1, 2, 3])
    func severalKeysAreWrittenTogetherOrNotAtAll(_ effect: Int) {
        let bench = TestDevice { $0.crashFaults = [CrashFault(share: .all, moment: .effect(effect))] }
        bench.launch(observing: false)
        let process = bench.process
        for write in 1...2 {
            bench.device.write(
                [StorageChange("a", .integer(write)), StorageChange("b", .integer(write))], from: process)
        }
        let expected: StorageValue? = effect == 1 ? nil : .integer(effect - 1)
        #expect(bench.device.storage.durableValue("a") == expected)
        #expect(bench.device.storage.durableValue("b") == expected)
    }

    @Test func filesAreDurableAndCanBeRemoved() {
        let bench = TestDevice()
        bench.launch(observing: false)
        bench.device.writeFile("receipt", Data([1]), from: bench.process)
        bench.device.writeFile("journal", Data([2]), from: bench.process)
        bench.device.writeFile("journal", nil, from: bench.process)
        bench.device.crash()
        #expect(bench.device.storage.file("receipt") == Data([1]))
        #expect(bench.device.storage.file("journal") == nil)
    }

    @Test func deadProcessWritesNothing() {
        let bench = TestDevice { $0.app.flushDelay = .seconds(1) }
        bench.launch(observing: false)
        let dead = bench.process
        bench.device.crash()
        bench.device.write([StorageChange("a", .integer(1))], from: dead)
        bench.device.writeFile("file", Data([1]), from: dead)
        bench.device.setDefault(StorageChange("b", .integer(1)), from: dead)
        bench.device.synchronize(from: dead)
        bench.runUntilQuiet()
        #expect(bench.device.storage.values.isEmpty)
        #expect(bench.device.storage.file("file") == nil)
        #expect(bench.device.storage.value("b") == nil)
    }
}

@Suite struct DefaultsTests {
    enum End: CaseIterable { case crash, crashAfterFlush, synchronize, terminate }

    // Readable at once; lost by a crash before the flush, and by nothing else.
    @Test(arguments: End.allCases)
    func unflushedDefaultIsLostOnlyByACrash(_ end: End) {
        let bench = TestDevice { $0.app.flushDelay = .seconds(5) }
        bench.launch(observing: false)
        bench.device.setDefault(StorageChange("coins", .integer(100)), from: bench.process)
        #expect(bench.device.storage.value("coins") == .integer(100))
        #expect(bench.device.storage.durableValue("coins") == nil)
        switch end {
        case .crash:
            bench.run(for: .milliseconds(4_999))
            bench.device.crash()
        case .crashAfterFlush:
            bench.run(for: .milliseconds(5_001))
            bench.device.crash()
        case .synchronize:
            bench.device.synchronize(from: bench.process)
            bench.device.crash()
        case .terminate:
            bench.device.terminate()
        }
        bench.runUntilQuiet()
        #expect(bench.device.storage.value("coins") == (end == .crash ? nil : .integer(100)))
        // The story names what the crash took.
        let isTold = bench.device.events.contains { $0.event == .writesLost(count: 1) }
        #expect(isTold == (end == .crash))
        #expect(bench.device.writtenPlaces == (end == .terminate ? [] : [.key("coins")]))
    }

    @Test func defaultWithoutAFlushDelayIsDurableAtOnce() {
        let bench = TestDevice()
        bench.launch(observing: false)
        bench.device.setDefault(StorageChange("coins", .integer(1)), from: bench.process)
        bench.device.crash()
        #expect(bench.device.storage.durableValue("coins") == .integer(1))
    }

    @Test func crashUndoesAnUnflushedRemoval() {
        let bench = TestDevice { $0.app.flushDelay = .seconds(5) }
        bench.launch(observing: false)
        bench.device.write([StorageChange("coins", .integer(3))], from: bench.process)
        bench.device.setDefault(StorageChange("coins", nil), from: bench.process)
        #expect(bench.device.storage.value("coins") == nil)
        bench.device.crash()
        #expect(bench.device.storage.value("coins") == .integer(3))
    }

    // The delay counts from the first change that waits; the flush takes all that wait with it.
    @Test func oneFlushWritesAllPendingDefaults() {
        let bench = TestDevice { $0.app.flushDelay = .seconds(5) }
        bench.launch(observing: false)
        bench.device.setDefault(StorageChange("a", .integer(1)), from: bench.process)
        bench.run(for: .seconds(4))
        bench.device.setDefault(StorageChange("b", .integer(1)), from: bench.process)
        bench.run(for: .seconds(2))
        bench.device.crash()
        #expect(bench.device.storage.values.keys.sorted() == ["a", "b"])
    }

    @Test func synchronizingNothingIsNoEffect() {
        let bench = TestDevice { $0.app.flushDelay = .seconds(5) }
        bench.launch(observing: false)
        bench.device.synchronize(from: bench.process)
        #expect(bench.process.effectCount == 0)
    }

    // A durable write of a key overrides what waits for it.
    @Test func durableWriteReplacesAnUnflushedDefault() {
        let bench = TestDevice { $0.app.flushDelay = .seconds(5) }
        bench.launch(observing: false)
        bench.device.setDefault(StorageChange("coins", .integer(1)), from: bench.process)
        bench.device.write([StorageChange("coins", .integer(2))], from: bench.process)
        bench.runUntilQuiet()
        #expect(bench.device.storage.durableValue("coins") == .integer(2))
    }
}
