// The answer of a run in one line, for whoever reads the last one only, and what to type next.
// Pure; the report is all it knows.

import Foundation
import Judgement
import Metrics
import ReportModel
import Text

enum ClosingWords {
    /// Rules that are named; of the others only how many there are.
    private static let rulesMax = 2

    /// `2,949 purchases lost (critical), 3,525 × finished-before-delivery (error) · p95 1.56s · 58,897 purchases/s`
    static func sentence(_ report: Report) -> String {
        var facts = [matter(report)]
        if let slow = metric(.purchaseDuration, report)?.response?.p95 {
            facts.append("p95 \(HumanNumbers.duration(nanoseconds: Double(slow)))")
        }
        if let rate = report.host.purchasesPerSecond { facts.append("\(HumanNumbers.number(rate)) purchases/s") }
        return facts.joined(separator: " · ")
    }

    /// The answer as the last lines of a text, and what to type next.
    static func lines(
        _ sentence: String, _ tone: Tone, next: String? = nil, style: TerminalStyle, width: Int
    ) -> [String] {
        // On one line, however long: it is there to be copied.
        style.wrapped(sentence, width: width, indent: 0, tone) + (next.map { ["  next: " + TextLayout.safe($0)] } ?? [])
    }

    /// The first of them, and how many others there are: `a, b and 3 rules more`
    static func first(_ words: [String], _ noun: String) -> String {
        let others = words.count - rulesMax
        let more = others > 0 ? " and \(HumanNumbers.quantity(others, noun)) more" : ""
        return words.prefix(rulesMax).joined(separator: ", ") + more
    }

    /// Nil where there is nothing that a command would show.
    static func next(_ report: Report, location: String?) -> String? {
        if let shard = report.shard, let location, report.verdict.outcome == .part {
            // Beside it the others are, as a rule.
            let folder = URL(fileURLWithPath: location).deletingLastPathComponent().relativePath
            let whole = ShellWord.quoted("\(folder)/\(ReportFolder.folderStem(report))")
            return "\(CommandName.words) merge \(whole)-part-*-of-\(shard.of) --out \(whole)"
        }
        guard let location, !report.violations.evidence.isEmpty else { return nil }
        return "\(CommandName.words) replay \(ShellWord.quoted(location))"
    }

    /// What came of it, without any figures of time.
    static func matter(_ report: Report) -> String {
        if let shard = report.shard, report.verdict.outcome == .part {
            let users = HumanNumbers.quantity(shard.users, "user")
            let found = report.violations.total > 0 ? "; so far \(breaches(report))" : ""
            return "\(shard.text) of a run, \(users), to be judged by the merge of all parts\(found)"
        }
        return breaches(report)
    }

    private static func breaches(_ report: Report) -> String {
        let rules = report.violations.rulesByGravity
        if !rules.isEmpty {
            let charges = report.violations.charges
            let others = rules.dropFirst(rulesMax)
            let rest = HumanNumbers.count(others.reduce(0) { $0 + $1.count })
            let those = others.count == 1 ? "another rule" : "\(others.count) other rules"
            let more = others.isEmpty ? "" : " and \(those), \(rest) times"
            let users = report.violations.users.map { "; \(HumanNumbers.quantity($0, "user")) affected" } ?? ""
            return rules.prefix(rulesMax).map { words($0, of: charges) }.joined(separator: ", ") + more + users
        }
        if report.verdict.outcome != .passed { return report.verdict.sentences.first ?? "" }
        let purchases = metric(.purchases, report)?.count ?? 0
        let answer = purchases == 0 ? nil : "\(HumanNumbers.quantity(purchases, "purchase")), none lost or doubled"
        let warnings = report.warnings.total
        guard warnings > 0 else { return answer ?? "nothing is wrong" }
        return "\(answer ?? "no violations"); \(HumanNumbers.quantity(warnings, "warning"))"
    }

    /// - Parameter charges: purchases that were paid for; nil where that is not known.
    private static func words(_ rule: Report.RuleCount, of charges: Int?) -> String {
        let count = HumanNumbers.count(rule.count)
        let isLoss = rule.rule == AuditRule.lostPurchase.rawValue
        // Of goods that came for nothing, and of a purchase with two losses, there may be more than charges.
        let lost = charges.flatMap { $0 >= rule.count ? "\(count) of \(HumanNumbers.quantity($0, "purchase"))" : nil }
        let matter =
            isLoss ? "\(lost ?? HumanNumbers.quantity(rule.count, "purchase")) lost" : "\(count) × \(rule.rule)"
        return "\(matter) (\(rule.severity.rawValue))"
    }

    private static func metric(_ name: MetricName, _ report: Report) -> ReportMetric? {
        report.metrics.first { $0.name == name.name }
    }
}
