// What each step of a journey does to the app, told by a client that writes everything down.

import Engine
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct StepTests {
    struct StepCase: Sendable, CustomTestStringConvertible {
        let steps: [String]
        let story: [String]
        var answers = "later"

        init(_ steps: [String], _ story: [String], answers: String = "later") {
            self.steps = steps
            self.story = story
            self.answers = answers
        }

        var testDescription: String { steps.joined(separator: ", ") }
    }

    /// Each story ends with the orderly end of the journey and the final relaunch.
    static let cases = [
        StepCase(["launch"], ["0 launch", "0 terminate", "0 launch"]),
        // A second launch ends the first.
        StepCase(["launch", "launch"], ["0 launch", "0 terminate", "0 launch", "0 terminate", "0 launch"]),
        StepCase(["launch", "think: 250ms", "terminate"], ["0 launch", "250 terminate", "250 launch"]),
        // No app, nothing to tell: what needs none does not start it.
        StepCase(["terminate", "think: 1s"], ["1000 launch"]),
        // No farewell; the user takes a second to come back, and then thinks.
        StepCase(["launch", "think: 1s", "crash", "think: 1s"], ["0 launch", "3000 launch"]),
        // What needs an app launches it.
        StepCase(["fetch_products"], ["0 launch", "0 fetch all", "1000 terminate", "1000 launch"]),
        StepCase(
            ["launch", "fetch_products: [extra_lives, unlock_maps]"],
            ["0 launch", "0 fetch extra_lives+unlock_maps", "1000 terminate", "1000 launch"]),
        StepCase(
            ["launch", "background: 3s", "think: 1s"],
            ["0 launch", "0 background", "3000 foreground", "4000 terminate", "4000 launch"]),
        StepCase(
            ["launch", "buy: {product: extra_lives, quantity: 3}", "use: extra_lives"],
            ["0 launch", "0 buy 3 extra_lives", "1000 use extra_lives", "1000 terminate", "1000 launch"]),
        StepCase(
            ["launch", "buy: {product: extra_lives, quantity: 2}", "use: all"],
            [
                "0 launch", "0 buy 2 extra_lives", "1000 use extra_lives", "1000 use extra_lives", "1000 terminate",
                "1000 launch",
            ]),
        StepCase(["launch", "use: all"], ["0 launch", "0 terminate", "0 launch"]),
        StepCase(["launch", "restore"], ["0 launch", "0 restore", "1000 terminate", "1000 launch"]),
        StepCase(
            ["launch", "buy: extra_lives", "reinstall", "launch", "use: all"],
            ["0 launch", "0 buy 1 extra_lives", "1000 terminate", "1000 launch", "1000 terminate", "1000 launch"]),
        // Not waited for; then waited for.
        StepCase(
            ["launch", "restore: {wait: false}", "think: 100ms"],
            ["0 launch", "0 restore", "100 terminate", "100 launch"]),
        StepCase(
            ["launch", "restore: {wait: false}", "wait_for: {outcome: restore, at_most: 10s}"],
            ["0 launch", "0 restore", "1000 terminate", "1000 launch"]),
        StepCase(
            ["launch", "restore: {wait: false}", "wait_for: {outcome: buy, at_most: 10s}"],
            ["0 launch", "0 restore", "0 terminate", "0 launch"]),
        StepCase(
            ["launch", "restore: {wait: false}", "wait_for: {outcome: any, at_most: 400ms}"],
            ["0 launch", "0 restore", "400 terminate", "400 launch"]),
        // Patience ends where no answer comes.
        StepCase(
            ["launch", "restore"], ["0 launch", "0 restore", "5000 terminate", "5000 launch"], answers: "never"),
        StepCase(
            ["launch", "repeat: {times: 3, steps: [{think: 1s}, restore]}"],
            ["0 launch", "1000 restore", "3000 restore", "5000 restore", "6000 terminate", "6000 launch"]),
        StepCase(["launch", "repeat: {times: 0, steps: [restore]}"], ["0 launch", "0 terminate", "0 launch"]),
        StepCase(
            ["launch", "repeat: {times: 2, steps: [{repeat: {times: 2, steps: [{think: 1s}]}}]}"],
            ["0 launch", "4000 terminate", "4000 launch"]),
        StepCase(
            ["launch", "choose: [{weight: 0%, steps: [restore]}, {weight: 100%, steps: [fetch_products]}]"],
            ["0 launch", "0 fetch all", "1000 terminate", "1000 launch"]),
        StepCase(
            ["launch", "together: [{buy: extra_lives}, restore, fetch_products]"],
            ["0 launch", "0 buy 1 extra_lives", "0 restore", "0 fetch all", "1000 terminate", "1000 launch"]),
        StepCase(
            ["launch", "together: [restore, {buy: extra_lives}]"],
            ["0 launch", "0 restore", "0 buy 1 extra_lives", "0 terminate", "0 launch"], answers: "at_once"),
    ]

    @Test(arguments: cases)
    func everyStepCallsItsClientMethod(item: StepCase) throws {
        let notebook = Notebook()
        let scenario = try Scenario.journey(item.steps, sections: ["app: {patience: 5s, relaunch_after: 1s}"])
        let options = notebook.options.merging(["answers": item.answers]) { first, _ in first }
        let result = run(scenario, RecordingClient.self, options: options)
        #expect(notebook.story() == item.story)
        #expect(result.collector.usersJudged == 1 && result.stuckCells.isEmpty)
    }

    /// What the client holds and said, and whether the expectation is met.
    @Test(arguments: [
        ("owns: unlock_maps", false), ("not_owns: unlock_maps", true), ("holds: {extra_lives: 2}", true),
        ("holds: {extra_lives: 1}", false),
        ("answered: purchased", true), ("answered: failed", false),
        ("holds: {extra_lives: 2}, answered: cancelled", false),
        ("holds: {extra_lives: 2, superpowers: 0}, not_owns: unlock_maps, answered: purchased", true),
    ])
    func expectationChecksGoodsAndTheLastAnswer(expectation: String, isMet: Bool) throws {
        let scenario = try Scenario.journey([
            "launch", "buy: {product: extra_lives, quantity: 2}", "expect: {\(expectation)}",
        ])
        let result = run(scenario, RecordingClient.self)
        guard
            case .rate(passes: let met, total: let total) = result.collector.tally.measurements[.expectations].reading(
                seconds: 1)
        else {
            Issue.record("no expectation was judged")
            return
        }
        #expect(total == 1 && met == (isMet ? 1 : 0))
    }

    @Test func unansweredStepCountsAsUnexpected() throws {
        let scenario = try Scenario.journey(["launch", "restore", "restore"], sections: ["app: {patience: 1s}"])
        #expect(run(scenario, RecordingClient.self, options: ["answers": "never"]).count(.unexpectedSteps) == 2)
        #expect(run(scenario, RecordingClient.self, options: ["answers": "later"]).count(.unexpectedSteps) == 0)
    }

    // Weights are shares of the users, not of a fixed order.
    @Test func choicesFollowTheirWeights() throws {
        let notebook = Notebook()
        let scenario = try Scenario.journey(
            ["launch", "choose: [{weight: 75%, steps: [restore]}, {weight: 25%, steps: [fetch_products]}]"],
            users: 2_000)
        _ = run(scenario, RecordingClient.self, options: notebook.options)
        let restores = notebook.starts(of: "restore").count
        #expect(restores + notebook.starts(of: "fetch all").count == 2_000)
        #expect((1_400...1_600).contains(restores), "\(restores) of 1500")
    }
}
