// Locks of client code that is asked what it holds, in the middle of what it does.

import ClientKit
import Foundation
import RuntimePrograms
import Simulation
import Synchronization
import Testing

@Suite(.enabled(if: AppRuntime.isInForce)) struct LockTests {
    private final class Shelf: Sendable {
        let lock = NSLock()
        let mutex = Mutex(1)
    }

    // As a shop that writes under a lock, and counts its goods under it.
    @Test func goodsAreReadWhileALockIsHeld() {
        let (device, log, shelf) = (ProgramDevice(), Log(), Shelf())
        let isQuiet = device.run {
            guard let process = CurrentProcess.found else { return }
            shelf.lock.withLock {
                shelf.mutex.withLock { _ in
                    var held: [String: Int] = [:]
                    process.readGoods {
                        held = ["lock": shelf.lock.withLock { 1 }, "mutex": shelf.mutex.withLock { $0 }]
                    }
                    log.add("\(held.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
                    // It is held again, for everybody else.
                    log.add("\(shelf.lock.try()) \(shelf.mutex.withLockIfAvailable { $0 } ?? 0)")
                }
            }
            log.add("\(shelf.lock.try()) \(shelf.mutex.withLockIfAvailable { $0 } ?? 0)")
        }
        #expect(isQuiet)
        #expect(log.lines == [#"["lock 1", "mutex 1"]"#, "false 0", "true 1"])
    }

    // A wait that an app begins after its end has nobody to end it, and code may ask again and again.
    @Test func codeOfAnEndedAppDoesNotContinue() {
        let (device, log) = (ProgramDevice(), Log())
        let isQuiet = device.run {
            // From here on another thread runs the events: this one has to return.
            usleep(1_000)
            DispatchQueue.global().async {
                let condition = NSCondition()
                dispatchPrecondition(condition: .onQueue(.main))
                condition.lock()
                while log.lines.isEmpty { condition.wait() }
                log.add("goes on")
            }
        }
        #expect(isQuiet)
        #expect(device.device.process == nil)
        #expect(log.lines.isEmpty)
    }
}
