// Order, cancellation and time on a lane, under both clocks.
// The wall clock is the subject here, so these tests take real milliseconds.

import Dispatch
import Simulation
import Synchronization
import Testing

@Suite struct LaneTests {
    @Test(arguments: Clock.allCases)
    func eventsDueTogetherRunInTheOrderScheduled(_ clock: Clock) {
        let order = LaneBench(clock).order(until: 500) { bench in
            for event in 0..<500 { bench.schedule(event, after: .milliseconds(3)) }
        }
        #expect(order == Array(0..<500))
    }

    @Test(arguments: Clock.allCases)
    func eventsWithoutDelayRunInTheOrderScheduled(_ clock: Clock) {
        let order = LaneBench(clock).order(until: 3_000) { bench in
            for event in 0..<3_000 { bench.schedule(event) }
        }
        #expect(order == Array(0..<3_000))
    }

    // An event without a delay goes behind those that wait already, also when an event schedules it.
    @Test(arguments: Clock.allCases)
    func eventWithoutDelayRunsAfterWaitingEvents(_ clock: Clock) {
        let order = LaneBench(clock).order(until: 4) { bench in
            bench.lane.schedule {
                bench.note(0)
                bench.schedule(2)
                bench.lane.schedule { bench.note(3) }
            }
            bench.schedule(1)
        }
        #expect(order == [0, 1, 2, 3])
    }

    // Scheduled from the last to the first, three milliseconds apart.
    @Test(arguments: Clock.allCases)
    func eventsRunInTheOrderTheyAreDue(_ clock: Clock) throws {
        let notes = try #require(
            LaneBench(clock).run(until: 40) { bench in
                for event in (1...40).reversed() { bench.schedule(event, after: .milliseconds(Int64(event) * 3)) }
            })
        let planned = notes.map(\.planned)
        #expect(planned == planned.sorted())
        // Under the virtual clock all were scheduled at one instant; under the wall clock a pause of the machine
        // between two calls may rightly swap neighbours, so there only the due times count.
        if clock == .virtual { #expect(notes.map(\.event) == Array(1...40)) }
    }

    @Test(arguments: Clock.allCases)
    func noEventRunsEarly(_ clock: Clock) throws {
        let earliest = Mutex<[Int: Instant]>([:])
        let notes = try #require(
            LaneBench(clock).run(until: 200) { bench in
                for event in 0..<200 {
                    let delay = Span.microseconds(Int64(event) * 137)
                    let due = bench.lane.now + delay
                    earliest.withLock { $0[event] = due }
                    bench.schedule(event, after: delay)
                }
            })
        let due = earliest.withLock { $0 }
        for note in notes {
            let earliest = try #require(due[note.event])
            #expect(note.now >= earliest, "event \(note.event)")
            #expect(note.planned <= note.now, "event \(note.event)")
        }
    }

    @Test(arguments: Clock.allCases)
    func laneTimeNeverGoesBack(_ clock: Clock) throws {
        let notes = try #require(
            LaneBench(clock).run(until: 2_000) { bench in
                for event in 0..<1_000 {
                    bench.schedule(event)
                    bench.schedule(1_000 + event, after: .microseconds(Int64(event % 7) * 500 + 1))
                }
            })
        let times = notes.map(\.now)
        #expect(times == times.sorted())
    }

    @Test(arguments: Clock.allCases)
    func eventsRunOnTheirLane(_ clock: Clock) throws {
        let notes = try #require(
            LaneBench(clock).run(until: 3) { bench in
                bench.schedule(0)
                bench.schedule(1, after: .milliseconds(2))
                bench.lane.send(after: .milliseconds(1)) { bench.note(2) }
            })
        #expect(notes.allSatisfy { $0.wasOnLane })
    }

    // Senders on four threads; an event that found another one inside would have overlapped it.
    @Test(arguments: Clock.allCases)
    func laneRunsOneEventAtATime(_ clock: Clock) throws {
        let inside = Atomic<Int>(0)
        let overlaps = Atomic<Int>(0)
        let bench = LaneBench(clock)
        let notes = bench.run(until: 800) { bench in
            DispatchQueue.global().async {
                DispatchQueue.concurrentPerform(iterations: 4) { sender in
                    for event in 0..<200 {
                        bench.lane.sendFromOutside {
                            if inside.add(1, ordering: .relaxed).newValue != 1 {
                                overlaps.add(1, ordering: .relaxed)
                            }
                            bench.note(sender * 200 + event)
                            inside.subtract(1, ordering: .relaxed)
                        }
                    }
                }
            }
        }
        #expect(notes?.count == 800)
        #expect(overlaps.load(ordering: .relaxed) == 0)
    }

    @Test(arguments: Clock.allCases)
    func eventsSentFromOutsideRunOnceAndInOrder(_ clock: Clock) throws {
        let notes = try #require(
            LaneBench(clock).run(until: 800) { bench in
                DispatchQueue.global().async {
                    DispatchQueue.concurrentPerform(iterations: 4) { sender in
                        for event in 0..<200 { bench.lane.sendFromOutside { bench.note(sender * 200 + event) } }
                    }
                }
            })
        #expect(notes.allSatisfy { $0.wasOnLane })
        #expect(notes.map(\.event).sorted() == Array(0..<800))
        for sender in 0..<4 {
            let own = notes.map(\.event).filter { $0 / 200 == sender }
            #expect(own == own.sorted(), "sender \(sender)")
        }
    }

    @Test(arguments: Clock.allCases)
    func eventsMayScheduleEvents(_ clock: Clock) {
        @Sendable func chain(_ bench: LaneBench, _ event: Int) {
            bench.note(event)
            if event == 99 { return }
            let delay: Span = event % 10 == 0 ? .milliseconds(1) : .zero
            bench.lane.schedule(after: delay) { chain(bench, event + 1) }
        }
        let order = LaneBench(clock).order(until: 100) { bench in chain(bench, 0) }
        #expect(order == Array(0..<100))
    }
}

