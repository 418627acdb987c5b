// Code under test that does harm on purpose: it comes to its own app at the most, and to nobody else.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct HostileClientTests {
    struct Harm: Sendable, CustomStringConvertible {
        let how: String
        /// By which its app ends; nil: it goes on.
        var signal: String?
        /// Of what the report tells beside the verdict.
        var remark: String?
        var description: String { how }
    }

    private static let harms = [
        Harm(how: "killself", signal: "SIGKILL"), Harm(how: "killgroup", signal: "SIGTERM"),
        Harm(how: "killall", signal: "SIGKILL"), Harm(how: "raise", signal: "SIGALRM"),
        Harm(how: "thread", signal: "SIGINT"), Harm(how: "killparent", remark: "SIGKILL"),
        Harm(how: "fork", remark: "start another program"), Harm(how: "exec", remark: "/bin/true"),
        Harm(how: "system", remark: "touch stampede-outside-test"), Harm(how: "closeall"), Harm(how: "signals"),
        Harm(how: "chdir"), Harm(how: "umask"), Harm(how: "locale"), Harm(how: "environment"), Harm(how: "threads"),
        Harm(how: "fill"), Harm(how: "outside", remark: "/tmp/stampede-outside-test"), Harm(how: "flood"),
        Harm(how: "shout"),
    ]

    @Test(arguments: harms, ["virtual", "wall"])
    func hostileClientHarmsOnlyItsOwnUser(harm: Harm, clock: String) throws {
        // Filling a device's storage takes its time.
        let app = "{relaunch_after: 50ms, main_queue_limit: 60s, hang_limit: 60s}"
        let (place, file) = try CrashTests.place(app: app, users: 6)
        let outcome = try place.run(
            Workplace.faultyTool,
            [
                "run", file, "--quiet", "--no-record", "--clock", clock, "--ignore-saturation", "--client", "hostile",
                "--client-option", "how=\(harm.how)",
            ])
        if outcome.errors.contains("it is built with a sanitizer") { return }
        #expect(outcome.isStatus(harm.signal == nil ? .passed : .clientCrashed), "\(outcome)")
        let report = try place.report()
        #expect(report.verdict.reasons.allSatisfy { !$0.sentence.contains("not judged") }, "\(report.verdict)")
        let rules = Set(report.violations.byRule.map(\.rule))
        #expect(rules == (harm.signal == nil ? [] : ["client-crash"]), "everybody keeps what was bought")
        if let signal = harm.signal {
            let found = try #require(report.violations.evidence.first)
            #expect(found.sentence.contains(signal) && found.sentence.contains("Harm.make"), "\(found.sentence)")
        }
        if let remark = harm.remark {
            let told = String(decoding: try place.read("Reports/latest/report.json"), as: UTF8.self)
            #expect(told.replacing("\\/", with: "/").contains(remark), "it is told")
        }
        #expect(outcome.errors.utf8.count < 3 << 20, "what is printed is bounded")
        #expect(!FileManager.default.fileExists(atPath: "/tmp/stampede-outside-test"))
        let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int32.init).filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/cwd")) == place.folder.path
        }
        #expect(left.isEmpty, "processes \(left) are left")
    }
}
