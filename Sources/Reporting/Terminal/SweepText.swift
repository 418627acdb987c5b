// A sweep as the terminal shows it, worst news first.
// Pure; any thread.

import Engine
import Judgement
import ReportModel
import Simulation
import Text

package enum SweepText {
    package static func render(
        _ report: SweepReport, style: TerminalStyle, width: Int = 80, extent: TextExtent = .whole
    ) -> String {
        let writer = SweepWriter(style: style, width: max(60, width))
        if report.verdict.outcome == .passed { return extent == .problems ? "" : writer.whole(report) }
        return extent == .whole ? writer.whole(report) : writer.brief(report, isQuiet: extent == .problems)
    }

    /// A trial that was run again for its story.
    package static func render(
        _ told: SweepReport.Told, trial: String, style: TerminalStyle, width: Int = 80
    ) -> String {
        var lines: [String] = []
        for (place, timeline) in told.timelines.enumerated() {
            if told.timelines.count > 1 { lines.append("device \(place + 1)") }
            lines += TimelineText.lines(timeline)
            if !told.outputs[place].isEmpty {
                lines += [ClientOutput.heading] + ClientOutput.lines(told.outputs[place], indent: 2)
            }
        }
        lines.append("")
        if let fault = told.fault { lines.append(style.paint("harness fault: " + fault, .bad)) }
        for (rule, sentence) in told.sentences {
            lines.append(style.paint(rule, .bad))
            lines += style.wrapped(sentence, width: width)
        }
        if told.status == .passed { lines.append(style.paint("\(trial): no rule was broken", .good)) }
        return lines.joined(separator: "\n") + "\n"
    }
}

private struct SweepWriter {
    let style: TerminalStyle
    let width: Int
    var lines: [String] = []

    func whole(_ report: SweepReport) -> String {
        var writer = self
        writer.lines = head(report) + report.journeys.flatMap(figures) + neverBought(report)
        for journey in report.journeys { writer.stories(journey) }
        for journey in report.journeys { writer.table(journey) }
        writer.lines += [""] + closing(report)
        return writer.lines.joined(separator: "\n") + "\n"
    }

    /// In few lines, without what happened and without the table.
    func brief(_ report: SweepReport, isQuiet: Bool) -> String {
        let stories = report.journeys.flatMap { journey in
            journey.stories.map { story in
                let words = "\(Self.words(for: story.trial)): \(story.sentence)"
                return [""] + heading(story, of: journey) + LineBudget.cut(wrap(words, indent: 2), to: Self.storyMax)
                    + ["  replay: " + story.replay]
            }
        }
        let journeys = report.journeys.map { LineBudget.cut(figures($0), to: Self.figuresMax) }
        let others = isQuiet ? [] : ["the timelines", "each place"]
        let rest = { LineBudget.rest(left: $0, others, style: style, width: width) }
        return LineBudget.text(
            head(report), [LineBudget.List(items: journeys), LineBudget.List(items: stories)],
            rest: { rest($0).isEmpty ? [] : [""] + rest($0) }, [""] + closing(report))
    }

    /// Lines of one story's sentence, and of a journey's figures.
    private static let (storyMax, figuresMax) = (4, 5)

    private func head(_ report: SweepReport) -> [String] {
        let headline =
            style.paint(report.verdict.outcome.headline, report.verdict.outcome.tone)
            + "  sweep of \(TextLayout.safe(report.scenario)), exit code \(report.verdict.exitCode)"
        return [headline, "  \(report.client) · seed \(report.seed) · depth \(report.depth)"]
            + report.verdict.reasons.filter(\.isOfStop).flatMap { wrap($0.sentence, indent: 2) }
    }

    private func figures(_ journey: SweepReport.Journey) -> [String] {
        let outcomes = journey.places.flatMap(\.outcomes)
        var lines = wrap(
            "journey \(journey.name): \(HumanNumbers.count(journey.done)) of "
                + "\(HumanNumbers.count(journey.planned)) trials; \(HumanNumbers.quantity(journey.effects, "effect")), "
                + "\(HumanNumbers.quantity(journey.messages, "message")); "
                + "\(HumanNumbers.count(outcomes.count { !$0.rules.isEmpty })) of \(HumanNumbers.count(outcomes.count)) "
                + "single faults break a rule", indent: 2)
        for deeper in journey.deeper {
            lines += wrap(
                "\(deeper.mishaps) faults: \(HumanNumbers.count(deeper.done)) of "
                    + "\(HumanNumbers.count(deeper.planned)), \(HumanNumbers.count(deeper.failing)) break a rule",
                indent: 4)
        }
        if let orders = journey.interleavings { lines += wrap(text(of: orders), indent: 4) }
        for fault in journey.faults { lines += wrap("harness fault: " + fault, indent: 4) }
        return lines
    }

