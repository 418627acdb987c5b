// What real runs tell of real clients: sentence and lines, as they were when somebody last read them.

import ClientKit
import Foundation
import Judgement
import Judges
import Judging
import RunSupport
import Specimens
import Testing

/// The file: made anew by `JudgeTool stories`, and read before it is committed.
private let stories: [StorySnapshot] = {
    let file = PackageFolder.url.appendingPathComponent("Tests/JudgeTests/Stories.txt")
    do {
        return try StorySnapshot.all(in: try String(contentsOf: file, encoding: .utf8))
    } catch {
        preconditionFailure("\(error)")
    }
}()

@Suite struct StoryTests {
    @Test(arguments: stories)
    func clientStoryMatchesItsSnapshot(story: StorySnapshot) throws {
        let judges = Judges.broken.map(\.client) + ClientRegistry.shipped
        let client = try #require(judges.first { $0.name == story.client })
        #expect(try story.told(of: client) == story.text)
    }

    // Rules of the wall clock have their own tests, and so have clients that loop, end the process or take all memory.
    @Test func everyRuleHasAStorySnapshot() {
        let elsewhere: Set<AuditRule> = [
            .mainQueueBlocked, .clientHang, .leftItsQueue, .clientExit, .clientMemory,
        ]
        for rule in AuditRule.allCases where !elsewhere.contains(rule) {
            #expect(stories.contains { $0.text.contains("\(rule.rawValue): ") }, "\(rule.rawValue)")
        }
    }
}
