// Programs of queues: order, exclusion, targets, suspension, what code knows of where it is.

import Dispatch
import Foundation
import RuntimePrograms

extension Script {
    static let queues: [Script] = [
        Script("a serial queue is first in, first out") { log in
            let queue = DispatchQueue(label: "serial")
            for number in 0..<5 { queue.async { log.add("\(number)") } }
            queue.sync { log.add("sync") }
            queue.async {
                queue.async { log.end() }
                log.add("from within")
            }
        },
        Script("sync comes before what is put in line while it waits") { log in
            let queue = DispatchQueue(label: "serial")
            let helper = DispatchQueue(label: "helper")
            queue.async { usleep(400_000) }
            helper.asyncAfter(deadline: .now() + .milliseconds(200)) { queue.async { log.end() } }
            queue.sync { log.add("sync") }
        },
        Script("nested sync") { log in
            let outer = DispatchQueue(label: "outer")
            let inner = DispatchQueue(label: "inner")
            let sum = outer.sync { () -> Int in
                log.add("outer")
                return inner.sync { () -> Int in
                    log.add("inner")
                    dispatchPrecondition(condition: .onQueue(inner))
                    return 42
                }
            }
            log.add("\(sum)")
            log.end()
        },
        Script("a barrier is alone") { log in
            let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
            for _ in 0..<3 { queue.async { usleep(5_000) } }
            queue.async(flags: .barrier) {
                log.add("barrier begins")
                usleep(10_000)
                log.add("barrier ends")
            }
            queue.sync { log.add("after it") }
            queue.sync(flags: .barrier) { log.add("another") }
            queue.async(flags: .barrier) { log.end() }
        },
        Script("queues of one target exclude each other") { log in
            let target = DispatchQueue(label: "target")
            let first = DispatchQueue(label: "first", target: target)
            let second = DispatchQueue(label: "second", attributes: .concurrent, target: target)
            let group = DispatchGroup()
            for queue in [first, second] {
                for _ in 0..<3 {
                    queue.async(group: group) {
                        log.add("begin")
                        usleep(2_000)
                        log.add("end of it")
                    }
                }
            }
            group.notify(queue: target) { log.end() }
        },
        Script("queues of one serial target keep the order of what was put into them") { log in
            let target = DispatchQueue(label: "target")
            let queues = (0..<40).map { DispatchQueue(label: "\($0)", target: target) }
            for (number, queue) in queues.enumerated() {
                queue.async { log.add("\(number)") }
                if number.isMultiple(of: 5) { target.async { log.add("the target after \(number)") } }
            }
            target.async {
                for queue in queues.reversed() { queue.async { log.add("again \(queue.label)") } }
                target.async { log.end() }
            }
        },
        Script("specifics along the chain of targets") { log in
            let key = DispatchSpecificKey<String>()
            let other = DispatchSpecificKey<Int>()
            let target = DispatchQueue(label: "target")
            let queue = DispatchQueue(label: "queue", target: target)
            target.setSpecific(key: key, value: "of the target")
            target.setSpecific(key: other, value: 7)
            queue.setSpecific(key: other, value: 8)
            log.add("\(queue.getSpecific(key: key) ?? "none") \(queue.getSpecific(key: other) ?? 0)")
            queue.sync {
                let text = DispatchQueue.getSpecific(key: key) ?? "none"
                log.add("\(text) \(DispatchQueue.getSpecific(key: other) ?? 0)")
                dispatchPrecondition(condition: .onQueue(target))
            }
            log.add(DispatchQueue.getSpecific(key: key) ?? "none")
            queue.setSpecific(key: other, value: nil)
            queue.async {
                log.add("\(DispatchQueue.getSpecific(key: other) ?? 0)")
                log.end()
            }
        },
        Script("a suspended queue") { log in
            let queue = DispatchQueue(label: "queue")
            queue.suspend()
            queue.suspend()
            queue.async { log.add("ran") }
            usleep(10_000)
            log.add("resumed once")
            queue.resume()
            usleep(10_000)
            log.add("resumed twice")
            queue.resume()
            queue.sync { log.add("sync") }
            log.end()
        },
        Script("a suspended target") { log in
            let target = DispatchQueue(label: "target")
            let queue = DispatchQueue(label: "queue", target: target)
            target.suspend()
            queue.async { log.add("ran") }
            usleep(10_000)
            log.add("resumed")
            target.resume()
            queue.sync {}
            log.end()
        },
        Script("initially inactive") { log in
            let queue = DispatchQueue(label: "queue", attributes: .initiallyInactive)
            queue.async { log.add("ran") }
            usleep(10_000)
            log.add("activated")
            queue.activate()
            queue.sync {}
            log.end()
        },
        Script("labels") { log in
            let queue = DispatchQueue(label: "com.example.queue")
            log.add(queue.label)
            log.add(DispatchQueue.main.label)
            log.add(DispatchQueue.global().label)
            log.add(DispatchQueue.global(qos: .userInitiated).label)
            log.end()
        },
        Script("the quality of a queue") { log in
            log.add("\(DispatchQueue(label: "plain").qos == .unspecified)")
            log.add("\(DispatchQueue(label: "utility", qos: .utility).qos.qosClass == .utility)")
            log.end()
        },
        Script("concurrentPerform does all before it returns") { log in
            let lock = NSLock()
            nonisolated(unsafe) var sum = 0  // Guard: `lock`.
            DispatchQueue.concurrentPerform(iterations: 100) { number in lock.withLock { sum += number } }
            log.add("\(sum)")
            log.end()
        },
        Script("work items") { log in
            let queue = DispatchQueue(label: "queue")
            let item = DispatchWorkItem { log.add("item") }
            let cancelled = DispatchWorkItem { log.add("cancelled") }
            cancelled.cancel()
            queue.async(execute: cancelled)
            queue.async(execute: item)
            log.add("\(item.wait(timeout: .now() + 5) == .success) \(cancelled.isCancelled) \(item.isCancelled)")
            let performed = DispatchWorkItem { log.add("performed") }
            performed.perform()
            cancelled.perform()
            let last = DispatchWorkItem { log.add("last") }
            last.notify(queue: queue) { log.end() }
            queue.async(execute: last)
        },
        Script("a work item that is cancelled in line still tells") { log in
            let queue = DispatchQueue(label: "queue")
            queue.suspend()
            let item = DispatchWorkItem { log.add("ran") }
            item.notify(queue: queue) { log.end() }
            queue.async(execute: item)
            item.cancel()
            queue.resume()
        },
        Script("asyncAfter in the order of time") { log in
            let queue = DispatchQueue(label: "queue")
            queue.asyncAfter(deadline: .now() + .milliseconds(450)) { log.end() }
            queue.asyncAfter(deadline: .now() + .milliseconds(150)) { log.add("first") }
            queue.asyncAfter(wallDeadline: .now() + .milliseconds(300)) { log.add("second") }
            queue.asyncAfter(deadline: .now() - 1) { log.add("past") }
        },
        Script("operations with dependencies") { log in
            let queue = OperationQueue()
            let first = BlockOperation { log.add("first") }
            let second = BlockOperation { log.add("second") }
            let third = BlockOperation { log.add("third") }
            second.addDependency(first)
            third.addDependency(second)
            third.completionBlock = { log.end() }
            queue.addOperations([third, second, first], waitUntilFinished: false)
        },
    ]
}
