// Asynchronous code that does not come to its end: what the command says of it, and that it names the line.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct UnfinishedTaskTests {
    /// The report of a client that has one mistake; nil where a sanitizer keeps the runtime away.
    private func report(_ mistake: String, users: Int = 20) throws -> Report? {
        let place = try Workplace()
        let outcome = try run(mistake, users, in: place)
        if outcome.errors.contains("it is built with a sanitizer") { return nil }
        return try Report(json: try place.read("Reports/latest/report.json"))
    }

    private func run(_ mistake: String, _ users: Int, in place: Workplace) throws -> Outcome {
        try place.write(
            Self.scenario.replacing("HOW", with: mistake).replacing("USERS", with: "\(users)"), to: "unfinished.yml")
        return try place.run(
            Workplace.faultyTool, ["run", "unfinished.yml", "--quiet", "--no-record", "--workers", "2"])
    }

    /// Where it is in the client's source.
    private func place(of code: String) throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Tools/FaultyTool/Unfinished.swift").standardizedFileURL
        let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let line = try #require(lines.firstIndex { $0.contains(code) })
        return "\(file.path):\(line + 1)"
    }

    // What comes while the app holds its main queue is told of as it was then, one thing after the other.
    @Test func appThatHoldsItsMainQueueReceivesEachStateOnce() throws {
        let place = try Workplace()
        try place.write(
            Self.scenario.replacing("unfinished, options: {how: HOW}", with: "dozing").replacing("USERS", with: "20")
                .replacing("cancel: 30%", with: "cancel: 0%"), to: "dozing.yml")
        let outcome = try place.run(
            Workplace.faultyTool, ["run", "dozing.yml", "--quiet", "--no-record"])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.status == 0, "\(outcome)")
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        #expect(report.metrics.first { $0.name == "deliveries" }?.count ?? 0 > 0)
    }

    @Test func runNamesAContinuationThatIsNeverResumed() throws {
        guard let report = try report("forgets") else { return }
        let count = try #require(report.violations.byRule.first { $0.rule == "unanswered-request" }?.count)
        let note = try #require(report.host.notes.first { $0.contains("never resumed") })
        #expect(note.hasPrefix("\(count) continuations"), "\(note)")
        #expect(note.contains("`PurchaseLedger.bought(_:begin:)`"), "\(note)")
        let place = try place(of: "await withCheckedContinuation")
        #expect(note.contains(place), "\(note)")
    }

    // The standard library ends the app; what it says names the function.
    @Test func runReportsAContinuationResumedTwice() throws {
        let place = try Workplace()
        let outcome = try run("resumes-twice", 20, in: place)
        #expect(outcome.isStatus(.clientCrashed), "\(outcome)")
        let report = try Report(json: try place.read("Reports/latest/report.json"))
        let found = try #require(report.violations.evidence.first { $0.rule == "client-crash" })
        let words = "bought(_:begin:) tried to resume its continuation more than once"
        #expect(found.sentence.contains(words), "\(found.sentence)")
    }

    @Test func runNamesATaskThatNeverEnds() throws {
        guard let report = try report("polls") else { return }
        let note = try #require(report.host.notes.first { $0.contains("still repeated a timer") })
        #expect(note.hasPrefix("20 apps"), "\(note)")
        #expect(note.contains("a closure in PurchaseLedger.watchForever()"), "\(note)")
        let place = try place(of: "Task.sleep(for: .seconds(1))")
        #expect(note.contains(place), "\(note)")
    }

    @Test func taskThatYieldsForEverIsALivelock() throws {
        guard let report = try report("yields", users: 1) else { return }
        #expect(report.violations.byRule.map(\.rule) == ["client-livelock"])
    }

    // Everybody is answered, or is known not to be: nobody waits for a continuation.
    @Test func clientThatResumesEveryContinuationHasNoFinding() throws {
        guard let report = try report("resumes-each") else { return }
        #expect(report.violations.byRule.isEmpty)
        #expect(report.host.notes.isEmpty, "\(report.host.notes)")
    }

    private static let scenario = """
        name: Unfinished
        client: {name: unfinished, options: {how: HOW}}
        store: {catalog: FakeGame.storekit}
        population: {users: USERS}
        buyers: {cancel: 30%}
        load: [{journey: j, executor: at-once}]
        journeys: {j: [launch, {buy: extra_lives}, terminate]}

        """
}
