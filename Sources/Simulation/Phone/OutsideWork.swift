// What client code does on queues of its own, seen from the device: it comes back to the lane, and it counts as
// outstanding from the moment it is asked for, so that settling waits for it.
// Any thread.

internal import Dispatch
internal import Foundation
internal import Synchronization

extension Device {
    var hasOutsideWork: Bool { outsideWork.load(ordering: .sequentiallyConsistent) != 0 }

    /// Something was handed to a queue of the client's own.
    package func beginOutside() { outsideWork.add(1, ordering: .sequentiallyConsistent) }

    /// It has run there.
    package func endOutside() {
        let left = outsideWork.subtract(1, ordering: .sequentiallyConsistent).newValue
        // Either this sees that quiet is awaited, or the waiter sees that nothing is left.
        if left == 0, isQuietAwaited.load(ordering: .sequentiallyConsistent) {
            lane.sendFromOutside { [self] in checkQuiet() }
        }
    }

    /// Runs `body` on the lane for a caller elsewhere.
    package func sendFromOutside(_ body: @escaping @Sendable () -> Void) {
        beginOutside()
        lane.sendFromOutside { [self] in
            body()
            outsideWork.subtract(1, ordering: .sequentiallyConsistent)
            checkQuiet()
        }
    }

    /// Runs a call that client code made from outside the device's lane, and notes that it did.
    package func performFromOutside(_ app: any AppPort, _ body: @escaping @Sendable () -> Void) {
        // A callback that StoreKit itself made beside the main queue is where StoreKit put it (R7).
        let isOwnDoing = !CallbackContext.isBackground
        performInOrder {
            if isOwnDoing { self.record(.calledOffLane, of: app) }
            body()
        }
    }

    /// What the lane's thread computes between two events, for a caller elsewhere who left a virtual device; nil if
    /// the lane no longer answers.
    func waitForLane<Value: Sendable>(_ body: @escaping @Sendable (Device) -> Value) -> Value? {
        let reading = LaneReading<Value>()
        lane.sendFromOutside { [self] in reading.give(body(self)) }
        return reading.wait()
    }

    /// Reads what the app stored, from any thread; nil if the lane no longer answers.
    package func readStorage<Value: Sendable>(_ body: @escaping @Sendable (DeviceStorage) -> Value) -> Value? {
        if lane.isCurrent { return body(storage) }
        if let lock = storage.lock { return lock.withLock { body(storage) } }
        return waitForLane { body($0.storage) }
    }
}

/// A value that one thread waits for and another brings.
private final class LaneReading<Value: Sendable>: @unchecked Sendable {  // Guard: `given`.
    private let given = DispatchSemaphore(value: 0)
    private var value: Value?

    /// A cell that has ended does not answer.
    private static var patience: DispatchTimeInterval { .seconds(1) }

    func give(_ value: Value) {
        self.value = value
        given.signal()
    }

    func wait() -> Value? { given.wait(timeout: .now() + Self.patience) == .success ? value : nil }
}
