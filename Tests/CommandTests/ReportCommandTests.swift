// What a run leaves in its folder, and how it is made again from report.json.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct ReportCommandTests {
    private static let files = [
        "report.html", "report.json", "summary.md", "junit.xml", "series.csv", "purchase_duration.hgrm",
    ]

    @Test func reportCommandRemakesEveryFileFromTheReport() throws {
        let place = try Workplace()
        let file = try place.scenario()
        _ = try place.stampede("run", file, "--client", "iap-manager", "--quiet")
        for name in Self.files { #expect(place.exists("Reports/latest/\(name)"), "\(name)") }
        let again = try place.stampede("report", "Reports/latest", "--out", "deep/again")
        #expect(again.isStatus(.passed) && again.all.isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.path + "/Reports/latest/").sorted()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.folder.path + "/deep/again").sorted() == names)
        for name in names {
            #expect(try place.read("deep/again/\(name)") == place.read("Reports/latest/\(name)"), "\(name)")
        }
        // What is there is left alone.
        try place.write("mine", to: "deep/again/report.html")
        let refused = try place.stampede("report", "Reports/latest", "--out", "deep/again")
        #expect(refused.isStatus(.reportNotWritten) && refused.errors.contains("not empty"), "\(refused.all)")
        #expect(try place.read("deep/again/report.html") == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path + "/deep") == ["again"])
    }

    @Test func reportCommandWritesEachFileToItsPath() throws {
        let place = try Workplace()
        let file = try place.scenario()
        _ = try place.stampede("run", file, "--quiet")
        let report = "Reports/latest/report.json"
        let outcome = try place.stampede(
            "report", report, "--html", "a.html", "--markdown", "-", "--junit", "c.xml", "--csv", "d.csv")
        #expect(outcome.isStatus(.passed))
        #expect(outcome.out == String(decoding: try place.read("Reports/latest/summary.md"), as: UTF8.self))
        for (own, theirs) in [("a.html", "report.html"), ("c.xml", "junit.xml"), ("d.csv", "series.csv")] {
            #expect(try place.read(own) == place.read("Reports/latest/\(theirs)"))
        }
        let shown = try place.stampede("report", report)
        #expect(shown.isStatus(.passed) && shown.out.contains("✓ PASSED") && shown.out.contains("THRESHOLDS"))
        #expect(try place.stampede("report", "nowhere").isStatus(.invalidInput))
        #expect(try place.stampede("report", report, "--html", "no/such/folder.html").isStatus(.reportNotWritten))
    }

    @Test func reportCommandComparesTwoRuns() throws {
        let place = try Workplace()
        let file = try place.scenario()
        _ = try place.stampede("run", file, "--quiet")
        _ = try place.stampede("run", file, "--quiet", "--client", "iap-manager")
        let two = ["report", "Reports/small-iap-manager-1", "--against", "Reports/small-reference-1"]
        let printed = try place.stampede(two)
        #expect(printed.isStatus(.passed) && printed.out.contains("✗ WORSE"), "what it means is for 'compare' to say")
        let page = try place.stampede(two + ["--html", "two.html", "--markdown", "-"])
        #expect(page.isStatus(.passed) && page.out.contains("### ✗ Worse"))
        let text = String(decoding: try place.read("two.html"), as: UTF8.self)
        #expect(text.contains("Worse: ") && text.contains("The candidate&#39;s figures"))
        for option in ["--out", "--junit", "--csv"] {
            let refused = try place.stampede(two + [option, "x"])
            #expect(refused.isStatus(.invalidInput) && refused.errors.contains("--against"), "\(option)")
        }
        #expect(try place.stampede(["report", "Reports/latest", "--against", "nowhere"]).isStatus(.invalidInput))
    }

    @Test func runWritesGitHubAnnotationsAndSummary() throws {
        let place = try Workplace()
        let file = try place.scenario()
        let environment = [
            "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": place.folder.appendingPathComponent("step.md").path,
        ]
        let failed = try place.stampede("run", file, "--client", "iap-manager", "--quiet", environment: environment)
        #expect(failed.isStatus(.violationsFound))
        let lines = failed.out.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(!lines.isEmpty && lines.count <= 10 && lines.allSatisfy { $0.hasPrefix("::error title=") })
        let passed = try place.stampede("run", file, "--quiet", environment: environment)
        #expect(passed.isStatus(.passed) && passed.all.isEmpty)
        let summary = String(decoding: try place.read("step.md"), as: UTF8.self)
        #expect(summary.hasPrefix("## ❌ Small") && summary.contains("\n## ✅ Small"))
        #expect(!(try place.stampede("run", file, "--client", "iap-manager", "--quiet").out.contains("::error")))
    }

    @Test func schemaCommandPrintsTheReportSchema() throws {
        let place = try Workplace()
        let outcome = try place.stampede("schema", "--report")
        #expect(outcome.isStatus(.passed))
        #expect(outcome.out.contains("https://json-schema.org/draft/2020-12/schema"))
        #expect(try place.stampede("schema", "--results").isStatus(.invalidInput))
    }
}
