// What the sentences about goods and transactions say, and that it is so.

import Judgement
import ReportModel
import Reporting
import Testing

@testable import Simulation

@Suite struct SentenceTests {
    private func sentences(_ rule: AuditRule, _ write: (inout Story) -> Void) -> [String] {
        Story(write).sentences(rule)
    }

    // MARK: Goods too many

    // Of two purchases the first was told again; the second is as innocent as it is recent.
    @Test func doubleDeliveryNamesTheRedeliveredTransaction() throws {
        var first: Story.Purchase?
        let story = Story { story in
            story.launch()
            let purchase = story.buy(Story.lives)
            for _ in 0..<2 {
                story.tell(purchase)
                story.deliver(Story.lives)
                story.finish(purchase)
            }
            story.buy(Story.lives)
            story.end()
            first = purchase
        }
        #expect(story.findings.violations.map(\.transaction) == [first?.id])
        let sentence = try #require(story.sentences(.duplicateDelivery).first)
        let id = try #require(first).id.text
        #expect(sentence.contains("but the store charged for only 2. Transaction \(id): the store charged"))
        #expect(
            sentence.contains(
                #/finished it at \S+; StoreKit delivered it again at \S+ and \S+; its goods arrived at \S+, \S+ and \S+$/#
            ))
    }

    // What failed to be finished and is told once more, without a second grant, is not the one.
    @Test func doubleDeliveryNamesTheTransactionWhoseGoodsGrew() {
        var second: Story.Purchase?
        let story = Story { story in
            story.launch()
            let first = story.buy(Story.lives)
            let purchase = story.buy(Story.lives)
            for _ in 0..<3 {
                story.tell(first)
                story.finish(first)
            }
            story.tell(purchase)
            story.deliver(Story.lives)
            story.finish(purchase)
            story.end()
            second = purchase
        }
        #expect(story.findings.violations.map(\.transaction) == [second?.id])
    }

    @Test func overreachNamesGoodsBeforeAndAfterTheRestore() {
        let sentences = sentences(.restoreOverreach) { story in
            story.launch()
            story.buy(Story.lives)
            story.restore([], credits: [(Story.lives, 2)])
            story.end()
        }
        #expect(sentences.count == 1)
        #expect(
            sentences.allSatisfy { $0.contains(#/charged for only 1. 1 held before the restore of \S+, 3 after it$/#) })
    }

    // MARK: Goods gone again

    @Test(arguments: [true, false])
    func lostEntitlementSentenceNamesItsRevocation(isOther: Bool) {
        let sentences = sentences(.lostPurchase) { story in
            let old = story.own(Story.maps)
            story.launch()
            let purchase = story.buy(Story.maps)
            story.note(.revocationDelivered((isOther ? old : purchase).id, Story.maps))
            story.note(.stored(count: 1))
            story.held[Story.maps] = 0
            story.noteAtOnce(.goods(Story.maps, count: 0))
            story.end()
        }
        let told = "just after StoreKit revoked \(isOther ? "another purchase of it" : "it")"
        #expect(sentences.count == 1)
        #expect(sentences.allSatisfy { $0.contains(#/held from \S+ and gone at \S+, just/#) && $0.contains(told) })
    }

    // Nobody looked when it went; the app wrote once more, and that was it.
    @Test func lostEntitlementSentenceNamesTheWriteAfter() {
        let sentences = sentences(.lostPurchase) { story in
            story.launch()
            story.buy(Story.maps)
            story.note(.stored(count: 1))
            story.held[Story.maps] = 0
            story.end()
        }
        #expect(sentences.count == 1)
        #expect(sentences.allSatisfy { $0.contains(#/held from \S+ and gone after the app wrote at \S+$/#) })
    }

    @Test func lostPurchaseNamesTheBalanceThatFell() {
        let sentences = sentences(.lostPurchase) { story in
            story.launch()
            story.buy(Story.lives, quantity: 3)
            story.use(Story.lives)
            story.note(.stored(count: 1))
            story.held[Story.lives] = 1
            story.noteAtOnce(.goods(Story.lives, count: 1))
            story.end()
        }
        #expect(sentences.count == 1)
        #expect(
            sentences.allSatisfy {
                $0.contains(#/goods are held at the end; the app's extra_lives fell from 2 to 1 at \S+$/#)
            })
    }

    @Test func lostPurchaseNamesTheTransactionDeliveredWithIt() {
        let sentences = sentences(.lostPurchase) { story in
            story.launch()
            let purchases = (0..<2).map { _ in story.own(Story.lives, isFinished: false) }
            story.note(.goods(Story.lives, count: 0))
            for purchase in purchases { story.tellAtOnce(purchase) }
            story.held[Story.lives] = 1
            story.noteAtOnce(.goods(Story.lives, count: 1))
            for purchase in purchases { story.finish(purchase) }
            story.end()
        }
        #expect(sentences.count == 1)
        #expect(
            sentences.allSatisfy {
                $0.contains(#/delivered it together with transaction \d+; the app granted 1 for both$/#)
            })
    }

    // MARK: Goods too late

    // Told once more while a restore runs, it is not the restore that brings them.
    @Test(arguments: [false, true])
    func earlyFinishNamesTheRestoreThatBroughtTheGoods(isToldAgain: Bool) {
        let sentences = sentences(.finishedBeforeDelivery) { story in
            story.launch()
            let maps = story.pay(Story.maps)
            story.complete(maps)
            story.tell(maps)
            story.finish(maps)
            if isToldAgain {
                let request = story.ask(.restore)
                story.note(.restoreCalled)
                story.tell(maps)
                story.deliver(Story.maps)
                story.note(.restoreFinished)
                story.answer(.restore, request, .nothingToRestore)
                story.finish(maps)
            } else {
                story.restore([maps], credits: [(Story.maps, 1)])
            }
            story.end()
        }
        #expect(sentences.count == 1)
        #expect(
            sentences.allSatisfy {
                $0.contains(#/; the goods arrived only with the user's restore at \S+$/#) != isToldAgain
            })
    }

    // MARK: Transactions

    // A launch may crash and the next begin in one instant: what that one writes was not written when this one was told.
    @Test func stuckTransactionIgnoresWritesOfTheNextLaunch() {
        let sentences = sentences(.stuckTransaction) { story in
            story.launch()
            let purchase = story.own(Story.lives, isFinished: false)
            story.inOneInstant { story in
                story.tell(purchase)
                story.crash()
                story.launch()
                story.note(.stored(count: 1))
            }
            story.end()
        }
        #expect(sentences.count == 1)
        #expect(sentences.allSatisfy { $0.contains("the app wrote nothing when it was delivered") }, "\(sentences)")
    }

    // No handler is missing where nobody ever did anything with it.
    @Test func stuckTransactionSentenceNamesItsLaunches() {
        let sentences = sentences(.stuckTransaction) { story in
            story.launch()
            let purchase = story.own(Story.lives, isFinished: false)
            story.tell(purchase)
            for _ in 0..<2 {
                story.end()
                story.tell(purchase)
            }
        }
        #expect(sentences.count == 1)
        #expect(
            sentences.allSatisfy {
                $0.contains(
                    "never finished it, although StoreKit delivered it in launches 1 to 3; the app wrote nothing when it was delivered"
                )
                    && !$0.contains("no request")
            })
    }

    @Test func firstDeliveryInALaterLaunchIsNotARedelivery() {
        let sentences = sentences(.lostPurchase) { story in
            story.launch()
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            story.crash()
            for _ in 0..<2 {
                story.launch()
                story.tell(purchase)
                story.crash()
            }
            story.launch()
            story.finish(purchase)
            story.end()
        }
        #expect(sentences.count == 1)
        #expect(
            sentences.allSatisfy {
                $0.contains(" delivered it in launch 2") && $0.contains(" delivered it again in launch 3")
            })
    }

    @Test(arguments: [
        (StoreTransaction.Origin.renewal, nil, "the store charged 1 USD for extra_lives, a renewal, at"),
        (.interruption, nil, "extra_lives, after the account problem was resolved, at"),
        (.outside, nil, "extra_lives, bought outside the app, at"),
        (.familySharing, nil, "a family member shared extra_lives at"),
        (.payment, 10_000_001, "extra_lives, bought on another device, at"),
    ])
    func sentenceNamesTheTransactionsOrigin(origin: StoreTransaction.Origin, payment: Int?, expected: String) {
        let sentences = sentences(.lostPurchase) { story in
            story.launch()
            let purchase = story.arrival(TransactionID(number: 500), Story.lives)
            let at = story.events.last?.at ?? .start
            story.statement.transactions.append(
                StoreTransaction(
                    id: purchase.id, original: nil, originalDate: nil, product: Story.lives, quantity: 1, at: at,
                    origin: origin, payment: payment.map(PaymentToken.init), applicationUsername: nil, isCharged: true))
            story.statement.charges.append(
                Charge(at: at, transaction: purchase.id, product: Story.lives, quantity: 1))
            story.tell(purchase)
            story.finish(purchase)
            story.end()
        }
        #expect(sentences.count == 1)
        #expect(sentences.allSatisfy { $0.contains(expected) }, "\(sentences)")
    }

    @Test(arguments: [true, false])
    func sentenceNamesPromotionsAndApprovals(isPromoted: Bool) {
        let sentences = sentences(.lostPurchase) { story in
            story.launch()
            if !isPromoted { story.ask(.purchase, Story.lives) }
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            if !isPromoted { story.statement.attempts[0].resolvedAt = story.events.last?.at }
            story.tell(purchase)
            story.finish(purchase)
            story.end()
        }
        let kind = isPromoted ? "a promoted purchase" : "after approval"
        #expect(sentences.count == 1)
        #expect(sentences.allSatisfy { $0.contains("extra_lives, \(kind), at") }, "\(sentences)")
    }

    // MARK: The timeline

    @Test func timelineMarksTheTransactionsLines() throws {
        let story = Story { story in
            story.launch()
            let lost = story.pay(Story.lives)
            story.complete(lost)
            story.tell(lost)
            story.finish(lost)
            story.buy(Story.powers)
            story.end()
        }
        let violation = try #require(story.findings.violations.first)
        let narrator = Narrator(UserStory(of: story.input))
        let lines = narrator.timeline.map(\.text)
        let marked = narrator.timeline(about: violation).places.map { lines[$0] }
        let id = try #require(violation.transaction).text
        #expect(marked.contains("StoreKit delivers transaction \(id) (extra_lives): purchased"))
        #expect(marked.contains("payment 1, for the promoted 1 × extra_lives, is added"))
        // What follows its finish says nothing more of it.
        let own = lines.filter { $0.contains(id) && !$0.contains("was removed") && !$0.contains("as finished") }
        #expect(own == marked.filter { $0.contains(id) })
        #expect(!marked.contains { $0.contains("superpowers") })
    }
}

extension Story {
    /// Of the breaches of one rule, in order.
    func sentences(_ rule: AuditRule) -> [String] {
        findings.violations.filter { $0.rule == rule }.map { Narrator(UserStory(of: input)).sentence($0) }
    }

    /// In the instant of what was noted last.
    mutating func noteAtOnce(_ event: DeviceEvent) {
        events.append(EventRecord(at: events.last?.at ?? .start, process: process, event))
    }

    mutating func tellAtOnce(_ purchase: Purchase) { noteAtOnce(.delivered(purchase.note(.purchased))) }
}
