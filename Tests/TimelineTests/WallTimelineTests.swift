// What only the wall clock does: lateness, a wheel that goes round, many lanes beside each other.
// Real time is the subject: a test here takes up to two seconds.

import Dispatch
import Foundation
import Simulation
import Synchronization
import Testing

@Suite struct WallTimelineTests {
    @Test(arguments: [Clock.wall, .pool])
    func latenessIsMeasuredOfTimedEventsOnly(clock: Clock) throws {
        let lags = Mutex<[Span]>([])
        let bench = LaneBench(clock, onLag: { lag in lags.withLock { $0.append(lag) } })
        _ = try #require(
            bench.run(until: 30) { bench in
                for event in 0..<10 { bench.schedule(event) }
                for event in 10..<30 { bench.schedule(event, after: .milliseconds(Int64(event))) }
            })
        let taken = lags.withLock { $0 }
        #expect(taken.count == 20)
        #expect(taken.allSatisfy { $0 >= .zero })
    }

    @Test func idleWheelStartsAgain() throws {
        let bench = LaneBench(.wall)
        let notes = try #require(
            bench.run(until: 3) { bench in
                bench.lane.schedule(after: .milliseconds(300)) {
                    bench.note(0)
                    bench.lane.schedule(after: .milliseconds(300)) {
                        bench.note(1)
                        bench.schedule(2, after: .milliseconds(1))
                    }
                }
            })
        #expect(notes.map(\.event) == [0, 1, 2])
        #expect(notes[2].planned - notes[0].planned >= .milliseconds(301))
    }

    // A short delay scheduled after a long one must not wait for it.
    @Test func shorterDelayRearmsTheTimer() throws {
        let notes = try #require(
            LaneBench(.wall).run(until: 2) { bench in
                bench.schedule(1, after: .milliseconds(900))
                bench.schedule(0, after: .milliseconds(5))
            })
        #expect(notes.map(\.event) == [0, 1])
        // Late by less than the other's delay: a generous bound for a busy machine.
        #expect(notes[0].now < notes[1].planned)
    }

    // Delays up to six rounds of the first wheel, so that the second one is sorted into it again and again.
    @Test(arguments: [11, 12] as [UInt64], [Clock.wall, .pool])
    func thousandsOfTimersFireOnceAndNotEarly(_ seed: UInt64, clock: Clock) throws {
        let timeline = WallTimeline(pool: clock == .pool ? ThreadPool() : nil)
        let wheel = timeline.makeWheel()
        let lanes = (0..<16).map { _ in timeline.makeLane(wheel: wheel) }
        let tally = Tally(timers: 6_000)
        var stream = RandomStream(seed: seed, user: 0, purpose: .population)
        let delays = (0..<6_000).map { _ in Span.microseconds(Int64(stream.below(1_500_000)) + 1) }
        for (place, lane) in lanes.enumerated() {
            lane.send {
                for timer in stride(from: place, to: 6_000, by: lanes.count) {
                    let due = lane.now + delays[timer]
                    lane.schedule(after: delays[timer]) {
                        tally.fired(timer, on: place, isEarly: lane.now < due, planned: lane.plannedNow)
                    }
                }
            }
        }
        #expect(tally.done.wait(timeout: .now() + 20) == .success)
        for lane in lanes { lane.sync {} }
        let (counts, early, unordered) = tally.result
        #expect(counts.allSatisfy { $0 == 1 })
        #expect(early == 0)
        #expect(unordered == 0)
    }

    // Many threads that add short delays while the wheel turns: none comes due before what was handed over.
    @Test(arguments: [Clock.wall, .pool])
    func timersAddedWhileTheWheelTurnsFireInOrder(clock: Clock) throws {
        let timeline = WallTimeline(pool: clock == .pool ? ThreadPool(width: 8) : nil)
        let wheel = timeline.makeWheel()
        let lanes = (0..<16).map { _ in timeline.makeLane(wheel: wheel) }
        let rounds = 64
        let chains = 40
        let tally = Tally(timers: lanes.count * chains * rounds)
        for (place, lane) in lanes.enumerated() {
            @Sendable func go(_ timer: Int, left: Int) {
                let delay = Span.microseconds(Int64(timer &* 7_919 % 1_500) + 1)
                let due = lane.now + delay
                lane.schedule(after: delay) {
                    tally.fired(timer, on: place, isEarly: lane.now < due, planned: lane.plannedNow)
                    if left > 1 { go(timer + 1, left: left - 1) }
                }
            }
            lane.send {
                for chain in 0..<chains { go((place * chains + chain) * rounds, left: rounds) }
            }
        }
        #expect(tally.done.wait(timeout: .now() + 20) == .success)
        for lane in lanes { lane.sync {} }
        let (counts, early, unordered) = tally.result
        #expect(counts.allSatisfy { $0 == 1 })
        #expect(early == 0 && unordered == 0)
    }

    // Sorting into the third wheel takes longer than anybody waits for a test: asked for by name only.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["STAMPEDE_LONG_TESTS"] != nil))
    func timersBeyondTheSecondWheelFireInOrder() throws {
        let timeline = WallTimeline()
        let lane = timeline.makeLane(wheel: timeline.makeWheel())
        let tally = Tally(timers: 40)
        lane.send {
            for timer in 0..<40 {
                let delay = Span.milliseconds(65_000 + Int64(timer * 37 % 40) * 50)
                let due = lane.now + delay
                lane.schedule(after: delay) {
                    tally.fired(timer, on: 0, isEarly: lane.now < due, planned: lane.plannedNow)
                }
            }
        }
        #expect(tally.done.wait(timeout: .now() + 90) == .success)
        let (counts, early, unordered) = tally.result
        #expect(counts.allSatisfy { $0 == 1 })
        #expect(early == 0 && unordered == 0)
    }

    @Test func lanesAreCurrentThroughTargetQueues() {
        let timeline = WallTimeline()
        let wheel = timeline.makeWheel()
        let lane = timeline.makeLane(wheel: wheel)
        let other = timeline.makeLane(wheel: wheel)
        let child = DispatchQueue(label: "child", target: lane.queue)
        #expect(!lane.isCurrent)
        #expect(lane.sync { lane.isCurrent })
        #expect(child.sync { lane.isCurrent })
        #expect(!lane.sync { other.isCurrent })
    }
}