@Suite struct CancellationTests {
    @Test(arguments: Clock.allCases)
    func cancelledEventNeverRuns(_ clock: Clock) {
        let order = LaneBench(clock).order(until: 2) { bench in
            let now = bench.schedule(-1)
            let soon = bench.schedule(-2, after: .milliseconds(2))
            bench.schedule(1)
            bench.schedule(2, after: .milliseconds(8))
            bench.lane.cancel(now)
            bench.lane.cancel(soon)
        }
        #expect(order == [1, 2])
    }

    @Test(arguments: Clock.allCases)
    func eventMayCancelAnotherDueAtTheSameTime(_ clock: Clock) {
        let order = LaneBench(clock).order(until: 2) { bench in
            let victim = Mutex<Ticket?>(nil)
            bench.lane.schedule {
                bench.note(0)
                if let ticket = victim.withLock({ $0.take() }) { bench.lane.cancel(ticket) }
            }
            let ticket = bench.schedule(-1)
            victim.withLock { $0 = ticket }
            bench.schedule(1)
        }
        #expect(order == [0, 1])
    }

    @Test(arguments: Clock.allCases)
    func cancellingTwiceIsHarmless(_ clock: Clock) {
        let order = LaneBench(clock).order(until: 3) { bench in
            let ticket = bench.schedule(-1, after: .milliseconds(1))
            bench.lane.cancel(ticket)
            bench.lane.cancel(ticket)
            // Were the place given up twice, these two would share it.
            bench.schedule(1, after: .milliseconds(3))
            bench.schedule(2, after: .milliseconds(3))
            bench.lane.cancel(ticket)
            bench.schedule(3, after: .milliseconds(6))
        }
        #expect(order == [1, 2, 3])
    }

    @Test(arguments: Clock.allCases)
    func cancellingAFinishedEventIsHarmless(_ clock: Clock) {
        let order = LaneBench(clock).order(until: 4) { bench in
            let ticket = bench.schedule(0)
            bench.lane.schedule(after: .milliseconds(1)) {
                bench.lane.cancel(ticket)
                bench.note(1)
                bench.schedule(2)
                bench.lane.cancel(ticket)
                bench.schedule(3)
            }
        }
        #expect(order == [0, 1, 2, 3])
    }

    // The place of a cancelled event is used again: its old due time must not run the new body,
    // and its old ticket must not cancel it.
    @Test(arguments: Clock.allCases)
    func reusedPlaceBelongsToTheNewEvent(_ clock: Clock) throws {
        let due = Mutex(Instant.never)
        let notes = try #require(
            LaneBench(clock).run(until: 2) { bench in
                let old = bench.schedule(-1, after: .milliseconds(1))
                bench.lane.cancel(old)
                due.withLock { $0 = bench.lane.now + .milliseconds(9) }
                bench.schedule(1, after: .milliseconds(9))
                bench.lane.cancel(old)
                bench.schedule(0, after: .milliseconds(4))
            })
        #expect(notes.map(\.event) == [0, 1])
        #expect(notes[1].now >= due.withLock { $0 })
    }

    @Test(arguments: Clock.allCases)
    func halfOfManyEventsCanBeCancelled(_ clock: Clock) {
        let order = LaneBench(clock).order(until: 1_001) { bench in
            let tickets = (0..<2_000).map { bench.schedule($0, after: .milliseconds(5)) }
            for event in 0..<2_000 where event % 2 == 1 { bench.lane.cancel(tickets[event]) }
            bench.schedule(2_000, after: .milliseconds(12))
        }
        #expect(order == Array(0..<1_000).map { $0 * 2 } + [2_000])
    }
}
