// What clients print: kept with their stories, streamed where it is asked for, and nowhere else.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ClientOutputTests {
    private func printing(_ place: Workplace, _ what: String, _ words: String...) throws -> Outcome {
        try place.run(
            Workplace.faultyTool,
            ["run", try place.scenario(), "--client", "printing", "--client-option", "what=\(what)"] + words)
    }

    // A second launch, in which the client asserts what is not so.
    private func asserting(_ place: Workplace, _ words: [String] = []) throws -> Outcome {
        try place.write(
            """
            name: Twice
            store: {catalog: FakeGame.storekit}
            population: {users: 2}
            load: [{journey: j, executor: at-once}]
            journeys: {j: [launch, terminate, launch]}

            """, to: "twice.yml")
        return try place.run(Workplace.faultyTool, ["run", "twice.yml", "--client", "asserting"] + words)
    }

    @Test func clientOutputIsHiddenByDefault() throws {
        let outcome = try printing(Workplace(), "lines")
        #expect(!outcome.all.contains("a callback"), "\(outcome)")
    }

    // Each line whole, with its place and time; the same ones from any number of workers.
    @Test(arguments: [["--workers", "1"], ["--workers", "2"], ["--workers", "1", "--workers-in-process"]])
    func clientOutputLinesCarryUserAndTime(workers: [String]) throws {
        let place = try Workplace()
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run", try place.scenario(), "--client", "printing", "--quiet", "--client-output"] + workers)
        let lines = outcome.errors.split(separator: "\n").filter { $0.contains("a callback") }
        for line in lines {
            #expect(
                line.wholeMatch(of: /user \d+, launch \d+, \d\d:\d\d:\d\d\.\d+: .*a callback, says \w+/) != nil,
                "\(line)")
        }
        let first = lines.filter { $0.hasPrefix("user 0, launch 1,") }.compactMap { $0.split(separator: " ").last }
        #expect(first.prefix(4) == ["print", "puts", "NSLog", "FileHandle"])
        #expect(!outcome.out.contains("a callback"))
    }

    @Test func clientOutputIsEscapedAndCut() throws {
        let outcome = try printing(Workplace(), "bytes", "--quiet", "--client-output")
        #expect(outcome.errors.contains("\u{FFFD}[2J\u{FFFD}\u{FFFD}\n"))
        #expect(outcome.errors.contains("… and 4488 bytes more\n"))
        #expect(outcome.errors.contains(": without an end"))
        #expect(outcome.errors.split(separator: "\n").allSatisfy { $0.utf8.count < 700 })
    }

    // Some ten million lines; what is kept of them is bounded.
    @Test func clientOutputFloodUsesBoundedMemory() throws {
        let place = try Workplace()
        let calm = try printing(place, "lines", "--workers-in-process", "--users", "10", "--json")
        let flood = try printing(place, "flood", "--workers-in-process", "--users", "10", "--json")
        let peaks = try [calm, flood].map { try Report(json: Data($0.out.utf8)).host.memoryPeakBytes ?? 0 }
        #expect(peaks[1] < peaks[0] + 24 << 20, "\(peaks)")
    }

    @Test func crashReportShowsReasonAndEarlierClientOutput() throws {
        let place = try Workplace()
        let outcome = try asserting(place)
        #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
        let reason = #"it is not on the queue "shop.work", which it asserts it is on (dispatchPrecondition)"#
        let report = try place.report()
        let evidence = try #require(report.violations.evidence.first { $0.rule == "client-crash" })
        #expect(evidence.sentence.contains(reason), "\(evidence.sentence)")
        let process = try #require(evidence.process)
        let output = try #require(evidence.output)
        #expect(output.map(\.text) == (3...12).map { "step \($0)" })
        #expect(output.allSatisfy { $0.process == process })
        #expect(!outcome.out.contains("the client's last output:") && outcome.out.contains("--verbose"))
        let whole = try place.stampede("report", "Reports/latest", "--verbose")
        #expect(whole.out.contains("the client's last output:") && whole.out.contains("  step 12\n"))
        for name in ["report.html", "summary.md"] {
            let page = String(decoding: try place.read("Reports/latest/\(name)"), as: UTF8.self)
            #expect(page.contains("Client output") && page.contains("step 12"), "\(name)")
        }
        let replay = try place.run(
            Workplace.faultyTool, ["replay", "Reports/latest", "--verbose", "--html", "story.html"])
        // All that is kept: of the first launch too.
        #expect(
            replay.out.contains("CLIENT OUTPUT") && replay.out.contains("launch 1  00:00:00.000  step 1\n"))
        #expect(String(decoding: try place.read("story.html"), as: UTF8.self).contains("step 1\n"))
    }

    // The command for one user tells it too, and what the report says does not depend on where workers live.
    @Test func onlyUserRunShowsThatClientsOutput() throws {
        let place = try Workplace()
        let alone = try asserting(place, ["--only-user", "1"])
        #expect(alone.out.contains("Output of the user's client:\n  launch 1  00:00:00.000  step 1\n"), "\(alone.out)")
        var seen: Set<Data> = []
        for words in [["1"], ["2"], ["1", "--workers-in-process"]] {
            let outcome = try asserting(place, ["--json", "--workers"] + words)
            seen.insert(Data(outcome.out.replacing(/"host" : \{[\s\S]*?\n  \}/, with: "").utf8))
        }
        #expect(seen.count == 1)
    }
}
