// Stories are told once for each cause, and pictures mark what matters.

import Foundation
import Judgement
import Testing
import Text

@testable import ReportModel
@testable import Reporting

@Suite struct StoryFoldTests {
    private typealias Entry = Report.TimelineEntry

    private func evidence(_ user: Int, _ kinds: [Entry.Kind?], rule: String = "lost-purchase") -> Report.Evidence {
        let timeline = kinds.enumerated().map { place, kind in
            var entry = Entry(
                number: place + 1, atNs: Int64(place), process: 1, text: "step", from: .app, to: .storeKit)
            entry.kind = kind
            return entry
        }
        return Report.Evidence(
            number: user, rule: rule, severity: .critical, user: user, cell: 0, device: 1, sentence: "s",
            timeline: timeline, about: Array(1...kinds.count), replay: "r")
    }

    @Test func evidenceWithTheSameStepsIsFolded() {
        let folds = StoryFold.folded([
            evidence(1, [.charge, .received, .finish]), evidence(2, [.charge, .received, .received, nil, .finish]),
            evidence(3, [.charge, .received, .crash]),
            evidence(4, [.charge, .received, .finish], rule: "wrong-product"),
            evidence(5, [.charge, .nothingHeld, .received, .finish]),
        ])
        #expect(folds.map(\.first.user) == [1, 3, 4])
        #expect(folds[0].others.map(\.user) == [2, 5])
    }

    @Test func crashesWithOneCauseAreNotFolded() {
        var dead = evidence(1, [.crash])
        dead.cause = "a place"
        #expect(StoryFold.folded([dead, dead]).count == 2, "each is told with its count already")
    }

    @Test func pageListsFoldedUsersWithTheirCommands() {
        var report = SampleReports.failed
        report.violations.evidence = (1...3).map {
            var one = evidence($0, [.charge, .received, .finish])
            one.replay = "stampede run --only-user \($0)"
            return one
        }
        let html = FindingsPart.violations(report)
        #expect(html.components(separatedBy: "<article>").count == 2)
        #expect(html.contains("2 others alike, with their commands"))
        #expect(html.contains("<li>user 3: <code>\(HTMLText.command("stampede run --only-user 3"))</code></li>"))
    }

    // MARK: Pictures

    private func lines(_ entries: [Entry]) -> [ShortTimeline.Line] { entries.map { .entry($0, isMarked: false) } }

    @Test func sequenceMarksHaveAShapeAndAWord() {
        let entries = evidence(1, [.charge, .received, .delivery, .crash, .finish]).timeline
        let svg = SequencePicture.svg(lines(entries), guilty: 5, title: "t")
        for (mark, word) in [("charge", "charge"), ("delivery", "delivery"), ("crash", "crash"), ("guilty", "here")] {
            #expect(svg.components(separatedBy: "class=\"mark \(mark)\"").count == 2)
            #expect(svg.contains(">\(word)</text>"))
        }
        #expect(svg.components(separatedBy: "class=\"band\"").count == 2)
        let legend = SequencePicture.legend(lines(entries), guilty: nil)
        #expect(legend.contains("charge-word") && !legend.contains("guilty-word"), "only what is there is explained")
    }

    @Test func sequenceShowsPassingTime() {
        var entries = evidence(1, [.charge, .received, .finish]).timeline
        entries[1].atNs = 3_200_000_000
        entries[2].atNs = 3_900_000_000
        let svg = SequencePicture.svg(lines(entries), guilty: nil, title: "t")
        #expect(svg.contains("3.2s later") && svg.components(separatedBy: "class=\"pause\"").count == 2)
    }

    @Test func sequenceLeavesOutEmptyHoldings() {
        let entries = evidence(1, [.charge, .nothingHeld, .finish]).timeline
        let svg = SequencePicture.svg(ShortTimeline.whole(entries), guilty: nil, title: "t")
        #expect(svg.components(separatedBy: "class=\"arrow\"").count == 3)
        let short = ShortTimeline(entries, about: [1, 2], count: 20)
        #expect(short.lines.count == 2)
    }

    // A purchase whose goods come, and one whose goods do not.
    @Test func timelineEntriesCarryTheirKind() {
        let entries = SampleReports.failed.violations.evidence.flatMap(\.timeline)
        for kind in [Entry.Kind.charge, .received, .finish, .answer, .nothingHeld] {
            #expect(entries.contains { $0.kind == kind }, "\(kind)")
        }
        for entry in entries where entry.kind == .finish { #expect(entry.from == .app && entry.to == .storeKit) }
        for entry in entries where entry.kind == .charge { #expect(entry.from == .appStore) }
    }
}
