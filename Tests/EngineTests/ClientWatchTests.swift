// Calls that do not come back, on a machine that has other things to do.

import Foundation
import Synchronization
import Testing

@testable import Engine
@testable import Simulation

@Suite struct ClientWatchTests {
    // Whoever has no core cannot come back.
    @Test(arguments: [false, true])
    func aCallIsNotBlamedForWaitingForACore(starves: Bool) {
        let slot = CallSlot()
        slot.begin(1)
        let isFound = Atomic<Bool>(false)
        var conditions = AppConditions()
        conditions.hangLimit = .milliseconds(40)
        let began = HostClock.nanoseconds
        let watch = ClientWatch(
            conditions, processorWait: { _ in starves ? HostClock.nanoseconds - began : 0 }, slots: { [slot] },
            interrupt: { slot, _, _ in
                isFound.store(true, ordering: .relaxed)
                slot.end()
                return true
            }, onLost: { _ in })
        let patience: Int64 = starves ? 400_000_000 : 60_000_000_000
        while !isFound.load(ordering: .relaxed), HostClock.nanoseconds - began < patience {
            Thread.sleep(forTimeInterval: 0.01)
        }
        watch.stop()
        #expect(isFound.load(ordering: .relaxed) != starves)
    }

    @Test func kernelTellsHowLongThreadsWaited() throws {
        let ofThis = try #require(ProcessorWait.ofThisThread)
        let ofAll = try #require(ProcessorWait.ofProcess)
        #expect(ofThis >= 0 && ofAll >= ofThis)
    }
}
