// `OperationQueue.main` of a device: operations run on the device's main queue, one after the other.
// Any thread; `lock` guards the list.

import Dispatch
import Foundation
import Simulation

/// Operations that wait for others are left to Foundation, which runs them on threads of its own.
final class MainOperationQueue: OperationQueue, @unchecked Sendable {
    private let process: AppProcess
    private let lock = NSLock()
    private var waiting: [Operation] = []
    private let unfinished = DispatchGroup()

    init(process: AppProcess) {
        self.process = process
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ operation: Operation) {
        guard operation.dependencies.isEmpty else { return super.addOperation(operation) }
        lock.withLock { waiting.append(operation) }
        unfinished.enter()
        CurrentDevice.async(on: CurrentDevice.mainQueue) { [self] in runFirst() }
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        addOperation(BlockOperation(block: block))
    }

    override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
        for operation in operations { addOperation(operation) }
        if wait { waitUntilAllOperationsAreFinished() }
    }

    /// Posting a notification waits here. Who is on the main queue would wait for itself, and runs them instead.
    override func waitUntilAllOperationsAreFinished() {
        if CurrentDevice.isMainThread || process.device.lane.isVirtual {
            while runFirst() {}
        } else {
            unfinished.wait()
        }
    }

    @discardableResult
    private func runFirst() -> Bool {
        let first = lock.withLock { waiting.isEmpty ? nil : waiting.removeFirst() }
        guard let first else { return false }
        if !first.isCancelled { process.enterBlock(.mainQueueBlock) { Holding.addingMain { first.start() } } }
        unfinished.leave()
        return true
    }
}
