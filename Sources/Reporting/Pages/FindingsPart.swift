// The judgements on the page: violations with their stories, and thresholds.
// Pure; any thread.

import Judgement
import ReportModel
import Text

enum FindingsPart {
    /// Lines of a story that are drawn at most.
    private static let storyMax = 80

    // MARK: Thresholds

    static func thresholds(_ report: Report) -> String {
        let all = report.thresholdsByGravity
        let (holding, others) = (
            all.filter { $0.threshold.outcome.isHarmless }, all.filter { !$0.threshold.outcome.isHarmless }
        )
        // Beside those that do not hold, the others are what can be looked up.
        if others.isEmpty {
            let isWhole = holding.allSatisfy { $0.threshold.outcome == .passed }
            return table(isWhole ? "Thresholds, which all hold" : "Thresholds: all judged thresholds hold", holding)
        }
        let rest = holding.isEmpty ? "" : table("Thresholds that hold", holding)
        return table("Thresholds that do not hold", others)
            + (rest.isEmpty
                ? ""
                : "\n<details><summary>\(HumanNumbers.quantity(holding.count, "threshold")) more, which hold</summary>\n\(rest)\n</details>")
    }

    private static func table(_ caption: String, _ thresholds: [(threshold: Report.Threshold, suffix: String)])
        -> String
    {
        let rows = thresholds.map { threshold, suffix in
            let tone = threshold.outcome.tone
            return [
                "<code>\(HTMLText.escaped(threshold.metric))</code> "
                    + "<code>\(HTMLText.escaped(threshold.expression))</code>\(suffix)",
                HTMLText.escaped(threshold.actualText),
                "<span class=\"\(tone.rawValue) word\"><span aria-hidden=\"true\">\(tone.mark)</span> \(threshold.outcome.words)</span>",
            ]
        }
        return TablePart.html(
            caption, [.text("Threshold"), .number("Actual"), .text("Outcome")], rows)
    }

    // MARK: Violations

    static func violations(_ report: Report) -> String {
        let violations = report.violations
        let rules = violations.rulesByGravity
        if rules.isEmpty {
            let others =
                report.warnings.total > 0
                ? ", and all other findings are warnings" : ", and no other rule was broken"
            return "<p class=\"good\">None: no user lost a purchase\(others).</p>"
        }
        let count = HumanNumbers.quantity(violations.total, "violation")
        let users = violations.users.map { ", \(HumanNumbers.quantity($0, "user")) affected" } ?? ""
        let head = "<p>\(count)\(users); \(HumanNumbers.quantity(rules.count, "rule")), the gravest first.</p>"
        let parts = rules.enumerated().map { rule($1, violations.evidence, isOpen: $0 == 0) }
        return ([head] + parts + [phases(violations)]).filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Nothing where there are none.
    static func warnings(_ report: Report) -> String {
        let warnings = report.warnings
        guard warnings.total > 0 else { return "" }
        let rules = warnings.rulesByGravity
        let count = HumanNumbers.quantity(warnings.total, "warning")
        let head =
            "<p>\(count), which do not fail a run by themselves; \(HumanNumbers.quantity(rules.count, "rule")).</p>"
        return ([head] + rules.map { rule($0, warnings.evidence, isOpen: false) }).joined(separator: "\n")
    }

    private static func badge(_ severity: Severity) -> String {
        "<span class=\"badge \(severity.tone.rawValue)\">\(severity.rawValue)</span>"
    }

    /// Open for the gravest; of the others what they are, how often, and the stories a click away.
    private static func rule(_ rule: Report.RuleCount, _ evidence: [Report.Evidence], isOpen: Bool) -> String {
        let users = ", \(HumanNumbers.quantity(rule.users, "user"))"
        let meaning = AuditRule(rawValue: rule.rule)?.breach ?? ""
        let stories = StoryFold.folded(evidence.filter { $0.rule == rule.rule })
        return """
            <details class="rule" id="\(rule.severity.isViolation ? "rule" : "warning")-\(HTMLText.escaped(rule.rule))"\(isOpen ? " open" : "")>
            <summary><h3>\(HTMLText.escaped(rule.rule))</h3> \(badge(rule.severity)) \
            <b>\(HumanNumbers.quantity(rule.count, "time"))</b>\(users) <small>\(HTMLText.escaped(meaning))</small></summary>
            \(stories.map(story).joined(separator: "\n"))
            </details>
            """
    }

    /// Nothing for a scenario of one phase.
    private static func phases(_ violations: Report.Violations) -> String {
        guard let phases = violations.byPhase, phases.count > 1 else { return "" }
        let rows = phases.filter { $0.count > 0 }.map {
            [
                "<code>\(HTMLText.escaped($0.phase))</code>", HumanNumbers.count($0.count),
                HumanNumbers.share(passes: $0.count, total: max($0.count, violations.total)),
            ]
        }
        return TablePart.folded(
            "Violations by phase, the load entry of the users",
            [.text("Phase"), .number("Violations"), .number("Share")], rows, id: "phase-values")
    }

    // MARK: Stories

    private static func story(_ fold: StoryFold) -> String {
        let evidence = fold.first
        var place = ["user \(evidence.user)", "device \(evidence.device)"]
        if let process = evidence.process { place.append("launch \(process)") }
        if let transaction = evidence.transaction { place.append("transaction \(transaction)") }
        if let times = evidence.times, times > 1 { place.append("\(HumanNumbers.count(times)) times alike") }
        place.append("number \(evidence.number) in the report")
        let hint = evidence.hint.map { "\n<p class=\"quiet\">hint: \(HTMLText.escaped($0))</p>" } ?? ""
        return """
            <article>
            <p class="sentence">\(HTMLText.escaped(evidence.sentence))</p>\(hint)\(ClientFrames.html(evidence.frames))
            <p class="quiet small">\(HTMLText.escaped(place.joined(separator: " · ")))</p>
            \(CommandPart.html(evidence.replay))
            \(picture(evidence))\(ClientOutput.html(evidence.output))\(others(fold))
            </article>
            """
    }

    private static func picture(_ evidence: Report.Evidence) -> String {
        let title = "\(evidence.rule), user \(evidence.user): timeline of the device"
        let lines = ShortTimeline(evidence.timeline, about: evidence.about, count: storyMax).lines
        return """
            <details><summary>Timeline of the device</summary>
            \(SequencePicture.legend(lines, guilty: evidence.guiltyEntry?.number))
            <div class="scroll story-scroll" tabindex="0" role="region" aria-label="\(HTMLText.escaped(title))">
            \(SequencePicture.svg(lines, guilty: evidence.guiltyEntry?.number, title: title))
            </div>
            </details>
            """
    }

    /// The same happened to these.
    private static func others(_ fold: StoryFold) -> String {
        if fold.others.isEmpty { return "" }
        let items = fold.others.map { "<li>user \($0.user): <code>\(HTMLText.command($0.replay))</code></li>" }
        return
            "\n<details><summary>\(HumanNumbers.quantity(fold.others.count, "other")) alike, with their commands</summary>\n"
            + "<ul class=\"small\">\(items.joined())</ul>\n</details>"
    }
}
