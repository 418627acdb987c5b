// What a run prints for programs: JSON and nothing else, tags, and no colour where none is wanted.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct RunOutputTests {
    @Test(arguments: [[], ["--quiet"], ["--only-user", "3"]], ["reference", "iap-manager"])
    func jsonRunPrintsOnlyTheReport(options: [String], client: String) throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "faults: {crash: {share: 20%, at: any_effect}}")
        let outcome = try place.run(
            Workplace.tool, ["run", file, "--client", client, "--json"] + options,
            environment: ["GITHUB_ACTIONS": "true"])
        #expect(outcome.isStatus(client == "reference" ? .passed : .violationsFound), "\(outcome.errors)")
        #expect(try Data(outcome.out.utf8) == place.read("Reports/latest/report.json"))
        #expect(outcome.errors.contains("::error") == (client != "reference"))
        #expect(outcome.errors.contains("Timeline of user 3") == options.contains("--only-user"))
    }

    // Nothing of a run that passes; else the verdict, each rule's first breach with the command that shows it, and where the report is.
    @Test func quietRunPrintsOnlyProblems() throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "faults: {crash: {share: 20%, at: any_effect}}")
        let passed = try place.stampede("run", file, "--client", "reference", "--quiet")
        #expect(passed.isStatus(.passed) && passed.out.isEmpty && passed.errors.isEmpty, "\(passed)")
        let failed = try place.stampede("run", file, "--client", "iap-manager", "--quiet")
        #expect(failed.isStatus(.violationsFound) && failed.errors.isEmpty, "\(failed)")
        let report = try place.report()
        #expect(failed.out.hasPrefix("✗ FAILED  Small") && !failed.out.contains("METRICS"), "\(failed.out)")
        #expect(failed.out.contains("violations: count == 0 does not hold: it is \(report.violations.total)"))
        for rule in report.violations.byRule { #expect(failed.out.contains("\(rule.rule), \(rule.count): ")) }
        #expect(failed.out.contains("replay: stampede run") && failed.out.contains("report: Reports/"))
        #expect(failed.out.split(separator: "\n").count <= 40, "\(failed.out)")
    }

    @Test func verboseRunPrintsEverything() throws {
        let place = try Workplace()
        let file = try place.scenario(extra: "faults: {crash: {share: 20%, at: any_effect}}")
        let brief = try place.stampede("run", file, "--client", "iap-manager")
        #expect(brief.isStatus(.violationsFound) && brief.out.contains("all metrics: --verbose, or the page"))
        #expect(!brief.out.contains("METRICS OF THIS MACHINE") && !brief.out.contains("launch 1 begins"))
        #expect(brief.out.split(separator: "\n", omittingEmptySubsequences: false).count <= 41, "\(brief.out)")
        for option in ["--verbose", "-v"] {
            let whole = try place.stampede("run", file, "--client", "iap-manager", option)
            #expect(whole.isStatus(.violationsFound) && whole.out.contains("METRICS OF THIS MACHINE"), "\(whole)")
            #expect(whole.out.contains("launch 1 begins"), "\(whole)")
        }
        #expect(try place.stampede("report", "Reports/latest").out.contains("all metrics: --verbose\n"))
        #expect(try place.stampede("report", "Reports/latest", "-v").out.contains("METRICS OF THIS MACHINE"))
        let both = try place.stampede("run", file, "--quiet", "--verbose")
        #expect(both.isStatus(.invalidInput) && both.errors.contains("--quiet or --verbose, not both"), "\(both)")
    }

    @Test func progressHasTheRequestedForm() throws {
        let place = try Workplace()
        let file = try place.scenario()
        let json = try place.stampede("run", file, "--progress", "json", "--quiet")
        #expect(json.isStatus(.passed) && json.out.isEmpty, "\(json)")
        let last = try #require(json.errors.split(separator: "\n").last)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        #expect(
            object["is_last"] as? Bool == true && object["done"] as? Int == 30 && object["unit"] as? String == "users")
        for choice in ["none", "plain", "auto"] {
            let outcome = try place.stampede("run", file, "--progress", choice, "--quiet")
            #expect(outcome.isStatus(.passed) && outcome.all.isEmpty, "a short run tells nothing: \(outcome)")
        }
        for command in [
            ["sweep", file], ["swarm", "--runs", "1"], ["matrix", "--scenarios", file, "--clients", "reference"],
        ] {
            let outcome = try place.stampede(command + ["--progress", "json", "--quiet"])
            #expect(outcome.isStatus(.passed) && outcome.errors.contains(#""is_last":true"#), "\(outcome)")
        }
        let wrong = try place.stampede("run", file, "--progress", "sometimes")
        #expect(wrong.isStatus(.invalidInput) && wrong.errors.contains("'sometimes'"), "\(wrong)")
    }

    @Test func tagsAppearInEveryFormOfTheReport() throws {
        let place = try Workplace()
        let tags = ["--tag", "commit=1a2b3c", "--tag", "Build-No=7 <of> \"many\"=x", "--tag", "empty="]
        let outcome = try place.stampede(["run", try place.scenario()] + tags)
        #expect(outcome.isStatus(.passed) && outcome.out.contains("commit=1a2b3c"), "\(outcome)")
        let report = try place.report()
        #expect(report.run.tags == ["commit": "1a2b3c", "Build-No": "7 <of> \"many\"=x", "empty": ""])
        func text(_ name: String) throws -> String {
            String(decoding: try place.read("Reports/latest/" + name), as: UTF8.self)
        }
        #expect(try text("report.html").contains("Build-No=7 &lt;of&gt;"))
        #expect(try text("summary.md").contains("`commit=1a2b3c`"))
        #expect(
            try text("junit.xml").contains(
                "<property name=\"tag.Build-No\" value=\"7 &lt;of&gt; &quot;many&quot;=x\"/>"))
        // Outside the host section, which alone may differ between two runs.
        let object = try JSONSerialization.jsonObject(with: place.read("Reports/latest/report.json")) as? [String: Any]
        #expect(((object?["run"] as? [String: Any])?["tags"] as? [String: String])?["Build-No"] != nil)
        _ = try place.stampede("run", "small.yml", "--quiet")
        #expect(try place.report().run.tags == nil)
    }

    @Test(arguments: [
        (["--tag", "commit"], "write a tag as name=value"), (["--tag", "a b=c"], "a tag's name may contain letters"),
        (["--tag", "=c"], "a tag's name may contain letters"),
        (["--tag", "a=1", "--tag", "a=2"], "--tag a is given twice"),
        (["--tag", "a=" + String(repeating: "x", count: 200)], "a tag has at most 200 characters"),
    ])
    func runRefusesBadTags(tags: [String], words: String) throws {
        let place = try Workplace()
        let outcome = try place.stampede(["run", try place.scenario()] + tags)
        #expect(outcome.isStatus(.invalidInput) && outcome.errors.contains(words), "\(outcome)")
        #expect(outcome.out.isEmpty && !place.exists("Reports"))
    }

    // On a terminal there are colours and a line that is rewritten; with NO_COLOR the line alone.
    @Test(arguments: [("", true), ("1", false)])
    func coloursAppearOnlyOnTerminalsWithoutNoColor(noColor: String, isColoured: Bool) throws {
        let place = try Workplace()
        let file = try place.scenario("more.yml", extra: "thresholds: {purchases: count > 0}")
        let words = "'\(Workplace.tool.path)' run \(file) --users 2000 --client iap-manager"
        try place.write(
            """
            import os, pty, sys
            seen = []
            def read(end):
                data = os.read(end, 4096)
                seen.append(data)
                return b'.'  # Nothing at all would mean the end.
            status = pty.spawn(['/bin/sh', '-c', sys.argv[1]], read)
            open('seen.txt', 'wb').write(b''.join(seen))
            sys.exit(os.waitstatus_to_exitcode(status))

            """, to: "terminal.py")
        let outcome = try place.run(
            URL(fileURLWithPath: "/usr/bin/env"), ["python3", "terminal.py", words],
            environment: ["NO_COLOR": noColor, "TERM": "xterm-256color", "CI": ""])
        #expect(outcome.isStatus(.violationsFound), "\(outcome)")
        let seen = String(decoding: try place.read("seen.txt"), as: UTF8.self)
        #expect(seen.contains("FAILED") && seen.contains("\u{1B}[1;31m") == isColoured, "\(seen.prefix(300))")
    }
}
