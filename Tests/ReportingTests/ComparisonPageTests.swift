// Two runs side by side: what got worse first, and both distributions over each other.

import Foundation
import Testing
import Text

@testable import ReportModel
@testable import Reporting

@Suite struct ComparisonPageTests {
    private func page(_ base: Report, _ candidate: Report) -> String {
        let comparison = Comparison(base: [base], candidate: [candidate], noise: 0.01, isPaired: false)
        return ComparisonPage(base: base, candidate: candidate, comparison).render()
    }

    @Test func comparisonPageHeaderNamesLostPurchases() {
        let page = page(SampleReports.passed, SampleReports.failed)
        #expect(Markup(page, isHTML: true).problems.isEmpty)
        let header = page.components(separatedBy: "</header>")[0]
        #expect(header.contains("Worse: ") && header.contains("purchases lost (critical)"))
        #expect(header.contains("reference → iap-manager") && header.contains("none lost or doubled"))
        let gravest = SampleReports.failed.violations.gravest
        #expect(header.contains(HTMLText.command(gravest?.replay ?? "?")) && header.contains(gravest?.sentence ?? "?"))
        #expect(header.contains("up from 0"))
        #expect(!header.contains("href="), "this page has none of those places")
    }

    @Test func comparisonPageOfEqualRunsIsNotWorse() {
        let page = page(SampleReports.passed, SampleReports.passed)
        #expect(page.contains("Not worse: ") && page.contains("Nothing got worse or better."))
        #expect(!page.contains("<p class=\"next\">"))
    }

    @Test func comparisonPagePlotsBothDistributionsTogether() {
        let page = page(SampleReports.passed, SampleReports.passed)
        let latency = page.components(separatedBy: "id=\"latency\"")[1].components(separatedBy: "id=\"time\"")[0]
        let plots = latency.components(separatedBy: "class=\"plot ").dropFirst()
        #expect(plots.count >= 3)
        for plot in plots {
            #expect(plot.components(separatedBy: "class=\"line c1\"").count >= 2)
            #expect(plot.components(separatedBy: "class=\"line c2\"").count >= 2)
        }
        #expect(latency.contains("id=\"purchase_duration-values\""))
    }
}
