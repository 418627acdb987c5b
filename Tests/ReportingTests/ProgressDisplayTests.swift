// Progress as it is told while something is under way, on a clock of the test's own.

import Foundation
import Simulation
import Testing

@testable import Engine
@testable import Reporting

@Suite struct ProgressDisplayTests {
    /// A clock to set and a screen to read. Unchecked: one test thread uses it.
    private final class Screen: @unchecked Sendable {
        var nanoseconds: Int64 = 0
        var written: [String] = []
        let width: Int

        init(width: Int = 120) { self.width = width }

        func display(_ progressStyle: ProgressStyle, style: TerminalStyle = .plain) -> ProgressDisplay {
            ProgressDisplay(
                progressStyle, style: style, columns: { self.width }, now: { self.nanoseconds },
                output: { self.written.append($0) })
        }
    }

    private func progress(violations: Int = 0, fraction: Double = 0.42, entries: Int = 0) -> RunProgress {
        var progress = RunProgress(
            fraction: fraction, done: 4_200, total: 10_000, violations: violations, elapsedSeconds: 5)
        (progress.purchases, progress.crashes, progress.p95PurchaseNanoseconds) = (61_500, 12, 1_240_000_000)
        progress.entries = (0..<entries).map { RunProgress.Entry(name: "entry-\($0)", done: 1_500, total: 3_000) }
        return progress
    }

    /// Under the wall clock.
    private func wall(_ scale: Int = 1) -> RunProgress {
        var progress = RunProgress(
            fraction: 0.42, done: 4_200 * scale, total: 10_000 * scale, violations: 3 * scale, elapsedSeconds: 65)
        (progress.active, progress.totalSeconds) = (320 * scale, 600)
        (progress.purchases, progress.p95PurchaseNanoseconds) = (61_500 * scale, 1_240_000_000)
        return progress
    }

    // MARK: Lines of a terminal

