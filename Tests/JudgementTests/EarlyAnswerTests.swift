// What an app may say or do before the last word has come, and what it may not.

import Judgement
import Simulation
import Testing

@Suite struct EarlyAnswerTests {
    // MARK: Restores

    enum Rest: Sendable, CaseIterable { case nothing, another, failure, crash }

    // All transactions were there: that StoreKit had yet to say so makes the answer early, not wrong.
    @Test(arguments: Rest.allCases)
    func earlyRestoreAnswerIsWrongIfMoreWasToCome(rest: Rest) {
        let found = rules { story in
            let maps = story.own(Story.maps)
            story.launch()
            let request = story.ask(.restore)
            story.note(.restoreCalled)
            let restored = story.arrival(TransactionID(number: 9_000), maps.product)
            story.tell(restored, .restored)
            story.deliver(Story.maps)
            story.finish(restored, .restored)
            story.answer(.restore, request, .restored, shown: 1)
            switch rest {
            case .nothing: story.note(.restoreFinished)
            case .another:
                let late = story.arrival(TransactionID(number: 9_001), maps.product)
                story.tell(late, .restored)
                story.finish(late, .restored)
                story.note(.restoreFinished)
            case .failure: story.note(.restoreFailed(.network(code: -1001)))
            case .crash:
                story.crash()
                story.launch()
            }
            story.end()
        }
        #expect(found == (rest == .another || rest == .failure ? [.wrongAnswer] : []))
    }

    @Test func restoreAnswerBeforeAnyTransactionIsWrong() {
        let found = rules { story in
            _ = story.own(Story.maps)
            story.launch()
            let request = story.ask(.restore)
            story.note(.restoreCalled)
            story.answer(.restore, request, .restored, shown: 1)
            story.end()
        }
        #expect(found == [.wrongAnswer])
    }

    // MARK: A second payment that brings the first one's purchase (R22)

    /// What the app says of the second payment.
    @Test(arguments: [(.purchased, [.wrongAnswer]), (.failed, [])] as [(AnswerCode, [AuditRule])])
    func purchasedIsWrongIfTheSecondPaymentBroughtNothing(answer: AnswerCode, expected: [AuditRule]) {
        let found = rules { story in
            story.launch()
            let first = story.buy(Story.lives)
            payAgain(&story, for: first, brings: false, answer)
            story.end()
        }
        #expect(found == expected)
    }

    // The app that was deleted took its goods and its notes with it, and its finish was lost: they come again.
    @Test func purchasedIsRightIfADeletedAppsGoodsReturn() {
        let found = rules { story in
            story.launch()
            let first = story.buy(Story.lives)
            story.reinstall()
            story.launch()
            payAgain(&story, for: first, brings: true, .purchased)
            story.end()
        }
        #expect(!found.contains(.wrongAnswer), "\(found)")
    }

    // Left unfinished by an earlier launch without goods: the second payment is what brings them.
    @Test func purchasedIsRightIfTheSecondPaymentBringsTheGoods() {
        let found = rules { story in
            let left = story.own(Story.lives, isFinished: false)
            story.launch()
            payAgain(&story, for: left, brings: true, .purchased)
            story.end()
        }
        #expect(found.isEmpty)
    }

    // The store answers the second of three alike payments with the first one's purchase. One user hears that nothing was
    // bought, whichever of them it is; against: all hear that something was.
    @Test(arguments: [AnswerCode.failed, .purchased])
    func answersOfEqualRequestsMayBeExchanged(last: AnswerCode) {
        let found = rules { story in
            story.launch()
            let requests = (1...3).map { _ in story.ask(.purchase, Story.lives) }
            let payments = (1...3).map { _ in story.pay(Story.lives) }
            story.bring(payments[0])
            story.attempt(payments[1], .existing(payments[0].id))
            story.tell(payments[1])
            story.finish(payments[1])
            story.bring(payments[2])
            for (request, answer) in zip(requests, [.purchased, .purchased, last]) {
                story.answer(.purchase, request, answer)
            }
            story.end()
        }
        #expect(found == (last == .failed ? [] : [.wrongAnswer]))
    }

    // What is owned is owned: a second purchase of it may be called one.
    @Test func purchasedIsRightForAnOwnedProduct() {
        let found = rules { story in
            story.launch()
            let first = story.buy(Story.maps)
            payAgain(&story, for: first, brings: false, .purchased)
            story.end()
        }
        #expect(found.isEmpty)
    }

    /// The user pays a second time, and the store answers with a purchase that there was already.
    private func payAgain(
        _ story: inout Story, for purchase: Story.Purchase, brings: Bool, _ answer: AnswerCode
    ) {
        let request = story.ask(.purchase, purchase.product)
        let second = story.pay(purchase.product)
        story.attempt(second, .existing(purchase.id))
        let again = Story.Purchase(
            id: purchase.id, handle: second.handle, payment: second.payment, product: second.product,
            quantity: second.quantity)
        story.tell(again)
        if brings { story.deliver(purchase.product) }
        story.finish(again)
        story.answer(.purchase, request, answer)
    }

    // MARK: Goods that the receipt brings

    // An app that reads what it grants in the receipt loses nothing by a crash between finish and receipt.
    @Test(arguments: [false, true])
    func finishBeforeTheReceiptIsEarlyIfTheAppWrites(writes: Bool) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchase, Story.maps)
            let purchase = story.pay(Story.maps)
            story.complete(purchase)
            story.tell(purchase)
            story.finish(purchase)
            story.answer(.purchase, request, .purchased)
            story.inOneInstant { story in
                story.note(.receiptArrived(writtenAt: story.now))
                if writes { story.note(.stored(count: 1)) }
                story.held[Story.maps] = 1
                story.note(.goods(Story.maps, count: 1))
            }
            story.end()
        }
        #expect(found == (writes ? [.finishedBeforeDelivery] : []))
    }
}
