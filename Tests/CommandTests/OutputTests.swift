// What the command prints and writes: lists, replays, reports that repeat.

import ClientKit
import Foundation
import Judgement
import Metrics
import Scenario
import Specimens
import Testing

@testable import ReportModel
@testable import Reporting

@Suite struct OutputTests {
    @Test func listNamesEverything() throws {
        let place = try Workplace()
        let all = try place.stampede("list", "--directory", Workplace.package.appendingPathComponent("Scenarios").path)
        #expect(all.isStatus(.passed) && all.errors.isEmpty)
        var names = ["quickstart.yml"]
        for client in ClientRegistry.shipped { names += [client.name] + client.options.map(\.name) }
        for executor in LoadExecutors.all { names += [executor.name] + executor.ownKeys.map(\.name) }
        names += AuditRule.allCases.map(\.rawValue) + MetricName.allCases.map(\.name)
        names += ScenarioStep.all.map(\.name) + ExitStatus.allCases.map { String($0.rawValue) }
        let firsts = Set(all.out.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
        for name in names {
            #expect(firsts.contains { $0 == name || $0.hasSuffix("/" + name) }, "\(name) is not listed")
        }
        #expect(!all.out.contains("has problems"))
    }

    @Test(arguments: [
        "clients", "executors", "steps", "keys", "knobs", "errors", "rules", "metrics", "exit-codes", "foreign-words",
    ])
    func listPrintsOneSubjectAlone(subject: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede("list", subject)
        #expect(outcome.isStatus(.passed) && !outcome.out.contains(subject.uppercased()))
        let lines = outcome.out.split(separator: "\n")
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 80 })
    }

    @Test func listMetricsPrintsAMarkdownTable() throws {
        let place = try Workplace()
        let outcome = try place.stampede("list", "metrics", "--markdown")
        let lines = outcome.out.split(separator: "\n").map(String.init)
        #expect(outcome.isStatus(.passed) && lines.count == MetricName.allCases.count + 2)
        #expect(lines.first == "| metric | kind | unit | tags | windows | live | better | repeats | meaning |")
        let purchases =
            "| `purchases` | counter |  | `phase` `journey` `device` `product` `client` | yes |  |  | yes "
            + "| Purchases that were charged. |"
        #expect(lines.contains(purchases), "\(lines)")
        for (metric, line) in zip(MetricName.allCases, lines.dropFirst(2)) {
            #expect(line.hasPrefix("| `\(metric.name)` | \(metric.kind.rawValue) |"))
            #expect(line.hasSuffix("| \(metric.meaning) |"))
        }
    }

    @Test func listErrorsNamesPurchaseErrors() throws {
        let errors = try Workplace().stampede("list", "errors", "--markdown").out
        #expect(errors.split(separator: "\n").count > 25)
        for row in [
            "| `payment_cancelled` | SKErrorDomain 2 |", "| `url_timed_out` | NSURLErrorDomain -1001 |",
            "| `already_subscribed` | SKErrorDomain 0, caused by ASDServerErrorDomain 3532 |",
            "| `no_error` | a failed transaction without an error |",
        ] { #expect(errors.contains(row), "\(errors)") }
    }

    // Whatever a section holds, each of its rows has as many cells as the head.
    @Test func listPrintsEverySectionAsMarkdown() throws {
        let place = try Workplace()
        let all = try place.stampede("list", "--markdown")
        let sections = all.out.components(separatedBy: "## ").dropFirst()
        #expect(all.isStatus(.passed) && sections.count == 10)
        for section in sections {
            let rows = section.split(separator: "\n").filter { $0.hasPrefix("|") }.map {
                $0.replacing("\\|", with: "").split(separator: "|").count
            }
            #expect(Set(rows).count == 1 && rows.count >= 2, "\(section)")
        }
        let client = try place.stampede("list", "clients", "--markdown").out
        #expect(client.hasPrefix("| name | meaning |\n| --- | --- |\n| `reference` | "))
    }

    @Test func listLooksForScenariosInTheGivenDirectory() throws {
        let place = try Workplace()
        for subject in [["scenarios"], []] {
            let missing = try place.stampede(["list", "--directory", "nowhere"] + subject)
            #expect(missing.isStatus(.invalidInput) && missing.out.isEmpty, "\(missing)")
            #expect(missing.errors.contains("there is no folder nowhere"), "\(missing)")
        }
        // Without any scenarios here, the other lists are none the worse.
        #expect(try place.stampede("list").isStatus(.passed))
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("mine"), withIntermediateDirectories: true)
        try place.write("name: 1\n", to: "mine/bad.yml")
        let own = try place.stampede("list", "scenarios", "--directory", "mine")
        #expect(own.isStatus(.passed) && own.out.contains("mine/bad.yml") && own.out.contains("has problems"))
    }

    // Byte for byte, outside the host section.
    @Test(arguments: ["crash-anywhere", "flaky-network"])
    func reportIsTheSameForAnyWorkerCount(name: String) throws {
        let place = try Workplace()
        func json(_ workers: String, _ out: String) throws -> [String] {
            _ = try place.stampede(
                "run", Workplace.shipped(name), "--users", "300", "--client", "iap-manager", "--workers", workers,
                "--out", out, "--quiet")
            var report = try place.report("\(out)/latest/report.json")
            #expect(String(decoding: try place.read("\(out)/latest/report.json"), as: UTF8.self).contains("\"host\""))
            report.host = Report.Host(startedAt: "", durationSeconds: 0, workers: 0, cores: 0, system: "")
            return String(decoding: try report.json(), as: UTF8.self).components(separatedBy: "\n")
        }
        let one = try json("1", "one")
        #expect(try json("2", "two") == one)
        #expect(try json("1", "again") == one)
    }

    @Test func replayCommandRunsWhenPasted() throws {
        let place = try Workplace()
        // A path that a shell would take apart.
        try FileManager.default.createDirectory(
            at: place.folder.appendingPathComponent("my 'files'"), withIntermediateDirectories: true)
        let catalog = try place.read("FakeGame.storekit")
        try place.write(catalog, to: "my 'files'/FakeGame.storekit")
        let file = try place.scenario("my 'files'/it's small.yml")
        _ = try place.stampede("run", file, "--client", "iap-manager", "--users", "77", "--seed", "5", "--quiet")
        let evidence = try #require(try place.report().violations.evidence.first)
        let replayed = try place.shell(evidence.replay + " --out Replays")
        #expect(replayed.isStatus(.violationsFound), "\(evidence.replay): \(replayed.all)")
        #expect(replayed.out.hasPrefix("Timeline of user \(evidence.user):"))
        for entry in evidence.timeline { #expect(replayed.out.contains(entry.text)) }
        let report = try place.report("Replays/latest/report.json")
        #expect(report.run.onlyUser == evidence.user && report.run.seed == 5)
        #expect(report.violations.evidence.contains { $0.sentence == evidence.sentence })
    }

    @Test(arguments: [["NO_COLOR": "1"], ["NO_COLOR": ""], ["TERM": "xterm-256color"], ["CI": "true"]])
    func outputWithoutATerminalIsPlain(environment: [String: String]) throws {
        let place = try Workplace()
        let file = try place.scenario()
        // The helper looks for escape codes after every command.
        let outcome = try place.stampede("run", file, "--client", "iap-manager", environment: environment)
        #expect(outcome.isStatus(.violationsFound) && outcome.out.contains("VIOLATIONS"))
    }

    @Test func secondRunWritesANewFolder() throws {
        let place = try Workplace()
        let file = try place.scenario()
        for _ in 0..<2 { _ = try place.stampede("run", file, "--quiet") }
        #expect(place.exists("Reports/small-reference-1/report.json"))
        #expect(place.exists("Reports/small-reference-1-2/report.json"))
        let latest = place.folder.appendingPathComponent("Reports/latest").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: latest) == "small-reference-1-2")
    }

    @Test func commandLineClockAndSeedOverrideTheScenario() throws {
        let place = try Workplace()
        let file = try place.scenario()
        _ = try place.stampede("run", file, "--clock", "wall", "--seed", "18446744073709551615", "--quiet")
        let run = try place.report().run
        #expect(run.clock == "wall" && run.seed == .max && run.users == 30)
    }

    // MARK: The history of operations

    @Test func operationsFileIsTheSameForAnyWorkerCount() throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "faults: {crash: {share: 3%, at: any_effect}}")
        for workers in ["1", "2"] {
            let outcome = try place.stampede(
                "run", file, "--users", "300", "--operations", "--workers", workers, "--quiet", "--out", workers)
            #expect(outcome.isStatus(.passed) && outcome.all.isEmpty, "\(outcome)")
            let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.path + "/" + workers)
            #expect(names.allSatisfy { !$0.hasPrefix(".") }, "\(names)")
        }
        let history = try place.read("1/latest/operations.ndjson")
        #expect(try place.read("2/latest/operations.ndjson") == history)
        var open: [String: String] = [:]
        var types: [String: Int] = [:]
        for (index, line) in String(decoding: history, as: UTF8.self).split(separator: "\n").enumerated() {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let process = try #require(object["process"] as? String)
            let type = try #require(object["type"] as? String)
            #expect(object["index"] as? Int == index && object["time"] is Int && object["value"] != nil)
            // One thing at a time, and nothing after an unknown end.
            #expect((open[process] == nil) == (type == "invoke"), "\(line)")
            open[process] = type == "invoke" || type == "info" ? type : nil
            types[type, default: 0] += 1
        }
        #expect(types["invoke", default: 0] >= 600 && types["info", default: 0] > 0)
        #expect(types["invoke", default: 0] == types.filter { $0.key != "invoke" }.values.reduce(0, +))
        #expect(!open.values.contains("invoke"))
    }

    @Test func operationsFileIsWrittenOnlyOnRequest() throws {
        let place = try Workplace()
        let file = try place.scenario()
        _ = try place.stampede("run", file, "--quiet")
        #expect(!place.exists("Reports/latest/operations.ndjson"))
        _ = try place.stampede("run", file, "--quiet", "--clock", "wall", "--operations", "--ignore-saturation")
        #expect(try !place.read("Reports/latest/operations.ndjson").isEmpty)
        let refused = try place.stampede("run", file, "--quiet", "--operations", "--out", "small.yml")
        #expect(refused.isStatus(.reportNotWritten) && refused.errors.contains("small.yml"), "\(refused)")
    }
}
