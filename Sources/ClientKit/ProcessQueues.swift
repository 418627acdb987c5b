// The Dispatch queues of one app process, and which of them the running block holds.
// Any thread: made under the lock of the process's residents, then `lock`.

import Dispatch
import Foundation
import Simulation

/// The queues that every app finds. They and the blocks on them belong to the process.
final class ProcessQueues: @unchecked Sendable {  // Guard: `lock`.
    /// The lane's own queue where it has one; otherwise a queue that stands for the lane.
    let main: DispatchQueue
    private unowned let process: AppProcess
    private let lock = NSLock()
    private var globals: [DispatchQoS.QoSClass: DispatchQueue] = [:]
    /// Under the virtual clock: the blocks that wait for groups to become empty.
    private var groupWaits: [GroupWait] = []

    struct GroupWait {
        let group: DispatchGroup
        let tell: () -> Void
    }

    private init(process: AppProcess) {
        self.process = process
        if let queue = (process.device.lane as? WallLane)?.queue {
            main = queue
        } else {
            main = DispatchQueue(label: "stampede.main", target: .global())
            QueueOwner.adopt(main, into: process, isMain: true)
        }
    }

    static func of(_ process: AppProcess) -> ProcessQueues {
        process.processObject(ProcessQueues.self) { ProcessQueues(process: process) }
    }

    func global(_ qos: DispatchQoS.QoSClass) -> DispatchQueue {
        lock.withLock {
            if let queue = globals[qos] { return queue }
            let queue = DispatchQueue(label: "stampede.global", attributes: .concurrent, target: .global(qos: qos))
            QueueOwner.adopt(queue, into: process, isSerial: false)
            globals[qos] = queue
            return queue
        }
    }

    func add(_ wait: GroupWait) { lock.withLock { groupWaits.append(wait) } }

    /// Removes and returns the waiters of this group.
    func takeWaits(for group: DispatchGroup) -> [GroupWait] {
        lock.withLock {
            let found = groupWaits.filter { $0.group === group }
            groupWaits.removeAll { $0.group === group }
            return found
        }
    }
}

/// The queues that the running block keeps busy. If unbound, the block runs where its lane says.
struct Holding: Sendable {
    @TaskLocal static var current: Holding?

    var hasMain: Bool
    var queues: [ObjectIdentifier]

    static func hasMain(of device: Device) -> Bool { current?.hasMain ?? device.lane.isCurrent }
    static func has(_ queue: DispatchQueue) -> Bool { current?.queues.contains(ObjectIdentifier(queue)) ?? false }

    /// Runs a block by itself on a queue that the client made.
    static func alone(_ queue: DispatchQueue, _ body: () -> Void) {
        $current.withValue(Holding(hasMain: false, queues: [ObjectIdentifier(queue)]), operation: body)
    }

    /// Runs a block on a queue that the client made while its caller waits for it.
    static func adding<Value>(_ queue: DispatchQueue, of device: Device, _ body: () throws -> Value) rethrows -> Value {
        var holding = current ?? Holding(hasMain: device.lane.isCurrent, queues: [])
        holding.queues.append(ObjectIdentifier(queue))
        return try $current.withValue(holding, operation: body)
    }

    /// Runs a block on the main queue while its caller waits for it.
    static func addingMain<Value>(_ body: () throws -> Value) rethrows -> Value {
        try $current.withValue(Holding(hasMain: true, queues: current?.queues ?? []), operation: body)
    }
}
