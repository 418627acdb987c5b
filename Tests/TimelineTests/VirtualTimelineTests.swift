// What only the virtual clock promises: exact times, jumps, an end.

import Dispatch
import Simulation
import Testing

@Suite struct VirtualTimelineTests {
    // Property: events run as a list sorted by (due, order of scheduling) says, whatever is scheduled and
    // cancelled meanwhile. The model is that list.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func hundredThousandEventsRunInSortedOrder(_ seed: UInt64) {
        struct Planned {
            let due: Instant
            let number: Int
        }
        let timeline = VirtualTimeline()
        var stream = RandomStream(seed: seed, user: 0, purpose: .population)
        var model: [Planned] = []
        var cancelled: Set<Int> = []
        var tickets: [Ticket] = []
        var ran: [Int] = []

        func scheduleOne() {
            let number = tickets.count
            // Few distinct delays, so that many events are due together; some of none at all.
            let delay = Span.microseconds(Int64(stream.below(40)) * Int64(stream.below(25)))
            model.append(Planned(due: timeline.now + delay, number: number))
            tickets.append(
                timeline.schedule(after: delay) {
                    ran.append(number)
                    for _ in 0..<stream.below(3) where tickets.count < 100_000 { scheduleOne() }
                    if stream.below(5) == 0 { cancelOne() }
                })
        }
        func cancelOne() {
            let number = Int(stream.below(UInt64(tickets.count)))
            timeline.cancel(tickets[number])
            cancelled.insert(number)
        }
        while tickets.count < 100_000 {
            scheduleOne()
            if tickets.count % 500 == 0 { _ = timeline.run(until: { stream.below(400) == 0 }, patience: .zero) }
        }
        #expect(!timeline.run(until: { false }, patience: .zero))

        let ranSet = Set(ran)
        #expect(ranSet.count == ran.count)
        let expected = model.sorted { $0.due != $1.due ? $0.due < $1.due : $0.number < $1.number }
            .map(\.number).filter { ranSet.contains($0) }
        // Not the arrays themselves: describing their difference would take minutes.
        let firstDifference = zip(ran, expected).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(firstDifference == nil)
        // What did not run was cancelled.
        #expect(model.allSatisfy { ranSet.contains($0.number) || cancelled.contains($0.number) })
        #expect(timeline.eventCount == ran.count)
        #expect(tickets.count == 100_000)
    }

    @Test func timeJumpsToTheNextEvent() {
        let timeline = VirtualTimeline()
        var seen: [Instant] = []
        let year = Span.hours(24 * 365)
        for delay in [year, .zero, .milliseconds(1)] {
            timeline.schedule(after: delay) { seen.append(timeline.now) }
        }
        #expect(!timeline.run(until: { false }, patience: .zero))
        let expected: [Instant] = [.start, .start + .milliseconds(1), .start + year]
        #expect(seen == expected)
        #expect(timeline.now == .start + year)
    }

    @Test func plannedTimeIsTheVirtualTime() {
        let timeline = VirtualTimeline()
        timeline.schedule(after: .seconds(5)) { #expect(timeline.plannedNow == timeline.now) }
        #expect(!timeline.run(until: { false }, patience: .zero))
    }

    @Test func runReturnsFalseIfNoEventIsLeft() {
        let timeline = VirtualTimeline()
        var count = 0
        timeline.schedule { count += 1 }
        #expect(!timeline.run(until: { count == 2 }, patience: .zero))
        #expect(count == 1)
    }

    @Test func runStopsAsSoonAsItIsDone() {
        let timeline = VirtualTimeline()
        var count = 0
        for _ in 0..<10 { timeline.schedule(after: .seconds(1)) { count += 1 } }
        #expect(timeline.run(until: { count == 3 }, patience: .zero))
        #expect(count == 3)
        #expect(timeline.run(until: { count == 10 }, patience: .zero))
    }

    // An event that waits for an instant goes before those that come into being at it.
    @Test func eventWithoutDelayRunsAfterEventsDueAtThatInstant() {
        let timeline = VirtualTimeline()
        var order: [String] = []
        timeline.schedule(after: .seconds(1)) {
            order.append("first")
            timeline.schedule { order.append("new") }
        }
        timeline.schedule(after: .seconds(1)) { order.append("second") }
        #expect(!timeline.run(until: { false }, patience: .zero))
        #expect(order == ["first", "second", "new"])
    }

    @Test func runWaitsForACallFromOutside() {
        let timeline = VirtualTimeline()
        let outside = LaneFlag()
        timeline.schedule {
            DispatchQueue.global().async { timeline.sendFromOutside { outside.isSet = true } }
        }
        #expect(timeline.run(until: { outside.isSet }, patience: .seconds(20)))
    }

    @Test func buildingThreadIsOnTheLaneUntilItRuns() {
        let timeline = VirtualTimeline()
        #expect(timeline.isCurrent)
        var elsewhere = true
        timeline.schedule {
            let asked = DispatchSemaphore(value: 0)
            let flag = LaneFlag()
            DispatchQueue.global().async {
                flag.isSet = timeline.isCurrent
                asked.signal()
            }
            asked.wait()
            elsewhere = flag.isSet
        }
        #expect(!timeline.run(until: { false }, patience: .zero))
        #expect(!elsewhere)
    }

    @Test func schedulingInThePastTraps() async {
        await #expect(processExitsWith: .failure) {
            VirtualTimeline().schedule(after: Span(nanoseconds: -1)) {}
        }
    }
}

/// Guard: written by one thread, read by another after a semaphore or on the lane.
private final class LaneFlag: @unchecked Sendable {
    var isSet = false
}
