// report.html: whole, safe whatever the strings are, and of bounded size.

import Foundation
import Judgement
import Metrics
import Testing
import Text

@testable import ReportModel
@testable import Reporting

@Suite struct ReportPageTests {
    static let nasty = "<script>alert('1')</script> &amp; \"quoted\" `code` |  \u{1B}[31m \u{0} ]]> é"

    /// Every string that comes from outside is nasty.
    static func hostile() -> Report {
        var report = SampleReports.broken
        report.scenario = Report.Scenario(name: nasty, description: nasty, file: nasty, source: nasty)
        report.run.client = nasty
        report.run.clientOptions = [nasty: nasty]
        report.verdict.reasons = [.nobodyJudged(nasty)]
        report.harnessFaults = [nasty]
        report.notes = [nasty]
        report.host.notes = [nasty]
        report.host.system = nasty
        report.host.startedAt = nasty
        report.tool.version = nasty
        report.thresholds.append(
            Report.Threshold(
                metric: nasty, base: nasty, expression: nasty, outcome: .failed, actual: 1, limit: 0, unit: .count))
        report.violations.byRule.append(Report.RuleCount(rule: nasty, severity: .error, count: 1, users: 1))
        report.violations.evidence.append(
            Report.Evidence(
                number: 9, rule: nasty, severity: .error, user: 1, cell: 1, device: 1, transaction: nasty,
                sentence: nasty, timeline: [Report.TimelineEntry(number: 1, atNs: 1, text: nasty)], replay: nasty))
        var metric = ReportMetric(name: nasty, kind: .counter, unit: .count)
        metric.count = 1
        metric.tags = [nasty: 1]
        report.metrics.append(metric)
        metric.stages = [nasty: 1]
        metric.name += "2"
        report.metrics.append(metric)
        return report
    }

    @Test(arguments: SampleReport.allCases)
    func pageIsWellFormed(sample: SampleReport) {
        let page = Markup(ReportPage.render(sample.report), isHTML: true)
        #expect(page.problems.isEmpty)
        #expect(page.elements.filter { $0 == "h1" }.count == 1)
    }

    // Beneath the whole: how purchases ended, why and where they failed, and what the store had no part in.
    @Test func pageSplitsMetricsByOutcomeCodeAndStage() {
        var report = SampleReports.unknown
        report.tell(SampleReports.tally().measurements)
        let told = ReportPage.render(report)
        for text in [
            "success</span>", "failure</span>", "answered at once</span>", "paymentCancelled</span>",
            "stage deciding</span>", "stage processing</span>",
        ] {
            #expect(told.contains("<span class=\"sub\">\(text)"), "\(text)")
        }
        #expect(!told.contains("deferred</span>"), "it did not occur")
        // The most frequent first.
        let codes = ["paymentCancelled", "none", "unknown", "stage deciding", "stage processing"].compactMap {
            told.range(of: "<span class=\"sub\">\($0)</span>")?.lowerBound
        }
        #expect(codes.count == 5 && codes == codes.sorted())
        // Where all ended alike, the whole says it.
        let place = report.metrics.firstIndex { $0.name == "purchase_duration" } ?? 0
        report.metrics[place].outcomes?.removeValue(forKey: "failure")
        report.metrics[place].instant = nil
        let alike = ReportPage.render(report)
        #expect(!alike.contains("success</span>") && !alike.contains("answered at once"))
    }

    @Test func pageEscapesTextFromOutside() {
        let source = ReportPage.render(Self.hostile())
        let page = Markup(source, isHTML: true)
        #expect(page.problems.isEmpty)
        #expect(page.scripts == ["\n\(PlotScript.text)\n"])
        #expect(!source.contains("\u{1B}") && !source.contains("\u{0}"))
        #expect(source.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp;amp; &quot;quoted&quot;"))
    }

