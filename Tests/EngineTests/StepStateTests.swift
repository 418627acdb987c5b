// The table above the state of a step, line by line.

import Testing

@testable import Engine

@Suite struct StepStateTests {
    private var step = StepState()

    @Test mutating func returnedStepIsWhole() {
        let number = step.begin()
        #expect(step.returns(number) == .whole)
        #expect(step.appEnds() == .between)
    }

    @Test mutating func stepIsCutIfTheAppEndsWithin() {
        let number = step.begin()
        #expect(step.appEnds() == .within && step.appEnds() == .within)
        #expect(step.returns(number) == .cut)
        let next = step.begin()
        #expect(step.returns(next) == .whole)
    }

    @Test mutating func waitingStepIsAbandonedWhenTheAppEnds() {
        let number = step.begin()
        step.clientWaits()
        #expect(step.appEnds() == .abandoned)
        #expect(step.appEnds() == .between)
        #expect(step.returns(number) == .late)
    }

    @Test mutating func waitingStepReturnsWhole() {
        let number = step.begin()
        step.clientWaits()
        #expect(step.returns(number) == .whole)
    }

    // The app is closed in a step that launches it again: it ends on its way out, and the next one waits.
    @Test(arguments: [false, true])
    mutating func stepThatWaitsAfterAnEndIsAbandoned(_ endsAgain: Bool) {
        let number = step.begin()
        #expect(step.appEnds() == .within)
        step.clientWaits()
        if endsAgain {
            #expect(step.appEnds() == .abandoned && step.returns(number) == .late)
        } else {
            #expect(step.returns(number) == .cut)
        }
    }

    @Test mutating func forgivenEndLeavesTheStepWhole() {
        let number = step.begin()
        #expect(step.appEnds() == .within)
        step.forgiveEnd()
        #expect(step.returns(number) == .whole)
    }
}
