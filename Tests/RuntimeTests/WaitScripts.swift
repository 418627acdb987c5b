// Programs that wait: groups, semaphores, conditions, sleep; and times.

import Dispatch
import Foundation
import RuntimePrograms

extension Script {
    static let waits: [Script] = [
        Script("a group tells after all of it") { log in
            let group = DispatchGroup()
            let queue = DispatchQueue(label: "queue")
            for number in 0..<3 { queue.async(group: group) { log.add("\(number)") } }
            group.enter()
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(200)) {
                log.add("left")
                group.leave()
            }
            group.notify(queue: queue) { log.add("told") }
            group.notify(queue: queue) { log.add("told again") }
            group.notify(queue: queue) { log.end() }
        },
        Script("an empty group tells at once, and can be used again") { log in
            let group = DispatchGroup()
            let queue = DispatchQueue(label: "queue")
            group.notify(queue: queue) { log.add("empty") }
            queue.sync {}
            log.add("\(group.wait(timeout: .now()) == .success)")
            group.enter()
            log.add("\(group.wait(timeout: .now() + .milliseconds(5)) == .success)")
            group.notify(queue: queue) { log.end() }
            group.leave()
        },
        Script("a group is waited for") { log in
            let group = DispatchGroup()
            DispatchQueue.global().async(group: group) {
                usleep(10_000)
                log.add("done")
            }
            log.add("\(group.wait(timeout: .now() + 5) == .success)")
            group.wait()
            log.end()
        },
        Script("a semaphore counts") { log in
            let semaphore = DispatchSemaphore(value: 2)
            for _ in 0..<3 { log.add("\(semaphore.wait(timeout: .now()) == .success)") }
            log.add("\(semaphore.signal())")
            log.add("\(semaphore.wait(wallTimeout: .now() + .milliseconds(5)) == .success)")
            log.add("\(semaphore.wait(timeout: .now() + .milliseconds(5)) == .success)")
            semaphore.signal()
            semaphore.signal()
            log.end()
        },
        Script("a semaphore wakes") { log in
            let semaphore = DispatchSemaphore(value: 0)
            let back = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                semaphore.wait()
                log.add("woken")
                back.signal()
            }
            usleep(20_000)
            semaphore.signal()
            back.wait()
            log.end()
        },
        Script("times are what they are made of") { log in
            let now = DispatchTime.now()
            log.add("\((now + .milliseconds(5)).uptimeNanoseconds - now.uptimeNanoseconds)")
            log.add("\(now + 1 > now) \(now - 1 < now) \(now + .never == .distantFuture)")
            log.add("\((now + .microseconds(3)).uptimeNanoseconds - now.uptimeNanoseconds)")
            let wall = DispatchWallTime.now()
            log.add("\(wall + 1 > wall) \(wall - 1 < wall) \(DispatchWallTime.distantFuture > wall)")
            let given = DispatchWallTime(timespec: timespec(tv_sec: 1_000, tv_nsec: 5))
            log.add("\(given.rawValue) \((given + .seconds(2)).rawValue) \((given - .nanoseconds(5)).rawValue)")
            log.add("\(DispatchTime(uptimeNanoseconds: 1_000).uptimeNanoseconds)")
            log.end()
        },
        Script("sleep takes its time") { log in
            let before = DispatchTime.now()
            Thread.sleep(forTimeInterval: 0.02)
            usleep(20_000)
            log.add("\(DispatchTime.now().uptimeNanoseconds - before.uptimeNanoseconds >= 40_000_000)")
            let date = Date()
            Thread.sleep(until: date.addingTimeInterval(0.02))
            log.add("\(Date().timeIntervalSince(date) >= 0.0199)")
            log.end()
        },
        Script("a condition is signalled, and times out") { log in
            let condition = NSCondition()
            let ready = Flag()
            condition.lock()
            log.add("\(condition.wait(until: Date().addingTimeInterval(0.01)))")
            DispatchQueue.global().async {
                condition.lock()
                ready.isSet = true
                condition.signal()
                condition.unlock()
            }
            while !ready.isSet { condition.wait() }
            condition.unlock()
            log.add("ready")
            log.end()
        },
        Script("a condition wakes all") { log in
            let condition = NSCondition()
            let group = DispatchGroup()
            let open = Flag()
            for _ in 0..<3 {
                DispatchQueue.global().async(group: group) {
                    condition.lock()
                    while !open.isSet { condition.wait() }
                    log.add("through")
                    condition.unlock()
                }
            }
            usleep(20_000)
            log.add("opens")
            condition.lock()
            open.isSet = true
            condition.broadcast()
            condition.unlock()
            group.wait()
            log.end()
        },
    ]
}

/// Something that has happened or not.
private final class Flag: @unchecked Sendable {  // Guard: the condition that it belongs to.
    var isSet = false
}
