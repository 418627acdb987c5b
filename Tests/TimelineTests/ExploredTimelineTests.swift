// Which orders a timeline that explores can take, and which never.

import Simulation
import Testing

@Suite struct ExploredTimelineTests {
    private typealias Plan = [(name: String, source: EventSource, delay: Span)]

    /// Every order in which these events can run.
    private func orders(of plan: Plan, window: Span = .zero) -> [String] {
        var found: [String] = []
        var frontier: [[Int]] = [[]]
        while let given = frontier.popLast() {
            let orders = EventOrders(given: given)
            let timeline = ExploredTimeline(orders, window: window)
            var ran: [String] = []
            for event in plan {
                timeline.schedule(after: event.delay, from: event.source) { ran.append(event.name) }
            }
            #expect(timeline.run(until: { ran.count == plan.count }, patience: .zero))
            found.append(ran.joined())
            for place in orders.choices.indices.dropFirst(given.count) {
                for other in 0..<orders.choices[place].count where other != orders.choices[place].taken {
                    frontier.append(orders.choices[..<place].map(\.taken) + [other])
                }
            }
        }
        return found.sorted()
    }

    @Test func eventsOfOneSourceKeepTheirOrder() {
        let hop = EventSource.mainQueue(of: 1)
        let found = orders(of: [("a", hop, .zero), ("b", hop, .zero), ("x", .harness, .zero)])
        #expect(found == ["abx", "axb", "xab"])
    }

    @Test func messagesOvertakeEachOther() {
        let found = orders(of: ["a", "b", "c", "d"].map { ($0, .message, .zero) })
        #expect(found.count == 24)
        #expect(Set(found).count == 24)
    }

    @Test func laterEventWaitsUnlessTheWindowReachesIt() {
        let plan: Plan = [("a", .message, .zero), ("b", .message, .seconds(1)), ("c", .message, .seconds(3))]
        #expect(orders(of: plan) == ["abc"])
        #expect(orders(of: plan, window: .seconds(1)) == ["abc", "bac"])
        #expect(Set(orders(of: plan, window: .seconds(3))).count == 6)
    }

    @Test func overtakenEventRunsLaterAndTimeNeverGoesBack() {
        let timeline = ExploredTimeline(EventOrders(given: [1]), window: .seconds(1))
        var times: [Instant] = []
        for delay in [Span.zero, .seconds(1), .seconds(4)] {
            timeline.schedule(after: delay, from: .message) { times.append(timeline.now) }
        }
        #expect(timeline.run(until: { times.count == 3 }, patience: .zero))
        #expect(times == [1, 1, 4].map { Instant.start + .seconds($0) })
    }

    /// However often it is overtaken, and whatever those that overtook it have scheduled meanwhile.
    @Test func noEventIsHeldUpForLongerThanTheWindow() {
        let window = Span.milliseconds(500)
        let timeline = ExploredTimeline(
            EventOrders(chance: RandomStream(seed: 1, user: 0, purpose: .order)), window: window)
        var delays: [Span] = []
        var ticks = 0
        func tick() {
            ticks += 1
            if ticks == 300 { return }
            timeline.schedule(after: .milliseconds(100), from: .harness, tick)
            for _ in 0..<10 {
                let due = timeline.now
                timeline.schedule(from: .mainQueue(of: 1)) { delays.append(timeline.now - due) }
            }
        }
        tick()
        #expect(timeline.run(until: { delays.count == 2_990 }, patience: .zero))
        #expect(delays.max().map { $0 > .zero && $0 <= window } == true)
    }

    @Test func closedExplorationRunsInTheUsualOrder() {
        let orders = EventOrders(chance: RandomStream(seed: 1, user: 0, purpose: .order))
        orders.close()
        let timeline = ExploredTimeline(orders, window: .seconds(9))
        var ran: [Int] = []
        for number in 0..<50 { timeline.schedule(after: .seconds(1), from: .message) { ran.append(number) } }
        #expect(timeline.run(until: { ran.count == 50 }, patience: .zero))
        #expect(ran == Array(0..<50) && orders.choices.isEmpty)
    }

    @Test func cancelledEventsAreNotExplored() {
        let orders = EventOrders(given: [1, 1])
        let timeline = ExploredTimeline(orders, window: .zero)
        var ran: [String] = []
        timeline.schedule(from: .message) { ran.append("a") }
        let ticket = timeline.schedule(from: .message) { ran.append("b") }
        timeline.schedule(from: .message) { ran.append("c") }
        timeline.cancel(ticket)
        #expect(!timeline.run(until: { false }, patience: .zero))
        #expect(ran == ["c", "a"] && orders.choices.map(\.count) == [2])
    }
}
