// Operations, notifications and clocks of Foundation, where it determines the order.

import Foundation
import RuntimePrograms

private final class Steps: Operation, @unchecked Sendable {
    private let body: () -> Void

    init(_ body: @escaping () -> Void) { self.body = body }
    override func main() { body() }
}

private func serial() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
}

extension Script {
    static let operations: [Script] = [
        Script("operations of a serial queue keep their order") { log in
            let queue = serial()
            for number in 1...5 { queue.addOperation { log.add("\(number)") } }
            queue.addOperation { log.end() }
        },
        Script("an operation waits for what it depends on") { log in
            let queue = OperationQueue()
            let last = BlockOperation {
                log.add("last")
                log.end()
            }
            let middle = BlockOperation { log.add("middle") }
            let first = Steps {
                Thread.sleep(forTimeInterval: 0.02)
                log.add("first")
            }
            last.addDependency(middle)
            middle.addDependency(first)
            queue.addOperations([last, middle, first], waitUntilFinished: false)
        },
        Script("operations are waited for") { log in
            let queue = OperationQueue()
            for _ in 1...3 { queue.addOperation { Thread.sleep(forTimeInterval: 0.01) } }
            queue.waitUntilAllOperationsAreFinished()
            log.add("\(queue.operationCount)")
            let one = BlockOperation { log.add("one") }
            queue.addOperation(one)
            one.waitUntilFinished()
            log.add("\(one.isFinished)")
            queue.addOperations([BlockOperation { log.add("two") }], waitUntilFinished: true)
            log.end()
        },
        Script("a cancelled operation does not begin") { log in
            let queue = serial()
            queue.isSuspended = true
            let refused = BlockOperation { log.add("never") }
            queue.addOperation(refused)
            queue.addOperation { log.end() }
            refused.cancel()
            queue.isSuspended = false
        },
        Script("a barrier of operations") { log in
            let queue = OperationQueue()
            let count = DispatchSemaphore(value: 1)
            nonisolated(unsafe) var done = 0  // Guard: `count`.
            for _ in 1...4 {
                queue.addOperation {
                    count.wait()
                    done += 1
                    count.signal()
                }
            }
            queue.addBarrierBlock {
                log.add("\(done)")
                log.end()
            }
        },
        Script("a completion block follows its operation") { log in
            let queue = serial()
            let operation = BlockOperation { log.add("operation") }
            operation.completionBlock = {
                log.add("completion")
                log.end()
            }
            queue.addOperation(operation)
        },
        Script("operations on a queue of Dispatch's") { log in
            let queue = OperationQueue()
            let under = DispatchQueue(label: "under")
            queue.underlyingQueue = under
            queue.addOperation {
                dispatchPrecondition(condition: .onQueue(under))
                log.add("under")
                log.end()
            }
        },
        Script("a notification is told where it is posted") { log in
            let name = Notification.Name("of a script \(UUID())")
            let center = NotificationCenter.default
            let token = center.addObserver(forName: name, object: nil, queue: nil) { note in
                log.add("told \(note.userInfo?["number"] ?? "nothing")")
            }
            center.post(name: name, object: nil, userInfo: ["number": 7])
            log.add("posted")
            center.removeObserver(token)
            center.post(name: name, object: nil)
            log.end()
        },
        Script("uptime and dates agree") { log in
            let began = ProcessInfo.processInfo.systemUptime, date = Date()
            Thread.sleep(forTimeInterval: 0.05)
            let uptime = ProcessInfo.processInfo.systemUptime - began, passed = Date().timeIntervalSince(date)
            log.add("\(uptime >= 0.05) \(passed >= 0.0499) \(abs(uptime - passed) < 0.02)")
            log.end()
        },
    ]
}