    // The script finds what it shows in the page, keeps nothing, and writes no markup.
    @Test func pageNeedsNoNetwork() {
        let page = Markup(ReportPage.render(SampleReports.failed), isHTML: true)
        for name in ["link", "img", "iframe", "object", "embed"] { #expect(!page.elements.contains(name)) }
        #expect(page.scripts.count == 1)
        let words = [
            "http", "fetch", "XMLHttp", "WebSocket", "import", "eval", "Function(", "innerHTML", "outerHTML",
            "insertAdjacent", "document.write", "Storage", "cookie", "setTimeout", "setInterval",
        ]
        for word in words { #expect(!page.scripts[0].contains(word), "\(word)") }
        #expect(page.scripts[0].utf8.count < 16_000)
        for (name, value) in page.attributes {
            #expect(!name.hasPrefix("on"), "\(name)")
            #expect(name != "src" && (name != "href" || value.hasPrefix("#")), "\(name)=\(value)")
            #expect(name == "xmlns" || !value.contains("//"), "\(name)=\(value)")
        }
        let style = ReportStyle.text
        #expect(!style.contains("url(") && !style.contains("@import"))
    }

    // For who listens to the page, and for who has no mouse.
    @Test func pageNamesItsPicturesAndTables() throws {
        let source = ReportPage.render(SampleReports.failed)
        for svg in source.split(separator: "<svg").dropFirst() {
            let tag = svg.prefix { $0 != ">" }
            let isNamed =
                tag.contains("aria-label=") || svg.dropFirst(tag.count + 1).drop { $0 == "\n" }.hasPrefix("<title>")
            #expect(isNamed || tag.contains("aria-hidden=\"true\""), "\(tag)")
        }
        for plot in source.split(separator: "class=\"plot ").dropFirst() {
            #expect(plot.prefix { $0 != ">" }.contains("role=\"img\" aria-label=\""))
        }
        for scroll in source.split(separator: "class=\"scroll\"").dropFirst() {
            let tag = scroll.prefix { $0 != ">" }
            #expect(tag.contains("tabindex=\"0\" role=\"region\" aria-label=\""), "\(tag)")
        }
        let tables = source.split(separator: "<table>").dropFirst()
        #expect(tables.count > 3)
        for table in tables { #expect(table.contains("<caption>") && table.contains("<th scope=\"col\"")) }
    }

    @Test func pageShowsTheGravestFindingFirst() throws {
        let source = ReportPage.render(SampleReports.broken)
        let order = [
            "Error: ", "3 broken invariants of the simulation", "class=\"tiles\"", "<dd>109</dd>", "id=\"violations\"",
            "finished-before-delivery, user 0", "id=\"thresholds\"", "id=\"latency\"", "id=\"time\"", "id=\"stages\"",
            "id=\"metrics\"",
            "id=\"machine\"",
        ]
        var rest = Substring(source)
        for text in order {
            let place = try #require(rest.range(of: text), "\(text)")
            rest = rest[place.upperBound...]
        }
        #expect(source.contains(HTMLText.command(SampleReports.broken.violations.evidence[0].replay)))
    }

    @Test func pageShadesFaultsBehindEverySeries() {
        let source = ReportPage.render(SampleReports.passed)
        let time = source.components(separatedBy: "id=\"time\"")[1].components(separatedBy: "id=\"stages\"")[0]
        let plots = time.components(separatedBy: "class=\"plot ").dropFirst().filter {
            $0.contains("data-table=\"time-values\"")
        }
        #expect(plots.count >= 4)
        for plot in plots { #expect(plot.components(separatedBy: "class=\"fault\"").count == 3) }
        #expect(time.contains("validator, 1m to 1m30s: every answer is late by 2.5s"))
    }

    // All rules broken, each story of a life of ten thousand events, as many intervals as there can be.
    @Test func pageStaysBelowOneMegabyte() {
        var report = SampleReports.failed
        let story = report.violations.evidence[0].timeline
        let long = (0..<10_000).map { place in
            var entry = story[place % story.count]
            entry.number = place + 1
            return entry
        }
        let rules = AuditRule.allCases.filter(\.isViolation)
        report.violations.byRule = rules.map {
            Report.RuleCount(rule: $0.rawValue, severity: $0.severity, count: 5_000, users: 1)
        }
        report.violations.evidence = rules.enumerated().flatMap { place, rule in
            (1...5).map {
                var evidence = report.violations.evidence[0]
                (evidence.number, evidence.timeline, evidence.rule) = (place * 5 + $0, long, rule.rawValue)
                return evidence
            }
        }
        let tally = SampleReports.tally()
        for second in 0..<600 as Range<Int64> {
            for sample in 0..<40 as Range<Int64> {
                tally.place(purchaseDuration: 1_000_000 << (sample / 2) + sample * 700_000, at: second * 1_000_000_000)
            }
        }
        report.series = Report.Series(tally.measurements.series)
        let size = ReportPage.render(report).utf8.count
        #expect(size < 1_000_000 && size > 300_000, "\(size)")
    }

    // A report may have been changed by hand.
    @Test func pageDrawsNothingForInvalidFigures() {
        var report = SampleReports.passed
        for place in report.metrics.indices { report.metrics[place].response?.histogram = "nonsense" }
        report.series = Report.Series(
            intervalNs: .max, intervals: 600, usersActive: [.infinity], usersActiveNs: [], counts: ["purchases": [-1]],
            purchaseDuration: Report.Series.Durations())
        report.stages = [Report.StageBand(fromNs: -1, toNs: nil, count: 1, avg: ["purchase_sending": .nan], sum: [:])]
        #expect(Markup(ReportPage.render(report), isHTML: true).problems.isEmpty)
        report.series?.intervalNs = 1_000_000_000
        report.series?.purchaseDuration.p50 = [-5, nil, .max]
        #expect(Markup(ReportPage.render(report), isHTML: true).problems.isEmpty)
        #expect(!SeriesTable.render(report).isEmpty)
    }
}