    private func neverBought(_ report: SweepReport) -> [String] {
        if report.neverBought.isEmpty { return [] }
        let names = HumanNumbers.list(report.neverBought.map(TextLayout.safe))
        let which = report.journeys.count == 1 ? "this journey does not buy" : "none of these journeys buys"
        return wrap("not tried: \(which) \(names)", indent: 2)
    }

    private func closing(_ report: SweepReport) -> [String] {
        let outcome = report.verdict.outcome
        return ClosingWords.lines(
            "\(outcome.headline) \(ClosingWords.sentence(report))", outcome.tone, next: ClosingWords.next(report),
            style: style, width: width)
    }

    private func text(of orders: JourneySweep.Interleavings) -> String {
        let extent = orders.isExhaustive ? "all possible orders" : "not all possible orders: raise --interleavings"
        return
            "orders of events: \(HumanNumbers.count(orders.done)), \(extent); at most \(HumanNumbers.quantity(orders.choicesMax, "choice")) "
            + "in one; \(HumanNumbers.count(orders.failing)) break a rule"
    }

    mutating func stories(_ journey: SweepReport.Journey) {
        for story in journey.stories {
            lines += [""] + heading(story, of: journey)
            lines += wrap("\(Self.words(for: story.trial)): \(story.sentence)", indent: 2)
            lines += ClientFrames.lines(story.frames, indent: 4)
            lines.append("  replay: " + story.replay)
            lines += TimelineText.lines(story.timeline).map { "    " + $0 }
            guard let output = story.output else { continue }
            lines.append("    " + ClientOutput.heading)
            lines += ClientOutput.lines(output, indent: 6)
        }
    }

    private func heading(_ story: SweepReport.Story, of journey: SweepReport.Journey) -> [String] {
        let trials = HumanNumbers.quantity(story.trials, "trial")
        return [
            style.paint("\(story.rule)  (\(story.severity.rawValue))", .bad)
                + "  in \(trials) of \(journey.name); the shortest:"
        ]
    }

    mutating func table(_ journey: SweepReport.Journey) {
        if journey.places.isEmpty { return }
        let textWidth = width - 42
        lines += ["", style.paint("JOURNEY \(TextLayout.safe(journey.name)), place by place", .heading)]
        lines.append(
            style.paint("   #  at            " + TextLayout.padded("place", to: textWidth) + "  broken rules", .quiet))
        lines += style.wrapped(Self.legend, width: width, .quiet)
        for (number, place) in journey.places.enumerated() {
            var text = TextLayout.safe(place.text)
            if text.count > textWidth { text = text.prefix(textWidth - 1) + "…" }
            lines.append(
                TextLayout.paddedLeft(String(number + 1), to: 4) + "  " + HumanNumbers.clock(nanoseconds: place.atNs)
                    + "  " + TextLayout.padded(text, to: textWidth) + "  "
                    + place.outcomes.map(outcome).joined(separator: " / "))
        }
    }

    private func outcome(_ outcome: SweepReport.Outcome) -> String {
        guard let first = outcome.rules.first else { return style.paint("ok", .good) }
        let more = outcome.rules.count > 1 ? " +\(outcome.rules.count - 1)" : ""
        return style.paint(first + more, .bad)
    }

    /// What stands behind a place, for each kind of fault that is placed there.
    private static let legend = [("an effect", FaultKind.Place.effect), ("a message", .message)].map { name, place in
        let faults = FaultKind.trials.filter { $0.place == place }
        return "For \(name): \(faults.map { "with \($0.means(for: "it"))" }.joined(separator: " / "))."
    }.joined(separator: " ")

    private static func words(for trial: TrialCase) -> String {
        var parts = trial.mishaps.compactMap { mishap in
            mishap.kind.row.trial?.sentence(number: mishap.number)
        }
        if trial.order != nil { parts.append("another order of events") }
        return parts.isEmpty ? "no fault" : parts.joined(separator: ", then ")
    }

    private func wrap(_ text: String, indent: Int) -> [String] {
        style.wrapped(text, width: width, indent: indent)
    }
}
