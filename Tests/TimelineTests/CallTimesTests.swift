// Whose fault it is that a call took long.

import Testing

@testable import Simulation

@Suite struct CallTimesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let times: CallTimes
        let isHeld: Bool

        init(
            _ description: String, real: Int64, waited: Int64?, computed: Int64, steady: Bool, isHeld: Bool
        ) {
            testDescription = description
            times = CallTimes(real: real, waited: waited, computed: computed, isPulseSteady: steady)
            self.isHeld = isHeld
        }
    }

    // The limit is 100.
    static let cases = [
        Case("computes", real: 150, waited: 0, computed: 150, steady: true, isHeld: true),
        Case("computes on a busy machine", real: 900, waited: 750, computed: 150, steady: false, isHeld: true),
        Case("sleeps", real: 150, waited: 0, computed: 1, steady: true, isHeld: true),
        Case("half and half", real: 150, waited: 0, computed: 60, steady: false, isHeld: true),
        Case("is as long as it may be", real: 100, waited: 0, computed: 100, steady: true, isHeld: false),
        Case("has no core", real: 900, waited: 895, computed: 5, steady: true, isHeld: false),
        Case("computes a little and has no core", real: 900, waited: 820, computed: 80, steady: true, isHeld: false),
        Case("waits while everybody is late", real: 900, waited: 10, computed: 5, steady: false, isHeld: false),
        Case("computes, kernel silent", real: 150, waited: nil, computed: 150, steady: false, isHeld: true),
        Case("sleeps, kernel silent", real: 150, waited: nil, computed: 5, steady: true, isHeld: false),
    ]

    @Test(arguments: cases)
    func callIsJudgedByItsOwnTime(item: Case) {
        #expect(item.times.holdsQueue(limit: 100) == item.isHeld)
    }

    @Test func ownTimeIsNeverNegative() {
        #expect(CallTimes(real: 5, waited: 9, computed: 1, isPulseSteady: true).own == 0)
    }

    // MARK: The pulse

    private func pulse(_ beats: Int64...) -> Pulse {
        let pulse = Pulse()
        pulse.begin(at: 0, allowance: 10)
        for beat in beats { pulse.beat(at: beat) }
        return pulse
    }

    @Test func pulseIsSteadyIfEveryBeatIsOnTime() {
        #expect(pulse(10, 20, 30).isSteady(since: 5, now: 35))
        #expect(!pulse(10, 25, 30).isSteady(since: 5, now: 35), "late in the middle")
        #expect(!pulse(10, 25, 30).isSteady(since: 20, now: 35), "late by the time it began")
        #expect(pulse(10, 25, 30).isSteady(since: 26, now: 35), "late before it began")
        #expect(!pulse(10, 20).isSteady(since: 5, now: 31), "overdue")
        #expect(!Pulse().isSteady(since: 5, now: 6), "never begun")
    }
}