/// What fired, on which lane, in which order.
private final class Tally: @unchecked Sendable {  // Guard: `lock`.
    let done = DispatchSemaphore(value: 0)
    private let lock = NSLock()
    private var counts: [Int]
    private var left: Int
    private var early = 0
    private var unordered = 0
    private var latest: [Int: Instant] = [:]

    init(timers: Int) {
        counts = Array(repeating: 0, count: timers)
        left = timers
    }

    func fired(_ timer: Int, on lane: Int, isEarly: Bool, planned: Instant) {
        lock.withLock {
            counts[timer] += 1
            if isEarly { early += 1 }
            if let before = latest[lane], planned < before { unordered += 1 }
            latest[lane] = planned
            left -= 1
            if left == 0 { done.signal() }
        }
    }

    var result: (counts: [Int], early: Int, unordered: Int) { lock.withLock { (counts, early, unordered) } }
}

@Suite struct ThreadPoolTests {
    // Of many that want to be in it, one at a time is; who comes from elsewhere has its turn too.
    @Test func mailboxRunsOneBlockAtATime() {
        let timeline = WallTimeline(pool: ThreadPool(width: 4))
        let lane = timeline.makeLane(wheel: timeline.makeWheel())
        nonisolated(unsafe) var count = 0  // Guard: the lane.
        DispatchQueue.concurrentPerform(iterations: 8) { turn in
            for _ in 0..<500 {
                if turn.isMultiple(of: 2) { lane.send { count += 1 } } else { lane.sync { count += 1 } }
            }
        }
        while lane.sync({ count }) < 4_000 { usleep(1_000) }
        #expect(lane.sync { count } == 4_000)
    }

    @Test func threadPoolRunsAtMostItsWidth() {
        let pool = ThreadPool(width: 3)
        // Not a `Mutex`, which the thread sanitizer does not see through on Linux.
        let lock = NSLock()
        nonisolated(unsafe) var counts = (running: 0, most: 0)  // Guard: `lock`.
        let done = DispatchGroup()
        for _ in 0..<60 {
            done.enter()
            pool.submit {
                lock.withLock {
                    counts.running += 1
                    counts.most = max(counts.most, counts.running)
                }
                usleep(2_000)
                lock.withLock { counts.running -= 1 }
                done.leave()
            }
        }
        #expect(done.wait(timeout: .now() + 20) == .success)
        #expect(lock.withLock { counts.most } <= 3)
    }
}
