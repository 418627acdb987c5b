// Queues under the wall clock: real ones, which know their device and keep it from coming to rest.

import Dispatch
import Foundation
import Simulation
import StoreKit
import Testing

@testable import ShopClient

@Suite struct WallQueueTests {
    private let bench = WallBench()
    private let log = Log()

    @Test func blocksOnEveryQueueStayOnTheirDevice() async {
        let log = log
        let device = bench.device
        await bench.run {
            let queue = SKPaymentQueue.default()
            @Sendable func note(_ place: String) {
                let isHome = CurrentProcess.found?.device === device && SKPaymentQueue.default() === queue
                log.add("\(place) \(isHome) \(Thread.isMainThread)")
            }
            let own = DispatchQueue(label: "own")
            let target = DispatchQueue(label: "target", attributes: .concurrent, target: own)
            own.async { note("own") }
            target.async { note("target") }
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.01) { note("global") }
            own.async { DispatchQueue.main.sync { note("main") } }
            DispatchQueue.main.async { note("main") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.01) { note("main") }
            own.async { OperationQueue.main.addOperation { note("main") } }
            DispatchQueue.concurrentPerform(iterations: 2) { _ in note("many") }
            let group = DispatchGroup()
            own.async(group: group) {}
            DispatchQueue.global().async {
                group.wait()
                note("waited")
            }
        }
        let lines = log.lines.filter { !$0.hasPrefix("many") }.sorted()
        #expect(
            lines == [
                "global true false", "main true true", "main true true", "main true true", "main true true",
                "own true false", "target true false", "waited true false",
            ])
        #expect(log.lines.count { $0.hasPrefix("many true") } == 2)
    }

    // The device is judged when it has come to rest: not while its app still works on a queue of its own.
    @Test func deviceIsNotQuietWhileItsClientQueueWorks() async {
        let log = log
        let gate = DispatchSemaphore(value: 0)
        let bench = bench
        async let whenQuiet: Void = bench.run {
            DispatchQueue(label: "own").async {
                gate.wait()
                log.add("done")
                DispatchQueue.global().async { DispatchQueue.main.async { log.add("told") } }
            }
        }
        // Time for whoever does not wait to be wrong in.
        for _ in 0..<20 { bench.onLane { _ in } }
        gate.signal()
        await whenQuiet
        #expect(log.lines == ["done", "told"])
    }

    // Called from a queue of its own, it counts from the call on.
    @Test func deviceIsNotQuietWhileAClientCallIsUnderWay() async {
        let bench = bench
        let queue = bench.onLane { _ in SKPaymentQueue.default() }
        for _ in 0..<50 {
            await bench.run { DispatchQueue.global().sync { queue.restoreCompletedTransactions() } }
            #expect(bench.onLane { $0.events.contains { $0.event == .restoreCalled } && !$0.hasRestoreUnderWay })
        }
    }

    @Test func wallClockBlocksOfAnEndedProcessDoNotRun() async {
        let log = log
        let gate = DispatchSemaphore(value: 0)
        let bench = bench
        bench.onLane { device in
            device.process?.enter(.launch) {
                let own = DispatchQueue(label: "own")
                own.async { gate.wait() }
                own.async { log.add("of the dead") }
                DispatchQueue.main.async { log.add("of the dead") }
            }
            device.crash()
            _ = device.launch()
        }
        gate.signal()
        await bench.run {}
        #expect(log.lines.isEmpty)
    }

    // A queue of a process that has died does not pass for the next one's.
    @Test func queueStaysWithItsEndedProcess() {
        let bench = bench
        let first = bench.onLane { $0.process }
        let queue = bench.onLane { _ in DispatchQueue(label: "own") }
        bench.onLane { device in
            device.crash()
            _ = device.launch()
        }
        CurrentProcess.$bound.withValue(nil) {
            #expect(queue.sync { CurrentProcess.found === first })
        }
    }

    // The fence: what is put on the main queue twice from one place runs once each, in order.
    @Test func mainQueueKeepsTheOrderOfBlocks() async {
        let log = log
        await bench.run { for turn in 0..<100 { DispatchQueue.main.async { log.add("\(turn)") } } }
        #expect(log.lines == (0..<100).map { "\($0)" })
    }
}

extension Device {
    /// From the events: a restore was asked for and has not ended.
    fileprivate var hasRestoreUnderWay: Bool {
        let asked = events.count { $0.event == .restoreCalled }
        return asked
            != events.count {
                if case .restoreFailed = $0.event { true } else { $0.event == .restoreFinished }
            }
    }
}
