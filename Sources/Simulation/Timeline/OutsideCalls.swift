// What reaches a virtual timeline from threads that are not its own.
// Any thread.

import Dispatch
import Foundation
import Synchronization

/// Calls that wait until the timeline's own thread takes them in.
final class OutsideCalls: @unchecked Sendable {  // Guard: `lock`.
    private let lock = NSLock()
    private var bodies: [@Sendable () -> Void] = []
    private let hasSome = Atomic<Bool>(false)
    private let arrived = DispatchSemaphore(value: 0)

    /// Asked before every event, so it takes no lock.
    var areThere: Bool { hasSome.load(ordering: .relaxed) }

    func add(_ body: @escaping @Sendable () -> Void) {
        lock.withLock { bodies.append(body) }
        hasSome.store(true, ordering: .releasing)
        arrived.signal()
    }

    /// Everything that has come, in order.
    func take() -> [@Sendable () -> Void] {
        lock.withLock {
            defer { bodies = [] }
            hasSome.store(false, ordering: .relaxed)
            return bodies
        }
    }

    /// Waits in real time until something comes; false if nothing does.
    func await(_ patience: Span) -> Bool {
        arrived.wait(timeout: .now() + .nanoseconds(Int(patience.nanoseconds))) == .success
    }
}
