// Queues under the virtual clock: blocks are events of the device, in an order that never changes.
// Written as client code is; the glue file of this module leads it to the device.

import Dispatch
import Foundation
import Simulation
import Testing

@Suite struct VirtualQueueTests {
    private let bench = VirtualBench()
    private let log = Log()

    private func expect(_ lines: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(log.lines == lines, sourceLocation: sourceLocation)
        #expect(bench.device.events.allSatisfy { $0.event != .calledOffLane }, sourceLocation: sourceLocation)
    }

    @Test func queueRunsBlocksInOrderOfSubmission() {
        let log = log
        bench.run {
            let own = DispatchQueue(label: "own")
            own.async { log.add("own 1") }
            DispatchQueue.main.async { log.add("main 1") }
            own.async {
                log.add("own 2")
                DispatchQueue.main.async { log.add("main 2") }
            }
            DispatchQueue.global(qos: .utility).async { log.add("global") }
            log.add("first")
        }
        expect(["first", "own 1", "main 1", "own 2", "global", "main 2"])
    }

    @Test func syncRunsAfterEarlierAsyncBlocks() {
        let log = log
        bench.run {
            let own = DispatchQueue(label: "own")
            own.async { log.add("1") }
            own.async { log.add("2") }
            let sum = own.sync { () -> Int in
                log.add("sync")
                return 40 + 2
            }
            log.add("\(sum)")
            own.sync(flags: .barrier) { log.add("barrier") }
        }
        expect(["1", "2", "sync", "42", "barrier"])
    }

    @Test func asyncAfterRunsAtItsDeadline() {
        let log = log
        let timeline = bench.timeline
        @Sendable func note(_ text: String) { log.add("\(timeline.now.nanoseconds / 1_000_000) \(text)") }
        bench.run {
            DispatchQueue.main.asyncAfter(deadline: .now() + 2.5) { note("main") }
            DispatchQueue(label: "own").asyncAfter(deadline: .now() + .seconds(1)) {
                note("own")
                DispatchQueue.main.asyncAfter(deadline: .now() + .hours(1)) { note("later") }
            }
            DispatchQueue.main.asyncAfter(deadline: .distantFuture) { note("never") }
            DispatchQueue.main.asyncAfter(deadline: .now() - 5) { note("late") }
        }
        expect(["0 late", "1000 own", "2500 main", "3601000 later"])
    }

    @Test func blocksSeeTheirQueueAndThread() {
        let log = log
        let key = DispatchSpecificKey<String>()
        bench.run {
            let own = DispatchQueue(label: "own")
            own.setSpecific(key: key, value: "own")
            DispatchQueue.main.setSpecific(key: key, value: "main")
            @Sendable func note() {
                log.add("\(DispatchQueue.getSpecific(key: key) ?? "nowhere") \(Thread.isMainThread)")
            }
            note()
            dispatchPrecondition(condition: .onQueue(.main))
            dispatchPrecondition(condition: .notOnQueue(own))
            own.sync {
                dispatchPrecondition(condition: .onQueue(own))
                note()
            }
            own.async {
                dispatchPrecondition(condition: .notOnQueue(.main))
                note()
                DispatchQueue.main.sync { log.add("main again \(Thread.isMainThread)") }
            }
        }
        // What a queue waits for on the main thread runs there.
        expect(["main true", "own true", "own false", "main again true"])
        #expect(bench.device.process != nil)
    }

    @Test func groupNotifiesOnceItIsEmpty() {
        let log = log
        bench.run {
            let group = DispatchGroup()
            let own = DispatchQueue(label: "own")
            own.async(group: group) { log.add("in the group") }
            group.enter()
            DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
                log.add("left")
                group.leave()
            }
            group.notify(queue: .main) { log.add("told on main \(Thread.isMainThread)") }
            #expect(group.wait(timeout: .now() + 3_600) == .timedOut)
            DispatchGroup().notify(queue: own) { log.add("empty from the start") }
        }
        expect(["in the group", "empty from the start", "left", "told on main true"])
    }

    @Test func queueRunsWorkItemsUnlessCancelled() {
        let log = log
        bench.run {
            let cancelled = DispatchWorkItem { log.add("cancelled") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 1, execute: cancelled)
            DispatchQueue.main.async(execute: DispatchWorkItem { log.add("item") })
            DispatchQueue(label: "own").sync(execute: DispatchWorkItem { log.add("waited for") })
            cancelled.cancel()
        }
        expect(["waited for", "item"])
    }

    @Test func mainOperationQueueRunsOnTheMainThread() {
        let log = log
        bench.run {
            OperationQueue.main.addOperation { log.add("operation \(Thread.isMainThread)") }
            let center = NotificationCenter()
            nonisolated(unsafe) let token = center.addObserver(forName: .init("bought"), object: nil, queue: .main) {
                _ in
                log.add("told \(Thread.isMainThread)")
            }
            DispatchQueue(label: "own").async {
                center.post(name: .init("bought"), object: nil)
                center.removeObserver(token)
            }
        }
        #expect(Set(log.lines) == ["operation true", "told true"] && log.lines.count == 2)
    }

    @Test func concurrentPerformKeepsTheOrderOfIterations() {
        let log = log
        bench.run { DispatchQueue.concurrentPerform(iterations: 4) { log.add("\($0)") } }
        expect(["0", "1", "2", "3"])
    }

    // As on Apple's systems, where it is a crash; here only the app dies.
    @Test(arguments: ["main", "own"])
    func syncOnTheCurrentQueueEndsTheApp(queue: String) {
        let log = log
        bench.run {
            let own = DispatchQueue(label: "own")
            if queue == "main" {
                DispatchQueue.main.sync { log.add("ran on") }
            } else {
                own.async { own.sync { log.add("ran on") } }
            }
            DispatchQueue.main.async { log.add("after the end") }
        }
        #expect(bench.device.process == nil && bench.device.counts.exceptions == 1)
        #expect(queue == "own" || log.lines == ["ran on"])
    }

    @Test func blocksOfAnEndedProcessDoNotRun() {
        let log = log
        bench.run {
            let own = DispatchQueue(label: "own")
            for queue in [own, .main, .global()] {
                queue.asyncAfter(deadline: .now() + 10) { log.add("of the dead") }
                queue.asyncAfter(deadline: .now() + 1) { log.add("in time") }
            }
        } until: {
            $0.crash()
            _ = $0.launch()
        }
        expect(["in time", "in time", "in time"])
    }
}

extension VirtualBench {
    /// Runs client code; five seconds later does something to the device; then runs on.
    fileprivate func run(_ body: @escaping () -> Void, until change: @escaping (Device) -> Void) {
        timeline.schedule(after: .seconds(5)) { [device] in change(device) }
        run(body)
    }
}

extension DispatchTimeInterval {
    fileprivate static func hours(_ count: Int) -> DispatchTimeInterval { .seconds(count * 3_600) }
}
