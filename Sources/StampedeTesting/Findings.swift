// What fails a test: an issue for every broken rule, with its story, and one for every other reason.
// On the test's own task.

import Foundation
import Stampede
import Testing
import XCTest

/// What becomes of what is found.
public enum StampedeFindings: Sendable {
    /// Each broken rule, and each other reason why nothing has passed, is an issue of the test that runs.
    case failTheTest
    /// They are returned, and the test decides.
    case returned
}

/// Where a test asks for something.
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

/// A text to keep with an issue.
struct Keepsake {
    let name: String
    let text: String
}

enum Findings {
    /// Under Swift Testing with attachments; XCTest has none on Linux, so that its issues hold the story's end.
    ///
    /// - Parameters:
    ///   - reasons: why it has not passed, in words.
    ///   - keepsakes: of the whole.
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
