// Words for what the audit found: the one place that renders facts.
// Pure; any thread.

import Foundation
package import Judgement
import Simulation

/// Tells the story of one user's device.
package struct Narrator {
    let story: UserStory
    var input: AuditInput { story.input }

    package init(_ story: UserStory) { self.story = story }

    /// Who takes part in a story.
    package enum Party: String, Sendable, Codable, CaseIterable {
        case person
        case app
        case storeKit
        case appStore
    }

    // MARK: The timeline

    /// Everything that happened to the user, store and device side, in order of time.
    package var timeline: [Report.TimelineEntry] { lines(nil).map(\.line) }

    /// The same, with the places of the lines that are about a violation.
    package func timeline(about violation: Violation) -> (lines: [Report.TimelineEntry], places: [Int]) {
        let lines = lines(Subject(violation, story))
        return (lines.map(\.line), lines.indices.filter { lines[$0].isAboutIt })
    }

    private typealias Told = (line: Report.TimelineEntry, isAboutIt: Bool)

    private func lines(_ subject: Subject?) -> [Told] {
        // Stable: what happened on the device in one instant keeps its order; the store's part of that instant comes
        // first, because the device only ever learns of it afterwards.
        let store: [Told] = storeLines.map { ($0.line, subject?.isAbout($0.transaction) ?? false) }
        let lines = store.map { ($0, 0) } + deviceLines(subject).map { ($0, 1) }
        let sorted = lines.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            return (first.0.line.atNs, first.1, left.offset) < (second.0.line.atNs, second.1, right.offset)
        }.map(\.element.0)
        return zip(sorted.map(\.line).numbered, sorted).map { ($0, $1.isAboutIt) }
    }

    private func deviceLines(_ subject: Subject?) -> [Told] {
        input.events.enumerated().map { place, record in
            let line = Report.TimelineEntry(record.at, process: record.process, words(for: record))
            return (line, subject?.places.contains(place) ?? false)
        }
    }
}

extension Evidence {
    /// What happened, in one sentence of plain English.
    package var sentence: String { Narrator(story).sentence(violation) }
    /// What happened to its user, with the places of the lines that are about it.
    package var timeline: (lines: [Report.TimelineEntry], places: [Int]) { Narrator(story).timeline(about: violation) }
    /// The last that the client printed by then; nil: nothing.
    package var output: [Report.OutputLine]? { ClientOutput.lines(of: violation, story.input.log) }
}
