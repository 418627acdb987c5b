// The figures that answer first, each with what it was before: what a page has on its first screen.
// Pure; any thread.

import Judgement
import Metrics
import ReportModel
import Text

struct Tiles {
    struct Tile {
        let title: String
        let value: String
        /// What the value is of, or what stands beside it.
        var detail = ""
        var tone: Tone?
        /// Where on the page more of it stands.
        var link: String?
        /// What comparisons call the value, and the value as they have it.
        var figure: (name: String, value: Double)?
        /// Whether the machine has no part in it.
        var isExact = true
    }

    private let report: Report
    /// What the figures were before.
    private let earlier: [Report.Earlier.Figure]
    /// When that was; nil where there is none.
    private let note: String?
    /// Whether more of each stands on the same page.
    private let hasLinks: Bool

    /// Against the runs before it, where any are known.
    init(_ report: Report) {
        self.report = report
        hasLinks = true
        earlier = report.host.earlier?.figures ?? []
        note = report.host.earlier.map { earlier in
            let commit =
                earlier.commit.map { _ in ", commit \(TrendWords.commit(earlier.commit, earlier.isDirty))" } ?? ""
            return
                "Compared with run \(earlier.run) of \(TrendWords.minute(earlier.startedAt))\(commit), the last run of the same "
                + "scenario, client, users and seed; the small lines include the runs before it."
        }
    }

    /// Against one other run.
    init(_ report: Report, against base: Report) {
        self.report = report
        hasLinks = false
        let values = Dictionary(base.measuredValues.map { ($0.name, $0) }) { first, _ in first }
        earlier = KeyFigure.all.map(\.name).compactMap { name in
            guard let value = values[name] else {
                // An unbroken rule is not listed: none is zero.
                return FigureName.isCountOfViolations(name)
                    ? Report.Earlier.Figure(name: name, unit: .count, direction: .lowerIsBetter, values: [0]) : nil
            }
            return Report.Earlier.Figure(
                name: name, unit: value.unit, direction: value.direction, values: [value.value])
        }
        note = "The candidate's figures, with the change from the base."
    }

    /// What was not measured has no tile.
    var all: [Tile] {
        [count(.lostPurchase, "Purchases lost"), count(.duplicateDelivery, "Purchases doubled"), affected]
            + [warnings, success, duration, throughput, time].compactMap(\.self)
    }

    private func count(_ rule: AuditRule, _ title: String) -> Tile {
        let found = report.violations.byRule.first { $0.rule == rule.rawValue }
        let count = found?.count ?? 0
        // Nobody was judged, nothing was sold or nothing tried: none is no good news then.
        let isOpen = report.violations.charges == 0 || !report.verdict.reasons.allSatisfy(\.isOfThreshold)
        return Tile(
            title: title, value: HumanNumbers.count(count), detail: charges(count),
            tone: count > 0 ? .bad : isOpen ? .quiet : .good,
            link: found.map { "#rule-\($0.rule)" }, figure: (FigureName.violations(of: rule.rawValue), Double(count)))
    }

    /// What may be lost: what was bought in the run, and what it began with.
    private func charges(_ count: Int) -> String {
        guard let charges = report.violations.charges, charges >= count else { return "" }
        let before = charges - (metric(.purchases)?.count ?? 0)
        return "of \(HumanNumbers.count(charges)) charged"
            + (before > 0 ? ", \(HumanNumbers.count(before)) before the run" : "")
    }

    private var affected: Tile {
        let users = report.violations.users
        let losers = report.violations.byRule.first { $0.rule == AuditRule.lostPurchase.rawValue }?.users ?? 0
        return Tile(
            title: "Users affected", value: users.map(HumanNumbers.count) ?? "?",
            detail: "of \(HumanNumbers.count(report.shard?.users ?? report.run.users))"
                + (losers > 0 ? ", \(HumanNumbers.count(losers)) by a loss" : ""),
            tone: report.violations.total > 0 ? .bad : users == nil ? .quiet : .good,
            link: report.violations.total > 0 ? "#violations" : nil,
            figure: users.map { (FigureName.usersAffected, Double($0)) })
    }

    /// Only where there are some: most apps earn none.
    private var warnings: Tile? {
        let found = report.warnings
        guard found.total > 0 else { return nil }
        return Tile(
            title: "Warnings", value: HumanNumbers.count(found.total),
            detail: found.users.map { "of \(HumanNumbers.quantity($0, "user"))" } ?? "", tone: .doubtful,
            link: "#warnings", figure: (MetricName.warnings.name, Double(found.total)))
    }

