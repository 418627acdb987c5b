// What a watch sees of a thread, and how it lets go of one.

import Foundation
import Testing

@testable import Simulation

@Suite struct CallSlotTests {
    @Test func slotDistinguishesOneLongCallFromTwo() {
        let slot = CallSlot()
        #expect(slot.sight.word == 0 && slot.isFree)
        slot.begin(7)
        let first = slot.sight
        #expect(first.word == 7 && !slot.isFree && slot.sight == first)
        slot.end()
        slot.begin(7)
        #expect(slot.sight != first)
    }

    @Test func abandonedCallInProgressIsLost() {
        let slot = CallSlot()
        slot.begin(7)
        let seen = slot.sight
        slot.abandon()
        #expect(slot.isLost(since: seen))
    }

    @Test func callThatEndedBeforeTheAbandonIsNotLost() {
        let slot = CallSlot()
        slot.begin(7)
        let seen = slot.sight
        slot.end()
        slot.abandon()
        #expect(!slot.isLost(since: seen))
        slot.begin(8)
        slot.end()
        #expect(slot.isFree)
    }

    // The thread stops at the end of its call, and goes on when it is let go.
    @Test func abandonedThreadWaitsUntilItIsReleased() {
        let slot = CallSlot()
        let mayEnd = DispatchSemaphore(value: 0)
        let hasEnded = DispatchSemaphore(value: 0)
        let hasBegun = DispatchSemaphore(value: 0)
        Thread {
            slot.begin(7)
            hasBegun.signal()
            mayEnd.wait()
            slot.end()
            hasEnded.signal()
        }.start()
        hasBegun.wait()
        let seen = slot.sight
        slot.abandon()
        mayEnd.signal()
        #expect(slot.isLost(since: seen))
        #expect(hasEnded.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
        #expect(slot.sight == seen)
        slot.letGo()
        hasEnded.wait()
        #expect(slot.isFree)
    }
}
