// Programs of Dispatch sources: timers, and data that is merged.

import Dispatch
import Foundation
import RuntimePrograms

extension Script {
    static let sources: [Script] = [
        Script("a timer repeats until it is cancelled") { log in
            let queue = DispatchQueue(label: "queue")
            let timer = DispatchSource.makeTimerSource(queue: queue)
            var count = 0
            timer.setEventHandler {
                count += 1
                log.add("fires \(count)")
                if count == 3 { timer.cancel() }
            }
            timer.setCancelHandler {
                log.add("cancelled \(timer.isCancelled)")
                log.end()
            }
            timer.schedule(deadline: .now() + .milliseconds(10), repeating: .milliseconds(10))
            timer.activate()
        },
        Script("a timer fires once") { log in
            let queue = DispatchQueue(label: "queue")
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { log.add("fires \(timer.data)") }
            timer.schedule(deadline: .now() + .milliseconds(5))
            timer.resume()
            queue.asyncAfter(deadline: .now() + .milliseconds(300)) {
                timer.cancel()
                log.end()
            }
        },
        Script("a cancelled timer does not fire") { log in
            let queue = DispatchQueue(label: "queue")
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { log.add("fires") }
            timer.setCancelHandler { log.end() }
            timer.schedule(deadline: .now() + .seconds(1))
            timer.resume()
            timer.cancel()
        },
        Script("a timer's handler does not run beside itself") { log in
            let queue = DispatchQueue(label: "queue", attributes: .concurrent)
            let timer = DispatchSource.makeTimerSource(queue: queue)
            var count = 0
            timer.setEventHandler {
                log.add("begins")
                usleep(100_000)
                count += 1
                if count == 2 { timer.cancel() }
                log.add("ends")
            }
            timer.setCancelHandler { log.end() }
            timer.schedule(deadline: .now(), repeating: .milliseconds(20))
            timer.resume()
        },
        Script("a timer that is cancelled while its handler runs tells after it") { log in
            let queue = DispatchQueue(label: "queue", attributes: .concurrent)
            let timer = DispatchSource.makeTimerSource(queue: queue)
            let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            timer.setEventHandler {
                log.add("begins")
                begun.signal()
                mayEnd.wait()
                log.add("ends")
            }
            timer.setCancelHandler { log.end() }
            timer.schedule(deadline: .now(), repeating: .milliseconds(20))
            timer.resume()
            begun.wait()
            usleep(50_000)
            timer.cancel()
            timer.cancel()
            log.add("cancelled")
            mayEnd.signal()
        },
        Script("a timer that is set anew") { log in
            let queue = DispatchQueue(label: "queue")
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler {
                log.add("fires")
                timer.cancel()
            }
            timer.setCancelHandler { log.end() }
            timer.schedule(deadline: .now() + .seconds(1))
            timer.resume()
            timer.schedule(deadline: .now() + .milliseconds(400))
            queue.asyncAfter(deadline: .now() + .milliseconds(100)) { log.add("before it") }
        },
        Script("data is added up while the queue is held") { log in
            let queue = DispatchQueue(label: "queue")
            let source = DispatchSource.makeUserDataAddSource(queue: queue)
            source.setEventHandler { log.add("\(source.data)") }
            source.setCancelHandler { log.end() }
            source.resume()
            queue.suspend()
            for number in 1...4 { source.add(data: UInt(number)) }
            queue.resume()
            usleep(100_000)
            source.add(data: 5)
            usleep(100_000)
            source.cancel()
        },
        Script("data is joined bit by bit, or replaced") { log in
            let queue = DispatchQueue(label: "queue")
            let joined = DispatchSource.makeUserDataOrSource(queue: queue)
            let replaced = DispatchSource.makeUserDataReplaceSource(queue: queue)
            joined.setEventHandler { log.add("or \(joined.data)") }
            replaced.setEventHandler { log.add("replace \(replaced.data)") }
            joined.resume()
            replaced.resume()
            queue.sync {}
            queue.suspend()
            joined.or(data: 1)
            joined.or(data: 4)
            queue.resume()
            usleep(100_000)
            queue.suspend()
            replaced.replace(data: 7)
            replaced.replace(data: 9)
            queue.resume()
            usleep(100_000)
            joined.cancel()
            replaced.cancel()
            queue.async { log.end() }
        },
        Script("a suspended source keeps what it is told") { log in
            let queue = DispatchQueue(label: "queue")
            let source = DispatchSource.makeUserDataAddSource(queue: queue)
            source.setEventHandler { log.add("\(source.data)") }
            source.setCancelHandler { log.end() }
            source.setRegistrationHandler { log.add("registered") }
            source.activate()
            usleep(100_000)
            source.suspend()
            source.add(data: 2)
            source.add(data: 3)
            usleep(100_000)
            log.add("resumed")
            source.resume()
            usleep(100_000)
            source.cancel()
        },
    ]
}
