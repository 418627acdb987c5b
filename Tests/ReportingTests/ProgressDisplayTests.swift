// The live line, on a clock of the test's own.

import Foundation
import Testing

@testable import Reporting

@Suite struct ProgressDisplayTests {
    /// A clock to set and a screen to read. Unchecked: one test thread uses it.
    private final class Screen: @unchecked Sendable {
        var nanoseconds: Int64 = 0
        var written: [String] = []
        let width = 120

        func display(isLive: Bool, style: TerminalStyle = .plain) -> ProgressDisplay {
            ProgressDisplay(
                isLive: isLive, style: style, columns: { self.width }, now: { self.nanoseconds },
                output: { self.written.append($0) })
        }
    }

    private func progress(violations: Int = 0, fraction: Double = 0.42) -> RunProgress {
        RunProgress(
            fraction: fraction, done: 4_200, total: 10_000, purchases: 61_500, violations: violations,
            crashes: 12, p95PurchaseNanoseconds: 1_240_000_000, elapsedSeconds: 5)
    }

    @Test func aTerminalGetsOneLineTenTimesASecond() {
        let screen = Screen()
        let display = screen.display(isLive: true)
        for step in 0..<100 {
            screen.nanoseconds = Int64(step) * 10_000_000
            display.update(progress())
        }
        #expect(screen.written.count == 10)
        #expect(
            screen.written[0]
                == "\r[█████░░░░░░░] 42%  4,200/10,000 users  7s left  12,300 purchases/s  p95 1.24s  0 violations"
                + "  12 crashes\u{1B}[K")
        display.finish()
        #expect(screen.written.last == "\r\u{1B}[K")
        display.update(progress())
        #expect(screen.written.count == 11, "nothing follows the end")
    }

    @Test func aPipeGetsALineEveryFiveSeconds() {
        let screen = Screen()
        let display = screen.display(isLive: false)
        for second in 0...12 {
            screen.nanoseconds = Int64(second) * 1_000_000_000
            display.update(progress())
        }
        display.finish()
        #expect(
            screen.written
                == Array(
                    repeating: "progress 42%  4,200/10,000 users  7s left  12,300 purchases/s  p95 1.24s  0 violations"
                        + "  12 crashes\n", count: 2))
    }

    @Test func violationsAreColouredAndComeEarly() {
        let screen = Screen()
        screen.display(isLive: true, style: .coloured).update(progress(violations: 3))
        #expect(
            screen.written[0].hasPrefix("\r\u{1B}[1;31m[█████░░░░░░░] 42%  4,200/10,000 users  3 violations  7s left"))
    }

    @Test(arguments: [20, 40, 60, 79])
    func narrowTerminalsLoseWholeFields(width: Int) {
        let line = ProgressDisplay.line(progress(), width: width, hasBar: true)
        #expect(line.count <= width)
        #expect(line.hasPrefix("[█████░░░░░░░] 42%"))
    }

    @Test(arguments: [-Double.infinity, -1, 0, 1, 2, .nan, .infinity])
    func oddFractionsAreShownWithinBounds(fraction: Double) {
        let line = ProgressDisplay.line(progress(fraction: fraction), width: 200, hasBar: true)
        #expect(line.contains(fraction >= 1 && fraction.isFinite ? "]100%" : "]  0%"))
        #expect(!line.contains("left"))
    }

    @Test func coloursNeedATerminalThatWantsThem() {
        #expect(TerminalStyle.style(isTerminal: true, environment: [:]) == .coloured)
        #expect(TerminalStyle.style(isTerminal: false, environment: [:]) == .plain)
        #expect(TerminalStyle.style(isTerminal: true, environment: ["NO_COLOR": "1"]) == .plain)
        #expect(TerminalStyle.style(isTerminal: true, environment: ["NO_COLOR": ""]) == .coloured)
        #expect(TerminalStyle.style(isTerminal: true, environment: ["TERM": "dumb"]) == .plain)
    }

    @Test func errorsAndHintsLookAlikeEverywhere() {
        #expect(
            TerminalStyle.plain.error("no such file", hint: "check the path")
                == "error: no such file\nhint: check the path")
        #expect(TerminalStyle.coloured.error("x") == "\u{1B}[1;31merror:\u{1B}[0m x")
    }
}
