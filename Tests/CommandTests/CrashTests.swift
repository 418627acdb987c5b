// Code under test that brings its process down: whose it was, in which call, of what, and what else is known.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct CrashTests {
    /// Users who buy one or two, come back, and buy again: who has bought two dies then.
    static func place(app: String = "{relaunch_after: 50ms}", users: Int = 8) throws -> (Workplace, String) {
        let place = try Workplace()
        _ = try place.scenario()
        try place.write(
            """
            name: Dying
            store: {catalog: FakeGame.storekit}
            network: {latency: 20ms}
            app: \(app)
            population: {users: \(users)}
            load: [{journey: j, executor: at-once}]
            journeys:
              j:
                - launch
                - buy: {choose: {extra_lives: 100%}, quantity: 1..2}
                - terminate
                - launch
                - {buy: superpowers}
                - {background: 100ms}
                - terminate

            """, to: "dying.yml")
        return (place, "dying.yml")
    }

    static func arguments(_ file: String, _ how: String, in call: String) -> [String] {
        [file, "--client", "dying", "--client-option", "how=\(how)", "--client-option", "where=\(call)"]
    }

    /// A mistake, where it is made, what the sentence says of the two.
    struct Death: Sendable, CustomStringConvertible {
        let how: String
        let call: String
        let words: String
        let place: String
        var rule = "client-crash"
        var description: String { "\(how) in \(call)" }
    }

    // Each way to die, and each call, at least once; .ci/crashes has all pairs.
    private static let deaths = [
        Death(how: "fatalError", call: "launch", words: "Fatal error: the shop is on fire", place: "its launch"),
        Death(how: "precondition", call: "purchase", words: "there is nothing to sell", place: "starting a purchase"),
        Death(how: "index", call: "callback", words: "Index out of range", place: "its launch"),
        Death(how: "nil", call: "background", words: "Unexpectedly found nil", place: "entering the background"),
        Death(
            how: "cast", call: "holdings", words: "of type 'Swift.Int' to 'Swift.String'",
            place: "reporting what is held"),
        Death(
            how: "overflow", call: "deinit", words: "Swift runtime failure: arithmetic overflow",
            place: "a deinit, as its process ended"),
        Death(how: "segv", call: "block", words: "SIGSEGV", place: "a block on its main queue"),
        Death(how: "abort", call: "task", words: "SIGABRT", place: "a block on a queue of its own"),
        Death(how: "stack", call: "launch", words: "SIGSEGV", place: "its launch"),
        Death(how: "kill", call: "purchase", words: "SIGKILL", place: "starting a purchase"),
        Death(how: "exit0", call: "block", words: "by a call of exit", place: "its main queue", rule: "client-exit"),
        Death(how: "exit3", call: "purchase", words: "by a call of exit", place: "starting", rule: "client-exit"),
        Death(how: "memory", call: "purchase", words: "exceeded", place: "starting", rule: "client-memory"),
        Death(how: "_exit", call: "task", words: "by a call of _exit", place: "of its own", rule: "client-exit"),
    ]

    private static let deathsAndClocks = ["virtual", "wall"].flatMap { clock in deaths.map { ($0, clock) } }

    @Test(arguments: deathsAndClocks)
    func clientCrashIsAVerdict(death: Death, clock: String) throws {
        let (place, file) = try Self.place(app: "{relaunch_after: 50ms, memory_limit: 128MiB}")
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run", "--quiet", "--no-record", "--clock", clock, "--ignore-saturation"]
                + Self.arguments(file, death.how, in: death.call))
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
        let report = try place.report()
        #expect(report.violations.byRule.map(\.rule).contains(death.rule), "\(report.violations.byRule)")
        let found = try #require(report.violations.evidence.first { $0.rule == death.rule })
        #expect(found.sentence.contains(death.words) && found.sentence.contains(death.place), "\(found.sentence)")
        #expect(found.process ?? 0 >= 2, "who has bought two dies in the launch after that")
        // What calls itself without end leaves no room for others.
        if !["kill", "stack"].contains(death.how), death.rule != "client-memory" {
            #expect(found.sentence.contains(#/in `Mistake\.\w+\(_:\)`/#), "\(found.sentence)")
            // Its calls are told, down to the one that the client was called by.
            let frames = try #require(found.frames)
            let outer = ["callback": "mischief", "background": "didEnterBackground"][death.call] ?? death.call
            if !["block", "task"].contains(death.call) {
                let all = frames.joined(separator: "\n")
                #expect(all.contains("`Mistake.make(_:)`") && all.contains("`DyingClient.\(outer)"), "\(all)")
            }
        }
        // It adds its observer first: what it had done by then is done, unless its call had to be left out.
        if death.call == "launch" {
            let launch = found.timeline.filter { $0.process == found.process }.map(\.text)
            #expect(launch.contains("an observer is added"), "\(launch)")
        }
        // Everybody is judged, and nobody else is accused: what those who bought one hold is theirs.
        #expect(report.verdict.reasons.allSatisfy { !$0.sentence.contains("not judged") }, "\(report.verdict)")
        let lost = report.violations.evidence.filter { $0.rule == "lost-purchase" }
        if death.call == "holdings" { #expect(lost.isEmpty, "nobody knows what is held") }
        let ends = ["the client crashes in", "the client ends the process in", "the client holds"]
        for finding in lost {
            let told = finding.timeline.map(\.text)
            #expect(told.contains { line in ends.contains { line.contains($0) } }, "\(finding.sentence)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/cwd")) == place.folder.path
        }
        #expect(left.isEmpty, "processes \(left) are left")
    }

    // Beside the simulation, under the virtual clock: nobody knows of which device, but that it is the client's.
    @Test func crashOnAForeignThreadIsReportedWithItsCell() throws {
        let (place, file) = try Self.place()
        let outcome = try place.run(
            Workplace.faultyTool, ["run", "--quiet"] + Self.arguments(file, "index", in: "thread"))
        if outcome.errors.contains("it is built with a sanitizer") { return }
        // Its cell may be over before the thread gets to it.
        if outcome.isStatus(.passed) { return }
        #expect(outcome.isStatus(.clientCrashed) && outcome.errors.contains("the client's process"), "\(outcome)")
        #expect(outcome.errors.contains("`Mistake.make(_:)`"), "\(outcome.errors)")
    }

    @Test(arguments: ["callback", "task", "holdings"])
    func crashReportIsTheSameForAnyWorkerCount(call: String) throws {
        let (place, file) = try Self.place()
        var seen: Set<Data> = []
        for workers in ["1", "2"] {
            let outcome = try place.run(
                Workplace.faultyTool,
                ["run", "--users", "60", "--quiet", "--workers", workers] + Self.arguments(file, "nil", in: call))
            if outcome.errors.contains("it is built with a sanitizer") { return }
            #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
            seen.insert(try place.withoutHost(try place.read("Reports/latest/report.json")))
        }
        #expect(seen.count == 1)
    }

    // Deaths of so many workers would have ended the run.
    @Test(arguments: ["task", "purchase"])
    func sameCrashOfManyUsersIsOneFinding(call: String) throws {
        let (place, file) = try Self.place(users: 120)
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run", "--quiet"] + Self.arguments(file, "index", in: call) + ["--client-option", "who=all"])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        let report = try place.report()
        let found = report.violations.evidence.filter { $0.rule == "client-crash" }
        let count = try #require(report.violations.byRule.first { $0.rule == "client-crash" }?.count)
        #expect(found.count == 1 && found.first?.times == count && count >= 120, "\(found.map(\.sentence))")
        #expect(report.verdict.reasons.allSatisfy { !$0.sentence.contains("not judged") }, "\(report.verdict)")
    }

    @Test func crashesAtDifferentPlacesAreSeparateFindings() throws {
        let (place, file) = try Self.place(users: 60)
        let own = Self.arguments(file, "any", in: "purchase") + ["--client-option", "who=all"]
        let outcome = try place.run(Workplace.faultyTool, ["run", "--quiet"] + own)
        if outcome.errors.contains("it is built with a sanitizer") { return }
        let found = try place.report().violations.evidence.filter { $0.rule == "client-crash" }
        #expect(found.count >= 6 && Set(found.compactMap(\.cause)).count == found.count, "\(found.compactMap(\.cause))")
    }

    @Test func runStopsAtTheCrashLimit() throws {
        let (place, file) = try Self.place(app: "{relaunch_after: 50ms, crash_limit: 3}", users: 500)
        let own = Self.arguments(file, "any", in: "purchase") + ["--client-option", "who=all"]
        let outcome = try place.run(Workplace.faultyTool, ["run", "--quiet", "--workers", "1"] + own)
        if outcome.errors.contains("it is built with a sanitizer") { return }
        let reasons = try place.report().verdict.reasons
        #expect(
            reasons.contains { $0.kind == .clientLimit && $0.unjudged ?? 0 > 0 },
            "\(reasons)")
    }

    // What each call holds is little, and all of a launch together too much: whose it is has to be found out.
    @Test func memoryHeldOverManyCallsCountsForTheApp() throws {
        let (place, file) = try Self.place(
            app: "{relaunch_after: 50ms, memory_limit: 64MiB, hang_limit: 400ms}", users: 8)
        let outcome = try place.run(
            Workplace.faultyTool, ["run", "--quiet"] + Self.arguments(file, "hoard", in: "launch"))
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
        let found = try place.report().violations.evidence
        #expect(found.contains { $0.rule == "client-memory" && $0.process ?? 0 >= 2 }, "\(found.map(\.sentence))")
    }

    @Test func everyCommandReportsAClientCrash() throws {
        let (place, file) = try Self.place()
        let own = Self.arguments(file, "index", in: "purchase")
        func tool(_ arguments: [String]) throws -> Outcome { try place.run(Workplace.faultyTool, arguments) }
        let run = try tool(["run", "--quiet"] + own)
        if run.errors.contains("it is built with a sanitizer") { return }
        #expect(run.isStatus(.clientCrashed), "\(run)")
        let replay = try tool(["replay", "Reports/latest"])
        #expect(replay.isStatus(.violationsFound) && replay.out.contains("the client crashes"), "\(replay)")
        let shrink = try tool(["shrink", "Reports/latest", "--out", "small.yml", "--quiet"])
        #expect(shrink.isStatus(.passed), "\(shrink)")
        let small = try tool(["run", "small.yml", "--no-record"])
        #expect(small.isStatus(.clientCrashed) && small.out.contains("Index out of range"), "\(small)")
        let sweep = try tool(["sweep"] + own + ["--client-option", "who=all"])
        #expect(sweep.isStatus(.clientCrashed) && sweep.out.contains("client-crash"), "\(sweep)")
        let matrix = try tool(["matrix", "--scenarios", "small.yml", "--clients", "dying"])
        #expect(matrix.isStatus(.clientCrashed) && matrix.out.contains("crash"), "\(matrix)")
        let swarm = try tool(["swarm", "--client", "dying", "--client-option", "who=all", "--runs", "6"])
        #expect(swarm.isStatus(.clientCrashed) && swarm.out.contains("client-crash"), "\(swarm)")
    }
}
