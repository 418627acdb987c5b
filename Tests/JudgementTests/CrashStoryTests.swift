// What is told of an app that dies between two steps: what it had written by then, and what was lost on its way.

import Judgement
import ReportModel
import Testing

@testable import Reporting
@testable import Simulation

@Suite struct CrashStoryTests {
    /// It notes that a purchase is done before it counts the goods, and crashes in between.
    private static let notedFirst = Story { story in
        story.launch()
        let request = story.ask(.purchase, Story.lives)
        let purchase = story.pay(Story.lives)
        story.complete(purchase)
        story.tell(purchase)
        story.note(.stored(count: 1))
        story.writtenPlaces.append(.key("done"))
        story.crash()
        story.launch()
        story.tell(purchase)
        story.finish(purchase)
        story.answer(.purchase, request, .purchased)
        story.end()
    }

    @Test func crashSentenceNamesWhatTheAppHadWritten() throws {
        let sentence = try #require(Self.notedFirst.sentences(.lostPurchase).first)
        let crash = #/the app crashed at \S+ after writing "done"; StoreKit delivered it again in launch 2 at \S+;/#
        #expect(sentence.contains(crash), "\(sentence)")
        #expect(!sentence.contains("no request for it was pending"))
    }

    /// It finishes what it has only set in its defaults, and crashes before these are saved.
    private static let unsaved = Story { story in
        story.launch()
        let request = story.ask(.purchase, Story.lives)
        let purchase = story.pay(Story.lives)
        story.complete(purchase)
        story.tell(purchase)
        story.finish(purchase)
        story.note(.stored(count: 1))
        story.note(.writesLost(count: 1))
        story.writtenPlaces += [.key("done"), .key("coins")]
        story.note(.crashed(before: MissedEffect(number: 3, effect: .answer)))
        story.launch()
        story.answer(.purchase, request, .failed)
        story.end()
    }

    @Test func crashSentenceNamesWhatWasAboutToComeAndWhatWasNotSaved() throws {
        let sentence = try #require(Self.unsaved.sentences(.lostPurchase).first)
        let crash =
            #/the app crashed at \S+, just before an answer to its user, and lost "coins", which the app had set in the user defaults/#
        #expect(sentence.contains(crash), "\(sentence)")
        let lines = Narrator(UserStory(of: Self.unsaved.input)).timeline.map(\.text)
        #expect(lines.contains("the app loses \"coins\", set in the user defaults and not saved"), "\(lines)")
        #expect(lines.contains("the app writes \"done\""), "\(lines)")
    }

    // Without the write it is the missing request that an app may have stumbled over.
    @Test func crashBeforeAnyWriteNamesTheMissingRequest() throws {
        var story = Self.notedFirst
        story.events.removeAll { $0.event == .stored(count: 1) }
        let sentence = try #require(story.sentences(.lostPurchase).first)
        #expect(sentence.contains(", while no request for it was pending; the app finished"), "\(sentence)")
    }

    @Test func timelineMarksCrashAndWriteOfALostPurchase() throws {
        let violation = try #require(Self.notedFirst.findings.violations.first { $0.rule == .lostPurchase })
        let told = Narrator(UserStory(of: Self.notedFirst.input)).timeline(about: violation)
        let marked = told.places.map { told.lines[$0].text }
        #expect(marked.contains("the app writes \"done\"") && marked.contains("the app crashes"), "\(marked)")
    }

    @Test(arguments: [
        ([WrittenPlace.key("coins")], 1, "\"coins\""),
        ([.key("a"), .key("b"), .key("c")], 5, "\"a\", \"b\", \"c\" and 2 more"),
        ([.file("")], 1, "a file"), ([.file("goods.plist")], 1, "the file \"goods.plist\""),
        ([.secret("x")], 1, "an entry of the keychain"), ([], 2, "2 values to storage"),
        ([.key("\u{1F}group\u{1F}coins\u{202E}")], 1, "\"group/coins\""),
        ([.key(String(repeating: "k", count: 70))], 1, "\"" + String(repeating: "k", count: 59) + "…\""),
    ])
    func timelineNamesWrittenKeysAndFiles(places: [WrittenPlace], count: Int, words: String) {
        let story = Story { story in
            story.launch()
            story.note(.stored(count: count))
            story.writtenPlaces = places
        }
        #expect(Narrator(UserStory(of: story.input)).timeline.last?.text == "the app writes " + words)
    }

    @Test func timelineMarksLostMessagesOfTheProduct() throws {
        let story = Story { story in
            story.launch()
            let purchase = story.pay(Story.lives)
            story.note(.lost(.init(.lostAnswer, .purchase, transaction: nil, product: Story.lives)))
            story.note(.lost(.init(.lostRequest, .purchase, transaction: nil, product: Story.powers)))
            story.complete(purchase)
            story.tell(purchase)
            story.finish(purchase)
            story.end()
        }
        let violation = try #require(story.findings.violations.first { $0.rule == .lostPurchase })
        let told = Narrator(UserStory(of: story.input)).timeline(about: violation)
        let marked = told.places.map { told.lines[$0].text }.filter { $0.contains("lost on the way") }
        #expect(marked == ["the answer is lost on the way: the payment for extra_lives"])
    }

    // Without a network everything comes about in one instant: the store acts after it was asked.
    @Test func timelinePutsTheStoresActAfterTheRequest() {
        let story = Story { story in
            story.launch()
            story.inOneInstant { story in
                let purchase = story.pay(Story.lives, isOwnIdea: true)
                story.complete(purchase)
                story.tell(purchase)
                story.deliver(Story.lives)
                story.finish(purchase)
            }
        }
        let lines = Narrator(UserStory(of: story.input)).timeline.map(\.text).filter {
            $0.contains("App Store") || $0.contains("adds") || $0.contains("the app finishes")
                || $0.contains("purchased")
        }
        let order = [
            "the app adds payment", "App Store: charges", "StoreKit delivers", "the app finishes", "App Store: notes",
        ]
        #expect(lines.count == order.count && zip(lines, order).allSatisfy { $0.hasPrefix($1) }, "\(lines)")
    }

    @Test func observersThatStayAreNotReportedAsAdded() throws {
        let story = Story { story in
            story.launch()
            story.inOneInstant { story in
                story.note(.observerAdded(times: 1))
                story.note(.terminated(underWay: 0))
            }
            story.launch()
            story.note(.observerAdded(times: 2))
            story.end()
        }
        #expect(
            try #require(story.sentences(.observerLeft).first)
                .contains("2 observers were still on the queue when the system terminated the app"))
        #expect(
            try #require(story.sentences(.observerLeak).first).contains("added the same observer for the 2nd time"))
    }
}
