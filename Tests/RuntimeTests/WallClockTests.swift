// Client code under the wall clock: its threads run at once, and each keeps its device.

import ClientKit
import Dispatch
import Foundation
import RuntimePrograms
import Simulation
import Testing

/// Counted by any thread.
private final class Tally: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var counts: [String: Int] = [:]

    func add(_ what: String) { lock.withLock { counts[what, default: 0] += 1 } }
    subscript(_ what: String) -> Int { lock.withLock { counts[what, default: 0] } }
}

/// Changed without a lock, by whoever believes that nobody else does.
private final class Unguarded: @unchecked Sendable {  // Guard: what the test is about.
    var value = 0
    var isBusy = false

    /// False if somebody else was at it.
    func add() -> Bool {
        if isBusy { return false }
        isBusy = true
        value += 1
        usleep(20)
        isBusy = false
        return true
    }
}

@Suite(.enabled(if: AppRuntime.isInForce)) struct WallClockTests {
    @Test(arguments: Script.queues + Script.waits + Script.sources + Script.tasks + Script.operations)
    func wallClockTraceEqualsTheLibrarysTrace(script: Script) async {
        #expect(await isTheSame(script) { await script.traceOfLibrary() })
    }

    @Test(arguments: Script.main.indices)
    func wallClockTraceEqualsTheMainThreadsTrace(number: Int) async throws {
        FoundationHooks.install()
        let script = Script.main[number]
        #expect(try await isTheSame(script) { try Script.traceOfMainThread(number) }, "\(script)")
    }

    /// Scripts count on tenths of a second, which neither side keeps to every time on a busy machine.
    private func isTheSame(_ script: Script, _ reference: () async throws -> [String]) async rethrows -> Bool {
        for _ in 0..<5 {
            let (devices, log) = (WallDevices(1), Log())
            guard devices.run({ _ in script.body(log) }) else { continue }
            if try await reference() == log.lines { return true }
        }
        return false
    }

    @Test(arguments: Script.fatal + Script.fatalTasks)
    func fatalScriptEndsTheAppUnderTheWallClock(script: Script) {
        let devices = WallDevices(1)
        _ = devices.run { _ in script.body(Log()) }
        devices.onEach { #expect($0.process == nil) }
    }

    @Test func serialQueuesAndBarriersExcludeOtherBlocks() {
        let (devices, tally) = (WallDevices(8), Tally())
        let isQuiet = devices.run { _ in
            let serial = DispatchQueue(label: "serial")
            let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
            let (one, two) = (Unguarded(), Unguarded())
            for turn in 0..<200 {
                serial.async { tally.add(one.add() ? "serial" : "broken") }
                concurrent.async(flags: .barrier) { tally.add(two.add() ? "barrier" : "broken") }
                DispatchQueue.global().async {
                    serial.sync { tally.add(one.add() ? "serial" : "broken") }
                    if turn.isMultiple(of: 10) {
                        concurrent.sync(flags: .barrier) { tally.add(two.add() ? "barrier" : "broken") }
                    }
                }
            }
        }
        #expect(isQuiet)
        #expect(tally["serial"] == 8 * 400)
        #expect(tally["barrier"] == 8 * 220)
        #expect(tally["broken"] == 0)
    }

    /// Foundation's sessions and their tasks have queues of their own that lead to one, and count on what is put into any of
    /// them first coming first.
    @Test func queuesOfOneSerialTargetKeepItsOrder() {
        let (devices, tally) = (WallDevices(8), Tally())
        let isQuiet = devices.run { _ in
            let target = DispatchQueue(label: "target")
            let last = Unguarded()
            for number in 1...500 {
                DispatchQueue(label: "\(number)", target: target).async {
                    tally.add(last.value == number - 1 ? "in order" : "out of order")
                    last.value = number
                }
            }
        }
        #expect(isQuiet)
        #expect(tally["in order"] == 8 * 500)
        #expect(tally["out of order"] == 0)
    }

    @Test func everyThreadKeepsItsDevice() {
        let (devices, tally) = (WallDevices(40), Tally())
        let processes = devices.devices.map(\.user)
        let check: @Sendable (Int) -> Void = { number in
            tally.add(CurrentProcess.found?.device.user == processes[number] ? "right" : "wrong")
        }
        let isQuiet = devices.run { number in
            check(number)
            DispatchQueue.global().async {
                check(number)
                DispatchQueue.main.sync {
                    check(number)
                    tally.add(Thread.isMainThread ? "main" : "wrong")
                }
                usleep(1_000)
                check(number)
                let semaphore = DispatchSemaphore(value: 0)
                DispatchQueue(label: "own").asyncAfter(deadline: .now() + .milliseconds(5)) {
                    check(number)
                    semaphore.signal()
                }
                semaphore.wait()
                check(number)
                let done = DispatchSemaphore(value: 0)
                Thread {
                    check(number)
                    DispatchQueue.main.sync { check(number) }
                    done.signal()
                }.start()
                done.wait()
            }
        }
        #expect(isQuiet)
        // A device does not wait for threads of the client's own.
        for _ in 0..<2_000 where tally["right"] < 40 * 8 { usleep(10_000) }
        #expect(tally["right"] == 40 * 8)
        #expect(tally["main"] == 40)
        #expect(tally["wrong"] == 0)
    }

    /// Nobody is told to go on until all of them wait: a pool that they could use up would never come there.
    @Test func waitingAppsDoNotStopOtherDevices() {
        let count = 600
        let (devices, tally) = (WallDevices(count), Tally())
        let isQuiet = devices.run { _ in
            let (onMain, beside) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            DispatchQueue.global().async {
                tally.add("waits")
                beside.wait()
                onMain.signal()
            }
            DispatchQueue.main.async {
                tally.add("waits")
                onMain.wait()
                tally.add("done")
            }
            @Sendable func look() {
                if tally["waits"] == 2 * count {
                    beside.signal()
                } else {
                    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { look() }
                }
            }
            look()
        }
        #expect(isQuiet)
        #expect(tally["done"] == count)
    }

    @Test func waitOnTheMainQueueBlocksOnlyTheMainQueue() {
        let (devices, log) = (WallDevices(1), Log())
        let isQuiet = devices.run { _ in
            let semaphore = DispatchSemaphore(value: 0)
            DispatchQueue.main.async { log.add("another of the main queue") }
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
                log.add("beside it")
                semaphore.signal()
            }
            semaphore.wait()
            log.add("goes on")
        }
        #expect(isQuiet)
        #expect(log.lines == ["beside it", "goes on", "another of the main queue"])
    }

    @Test func waitOfAnEndedAppDoesNotBlockTheDevice() {
        let (devices, log) = (WallDevices(1), Log())
        let isQuiet = devices.run { _ in
            DispatchQueue.global().async {
                DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(20)) {
                    dispatchPrecondition(condition: .notOnQueue(.main))
                }
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 600)
                log.add("goes on")
            }
        }
        #expect(isQuiet)
        devices.onEach { #expect($0.process == nil) }
        #expect(log.lines.isEmpty)
    }
}
