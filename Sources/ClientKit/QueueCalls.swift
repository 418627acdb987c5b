// Client code's calls of its queues: each block finds its device, and the device counts the block. Any thread.
// Under the virtual clock blocks are events of the device's lane, in the order in which they were submitted.

public import Dispatch
import Foundation
import Simulation

extension CurrentDevice {
    /// Stands in for `queue.async(group:qos:flags:execute:)`.
    public static func async(
        on queue: DispatchQueue, group: DispatchGroup? = nil, qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable @convention(block) () -> Void
    ) {
        guard !AppRuntime.isServing, let place = QueuePlace(queue) else {
            return queue.async(group: group, qos: qos, flags: flags, execute: work)
        }
        let process = place.process
        if place.isOnLane {
            group?.enter()
            place.run(after: .zero) {
                work()
            } ended: {
                if let group { leave(group, in: process) }
            }
        } else {
            process.device.beginOutside()
            queue.async(group: group, qos: qos, flags: flags) {
                process.enterBlock(.ownQueueBlock) { Holding.alone(queue) { work() } }
                process.device.endOutside()
            }
        }
    }

    /// Stands in for `queue.async(execute: workItem)` and `queue.async(group:execute:)`.
    public static func async(on queue: DispatchQueue, group: DispatchGroup? = nil, execute item: DispatchWorkItem) {
        if AppRuntime.isServing {
            return group.map { queue.async(group: $0, execute: item) } ?? queue.async(execute: item)
        }
        let transfer = UnsafeTransfer(item)
        async(on: queue, group: group) { transfer.value.perform() }
    }

    /// Stands in for `queue.asyncAfter(deadline:qos:flags:execute:)`.
    public static func asyncAfter(
        on queue: DispatchQueue, deadline: DispatchTime, qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable @convention(block) () -> Void
    ) {
        guard !AppRuntime.isServing, let place = QueuePlace(queue) else {
            return queue.asyncAfter(deadline: deadline, qos: qos, flags: flags, execute: work)
        }
        let process = place.process
        guard let delay = wait(until: deadline, on: process.device.lane) else { return }
        if place.isOnLane { return place.run(after: delay) { work() } }
        process.device.beginOutside()
        queue.asyncAfter(deadline: deadline, qos: qos, flags: flags) {
            process.enterBlock(.ownQueueBlock) { Holding.alone(queue) { work() } }
            process.device.endOutside()
        }
    }

    /// Stands in for `queue.asyncAfter(deadline:execute:)` with a work item.
    public static func asyncAfter(on queue: DispatchQueue, deadline: DispatchTime, execute item: DispatchWorkItem) {
        if AppRuntime.isServing { return queue.asyncAfter(deadline: deadline, execute: item) }
        let transfer = UnsafeTransfer(item)
        asyncAfter(on: queue, deadline: deadline) { transfer.value.perform() }
    }

    /// Stands in for `queue.sync(flags:execute:)`.
    ///
    /// Waiting for a queue that the caller itself keeps busy ends the app, as it does on Apple's systems.
    public static func sync<Value>(
        on queue: DispatchQueue, flags: DispatchWorkItemFlags = [], execute work: () throws -> Value
    ) rethrows -> Value {
        guard !AppRuntime.isServing, let place = QueuePlace(queue) else {
            return try queue.sync(flags: flags, execute: work)
        }
        if place.isHeld {
            place.process.raiseAnywhere(.failedAssertion)
            // The code of a dead process runs on to its return; none of its effects counts.
            return try work()
        }
        let device = place.process.device
        if place.owner.isMain {
            if device.lane.isCurrent { return try Holding.addingMain(work) }
            return try queue.sync(flags: flags) { try Holding.addingMain(work) }
        }
        if place.isOnLane, device.lane.isCurrent { place.runAllWaiting() }
        return try Holding.adding(queue, of: device) { try queue.sync(flags: flags, execute: work) }
    }

    /// Stands in for `DispatchQueue.concurrentPerform(iterations:execute:)`.
    /// Under the virtual clock iterations run in order.
    public static func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {
        if AppRuntime.isServing { return (0..<iterations).forEach(work) }
        let found = CurrentProcess.found
        let process = found?.device.isStandalone == true ? nil : found
        if process?.device.lane.isVirtual == true { return (0..<iterations).forEach(work) }
        withoutActuallyEscaping(work) { work in
            let transfer = UnsafeTransfer(work)
            DispatchQueue.concurrentPerform(iterations: iterations) { turn in
                guard let process else { return transfer.value(turn) }
                process.enterBlock(.ownQueueBlock) { transfer.value(turn) }
            }
        }
    }

