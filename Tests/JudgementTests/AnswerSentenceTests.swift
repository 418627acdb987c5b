// What the sentences about answers and crashes say, and that it is so.

import Foundation
import Judgement
import ReportModel
import Reporting
import Simulation
import Testing

@Suite struct AnswerSentenceTests {
    private func sentences(_ rule: AuditRule, _ write: (inout Story) -> Void) -> [String] {
        Story(write).sentences(rule)
    }

    private static func expect(
        _ sentences: [String], _ pattern: some RegexComponent, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(sentences.count == 1, sourceLocation: location)
        #expect(sentences.allSatisfy { $0.contains(pattern) }, "\(sentences)", sourceLocation: location)
    }

    // MARK: Answers that came too early

    @Test func answerBeforeTheChargeNamesTheTimeBetween() {
        let sentences = sentences(.wrongAnswer) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.answer(.purchase, request, .failed)
            story.pass(.seconds(2))
            story.bring(purchase)
            story.end()
        }
        Self.expect(
            sentences, #/with "failed" at \S+, 2\.001 s before the store charged this request \(transaction \d+\)$/#)
    }

    @Test func answerBeforeTheCallbackNamesTheCallbacksTime() {
        let sentences = sentences(.wrongAnswer) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            story.answer(.purchase, request, .failed)
            story.tell(purchase)
            story.deliver(Story.lives)
            story.finish(purchase)
            story.end()
        }
        Self.expect(
            sentences,
            #/before StoreKit had reported the outcome of this request \(it did at \S+\); the store had charged this request \(transaction/#
        )
    }

    @Test func answerAfterTheCallbackContradictsTheStore() {
        let sentences = sentences(.wrongAnswer) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            story.bring(story.pay(Story.lives))
            story.answer(.purchase, request, .failed)
            story.end()
        }
        Self.expect(
            sentences, #/with "failed" at \S+, although the store had charged this request \(transaction \d+\)$/#)
    }

    // One table for all payments of a product: the first that ends answers the others.
    @Test func wrongAnswerNamesTheOtherPaymentThatEnded() {
        let sentences = sentences(.wrongAnswer) { story in
            story.launch()
            let one = story.ask(.purchase, Story.lives)
            let three = story.ask(.purchase, Story.lives, quantity: 3)
            let cancelled = story.pay(Story.lives)
            let charged = story.pay(Story.lives, quantity: 3)
            story.fail(cancelled, .paymentCancelled)
            story.answer(.purchase, one, .cancelled)
            story.answer(.purchase, three, .cancelled)
            story.bring(charged, 3)
            story.end()
        }
        Self.expect(sentences, #/; payment 1, of the same product, had just been cancelled$/#)
    }

    @Test func wrongAnswerNamesTheInterruption() {
        let sentences = sentences(.wrongAnswer) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.attempt(purchase, .interrupted)
            story.tell(purchase, .failed)
            story.finish(purchase, .failed)
            story.answer(.purchase, request, .purchased)
            story.end()
        }
        Self.expect(
            sentences,
            #/although the purchase was interrupted: it failed, and is charged after the account problem is resolved$/#)
    }

    // R40: StoreKit may tell an interruption as a cancel.
    @Test func cancelAsErrorReportsAnInterruptionAsACancel() {
        let sentences = sentences(.cancelAsError) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.fail(purchase, .paymentCancelled)
            story.statement.attempts[0].outcome = .interrupted
            story.answer(.purchase, request, .failed)
            story.end()
        }
        Self.expect(
            sentences, #/with "failed" at \S+, although StoreKit had reported that the buyer cancelled this request$/#)
    }

    @Test(arguments: [true, false])
    func earlyRestoreAnswerNamesTheRestoresEnd(hasEnded: Bool) {
        let sentences = sentences(.wrongAnswer) { story in
            story.launch()
            let maps = story.own(Story.maps)
            story.deliver(Story.maps)
            let request = story.ask(.restore)
            story.note(.restoreCalled)
            let restored = story.arrival(TransactionID(number: 9_000), maps.product)
            story.tell(restored, .restored)
            story.finish(restored, .restored)
            story.answer(.restore, request, .restored, shown: 1)
            let later = story.arrival(TransactionID(number: 9_001), maps.product)
            story.tell(later, .restored)
            story.finish(later, .restored)
            if hasEnded { story.note(.restoreFinished) }
            story.end()
        }
        let end = hasEnded ? "it did at 00:00:00" : "it never did)"
        Self.expect(sentences, #/before StoreKit had reported the end of the restore \(/#)
        #expect(sentences.allSatisfy { $0.contains(end) })
    }

    // MARK: Answers that are missing or too many

    @Test func answeredTwiceNamesBothAnswers() {
        let sentences = sentences(.answeredTwice) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            story.fail(story.pay(Story.lives), .paymentCancelled)
            story.answer(.purchase, request, .cancelled)
            story.answer(.purchase, request, .purchased)
            story.end()
        }
        Self.expect(
            sentences,
            #/answered request \d+ to buy extra_lives \(`purchase`\) 2 times: "cancelled" at \S+; "purchased" at \S+$/#)
    }

    @Test func unreportedRestoreNamesTheMissingObserver() {
        for isHeard in [true, false] {
            let sentences = sentences(.restoreUnreported) { story in
                story.launch()
                story.ask(.restore)
                story.note(.restoreCalled)
                if !isHeard { story.note(.observerRemoved(left: 0)) }
                story.note(.restoreFinished)
                story.end()
            }
            Self.expect(sentences, #/ended at \S+, .*but the app never reported that to its user$/#)
            #expect(sentences.allSatisfy { $0.contains("when no observer was on the queue") != isHeard })
        }
    }

    @Test func unansweredRequestNamesStoreKitsCallback() {
        let sentences = sentences(.unansweredRequest) { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            story.fail(story.pay(Story.lives), .paymentInvalid)
            story.end()
        }
        Self.expect(sentences, #/although StoreKit delivered its payment 1 as failed at \S+$/#)
    }

    @Test(arguments: [true, false])
    func unansweredFetchNamesTheReleasedRequest(isHeld: Bool) {
        let story = Story { story in
            story.launch()
            story.ask(.fetch)
            story.note(.productsStarted(request: 1, asked: nil))
            story.note(.productsDelivered(.init(1, found: 3, isHeard: isHeld)))
            story.end()
        }
        let said = isHeld ? "although StoreKit returned 3 products at" : "because it released its products request"
        Self.expect(story.sentences(.unansweredRequest).filter { $0.contains(said) }, #/^the app never answered/#)
        #expect(
            Narrator(UserStory(of: story.input)).timeline.contains { $0.text.contains("drops the answer") } != isHeld)
    }

    // MARK: Crashes

    @Test func crashFindingNamesTheCallbackUnderWay() {
        let sentences = sentences(.clientCrash) { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.tell(purchase, .deferred)
            story.noteAtOnce(.raised(.failedAssertion))
            story.crash()
            story.launch()
            story.end()
        }
        Self.expect(
            sentences, #/at \S+, when StoreKit delivered payment 1 \(extra_lives\) as deferred; on a phone/#)
    }

    @Test func crashFindingNamesCallAndCodePlace() {
        var story = Story { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.tell(purchase, .deferred)
            story.noteAtOnce(.died(DeathNote(call: .observer, .signal(SIGILL))))
            story.crash()
            story.launch()
            story.end()
        }
        story.log.end(because: "SIGILL, in `Shop.buy()` (Shop.swift:41)", at: .start, process: 1)
        Self.expect(
            story.sentences(.clientCrash),
            #/^the client crashed in a callback of its transaction observer at \S+, when StoreKit delivered payment 1/#
        )
        #expect(story.sentences(.clientCrash)[0].hasSuffix(": SIGILL, in `Shop.buy()` (Shop.swift:41)"))
        #expect(story.sentences(.clientExit).isEmpty)
    }

    @Test func exceptionFindingNamesTheAppsCall() {
        let sentences = sentences(.clientCrash) { story in
            story.launch()
            let purchase = story.pay(Story.lives)
            story.finish(purchase, .purchasing)
            story.noteAtOnce(.raised(.finishedPurchasing))
            story.crash()
            story.launch()
            story.end()
        }
        Self.expect(
            sentences,
            #/^StoreKit raised an exception at \S+: the app finished payment 1 \(extra_lives\), which is purchasing; on a phone/#
        )
    }

    // MARK: What was never tried

    @Test(arguments: [(AnswerCode.refused, 1), (.failed, 0)])
    func refusalsAreCountedAsUntriedPurchases(answer: AnswerCode, refused: Int) {
        let story = Story { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            story.answer(.purchase, request, answer)
            story.end()
        }
        var auditor = Auditor()
        _ = auditor.audit(story.input)
        #expect(auditor.story.attempts[.purchase].untried == 1)
        #expect(auditor.story.attempts[.purchase].refused == refused)
    }
}
