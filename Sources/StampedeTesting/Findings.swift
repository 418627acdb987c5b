// Records what fails a test: one issue for each broken rule, with its story, and one for each other reason.
// On the test's own task.

import Foundation
import Stampede
import Testing
import XCTest

/// Whether findings fail the test or are only returned.
public enum StampedeFindings: Sendable {
    /// Each finding is an issue of the running test.
    /// A finding is a broken rule, or another reason for not passing.
    case failTheTest
    /// The result holds the findings, and the test decides.
    case returned
}

/// The place in a test that calls Stampede.
struct TestPlace: Sendable {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    var location: SourceLocation {
        SourceLocation(
            fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }

    /// The folder of the test's source file.
    var folder: URL { URL(fileURLWithPath: "\(filePath)").deletingLastPathComponent() }
}

/// A text to attach to an issue.
struct Keepsake {
    let name: String
    let text: String
}

enum Findings {
    /// Records issues with attachments under Swift Testing.
    /// XCTest has no attachments on Linux, so its issues hold no stories.
    ///
    /// - Parameters:
    ///   - reasons: the reasons for not passing, in words.
    ///   - keepsakes: texts that belong to the whole result.
    static func record(
        _ violations: [StampedeViolation], reasons: [String], keepsakes: [Keepsake], at place: TestPlace
    ) {
        if violations.isEmpty, reasons.isEmpty { return }
        let texts = violations.map { violation in
            "\(violation.rule) (\(violation.severity), \(violation.count)): \(violation.sentence)\nreplay: \(violation.replay)"
        }
        let issues = texts.isEmpty ? reasons : texts
        guard Test.current != nil else {
            for text in issues { XCTFail(text, file: place.filePath, line: place.line) }
            return
        }
        for text in issues { Issue.record(Comment(rawValue: text), sourceLocation: place.location) }
        let stories = violations.map {
            Keepsake(name: "\($0.rule).txt", text: "\($0.sentence)\n\nreplay: \($0.replay)\n\n\($0.story)\n")
        }
        for keepsake in stories + keepsakes {
            Attachment.record(
                Attachment(keepsake.text, named: keepsake.name, sourceLocation: place.location),
                sourceLocation: place.location)
        }
    }
}