    /// Stands in for `DispatchQueue.getSpecific(key:)`: Dispatch does not know the main queue of a virtual device.
    public static func specific<Value>(for key: DispatchSpecificKey<Value>) -> Value? {
        if let value = DispatchQueue.getSpecific(key: key) { return value }
        if AppRuntime.isServing { return nil }
        guard let process = CurrentProcess.found, process.device.lane.isVirtual,
            Holding.hasMain(of: process.device), Holding.current?.queues.isEmpty ?? true
        else { return nil }
        return ProcessQueues.of(process).main.getSpecific(key: key)
    }

    /// Stands in for `dispatchPrecondition(condition:)`. A condition that does not hold crashes the app.
    public static func precondition(_ condition: DispatchPredicate, file: StaticString, line: UInt) {
        if AppRuntime.isServing { return dispatchPrecondition(condition: condition) }
        let (queue, isExpected): (DispatchQueue, Bool)
        switch condition {
        case .onQueue(let wanted), .onQueueAsBarrier(let wanted): (queue, isExpected) = (wanted, true)
        case .notOnQueue(let unwanted): (queue, isExpected) = (unwanted, false)
        @unknown default: return dispatchPrecondition(condition: condition)
        }
        guard let place = QueuePlace(queue), place.process.device.lane.isVirtual else {
            return dispatchPrecondition(condition: condition)
        }
        let isThere = place.owner.isMain ? Holding.hasMain(of: place.process.device) : Holding.has(queue)
        if isThere != isExpected {
            FileHandle.standardError.write(Data("\(file):\(line): a dispatch precondition does not hold\n".utf8))
            place.process.raiseAnywhere(.failedAssertion)
        }
    }
}

/// A device's queue as the caller sees it.
struct QueuePlace {
    let queue: DispatchQueue
    let owner: QueueOwner
    let process: AppProcess

    /// Nil for queues that belong to no device or to the standalone device: those are the system's own.
    init?(_ queue: DispatchQueue) {
        guard let owner = QueueOwner.of(queue), !owner.device.isStandalone, let process = owner.addressee
        else { return nil }
        self.queue = queue
        self.owner = owner
        self.process = process
    }

    /// Whether its blocks are events of the device's lane: on the main queue always, elsewhere under the virtual clock.
    var isOnLane: Bool { owner.isMain || process.device.lane.isVirtual }

    /// Whether a caller that waits for this queue would wait for itself.
    var isHeld: Bool {
        if owner.isMain { return Holding.hasMain(of: process.device) }
        return owner.isSerial && Holding.has(queue)
    }

    /// Runs a block as an event of the lane. `ended` is called even if the process has ended by then.
    func run(after delay: Span, _ body: @escaping () -> Void, ended: @escaping () -> Void = {}) {
        let transfer = UnsafeTransfer((body, ended))
        let device = process.device
        if device.lane.isCurrent { return schedule(after: delay, transfer.value.0, ended) }
        let forward: @Sendable () -> Void = { schedule(after: delay, transfer.value.0, transfer.value.1) }
        // Under the wall clock, queues exist to return from another thread.
        if device.lane.isVirtual {
            device.performFromOutside(process, forward)
        } else {
            device.sendFromOutside(forward)
        }
    }

    private func schedule(after delay: Span, _ body: @escaping () -> Void, _ ended: @escaping () -> Void) {
        if owner.isMain {
            process.device.scheduleBlock(after: delay, from: .mainQueue(of: process.device.number)) {
                process.enterBlock(.mainQueueBlock, body)
                ended()
            }
            return
        }
        let turn = {
            process.enterBlock(.ownQueueBlock) { Holding.alone(queue, body) }
            ended()
        }
        // The block joins the line now or, if delayed, when it is due.
        if delay == .zero { owner.waiting.append(turn) }
        process.device.scheduleBlock(after: delay) {
            if delay != .zero { owner.waiting.append(turn) }
            runFirstWaiting()
        }
    }

    /// Runs the first waiting block. A synchronous caller may have run it already.
    private func runFirstWaiting() {
        guard !owner.waiting.isEmpty else { return }
        let turn = owner.waiting.removeFirst()
        // On the real queue, which is otherwise idle,
        // so that the block finds values that the client attached to the queue.
        queue.sync(execute: turn)
    }

    /// Runs the blocks that were submitted earlier first.
    func runAllWaiting() {
        while !owner.waiting.isEmpty { runFirstWaiting() }
    }
}
