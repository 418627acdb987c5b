// What chance draws can be read, and leaves out no key that can be drawn.

import Simulation
import Testing
import Text

@testable import Scenario

@Suite struct ScenarioDrawingTests {
    private static let scenarios = 5_000

    private static func outline(_ number: Int, seed: UInt64 = 1, users: Int = 20) -> ScenarioOutline {
        DrawnSample.drawing(users: users).outline(seed: seed, number: number)
    }

    @Test(arguments: [1, 2, 20])
    func drawnScenariosCanBeRead(users: Int) {
        // Thousands more are read by the swarms of `.ci/run`, and what cannot be read fails them.
        for number in 0..<400 {
            let text = Self.outline(number, users: users).text
            let problems = SchemaSample.problems(text)
            #expect(problems.isEmpty, "\(problems.map(\.description))\n\(text)")
        }
    }

    @Test func sameSeedAndNumberDrawTheSameScenario() {
        for number in 0..<50 {
            #expect(Self.outline(number) == Self.outline(number))
            #expect(Self.outline(number) != Self.outline(number, seed: 2))
            #expect(Self.outline(number) != Self.outline(number + 1))
        }
    }

    // Whatever can be written in a scenario, some scenario of a swarm has.
    @Test func everyDrawableKeyIsDrawn() {
        var drawn: Set<String> = []
        for number in 0..<Self.scenarios { drawn.formUnion(DrawnSample.keys(of: Self.outline(number))) }
        let wanted = DrawnSample.schemaKeys.filter { !DrawnSample.isLeftOut($0) }
        #expect(wanted.count > 150)
        #expect(wanted.subtracting(drawn).isEmpty, "\(wanted.subtracting(drawn).sorted())")
    }

    @Test func everyExecutorIsDrawn() {
        var drawn: Set<String> = []
        for number in 0..<300 {
            guard case .list(let entries)? = Self.outline(number)["load"] else { continue }
            for entry in entries { if case .scalar(let name)? = entry["executor"] { drawn.insert(name) } }
        }
        #expect(drawn == Set(LoadExecutors.names))
    }

    @Test func excludedKeysAreNotDrawn() {
        #expect(DrawnSample.schemaKeys.count { DrawnSample.isLeftOut($0) } > 8)
        for number in 0..<500 {
            for key in DrawnSample.keys(of: Self.outline(number)) { #expect(!DrawnSample.isLeftOut(key), "\(key)") }
        }
    }

    // Under all features at once most faults hide each other.
    @Test func drawnScenariosLeaveOutSomeFeatures() {
        for feature in ["network", "buyers", "faults", "app", "validator", "explore"] {
            let count = (0..<400).count { Self.outline($0)[feature] != nil }
            #expect((80...320).contains(count), "\(feature): \(count) of 400")
        }
    }
}
