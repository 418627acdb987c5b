// Groups and semaphores of client code. Any thread.
// Under the virtual clock one thread runs a whole cell. Groups notify by events.
// A call that blocks that thread can only wait for threads that Stampede does not control.

public import Dispatch
import Foundation
import Simulation

extension CurrentDevice {
    /// Stands in for `group.notify(qos:flags:queue:execute:)`.
    public static func notify(
        _ group: DispatchGroup, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue, execute work: @escaping @convention(block) () -> Void
    ) {
        if AppRuntime.isServing { return group.notify(qos: qos, flags: flags, queue: queue, execute: work) }
        // Not the block itself: nothing generic can hold one on Linux.
        let plain: () -> Void = { work() }
        let transfer = UnsafeTransfer(plain)
        guard let place = QueuePlace(queue) else {
            return group.notify(qos: qos, flags: flags, queue: queue, execute: work)
        }
        let device = place.process.device
        if device.lane.isVirtual, device.lane.isCurrent {
            ProcessQueues.of(place.process).add(
                ProcessQueues.GroupWait(group: group) { async(on: queue) { transfer.value() } })
            return tellIfEmpty(group, in: place.process)
        }
        // Not counted as outstanding: a group that is never left must not keep the device from coming to rest.
        group.notify(qos: qos, flags: flags, queue: queue) {
            async(on: queue) { transfer.value() }
        }
    }

    /// Stands in for `group.notify(queue:work:)`.
    public static func notify(_ group: DispatchGroup, queue: DispatchQueue, work item: DispatchWorkItem) {
        notify(group, queue: queue) { item.perform() }
    }

    /// Stands in for `group.leave()`.
    public static func leave(_ group: DispatchGroup) {
        guard !AppRuntime.isServing, let process = CurrentProcess.found else { return group.leave() }
        leave(group, in: process)
    }

    static func leave(_ group: DispatchGroup, in process: AppProcess) {
        group.leave()
        if process.device.lane.isVirtual { tellIfEmpty(group, in: process) }
    }

    private static func tellIfEmpty(_ group: DispatchGroup, in process: AppProcess) {
        guard group.wait(timeout: .now()) == .success else { return }
        for wait in ProcessQueues.of(process).takeWaits(for: group) { wait.tell() }
    }

    // MARK: Blocking

    /// Stands in for `group.wait()`.
    public static func wait(for group: DispatchGroup) { wait(group.wait, group.wait(timeout:)) }

    /// Stands in for `semaphore.wait()`.
    public static func wait(for semaphore: DispatchSemaphore) { wait(semaphore.wait, semaphore.wait(timeout:)) }

    /// Stands in for `group.wait(timeout:)`. While the caller blocks a virtual device's lane, its clock stands still.
    public static func wait(for group: DispatchGroup, until deadline: DispatchTime) -> DispatchTimeoutResult {
        group.wait(timeout: blocksVirtualLane ? .now() : deadline)
    }

    /// Stands in for `semaphore.wait(timeout:)`.
    /// While the caller blocks a virtual device's lane, its clock stands still.
    public static func wait(for semaphore: DispatchSemaphore, until deadline: DispatchTime) -> DispatchTimeoutResult {
        semaphore.wait(timeout: blocksVirtualLane ? .now() : deadline)
    }

    private static func wait(_ forever: () -> Void, _ until: (DispatchTime) -> DispatchTimeoutResult) {
        guard blocksVirtualLane else { return forever() }
        // A thread that the client made may still end the wait; no event of this device can.
        let result = until(.now() + hopelessAfter)
        Swift.precondition(
            result == .success,
            """
            The client blocked its device's thread to wait for another event of the device. Under the virtual clock no \
            other event can happen meanwhile: run it with --clock wall.
            """)
    }

    private static let hopelessAfter = DispatchTimeInterval.seconds(10)

    private static var blocksVirtualLane: Bool {
        guard !AppRuntime.isServing, let lane = CurrentProcess.found?.device.lane else { return false }
        return lane.isVirtual && lane.isCurrent
    }
}
