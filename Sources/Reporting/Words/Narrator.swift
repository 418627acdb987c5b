// Words for what the audit found: the one place that renders facts.
// Pure; any thread.

import Foundation
package import Judgement
package import ReportModel
import Simulation

/// Tells the story of one user's device.
package struct Narrator {
    let story: UserStory
    var input: AuditInput { story.input }

    package init(_ story: UserStory) { self.story = story }

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
        // Stable: what happened on the device in one instant keeps its order. The store's part of that instant follows what
        // made the store act, where that was within the instant; else it comes first, because the device only ever learns
        // of it afterwards.
        let store = storeLines.map { line in
            let told: Told = (line.line, subject?.isAbout(line.transaction) ?? false)
            return (told, place: line.cause.flatMap { place(of: $0, at: line.line.atNs) } ?? -1, isAfter: 1)
        }
        let device = deviceLines(subject).enumerated().map { ($1, place: $0, isAfter: 0) }
        let sorted = (store + device).enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            return (first.0.line.atNs, first.place, first.isAfter, left.offset)
                < (second.0.line.atNs, second.place, second.isAfter, right.offset)
        }.map(\.element.0)
        return zip(sorted.map(\.line).numbered, sorted).map { ($0, $1.isAboutIt) }
    }

    /// Where the device did what made the store act, if it did so within the very instant.
    private func place(of cause: StoreCause, at instant: Int64) -> Int? {
        let isCause: (DeviceEvent) -> Bool = { event in
            switch (cause, event) {
            case (.payment(let payment), .paymentAdded(let note)): note.payment == payment
            case (.finish(let id), .finishCalled(let note)): note.id == id
            default: false
            }
        }
        return input.events.lastIndex { $0.at.nanoseconds == instant && isCause($0.event) }
    }

    private func deviceLines(_ subject: Subject?) -> [Told] {
        var (writes, losses) = (story.goods.writes[...], story.goods.losses[...])
        var kinds = EventKinds()
        return input.events.enumerated().map { place, record in
            let words =
                switch record.event {
                case .stored: writes.popFirst().map { self.words(for: $0) }
                case .writesLost: losses.popFirst().map { self.words(forLoss: $0) }
                default: EventWords?.none
                }
            var line = Report.TimelineEntry(record.at, process: record.process, words ?? self.words(for: record))
            line.kind = kinds.kind(of: record.event)
            return (line, subject?.places.contains(place) ?? false)
        }
    }
}

extension Report.TimelineEntry {
    /// Numbered once all of a timeline are there.
    init(_ at: Instant, process: Int32? = nil, _ words: EventWords) {
        self.init(
            number: 0, atNs: at.nanoseconds, process: process.map(Int.init), text: words.text,
            label: words.label == words.text ? nil : words.label, from: words.from, to: words.to)
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
