// Words for what the audit found: the one place that renders facts.
// Pure; any thread.

import Foundation
package import Judgement
package import Simulation

/// Tells the story of one user's device.
package struct Narrator {
    let story: UserStory
    var input: AuditInput { story.input }

    package init(_ story: UserStory) { self.story = story }

    /// One line of a timeline.
    package struct Line: Sendable, Equatable {
        package let at: Instant
        /// The launch; nil for what is not the app's.
        package let process: Int32?
        package let text: String
        /// The text without who says it, for a diagram whose arrow shows that.
        package let label: String
        /// Who does it.
        package let from: Party
        /// Whom it reaches; the same where it is done alone.
        package let to: Party
    }

    /// Who takes part in a story.
    package enum Party: String, Sendable, Codable, CaseIterable {
        case person
        case app
        case storeKit
        case appStore
    }

    // MARK: The timeline

    /// Everything that happened to the user, store and device side, in order of time.
    package var timeline: [Line] { lines(nil).map(\.line) }

    /// The same, with the places of the lines that are about a violation.
    package func timeline(about violation: Violation) -> (lines: [Line], places: [Int]) {
        let lines = lines(Subject(violation, story))
        return (lines.map(\.line), lines.indices.filter { lines[$0].isAboutIt })
    }

    private typealias Told = (line: Line, isAboutIt: Bool)

    private func lines(_ subject: Subject?) -> [Told] {
        // Stable: what happened on the device in one instant keeps its order; the store's part of that instant comes
        // first, because the device only ever learns of it afterwards.
        let store: [Told] = storeLines.map { ($0.line, subject?.isAbout($0.transaction) ?? false) }
        let lines = store.map { ($0, 0) } + deviceLines(subject).map { ($0, 1) }
        return lines.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.0.line.at != second.0.line.at { return first.0.line.at < second.0.line.at }
            if first.1 != second.1 { return first.1 < second.1 }
            return left.offset < right.offset
        }.map(\.element.0)
    }

    private func deviceLines(_ subject: Subject?) -> [Told] {
        input.events.enumerated().map { place, record in
            let words = words(for: record)
            let line = Line(
                at: record.at, process: record.process, text: words.text, label: words.label, from: words.from,
                to: words.to)
            return (line, subject?.places.contains(place) ?? false)
        }
    }
}

extension Evidence {
    /// What happened, in one sentence of plain English.
    package var sentence: String { Narrator(story).sentence(violation) }
    /// What happened to its user, with the places of the lines that are about it.
    package var timeline: (lines: [Narrator.Line], places: [Int]) { Narrator(story).timeline(about: violation) }
}