    private var success: Tile? {
        guard let metric = metric(.purchaseSuccess), let passes = metric.passes, let total = metric.total, total > 0
        else { return nil }
        // Whether the others are the buyers' doing or the app's is what a reader asks first.
        let failed = self.metric(.purchasesFailed)?.failuresByCode.first.map {
            "; most frequent failure: \($0.name), \(HumanNumbers.count($0.count))"
        }
        return Tile(
            title: "Answered as purchased", value: HumanNumbers.share(passes: passes, total: total),
            detail: "of \(HumanNumbers.count(total)) requested\(failed ?? "")", link: "#metrics",
            figure: (metric.name, Double(passes) / Double(total)))
    }

    private var duration: Tile? {
        guard let metric = metric(.purchaseDuration), let trend = metric.response else { return nil }
        let instant = metric.instantWords.map { ", \($0)" } ?? ""
        let (p95, p99) = (HumanNumbers.duration(nanoseconds: trend.p95), HumanNumbers.duration(nanoseconds: trend.p99))
        return Tile(
            title: "Purchase duration, p95", value: p95, detail: "p99 \(p99)\(instant)", link: "#latency",
            figure: ("\(MetricName.purchaseDuration.name) p(95)", Double(trend.p95)))
    }

    private var throughput: Tile? {
        guard let rate = report.host.purchasesPerSecond else { return nil }
        let simulated = metric(.purchases)?.perSecond.map {
            "purchases; \(HumanNumbers.perSecond($0)) in simulated time"
        }
        // Under the virtual clock it says how fast this machine is, and nothing of the app.
        return Tile(
            title: report.isRepeatable ? "Speed of the simulation" : "Throughput", value: HumanNumbers.perSecond(rate),
            detail: simulated ?? "purchases",
            link: "#time", figure: (FigureName.purchasesPerSecond, rate), isExact: false)
    }

    private var time: Tile? {
        Tile(
            title: "Simulated time", value: HumanNumbers.duration(nanoseconds: report.simulatedDurationNs),
            detail: "in \(HumanNumbers.duration(nanoseconds: report.host.durationSeconds * 1e9)) of real time",
            link: "#machine")
    }

    private func metric(_ name: MetricName) -> ReportMetric? { report.metrics.first { $0.name == name.name } }

    // MARK: Markup

    func html() -> String {
        let lines = ["<dl class=\"tiles\">"] + all.map(markup) + ["</dl>"]
        let text = note.map { "<p class=\"quiet small\">\(HTMLText.escaped($0))</p>" }
        return (lines + [text].compactMap(\.self)).joined(separator: "\n")
    }

    private func markup(_ tile: Tile) -> String {
        let value = "<b class=\"value \(tile.tone?.rawValue ?? "")\">\(HTMLText.escaped(tile.value))</b>"
        let title = HTMLText.escaped(tile.title)
        let link = hasLinks ? tile.link : nil
        let head = link.map { "<a href=\"\(HTMLText.escaped($0))\">\(title)</a>" } ?? title
        return "<div class=\"tile\"><dt>\(head)</dt><dd>\(value) <small>\(HTMLText.escaped(tile.detail))</small>"
            + history(tile) + "</dd></div>"
    }

    private func history(_ tile: Tile) -> String {
        guard let (name, value) = tile.figure, let before = earlier.first(where: { $0.name == name }) else {
            return ""
        }
        let change = (before.values.last ?? nil).map {
            FigureChange(from: $0, to: value, unit: before.unit, direction: before.direction, isExact: tile.isExact)
                .html
        }
        return (change ?? "") + (Sparkline(before.values + [value], unit: before.unit, of: tile.title)?.svg ?? "")
    }
}

/// How a figure stands to what it was.
struct FigureChange {
    let html: String

    init(from before: Double, to now: Double, unit: ReportUnit, direction: MetricDirection, isExact: Bool) {
        guard before != now else {
            html = "<span class=\"change quiet\">as before</span>"
            return
        }
        let isMore = now > before
        let was = HTMLText.escaped(HumanNumbers.value(before, unit: unit))
        // What is measured in real time is another thing each time.
        guard isExact else {
            html = "<span class=\"change quiet\">\(was) before</span>"
            return
        }
        let tone = direction.verdict(isMore: isMore).tone
        html =
            "<span class=\"change \(tone.rawValue)\"><span aria-hidden=\"true\">\(isMore ? "▲" : "▼")</span> "
            + "\(isMore ? "up" : "down") from \(was)</span>"
    }
}
