// run --metrics: what a textfile collector finds while a run goes on, and at its end.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite(.mostlyWaits) struct MetricsFileTests {
    @Test(arguments: [("reference", 0), ("iap-manager", 110)])
    func metricsFileEndsWithTheReportsFigures(client: String, code: Int32) throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "faults: {crash: {share: 20%, at: any_effect}}")
        try place.write("older", to: "run.prom")
        let outcome = try place.stampede("run", file, "--client", client, "--metrics", "run.prom", "--quiet")
        #expect(outcome.status == code && outcome.errors.isEmpty, "\(outcome)")
        let text = String(decoding: try place.read("run.prom"), as: UTF8.self)
        let report = try place.report()
        func sum(_ name: String) -> Int {
            text.split(separator: "\n").filter { $0.hasPrefix(name + "{") }
                .reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? .min / 2) }
        }
        #expect(sum("stampede_run_exit_code") == Int(code))
        #expect(sum("stampede_violations_total") == report.violations.total)
        #expect(sum("stampede_progress_users_judged_total") == 30)
        for metric in report.metrics {
            if let count = metric.count { #expect(sum("stampede_\(metric.name)_total") == count, "\(metric.name)") }
            if let trend = metric.response {
                #expect(sum("stampede_\(metric.name)_seconds_count") == trend.count, "\(metric.name)")
            }
        }
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(samples.allSatisfy { $0.contains(#"{scenario="Small",client="\#(client)",seed=""#) })
        #expect(try place.names().allSatisfy { !$0.hasPrefix(".stampede-") })
    }

    // A reader that never stops reading sees one whole file after another.
    @Test(arguments: [[], ["--workers-in-process"]])
    func metricsFileIsCompleteAndUpdatedDuringTheRun(options: [String]) throws {
        let place = try Workplace()
        let arguments = ["run", try place.lastingScenario(), "--metrics", "run.prom", "--quiet", "--ignore-saturation"]
        var seen: [String] = []
        var counts: [Int] = []
        let outcome = try place.run(Workplace.tool, arguments + options) { process in
            var isRunning = true
            while isRunning {
                // Once more after it: the end is in the file.
                isRunning = process.isRunning
                usleep(300)
                guard let data = try? place.read("run.prom") else { continue }
                let text = String(decoding: data, as: UTF8.self)
                if text == seen.last { continue }
                #expect(text.hasPrefix("# HELP stampede_run_info ") && text.hasSuffix("\n"), "\(text)")
                #expect(text.contains("\nstampede_progress_crashes_total{"))
                seen.append(text)
                let line = text.split(separator: "\n").first { $0.hasPrefix("stampede_progress_users_judged_total{") }
                counts.append(line.flatMap { $0.split(separator: " ").last }.flatMap { Int($0) } ?? -1)
            }
        }
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(seen.count >= 3 && counts.first == 0 && counts.last == 20 && counts == counts.sorted(), "\(counts)")
        #expect(counts.contains { (1..<20).contains($0) }, "\(counts)")
        #expect(seen.dropLast().allSatisfy { !$0.contains("stampede_run_exit_code") })
    }

    @Test(arguments: [
        (["--metrics", "nowhere/run.prom"], "--metrics nowhere/run.prom: No such file or directory"),
        (["--metrics", "."], "--metrics . is not a file"),
        (["--metrics", "/dev/null"], "--metrics /dev/null is not a file"),
        (["--metrics", ""], "--metrics '': the name is empty"),
        (["--otlp", "collector:4318"], "only http and https are supported"), (["--otlp", ""], "is not a URL"),
        (["--otlp", "http://a b"], "is not a URL"), (["--otlp", "http:///v1/metrics"], "names no host"),
        (["--otlp", "http://localhost:70000"], "there is no port 70000"),
    ])
    func wrongMetricsDestinationIsReportedBeforeTheRun(options: [String], words: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede(["run", try place.scenario(), "--quiet"] + options)
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(words), "\(outcome)")
        #expect(!place.exists("Reports/latest"))
    }

    @Test func metricsFileThatBecomesUnwritableIsReportedOnce() throws {
        let place = try Workplace()
        let folder = place.folder.appendingPathComponent("metrics")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let arguments = ["run", try place.lastingScenario(), "--metrics", "metrics/run.prom", "--quiet"]
        let outcome = try place.run(Workplace.tool, arguments + ["--ignore-saturation"]) { process in
            while process.isRunning, !place.exists("metrics/run.prom") { sched_yield() }
            try FileManager.default.removeItem(at: folder)
        }
        #expect(outcome.isStatus(.passed) && place.exists("Reports/latest/report.json"), "\(outcome)")
        #expect(
            outcome.errors.components(separatedBy: "the metrics could not be written to metrics/run.prom").count == 2,
            "\(outcome)")
    }
}

extension Workplace {
    /// Ten users are done one after the other, ten after some seconds of real time.
    func lastingScenario(extra: String = "") throws -> String {
        try write(
            """
            name: Lasting
            clock: wall
            client: reference
            store: {catalog: FakeGame.storekit}
            population: {users: 20}
            load:
              - {journey: short, executor: at-once, users: 10}
              - {journey: long, executor: at-once}
            journeys: {short: [launch, {buy: extra_lives}, {think: 100ms..4s}], long: [launch, {think: 7s}]}
            \(extra)

            """, to: "lasting.yml")
        return "lasting.yml"
    }
}
