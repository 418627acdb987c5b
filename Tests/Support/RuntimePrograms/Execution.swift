// Does what a program says, by Dispatch, as client code would, and tells the oracle each thing just before or after it.
// Client code: the thread that holds the baton.

import Dispatch
import Foundation

final class Execution: @unchecked Sendable {  // Guard: the baton.
    private let program: Program
    private let oracle: Oracle
    private var queues: [DispatchQueue] = []
    private var groups: [DispatchGroup] = []
    private var semaphores: [DispatchSemaphore] = []
    private var timers: [(any DispatchSourceTimer)?]
    private var items: [DispatchWorkItem] = []

    /// In client code.
    init(_ program: Program, _ oracle: Oracle) {
        self.program = program
        self.oracle = oracle
        timers = Array(repeating: nil, count: program.timerCount)
        queues = [.main]
        for (place, queue) in program.queues.enumerated().dropFirst() {
            queues.append(
                DispatchQueue(
                    label: "queue \(place)", attributes: queue.isConcurrent ? .concurrent : [],
                    target: queue.target.map { queues[$0] }))
        }
        groups = (0..<program.groupCount).map { _ in DispatchGroup() }
        // A semaphore must not be freed with a lower value than it was made with.
        semaphores = program.semaphores.map { value in
            let semaphore = DispatchSemaphore(value: 0)
            for _ in 0..<value { semaphore.signal() }
            return semaphore
        }
    }

    func begin() {
        oracle.putInLine(0, on: 0)
        run(program.root)
    }

    private func run(_ block: Program.Block) {
        oracle.begins(block.number)
        for step in block.steps { perform(step) }
        oracle.ends(block.number)
    }

    private func later(_ milliseconds: Int) -> DispatchTime { .now() + .milliseconds(milliseconds) }

    private func perform(_ step: Program.Step) {
        switch step {
        case .async, .after, .sync, .item: putInLine(step)
        case .sleep(let milliseconds):
            let until = oracle.sleeps(milliseconds)
            usleep(UInt32(milliseconds) * 1_000)
            oracle.hasSlept(until)
        case .signal(let number):
            oracle.signals(number)
            semaphores[number].signal()
        case .wait(let number, let timeout):
            let wait = oracle.waits(for: number, timeout: timeout)
            oracle.hasWaited(wait, isWoken: semaphores[number].wait(timeout: later(timeout)) == .success)
        case .enter(let number, let delay):
            oracle.enters(number)
            groups[number].enter()
            DispatchQueue.global().asyncAfter(deadline: later(delay)) { [self] in
                oracle.leaves(number)
                groups[number].leave()
            }
        case .notify(let number, let queue, let block):
            oracle.wantsNotice(block.number, of: number, on: queue)
            groups[number].notify(queue: queues[queue]) { [self] in run(block) }
        case .waitForGroup(let number, let timeout):
            let wait = oracle.waits(forGroup: number, timeout: timeout)
            oracle.hasWaited(wait, isWoken: groups[number].wait(timeout: later(timeout)) == .success)
        case .suspend(let queue, let delay):
            oracle.suspends(queue)
            queues[queue].suspend()
            DispatchQueue.global().asyncAfter(deadline: later(delay)) { [self] in
                oracle.resumes(queue)
                queues[queue].resume()
                // Nobody has to wait for the end of what resumes.
                perform(.sleep(1))
            }
        case .timer, .cancelTimer: performOnTimer(step)
        }
    }

    private func putInLine(_ step: Program.Step) {
        switch step {
        case .async(let queue, let group, let isBarrier, let block):
            oracle.putInLine(block.number, on: queue, isBarrier: isBarrier, group: group)
            queues[queue].async(group: group.map { groups[$0] }, flags: isBarrier ? .barrier : []) { [self] in
                run(block)
            }
        case .after(let queue, let delay, let block):
            oracle.putOff(block.number, on: queue, delay: delay)
            queues[queue].asyncAfter(deadline: later(delay)) { [self] in run(block) }
        case .sync(let queue, let isBarrier, let block):
            oracle.putInLine(block.number, on: queue, isBarrier: isBarrier, isWaitedFor: true)
            queues[queue].sync(flags: isBarrier ? .barrier : []) { run(block) }
            oracle.returns(from: block.number)
        case .item(let queue, let delay, let block, let notice):
            let item = DispatchWorkItem { [self] in run(block) }
            items.append(item)
            oracle.expects(notice.number, on: queue, after: block.number)
            item.notify(queue: queues[queue]) { [self] in run(notice) }
            oracle.putInLine(block.number, on: queue)
            queues[queue].async(execute: item)
            DispatchQueue.global().asyncAfter(deadline: later(delay)) { [self] in
                oracle.cancels(block.number)
                item.cancel()
            }
        default: break
        }
    }

    private func performOnTimer(_ step: Program.Step) {
        switch step {
        case .timer(let number, let queue, let start, let interval, let firings, let lasting):
            let timer = DispatchSource.makeTimerSource(queue: queues[queue])
            var left = firings
            timer.setEventHandler { [self] in
                oracle.fires(number, data: Int(timers[number]?.data ?? 0))
                left -= 1
                if left == 0 { cancelTimer(number) }
                if lasting > 0 { perform(.sleep(lasting)) }
                oracle.hasFired(number)
            }
            timer.setCancelHandler { [self] in oracle.isToldOfCancellation(number) }
            oracle.startsTimer(number, on: queue, start: start, interval: interval)
            timer.schedule(deadline: later(start), repeating: .milliseconds(interval))
            timers[number] = timer
            timer.resume()
        case .cancelTimer(let number, let delay):
            if delay == 0 { return cancelTimer(number) }
            DispatchQueue.global().asyncAfter(deadline: later(delay)) { [self] in cancelTimer(number) }
        default: break
        }
    }

    private func cancelTimer(_ number: Int) {
        guard let timer = timers[number] else { return }
        oracle.cancelsTimer(number)
        timer.cancel()
    }
}
