// What is called at intervals, and that it is called no more.
// Method: semaphores tell the tests of calls; one call takes its time, so that a stop finds it under way.

import Dispatch
import Foundation
import Hosting
import Synchronization
import Testing

@testable import Engine

@Suite struct TickerTests {
    @Test func tickerCallsRepeatedly() {
        let called = DispatchSemaphore(value: 0)
        let ticker = Ticker(every: 0.001) { called.signal() }
        for _ in 0..<3 { #expect(called.wait(timeout: .now() + 10) == .success) }
        ticker.stop()
    }

    @Test func tickerStopWaitsForTheCallUnderWay() {
        let begun = DispatchSemaphore(value: 0)
        let calls = Mutex((begun: 0, ended: 0))
        let ticker = Ticker(every: 0.001) {
            calls.withLock { $0.begun += 1 }
            begun.signal()
            Thread.sleep(forTimeInterval: 0.1)
            calls.withLock { $0.ended += 1 }
        }
        begun.wait()
        ticker.stop()
        let (begunCalls, endedCalls) = calls.withLock { $0 }
        #expect(begunCalls == endedCalls)
    }

    @Test func stoppedTickerCallsNoMore() {
        let calls = Mutex(0)
        let ticker = Ticker(every: 3_600) { calls.withLock { $0 += 1 } }
        ticker.stop()
        ticker.stop()
        #expect(calls.withLock { $0 } == 0)
    }
}
