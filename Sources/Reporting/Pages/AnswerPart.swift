// The first screen of the page: what is wrong, for whom, and what to type next.
// Pure; any thread.

import Foundation
import Judgement
import ReportModel
import Text

enum AnswerPart {
    /// Reasons that are told in the first place; the others stand with the thresholds.
    private static let reasonsMax = 4

    static func word(_ outcome: Report.Verdict.Outcome) -> String { outcome.rawValue.capitalized }

    static func html(_ report: Report) -> String {
        let tone = report.verdict.outcome.tone
        var lines = [
            "<header class=\"verdict \(tone.rawValue)-edge\">",
            "<h1>\(HTMLText.escaped(report.scenario.name)) <span class=\"quiet\">\(HTMLText.escaped(subject(report)))</span></h1>",
            "<p class=\"outcome \(tone.rawValue)\"><span aria-hidden=\"true\">\(tone.mark)</span> \(word(report.verdict.outcome)): "
                + "\(HTMLText.escaped(ClosingWords.matter(report)))</p>",
        ]
        lines += beyondThresholds(report)
        if let first = first(report) { lines.append(first) }
        lines += command(report)
        if !report.harnessFaults.isEmpty {
            lines.append("<h2>\(HarnessFaultWords.heading)</h2>")
            lines.append(list(HarnessFaultWords.lines(report), class: "reasons"))
        }
        lines += [Tiles(report).html(), reasons(report), FactsPart.html(facts(report))]
        lines.append(list(report.notes + report.host.notes, class: "quiet"))
        return (lines.filter { !$0.isEmpty } + ["</header>"]).joined(separator: "\n")
    }

    /// What no threshold says, which may explain all the rest: that nothing was tried, say.
    private static func beyondThresholds(_ report: Report) -> [String] {
        report.verdict.reasons.filter { !$0.isOfThreshold && $0.sentence != ClosingWords.matter(report) }.map {
            "<p class=\"example\"><b>Most important: \(HTMLText.escaped($0.sentence)).</b></p>"
        }
    }

    /// Who was tried, on how many.
    private static func subject(_ report: Report) -> String {
        "with \(report.run.client), \(HumanNumbers.quantity(report.run.users, "user"))"
    }

    /// For whom, on the gravest rule's first story.
    private static func first(_ report: Report) -> String? {
        guard let evidence = report.violations.gravest else { return nil }
        return
            "<p class=\"example\">For example <a href=\"#rule-\(HTMLText.escaped(evidence.rule))\">user \(evidence.user)</a>: "
            + "\(HTMLText.escaped(evidence.sentence)).</p>"
    }

    private static func command(_ report: Report) -> [String] {
        guard let (purpose, command) = next(report) else { return [] }
        return [
            "<p class=\"next\">\(HTMLText.escaped(purpose))</p>",
            CommandPart.html(command),
        ]
    }

    /// What to type, and what that shows.
    private static func next(_ report: Report) -> (String, String)? {
        if let evidence = report.violations.gravest {
            return ("Next, see this user's timeline:", evidence.replay)
        }
        guard report.verdict.outcome == .passed, report.run.onlyUser == nil else { return nil }
        let words = [
            CommandName.words, "sweep", ShellWord.quoted(report.scenario.file), "--client \(report.run.client)",
        ]
        return ("Next, try it with a crash at every step:", words.joined(separator: " "))
    }

    private static func reasons(_ report: Report) -> String {
        let sentences = report.verdict.reasons.filter(\.isOfThreshold).map(\.sentence)
        // Violations are the answer itself, and one threshold on them says no more.
        let shown = Array(sentences.prefix(reasonsMax))
        let more = sentences.count - shown.count
        if shown.isEmpty || shown == [ClosingWords.matter(report)] { return "" }
        let items = shown.map { "<li>\(HTMLText.escaped($0))</li>" }
        let rest =
            more > 0 ? ["<li><a href=\"#thresholds\">and \(HumanNumbers.quantity(more, "reason")) more</a></li>"] : []
        let heading =
            report.shard == nil ? "Why exit code \(report.verdict.exitCode):" : "Already certain for the whole run:"
        return "<p class=\"small quiet\">\(heading)</p>\n<ul class=\"reasons\">"
            + (items + rest).joined() + "</ul>"
    }

    private static func facts(_ report: Report) -> [(String, String)] {
        let options = report.run.clientOptions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        var users = HumanNumbers.count(report.run.users)
        if report.run.population != report.run.users { users += " of \(HumanNumbers.count(report.run.population))" }
        var facts = [
            ("Client", ([report.run.client] + options).joined(separator: ", ")), ("Users", users),
            (report.run.parts == nil ? "Seed" : "Seeds", report.run.seedsText), ("Clock", report.run.clock),
        ]
        if let user = report.run.onlyUser { facts.insert(("Only user", "\(user)"), at: 2) }
        if report.host.commit != nil {
            facts.append(("Commit", TrendWords.commit(report.host.commit, report.host.isDirty)))
        }
        facts += [
            ("Date", TrendWords.minute(report.host.startedAt) + " UTC"), ("Scenario", report.scenario.file),
            ("Exit code", "\(report.verdict.exitCode)"),
        ]
        let tags = report.run.tagTexts
        if !tags.isEmpty { facts.append(("Tags", tags.joined(separator: ", "))) }
        return facts
    }

    private static func list(_ items: [String], class name: String) -> String {
        if items.isEmpty { return "" }
        return "<ul class=\"\(name)\">" + items.map { "<li>\(HTMLText.escaped($0))</li>" }.joined() + "</ul>"
    }
}

extension Report.Violations {
    /// The first story of the gravest rule.
    var gravest: Report.Evidence? {
        rulesByGravity.lazy.compactMap { rule in evidence.first { $0.rule == rule.rule } }.first
    }
}
