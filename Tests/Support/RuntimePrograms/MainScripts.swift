// Programs of an app's main thread: its queue, its run loop, its timers. `RuntimeTool main` has the library run one.

import Dispatch
import Foundation

extension Script {
    package static let main: [Script] = mainQueue + runLoops + timers

    private static let mainQueue: [Script] = [
        Script("blocks of the main queue come in order, after the code that put them there") { log in
            for number in 0..<3 { DispatchQueue.main.async { log.add("block \(number)") } }
            DispatchQueue.main.async {
                DispatchQueue.main.async {
                    log.add("from within \(Thread.isMainThread)")
                    log.end()
                }
                log.add("block 3")
            }
            log.add("launched")
        },
        Script("from a background queue to the main queue") { log in
            let queue = DispatchQueue(label: "background")
            queue.async {
                log.add("background \(Thread.isMainThread)")
                DispatchQueue.main.async { log.add("first \(Thread.isMainThread)") }
                DispatchQueue.main.async { log.add("second") }
                queue.async { DispatchQueue.main.async { log.end() } }
            }
        },
        Script("the main queue waits for the code that runs") { log in
            let queue = DispatchQueue(label: "background")
            queue.async { DispatchQueue.main.async { log.add("block") } }
            queue.sync {}
            usleep(100_000)
            log.add("launched")
            DispatchQueue.main.async { log.end() }
        },
        Script("asyncAfter on the main queue") { log in
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(400)) { log.end() }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(200)) { log.add("second") }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) { log.add("first") }
            DispatchQueue.main.async { log.add("at once") }
            log.add("launched")
        },
        Script("sync onto the main queue") { log in
            let queue = DispatchQueue(label: "background")
            queue.async {
                let isMain = DispatchQueue.main.sync { () -> Bool in
                    log.add("main")
                    dispatchPrecondition(condition: .onQueue(.main))
                    return Thread.isMainThread
                }
                log.add("back \(isMain)")
                DispatchQueue.main.async { log.end() }
            }
            usleep(100_000)
            log.add("launched")
        },
        Script("OperationQueue.main") { log in
            for number in 0..<3 {
                OperationQueue.main.addOperation { log.add("operation \(number) \(Thread.isMainThread)") }
            }
            let last = BlockOperation { log.end() }
            let dependency = BlockOperation { log.add("dependency") }
            last.addDependency(dependency)
            OperationQueue.main.addOperation(last)
            DispatchQueue.global().async { OperationQueue.main.addOperation(dependency) }
            log.add("launched")
        },
    ]

    private static let runLoops: [Script] = [
        Script("run(until:) serves the main queue meanwhile") { log in
            DispatchQueue.main.async { log.add("block") }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100)) { log.add("later") }
            let limit = Date(timeIntervalSinceNow: 0.3)
            RunLoop.current.run(until: limit)
            log.add("after \(Date() >= limit)")
            DispatchQueue.main.async { log.end() }
        },
        Script("perform on the main run loop") { log in
            RunLoop.main.perform { log.add("performed \(Thread.isMainThread)") }
            DispatchQueue.global().async {
                RunLoop.main.perform(inModes: [.default]) { log.add("from elsewhere \(Thread.isMainThread)") }
                // The library's run loop does not wake for it.
                DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100)) {
                    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100)) { log.end() }
                }
            }
            log.add("launched")
        },
        Script("run(until:) the past") { log in
            DispatchQueue.main.async { log.add("block") }
            RunLoop.current.run(until: Date(timeIntervalSinceNow: -1))
            log.add("after")
            DispatchQueue.main.async { log.end() }
        },
        Script("run(mode:before:) returns when something has been served") { log in
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(100)) { log.add("block") }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300)) { log.add("later") }
            let ran = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 5))
            log.add("after \(ran)")
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(500)) { log.end() }
        },
        Script("run(mode:before:) serves all blocks that are there") { log in
            for number in 0..<3 { DispatchQueue.main.async { log.add("block \(number)") } }
            let ran = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 5))
            log.add("after \(ran)")
            DispatchQueue.main.async { log.end() }
        },
        Script("run(mode:before:) until its limit") { log in
            let limit = Date(timeIntervalSinceNow: 0.1)
            let ran = RunLoop.current.run(mode: .default, before: limit)
            log.add("after \(ran) \(Date() >= limit)")
            log.end()
        },
        Script("run(mode:before:) does not return for a timer") { log in
            nonisolated(unsafe) let timer = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: false) { _ in
                log.add("fires")
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300)) { log.add("block") }
            let ran = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 5))
            log.add("after \(ran) \(timer.isValid)")
            log.end()
        },
        Script("a run loop in a block of the main queue serves none of its other blocks") { log in
            DispatchQueue.main.async {
                DispatchQueue.main.async { log.add("block") }
                let began = Date()
                let ran = RunLoop.current.run(mode: .default, before: began.addingTimeInterval(0.2))
                log.add("ran \(ran)")
                RunLoop.current.run(until: began.addingTimeInterval(0.2))
                log.add("after")
                DispatchQueue.main.async { log.end() }
            }
        },
        Script("a run loop in a block of the main queue serves timers") { log in
            DispatchQueue.main.async {
                nonisolated(unsafe) let timer = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { _ in
                    log.add("fires")
                }
                DispatchQueue.main.async { log.add("block") }
                RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.13))
                timer.invalidate()
                log.add("after")
                DispatchQueue.main.async { log.end() }
            }
        },
        Script("a run loop in a timer serves the main queue") { log in
            _ = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: false) { _ in
                DispatchQueue.main.async { log.add("block") }
                RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.2))
                log.add("after")
                log.end()
            }
        },
        Script("a run loop on a background queue has nothing to wait for") { log in
            DispatchQueue(label: "background").async {
                let began = Date()
                let ran = RunLoop.current.run(mode: .default, before: began.addingTimeInterval(5))
                RunLoop.current.run(until: began.addingTimeInterval(5))
                log.add("after \(ran) \(Date().timeIntervalSince(began) < 4)")
                log.end()
            }
        },
    ]

    private static let timers: [Script] = [
        Script("a timer that fires once") { log in
            nonisolated(unsafe) let timer = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: false) { _ in
                log.add("fires \(Thread.isMainThread)")
            }
            log.add("launched \(timer.isValid) \(timer.timeInterval)")
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300)) {
                log.add("\(timer.isValid)")
                log.end()
            }
        },
        Script("a timer that repeats until it is invalidated in its own block") { log in
            nonisolated(unsafe) var count = 0
            _ = Timer.scheduledTimer(withTimeInterval: 0.05, repeats: true) { timer in
                count += 1
                log.add("fires \(count)")
                if count == 3 { timer.invalidate() }
                log.add("\(timer.isValid)")
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(500)) { log.end() }
        },
        Script("a timer that is invalidated from outside") { log in
            nonisolated(unsafe) let timer = Timer.scheduledTimer(withTimeInterval: 0.2, repeats: true) { _ in
                log.add("fires")
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300)) {
                log.add("invalidates")
                timer.invalidate()
            }
            let other = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: false) { _ in log.add("never") }
            other.invalidate()
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(700)) { log.end() }
        },
        Script("a timer skips what it has missed") { log in
            nonisolated(unsafe) var count = 0
            nonisolated(unsafe) let timer = Timer.scheduledTimer(withTimeInterval: 0.2, repeats: true) { _ in
                count += 1
                log.add("fires \(count)")
                if count == 1 { usleep(700_000) }
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1_500)) {
                timer.invalidate()
                log.end()
            }
        },
        Script("a timer that is added to a run loop") { log in
            nonisolated(unsafe) let timer = Timer(timeInterval: 0.05, repeats: false) { _ in
                log.add("fires")
                DispatchQueue.main.async { log.end() }
            }
            usleep(100_000)
            RunLoop.main.add(timer, forMode: .common)
            log.add("added")
        },
        Script("a timer that is never added") { log in
            nonisolated(unsafe) let timer = Timer(timeInterval: 0.05, repeats: false) { _ in log.add("fires") }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(300)) {
                timer.fire()
                log.add("\(timer.isValid)")
                log.end()
            }
        },
        Script("a timer that is fired by hand") { log in
            nonisolated(unsafe) var count = 0
            nonisolated(unsafe) let timer = Timer.scheduledTimer(withTimeInterval: 0.2, repeats: true) { _ in
                count += 1
                log.add("fires \(count)")
            }
            timer.fire()
            log.add("fired")
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(500)) {
                timer.invalidate()
                log.end()
            }
        },
        Script("a timer that sets another time in its own block") { log in
            nonisolated(unsafe) var count = 0
            nonisolated(unsafe) let timer = Timer.scheduledTimer(withTimeInterval: 0.1, repeats: true) { timer in
                count += 1
                log.add("fires \(count)")
                if count == 1 { timer.fireDate = Date(timeIntervalSinceNow: 0.4) }
                if count == 3 {
                    timer.invalidate()
                    log.end()
                }
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(350)) { log.add("\(timer.isValid)") }
        },
        Script("timers in the order of time") { log in
            for delay in [0.3, 0.1, 0.2] {
                _ = Timer.scheduledTimer(withTimeInterval: delay, repeats: false) { _ in
                    log.add("\(delay)")
                    if delay == 0.3 { log.end() }
                }
            }
        },
        Script("a timer that is set to another time") { log in
            nonisolated(unsafe) let timer = Timer.scheduledTimer(withTimeInterval: 5, repeats: false) { _ in
                log.add("fires")
            }
            timer.fireDate = Date(timeIntervalSinceNow: 0.1)
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(400)) { log.end() }
        },
    ]
}