    @Test func terminalProgressIsRewrittenTenTimesASecond() {
        let screen = Screen(width: 200)
        let display = screen.display(.live)
        for step in 0..<100 {
            screen.nanoseconds = Int64(step) * 10_000_000
            display.update(progress())
        }
        #expect(screen.written.count == 10)
        let bar = String(repeating: "█", count: 16) + String(repeating: "░", count: 24)
        #expect(
            screen.written[0]
                == "\r[\(bar)]   42%  5s  4,200/10,000 users  12,300 purchases/s  0 violations  p95 1.24s  12 crashes"
                + "  7s left\u{1B}[K")
        display.finish(progress())
        #expect(screen.written.last == "\r\u{1B}[J")
        display.update(progress())
        display.finish(progress())
        #expect(screen.written.count == 11, "nothing follows the end")
    }

    // Each entry of the load has a line of its own, and all of them are gone at the end.
    @Test func severalProgressLinesAreRewrittenInPlace() {
        let screen = Screen(width: 80)
        let display = screen.display(.live)
        display.update(progress(entries: 3))
        screen.nanoseconds += 1_000_000_000
        display.update(progress(entries: 3))
        let drawn = screen.written[0].split(separator: "\n").map(String.init)
        #expect(drawn.count == 4 && drawn.allSatisfy { $0.hasSuffix("\u{1B}[K") }, "\(drawn)")
        for place in 0..<3 {
            #expect(drawn[place + 1].hasPrefix("  entry-\(place) [") && drawn[place + 1].contains("  1,500/3,000 done"))
        }
        #expect(screen.written[1] == "\r\u{1B}[3A" + screen.written[0].dropFirst(), "up to the first, and over it")
        display.above { screen.written.append("moved") }
        #expect(screen.written.suffix(2) == ["\r\u{1B}[3A\u{1B}[J", "moved"])
        screen.nanoseconds += 1_000_000_000
        display.update(progress(entries: 3))
        #expect(screen.written.last == screen.written[0], "below what was written")
        screen.nanoseconds += 1_000_000_000
        display.update(progress())
        #expect(screen.written.last?.hasSuffix("\u{1B}[K\u{1B}[J") == true, "fewer lines")
        display.finish(progress())
        #expect(screen.written.last == "\r\u{1B}[J")
        #expect(ProgressLayout.lines(progress(entries: 30), width: 79).count == 10)
        #expect(ProgressLayout.lines(progress(entries: 30), width: 79).last == "  … and 22 more")
        #expect(ProgressLayout.lines(progress(entries: 1), width: 79).count == 1, "the run's line says it")
    }

    // Elapsed and planned time, users at it and users done, violations, rate and p95, whatever their size.
    @Test(arguments: [1, 10, 100]) func progressShowsEveryFieldInEightyColumns(scale: Int) throws {
        let line = ProgressLayout.lines(wall(scale), width: 79)[0]
        #expect(line.count <= 79)
        let bar = try #require(line.firstMatch(of: #/^\[([█░]+)\] /#)).1
        #expect(bar.count >= 8)
        for words in ["1m5s/10m", " active ", " done ", " viol", "/s", "p95 1.24s"] {
            #expect(line.contains(words), "\(words): \(line)")
        }
    }

    @Test func shortenedProgressKeepsItsUnitNames() {
        var swarm = RunProgress(
            fraction: 0.5, done: 1_234_567, total: 10_000_000, unit: "scenarios", violations: 12, elapsedSeconds: 5_000)
        (swarm.rate, swarm.violationIsCalled) = (12_345, "finding")
        let line = ProgressLayout.lines(swarm, width: 79)[0]
        #expect(line.count <= 79 && line.contains("1.2M/10M scenarios") && line.contains("12 findings"), "\(line)")
        (swarm.violations, swarm.crashes) = (1, 1)
        let few = ProgressLayout.lines(swarm, width: 200)[0]
        #expect(few.contains("1 finding ") && few.contains("1 crash "), "\(few)")
    }

    @Test func progressBarFillsTheRestOfTheLine() {
        #expect(ProgressLayout.lines(wall(), width: 79)[0].count == 79)
        #expect(ProgressLayout.lines(wall(), width: 300)[0].hasPrefix("[" + String(repeating: "█", count: 16)))
    }

    @Test func progressShowsViolationsEarlyAndInColour() {
        let screen = Screen(width: 200)
        screen.display(.live, style: .coloured).update(progress(violations: 3))
        #expect(screen.written[0].hasPrefix("\r\u{1B}[1;31m[█"))
        #expect(screen.written[0].contains("  4,200/10,000 users  3 violations  12,300"), "\(screen.written[0])")
    }

    @Test(arguments: [20, 40, 60, 79])
    func narrowTerminalLosesWholeProgressFields(width: Int) {
        for shown in [progress(entries: 3), wall(), wall(100)] {
            for line in ProgressLayout.lines(shown, width: width) { #expect(line.count <= width, "\(line)") }
        }
        #expect(ProgressLayout.lines(progress(), width: width)[0].hasPrefix("[███"))
    }

    @Test(arguments: [-Double.infinity, -1, 0, 1, 2, .nan, .infinity])
    func oddProgressFractionsAreShownWithinBounds(fraction: Double) {
        let line = ProgressLayout.lines(progress(fraction: fraction), width: 200)[0]
        #expect(line.contains(fraction >= 1 && fraction.isFinite ? "]  100%" : "]    0%"), "\(line)")
        #expect(!line.contains("left"))
    }

    // A swarm has drawn for 100 s when it begins to shrink.
    @Test func timeLeftIsThatOfTheStage() {
        var progress = RunProgress(
            fraction: 0.25, done: 1, total: 4, unit: "findings shrunk", elapsedSeconds: 102)
        progress.stageSeconds = 2
        let line = ProgressLayout.lines(progress, width: 200)[0]
        #expect(line.hasSuffix(" 6s left"), "\(line)")
    }

    @Test func progressWithoutATotalHasNoBar() {
        let progress = RunProgress(fraction: nil, done: 1_234, total: nil, unit: "attempts", elapsedSeconds: 3_700)
        #expect(ProgressLayout.lines(progress, width: 79) == ["1h1m  1,234 attempts"])
        #expect(ProgressLayout.plain(progress) == "progress  1h1m  1,234 attempts")
    }

    // MARK: Logs

    @Test func pipedProgressHasALineEveryTenSeconds() {
        let screen = Screen()
        let display = screen.display(.plain)
        for second in 0...22 {
            screen.nanoseconds = Int64(second) * 1_000_000_000
            display.update(progress())
        }
        display.finish(progress())
        let line =
            "progress 42%  5s  4,200/10,000 users  12,300 purchases/s  0 violations  p95 1.24s  12 crashes  7s left\n"
        #expect(screen.written == [line, line])
        let short = Screen()
        let brief = short.display(.plain)
        short.nanoseconds = 9_900_000_000
        brief.update(progress())
        brief.finish(progress())
        #expect(short.written.isEmpty)
    }

    @Test func jsonProgressIsOneObjectALine() throws {
        let screen = Screen()
        let display = screen.display(.json)
        for second in 0...12 {
            screen.nanoseconds = Int64(second) * 1_000_000_000
            display.update(wall())
        }
        display.finish(progress(entries: 2))
        #expect(
            screen.written.count == 2
                && screen.written.allSatisfy { $0.hasSuffix("}\n") && !$0.dropLast().contains("\n") })
        #expect(
            screen.written[0]
                == #"{"active":320,"crashes":0,"done":4200,"elapsed_seconds":65,"entries":[],"fraction":0.42,"#
                + #""is_last":false,"per_second":946.154,"purchase_p95_ns":1240000000,"purchases":61500,"total":10000,"#
                + #""total_seconds":600,"unit":"users","violations":3}"# + "\n")
        let last = try #require(
            try JSONSerialization.jsonObject(with: Data(screen.written[1].utf8)) as? [String: Any])
        #expect(last["is_last"] as? Bool == true && last["active"] == nil)
        #expect((last["entries"] as? [[String: Any]])?.first?["name"] as? String == "entry-0")
    }

    // A plan of 42 % and a time that is left say nothing where every user waits.
    @Test func progressNamesTheWaitForAnAnswer() {
        var progress = wall()
        (progress.totalSeconds, progress.waitLeft) = (nil, 270_400_000_000)
        let line = ProgressLayout.lines(progress, width: 200)[0]
        #expect(line.contains("320 wait for the app's answer, at most 4m30s") && !line.contains(" left"), "\(line)")
        let short = ProgressLayout.lines(progress, width: 70)[0]
        #expect(short.contains("320 wait, max 4m30s"), "\(short)")
        #expect(ProgressLayout.json(progress, isLast: false).contains(#""wait_left_seconds":270.4"#))
    }

    // MARK: Boards

    @Test func boardCountsWaitsForAnswers() throws {
        let board = RunBoard(usersTotal: 3, isRealTime: true)
        for _ in 0..<3 { board.journeyCounts?.journeysBegin() }
        for _ in 0..<2 { board.journeyCounts?.waitBegins(atMost: .minutes(1)) }
        #expect(board.progress(elapsed: 1).waitLeft == nil)
        board.journeyCounts?.waitBegins(atMost: .minutes(5))
        let left = try #require(board.progress(elapsed: 1).waitLeft)
        #expect(left > Span.minutes(4).nanoseconds && left <= Span.minutes(5).nanoseconds)
        board.journeyCounts?.waitEnds()
        #expect(board.progress(elapsed: 1).waitLeft == nil)
    }

    // Users at it are not users who are done, and no more of them than there are.
    @Test func wallClockBoardCountsActiveUsers() {
        let entries = [RunBoard.Entry(name: "early", users: 6), RunBoard.Entry(name: "late", users: 4)]
        let board = RunBoard(usersTotal: 10, plannedSeconds: 60, entries: entries, isRealTime: true)
        for _ in 0..<7 { board.journeyCounts?.journeysBegin() }
        board.journeyCounts?.journeysEnd()
        for _ in 0..<2 { board.entryCounts?.userDone(entry: 1) }
        let progress = board.progress(elapsed: 6)
        #expect(progress.active == 6 && progress.done == 0 && progress.total == 10 && progress.totalSeconds == 60)
        #expect(progress.entries.map(\.done) == [0, 2] && progress.entries.map(\.name) == ["early", "late"])
        for _ in 0..<20 { board.journeyCounts?.journeysBegin() }
        #expect(board.progress(elapsed: 6).active == 10)
        let virtual = RunBoard(usersTotal: 10)
        #expect(virtual.journeyCounts == nil && virtual.entryCounts == nil)
        #expect(virtual.progress(elapsed: 6).active == nil)
    }

    @Test func coloursNeedATerminalThatAllowsThem() {
        #expect(TerminalStyle.style(isTerminal: true, environment: [:]) == .coloured)
        #expect(TerminalStyle.style(isTerminal: false, environment: [:]) == .plain)
        #expect(TerminalStyle.style(isTerminal: true, environment: ["NO_COLOR": "1"]) == .plain)
        #expect(TerminalStyle.style(isTerminal: true, environment: ["NO_COLOR": ""]) == .coloured)
        #expect(TerminalStyle.style(isTerminal: true, environment: ["TERM": "dumb"]) == .plain)
    }

    @Test func errorsAndHintsHaveOneStyle() {
        #expect(
            TerminalStyle.plain.error("no such file", hint: "check the path")
                == "error: no such file\nhint: check the path")
        #expect(TerminalStyle.coloured.error("x") == "\u{1B}[1;31merror:\u{1B}[0m x")
    }
}
