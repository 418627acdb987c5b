// run --otlp: what a collector gets, and what becomes of a run whose collector is in no state to take it.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite(.mostlyWaits) struct OTLPTests {
    @Test(arguments: ["stampede", "ShopTool"])
    func otlpSendsTheReportsFiguresAtTheEnd(tool: String) throws {
        let place = try Workplace()
        let server = try CollectorServer(.takes, in: place)
        let file = try place.scenario(extra: "faults: {crash: {share: 20%, at: any_effect}}")
        let outcome = try place.run(
            Workplace.built(tool), ["run", file, "--client", "iap-manager", "--otlp", server.url, "--quiet"],
            environment: ["OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b , tenant=shop"])
        #expect(outcome.isStatus(.violationsFound) && outcome.errors.isEmpty, "\(outcome)")
        let body = try #require(try server.bodies().last)
        let report = try place.report()
        #expect(body.count("stampede.run_exit_code") == 110)
        #expect(body.count("stampede.violations") == report.violations.total)
        for metric in report.metrics {
            if let count = metric.count ?? metric.response?.count {
                #expect(body.count("stampede.\(metric.name)") == count, "\(metric.name)")
            }
        }
        let attributes = [
            "service.name": "stampede", "stampede.scenario": "Small", "stampede.client": "iap-manager",
            "stampede.seed": "\(report.run.seed)",
        ]
        for (key, value) in attributes { #expect(body.attribute(key) == value) }
        #expect(body.attribute("stampede.shard") == nil)
        let head = try #require(try server.heads().last)
        #expect(head.hasPrefix("/v1/metrics\n") && head.contains("Content-Type: application/json\n"), "\(head)")
        #expect(
            head.contains("api-key: a b\n") && head.contains("tenant: shop\n") && !head.contains("Expect"), "\(head)")
    }

    @Test func otlpKeepsThePathOfItsURL() throws {
        let place = try Workplace()
        let server = try CollectorServer(.takes, in: place)
        let outcome = try place.stampede("run", try place.scenario(), "--otlp", server.url + "/otlp/m?x=1", "--quiet")
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty, "\(outcome)")
        #expect(try server.heads().last?.hasPrefix("/otlp/m?x=1\n") == true)
    }

    @Test(arguments: [[], ["--workers-in-process"]])
    func otlpSendsMetricsDuringTheRun(options: [String]) throws {
        let place = try Workplace()
        let server = try CollectorServer(.takes, in: place)
        let arguments = ["run", try place.lastingScenario(), "--otlp", server.url, "--quiet", "--ignore-saturation"]
        var threads: [String?] = []
        let outcome = try place.run(Workplace.tool, arguments + options) { process in
            while process.isRunning, try server.heads().isEmpty { Thread.sleep(forTimeInterval: 0.001) }
            let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            threads.append(status?.firstMatch(of: #/Threads:\s+(\d+)/#).map { String($0.1) })
        }
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty, "\(outcome)")
        // Workers are forked from it.
        if options.isEmpty { #expect(threads == ["1"]) }
        let bodies = try server.bodies()
        #expect(bodies.count >= 2 && (1..<20).contains(bodies.first?.count("stampede.progress_users_judged") ?? 0))
        #expect(bodies.map { $0.count("stampede.run_exit_code") } == bodies.dropLast().map { _ in nil } + [0])
    }

    // Nothing of the run but its host section knows whether anybody was told.
    @Test func otlpDoesNotChangeTheReport() throws {
        let place = try Workplace()
        let server = try CollectorServer(.takes, in: place)
        let file = try place.scenario(extra: "faults: {crash: {share: 20%, at: any_effect}}")
        var seen: Set<Data> = []
        for options in [[], ["--otlp", server.url, "--metrics", "run.prom"]] {
            _ = try place.stampede(["run", file, "--client", "iap-manager", "--quiet"] + options)
            seen.insert(try place.withoutHost(try place.read("Reports/latest/report.json")))
        }
        #expect(seen.count == 1)
    }

    @Test func otlpRetriesWhileTheCollectorIsBusy() throws {
        let place = try Workplace()
        let server = try CollectorServer(.isBusyAtFirst, in: place)
        let outcome = try place.stampede("run", try place.scenario(), "--otlp", server.url, "--quiet")
        #expect(outcome.isStatus(.passed) && outcome.errors.isEmpty, "\(outcome)")
        #expect(try server.bodies().map { $0.count("stampede.run_exit_code") } == [0, 0, 0])
    }

    // Whatever the collector does, the verdict stays, a word is said once, and what had an answer is not sent again.
    @Test(arguments: [
        (CollectorServer.Manner.refuses, "refused the metrics with status 400"),
        (.takesAPart, "rejected 5 of the values: too old"), (.neverAnswers, "no answer in time"),
    ])
    func otlpReportsMetricsTheCollectorRefuses(manner: CollectorServer.Manner, words: String) throws {
        let place = try Workplace()
        let server = try CollectorServer(manner, in: place)
        let file = try place.scenario(extra: "faults: {crash: {share: 20%, at: any_effect}}")
        let outcome = try place.run(
            Workplace.tool, ["run", file, "--client", "iap-manager", "--otlp", server.url, "--quiet"])
        #expect(try manner == .neverAnswers || server.heads().count == 1)
        #expect(outcome.isStatus(.violationsFound) && place.exists("Reports/latest/report.json"), "\(outcome)")
        #expect(outcome.errors.contains(words), "\(outcome)")
        #expect(outcome.errors.components(separatedBy: "warning:").count == 2, "\(outcome)")
    }

    // Each body tells all that those before it told.
    @Test func otlpRelaySendsTheLatestOfManyBodies() throws {
        let place = try Workplace()
        let server = try CollectorServer(.takes, in: place)
        let lines = (1...2_000).map { number in
            #"{"resourceMetrics":[{"resource":{"attributes":[]},"scopeMetrics":[{"metrics":[{"name":"n","sum":{"#
                + #""dataPoints":[{"asInt":"\#(number)"}]}}]}]}]}"# + "\n"
        }
        try place.write(lines.joined(), to: "bodies")
        let outcome = try place.shell("stampede relay-otlp \(server.url) < bodies")
        let bodies = try server.bodies()
        #expect(
            outcome.isStatus(.passed) && outcome.out == #"{"accepted":\#(bodies.count),"rejected":0}"#, "\(outcome)")
        #expect(bodies.count < 100 && bodies.last?.count("n") == 2_000)
    }

    @Test func otlpReportsAnUnreachableCollectorAndKeepsTheVerdict() throws {
        let place = try Workplace()
        // Of a server that is gone.
        let url = try CollectorServer(.takes, in: place).url
        let secret = url.replacingOccurrences(of: "http://", with: "http://user:secret@")
        let outcome = try place.stampede("run", try place.scenario(), "--otlp", secret, "--quiet")
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(outcome.errors.contains("did not reach the collector at \(url)/v1/metrics: no process listens there"))
        #expect(!outcome.errors.contains("secret"), "\(outcome)")
    }

    @Test func otlpRefusesWrongHeadersBeforeTheRun() throws {
        let place = try Workplace()
        for text in ["secret", "a b=secret", "=secret", "a=%0d%0asecret", "a=%zzsecret"] {
            let outcome = try place.run(
                Workplace.tool, ["run", try place.scenario(), "--otlp", "http://localhost:1", "--quiet"],
                environment: ["OTEL_EXPORTER_OTLP_HEADERS": "good=1,\(text)"])
            #expect(
                outcome.isStatus(.invalidInput)
                    && outcome.errors.contains("HEADERS: header 2 is not written name=value"))
            #expect(!outcome.errors.contains("secret") && !place.exists("Reports/latest"), "\(outcome)")
        }
    }

    // It takes nothing that comes, or is no more: the run does not wait for it but at the end.
    @Test(arguments: [SIGSTOP, SIGKILL])
    func runSurvivesABrokenOTLPRelay(signal: Int32) throws {
        let place = try Workplace()
        let server = try CollectorServer(.takes, in: place)
        // More than a pipe has room for.
        let limits = (1_000..<1_100).map { "count < \($0)" }.joined(separator: ", ")
        let thresholds = ["purchases", "launches", "deliveries", "requests", "iterations"].map { "\($0): [\(limits)]" }
        let file = try place.lastingScenario(extra: "thresholds: {\(thresholds.joined(separator: ", "))}")
        let arguments = ["run", file, "--otlp", server.url, "--quiet", "--ignore-saturation"]
        let outcome = try place.run(Workplace.tool, arguments) { process in
            var relays: [Int32] = []
            while process.isRunning, relays.isEmpty { relays = Self.relays(to: server.url) }
            for relay in relays { kill(relay, signal) }
        }
        #expect(outcome.isStatus(.passed), "\(outcome)")
        #expect(outcome.errors.components(separatedBy: "the sender did not report").count == 2, "\(outcome)")
        #expect(Self.relays(to: server.url).isEmpty, "nothing stays behind")
    }

    // Whoever stops a run stops all that has its name: what sends the metrics sees to the end of it all the same.
    @Test func stoppedRunSendsItsFinalMetrics() throws {
        let place = try Workplace()
        let server = try CollectorServer(.takes, in: place)
        // Whoever started the run has left it a file that is open.
        let words = "exec '\(Workplace.tool.path)' run \(try place.longScenario()) --quiet --ignore-saturation"
        let arguments = ["-c", "\(words) --otlp \(server.url) 7>held"]
        var relays: [Int32] = []
        let outcome = try place.run(URL(fileURLWithPath: "/bin/sh"), arguments) { process in
            try place.awaitRun(process.processIdentifier)
            while process.isRunning, relays.isEmpty { relays = Self.relays(to: server.url) }
            // Once it ignores them; before, they are blocked.
            for relay in relays {
                #expect(Self.hasOpen("/held", relay) == false)
                for signal in [SIGINT, SIGTERM, SIGHUP] { kill(relay, signal) }
            }
            #expect(Self.hasOpen("/held", process.processIdentifier))
            kill(process.processIdentifier, SIGINT)
        }
        #expect(relays.count == 1)
        #expect(outcome.isStatus(.interrupted) && !outcome.errors.contains("warning"), "\(outcome)")
        #expect(try server.bodies().last?.count("stampede.run_exit_code") == 105)
        #expect(Self.relays(to: server.url).isEmpty, "nothing stays behind")
    }

    private static func relays(to url: String) -> [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { Int32($0) }.filter { process in
            let words = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline"))) ?? Data()
            return String(decoding: words, as: UTF8.self).contains("\0relay-otlp\0\(url)/")
        }
    }

    private static func hasOpen(_ name: String, _ process: Int32) -> Bool {
        let folder = "/proc/\(process)/fd"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return numbers.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?.hasSuffix(name) == true
        }
    }
}
