// The table above the state of a user, line by line, and what its parts answer.

import Scenario
import Simulation
import Testing

@testable import Engine

@Suite struct UserStateTests {
    private static let pending = [PendingRequest(number: 2, kind: .purchase)]

    @Test(arguments: [UserState.acting, .pausing, .asking(.one(1))])
    func journeyGoesOnWithTimeRequestsAndItsEnd(_ before: UserState) {
        var state = before
        state.pauses()
        #expect(state == .pausing)
        state.timeIsUp()
        #expect(state == .acting)
        let waits = state.asks(.one(1))
        #expect(waits && state.isAsking)
        state.timeIsUp()
        #expect(state == .acting)
        let hasEnded = state.journeysEnd()
        #expect(hasEnded && state == .settling)
    }

    @Test(arguments: [UserState.settling, .judged])
    func journeyThatHasEndedStaysEnded(_ before: UserState) {
        var state = before
        state.pauses()
        state.timeIsUp()
        let (waits, ends) = (state.asks(.one(1)), state.journeysEnd())
        let goesOn = state.isAnswered(1, pending: [])
        #expect(!waits && !ends && !goesOn)
        #expect(state == before && state.isSettling)
    }

    @Test func oneAnswerEndsAWaitForIt() {
        var state = UserState.asking(.one(1))
        let others = state.isAnswered(2, pending: [])
        #expect(!others && state.isAsking)
        let own = state.isAnswered(1, pending: Self.pending)
        #expect(own && state == .acting)
    }

    @Test func lastAnswerEndsAWaitForSeveral() {
        var state = UserState.asking(.several([1, 2]))
        let first = state.isAnswered(1, pending: Self.pending)
        let last = state.isAnswered(2, pending: [])
        #expect(!first && last && state == .acting)
    }

    @Test(arguments: [UserState.acting, .pausing])
    func answerThatNobodyWaitsForChangesNothing(_ before: UserState) {
        var state = before
        let goesOn = state.isAnswered(1, pending: [])
        #expect(!goesOn && state == before)
    }
}

@Suite struct StepCursorTests {
    private static func step(_ path: String) -> Step { Step(kind: .launch, path: path) }

    private static func walk(_ cursor: inout StepCursor, entering nested: (String, [Step], Int)? = nil) -> [String] {
        var paths: [String] = []
        while let step = cursor.step() {
            paths.append(step.path)
            cursor.goOn()
            if let nested, nested.0 == step.path { cursor.enter(nested.1, times: nested.2) }
        }
        return paths
    }

    @Test func stepsComeInTheirOrderAndRepeatedOnesAgain() {
        var cursor = StepCursor([Self.step("a"), Self.step("b"), Self.step("c")])
        let paths = Self.walk(&cursor, entering: ("b", [Self.step("x"), Self.step("y")], 2))
        #expect(paths == ["a", "b", "x", "y", "x", "y", "c"])
    }

    @Test func noStepIsEnteredNoTimes() {
        var cursor = StepCursor([Self.step("a")])
        let paths = Self.walk(&cursor, entering: ("a", [Self.step("x")], 0))
        #expect(paths == ["a"])
    }

    @Test func stepsOnAnotherDeviceAreFollowedByTheFirstOnes() {
        var cursor = StepCursor([Self.step("a"), Self.step("b")])
        cursor.goOn()
        cursor.enter([Self.step("x")], times: 1, on: 1)
        let there = cursor.step()?.path
        #expect(there == "x" && cursor.userDevice == 1)
        cursor.goOn()
        let back = cursor.step()?.path
        #expect(back == "b" && cursor.userDevice == 0)
    }
}

@Suite struct IterationsTests {
    private static func instant(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    private static func begins(_ next: Iterations.Next) -> Bool {
        if case .begins = next { return true }
        return false
    }

    @Test func numberOfIterationsIsBegunAndNoneAfterTheirTime() {
        var iterations = Iterations(.times(3, until: Self.instant(10)))
        let begun = [1, 9, 10].enumerated().map { Self.begins(iterations.next(at: Self.instant($1), done: $0)) }
        #expect(begun == [true, true, false])
    }

    @Test func userWhoComesTooLateDoesTheJourneyOnce() {
        var counted = Iterations(.times(3, until: Self.instant(10)))
        let once = Self.begins(counted.next(at: Self.instant(11), done: 0))
        var windows = Iterations(.during([Self.instant(1)..<Self.instant(2)]))
        let late = [0, 1].map { Self.begins(windows.next(at: Self.instant(11), done: $0)) }
        #expect(once && late == [true, false])
    }

    @Test func iterationWaitsForTheNextWindow() {
        var iterations = Iterations(.during([Self.instant(1)..<Self.instant(2), Self.instant(5)..<Self.instant(6)]))
        guard case .waits(let begin) = iterations.next(at: Self.instant(3), done: 1) else {
            Issue.record("an iteration between two windows began")
            return
        }
        #expect(begin == Self.instant(5))
    }
}
