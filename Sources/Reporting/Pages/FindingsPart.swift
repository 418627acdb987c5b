// The judgements on the page: the verdict, the thresholds, the violations with their stories.
// Pure; any thread.

import Foundation
import Judgement
import Text

enum FindingsPart {
    /// Lines of a story that are drawn at most.
    private static let storyMax = 120

    static func word(_ outcome: Report.Verdict.Outcome) -> String { outcome.rawValue.capitalized }

    // MARK: Verdict

    static func verdict(_ report: Report) -> String {
        let tone = report.verdict.outcome.tone
        var lines = [
            "<header class=\"verdict \(tone.rawValue)-edge\">",
            "<p class=\"outcome \(tone.rawValue)\"><span aria-hidden=\"true\">\(tone.mark)</span> \(word(report.verdict.outcome))"
                + " <span class=\"quiet\">exit code \(report.verdict.exitCode)</span></p>",
            "<h1>\(HTMLText.escaped(report.scenario.name))</h1>",
        ]
        if !report.scenario.description.isEmpty {
            lines.append("<p class=\"story\">\(HTMLText.escaped(report.scenario.description))</p>")
        }
        lines += list(report.verdict.sentences, class: "reasons")
        if !report.harnessFaults.isEmpty {
            lines.append("<h2>\(HarnessFaultWords.heading)</h2>")
            lines += list(HarnessFaultWords.lines(report), class: "reasons")
        }
        lines.append(FactsPart.html(facts(report)))
        lines += list(report.notes + report.host.notes, class: "quiet")
        return (lines + ["</header>"]).joined(separator: "\n")
    }

    private static func facts(_ report: Report) -> [(String, String)] {
        let options = report.run.clientOptions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        var users = HumanNumbers.count(report.run.users)
        if report.run.population != report.run.users { users += " of \(HumanNumbers.count(report.run.population))" }
        var facts = [
            ("Client", ([report.run.client] + options).joined(separator: ", ")),
            ("Users", users),
            ("Simulated", HumanNumbers.duration(nanoseconds: report.simulatedDurationNs)),
            (report.run.parts == nil ? "Seed" : "Seeds", report.run.seedsText), ("Clock", report.run.clock),
            ("Scenario", report.scenario.file),
        ]
        if let user = report.run.onlyUser { facts.insert(("Only user", "\(user)"), at: 2) }
        let tags = report.run.tagTexts
        if !tags.isEmpty { facts.append(("Tags", tags.joined(separator: ", "))) }
        return facts
    }

    private static func list(_ items: [String], class name: String) -> [String] {
        if items.isEmpty { return [] }
        return ["<ul class=\"\(name)\">"] + items.map { "<li>\(HTMLText.escaped($0))</li>" } + ["</ul>"]
    }

    // MARK: Thresholds

    static func thresholds(_ report: Report) -> String {
        let rows = report.thresholdsByGravity.map { threshold, suffix in
            let tone = threshold.outcome.tone
            let word = threshold.outcome == .passed ? "holds" : threshold.outcome.rawValue
            return [
                "<code>\(HTMLText.escaped(threshold.metric))</code> "
                    + "<code>\(HTMLText.escaped(threshold.expression))</code>\(suffix)",
                HTMLText.escaped(threshold.actualText),
                "<span class=\"\(tone.rawValue) word\"><span aria-hidden=\"true\">\(tone.mark)</span> \(word)</span>",
            ]
        }
        return TablePart.html(
            "Thresholds, those that do not hold first", [.text("Threshold"), .number("Actual"), .text("Outcome")], rows)
    }

    // MARK: Violations

    static func violations(_ report: Report) -> String {
        let violations = report.violations
        if violations.byRule.isEmpty {
            return "<p class=\"good\">None: nobody lost a purchase, and no other rule was broken.</p>"
        }
        let rows = violations.byRule.map { rule in
            [
                "<a href=\"#rule-\(HTMLText.escaped(rule.rule))\">\(HTMLText.escaped(rule.rule))</a> "
                    + badge(rule.severity)
                    + "<small>\(HTMLText.escaped(AuditRule(rawValue: rule.rule)?.breach ?? ""))</small>",
                HumanNumbers.count(rule.count),
            ]
        }
        let table = TablePart.html(
            "\(HumanNumbers.count(violations.total)) violations, by rule",
            [.text("Rule"), .number("Count")], rows)
        return ([table] + violations.byRule.map { self.rule($0, violations.evidence) }).joined(separator: "\n")
    }

    private static func badge(_ severity: Severity) -> String {
        "<span class=\"badge \(severity.tone.rawValue)\">\(severity.rawValue)</span>"
    }

    private static func rule(_ rule: Report.RuleCount, _ evidence: [Report.Evidence]) -> String {
        let shown = evidence.filter { $0.rule == rule.rule }
        var lines = [
            "<section class=\"rule\" id=\"rule-\(HTMLText.escaped(rule.rule))\">",
            "<h3>\(HTMLText.escaped(rule.rule)) \(badge(rule.severity))</h3>",
        ]
        if rule.count > shown.count, let one = shown.first, one.cause == nil {
            let first = shown.count == 1 ? "The first" : "The first \(shown.count)"
            lines.append("<p class=\"quiet\">\(first) of \(HumanNumbers.count(rule.count)).</p>")
        }
        return (lines + shown.map(story) + ["</section>"]).joined(separator: "\n")
    }

    private static func story(_ evidence: Report.Evidence) -> String {
        var place = ["#\(evidence.number)", "user \(evidence.user)", "device \(evidence.device)"]
        if let process = evidence.process { place.append("launch \(process)") }
        if let transaction = evidence.transaction { place.append("transaction \(transaction)") }
        if let times = evidence.times, times > 1 { place.append("\(HumanNumbers.count(times)) times alike") }
        let title = "\(evidence.rule), user \(evidence.user): what happened on the device"
        let hint = evidence.hint.map { "\n<p class=\"quiet\">hint: \(HTMLText.escaped($0))</p>" } ?? ""
        return """
            <article>
            <p class="sentence">\(HTMLText.escaped(evidence.sentence))</p>\(hint)\(ClientFrames.html(evidence.frames))
            <p class="quiet">\(HTMLText.escaped(place.joined(separator: " · ")))</p>
            <pre class="command"><code>\(HTMLText.escaped(evidence.replay))</code></pre>
            <details><summary>What happened on the device</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="\(HTMLText.escaped(title))">
            \(SequencePicture.svg(shortened(evidence), about: evidence.about ?? [], title: title))
            </div>
            </details>\(ClientOutput.html(evidence.output))
            </article>
            """
    }

    private static func shortened(_ evidence: Report.Evidence) -> [Report.TimelineEntry] {
        ShortTimeline(evidence.timeline, about: evidence.about ?? [], count: storyMax).lines.map { line in
            switch line {
            case .entry(let entry, _): entry
            case .launches(_, let first), .gap(_, let first):
                Report.TimelineEntry(number: first.number, atNs: first.atNs, text: line.note ?? "")
            }
        }
    }
}
