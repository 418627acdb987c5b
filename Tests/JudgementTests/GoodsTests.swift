// How goods are weighed against charges: quantities, unpaid goods, mix-ups.

import Judgement
import Testing

@testable import Simulation

@Suite struct GoodsTests {
    // MARK: Quantities

    @Test(arguments: [(2, 1, AuditRule.wrongProduct), (3, 2, .wrongProduct), (2, 3, .duplicateDelivery)])
    func wrongQuantityOfGoodsIsAViolation(bought: Int, delivered: Int, rule: AuditRule) {
        let found = rules { story in
            story.launch()
            let purchase = story.pay(Story.lives, quantity: bought)
            story.complete(purchase)
            story.tell(purchase)
            story.deliver(Story.lives, delivered)
            story.finish(purchase)
            story.end()
        }
        #expect(found == [rule])
    }

    @Test(arguments: [1, 2, 10])
    func purchaseBringsQuantityTimesPackSize(quantity: Int) {
        var story = Story()
        story.goodsPerPurchase = [3, 2, 1]
        story.launch()
        story.buy(Story.lives, quantity: quantity)
        story.buy(Story.powers, quantity: quantity)
        story.end()
        #expect(story.held == [3 * quantity, 2 * quantity, 0])
        #expect(story.findings == AuditFindings())
        story.held[Story.lives] -= 1
        #expect(story.findings.violations.map(\.finding) == [.goods(expected: 3 * quantity, held: 3 * quantity - 1)])
    }

    @Test func usedGoodsCountAsHeld() {
        #expect(
            rules { story in
                story.launch()
                story.buy(Story.lives, quantity: 3)
                story.use(Story.lives)
                story.use(Story.lives)
                story.end()
            }.isEmpty)
    }

    // Fewer goods than before and no use of them: the app wiped what it had delivered.
    @Test func vanishedGoodsAreALostPurchase() {
        var story = Story()
        story.launch()
        story.buy(Story.lives)
        story.end()
        story.held = [0, 0, 0]
        #expect(story.findings.violations.map(\.rule) == [.lostPurchase])
    }

    // The first purchase was finished and lost; the goods of the second, larger one are all its own.
    @Test func goodsAreCreditedToTheOpenPurchase() {
        let findings = Story { story in
            story.launch()
            let lost = story.own(Story.lives, isFinished: false)
            story.tell(lost)
            story.finish(lost)
            story.buy(Story.lives, quantity: 3)
            story.end()
        }.findings
        #expect(findings.violations.map(\.rule) == [.lostPurchase])
        #expect(findings.violations.map(\.transaction) == [TransactionID(number: 100)])
    }

    // R22: finished without goods, told once more for a later payment, and delivered then: those goods are its own,
    // whatever was lost before.
    @Test func goodsAreCreditedToTheRedeliveredPurchase() {
        let findings = Story { story in
            story.launch()
            for quantity in [1, 3] {
                let purchase = story.pay(Story.lives, quantity: quantity)
                story.complete(purchase)
                story.tell(purchase)
                story.finish(purchase)
                guard quantity == 3 else { continue }
                let again = story.arrival(purchase.id, Story.lives)
                story.tell(again)
                story.deliver(Story.lives, quantity)
                story.finish(again)
            }
            story.end()
        }.findings
        #expect(findings.violations.map(\.rule) == [.lostPurchase, .finishedBeforeDelivery].reversed())
        #expect(findings.violations.map(\.transaction).last == TransactionID(number: 100))
    }

    // MARK: Unpaid goods

    // Told that it failed, or waits for approval: goods that come then were never paid for, whatever was paid before.
    @Test(arguments: [TransactionState.failed, .deferred])
    func goodsOfAFailedOrDeferredPaymentAreUnpaid(state: TransactionState) {
        #expect(
            rules { story in
                story.launch()
                story.buy(Story.lives)
                let purchase = story.pay(Story.lives)
                story.tell(purchase, state)
                story.deliver(Story.lives)
                story.finish(purchase, .failed)
                story.end()
            } == [.unpaidDelivery])
    }

    // Told in one call: nobody can say for which of the two the goods came twice.
    @Test func doubleGoodsBesideAFailureAreADoubleDelivery() {
        #expect(
            rules { story in
                story.launch()
                let good = story.pay(Story.lives)
                let bad = story.pay(Story.lives)
                story.complete(good)
                story.tell(good)
                story.tell(bad, .failed)
                story.deliver(Story.lives, 2)
                story.finish(good)
                story.finish(bad, .failed)
                story.end()
            } == [.duplicateDelivery])
    }

    // MARK: Mix-ups

    // What is owned is bought again for free while a restore runs, and brings another product's goods.
    @Test(arguments: [true, false])
    func freeRepurchaseWithAnotherProductsGoodsIsAMixUp(isHeldAlready: Bool) {
        let findings = Story { story in
            story.launch()
            _ = story.own(Story.maps)
            if isHeldAlready { story.deliver(Story.maps) }
            let request = story.ask(.restore)
            story.note(.restoreCalled)
            let again = story.pay(Story.maps)
            story.complete(again, isCharged: false)
            story.tell(again)
            story.deliver(Story.lives)
            story.finish(again)
            story.note(.restoreFinished)
            story.answer(.restore, request, .nothingToRestore)
            story.end()
        }.findings
        #expect(findings.violations.map(\.rule) == [.wrongProduct])
        #expect(findings.violations.map(\.product) == [Story.maps])
    }

    // The queue delivers an unfinished repeat as restored: that is an answer to a restore by the queue, and none to a sync.
    @Test(arguments: [true, false])
    func syncIsNotAnsweredByTheQueue(isSync: Bool) {
        let found = rules { story in
            story.usesStoreKit2 = isSync
            story.launch()
            let maps = story.own(Story.maps)
            let request = story.ask(.restore)
            story.note(isSync ? .syncCalled(asked: request) : .restoreCalled)
            story.tell(maps, .restored)
            story.note(.restoreFinished)
            story.answer(.restore, request, .nothingToRestore)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isSync, "\(found)")
    }

    // What is unfinished comes as restored before the app has asked StoreKit to restore; against: it has asked the queue.
    @Test(arguments: [true, false])
    func unfinishedRepeatIsNoAnswerToALaterRestore(isLater: Bool) {
        let found = rules { story in
            story.usesStoreKit2 = isLater
            story.launch()
            let maps = story.own(Story.maps)
            let request = story.ask(.restore)
            if !isLater { story.note(.restoreCalled) }
            story.tell(maps, .restored)
            if isLater { story.note(.syncCalled(asked: request)) }
            story.note(.restoreFinished)
            story.answer(.restore, request, .nothingToRestore)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isLater, "\(found)")
    }

    // The repeat is done with when the restore brings what it should not.
    @Test func goodsAfterAFreeRepurchaseAreTheRestoresOverreach() {
        #expect(
            rules { story in
                story.launch()
                _ = story.own(Story.maps)
                story.deliver(Story.maps)
                let again = story.pay(Story.maps)
                story.complete(again, isCharged: false)
                story.tell(again)
                story.finish(again)
                story.restore([], credits: [(Story.lives, 1)])
                story.end()
            } == [.restoreOverreach])
    }

    @Test(arguments: [(Story.lives, Story.powers), (Story.lives, Story.maps), (Story.maps, Story.lives)])
    func goodsOfAnotherProductAreOneViolation(bought: ProductIndex, delivered: ProductIndex) {
        let findings = Story { story in
            story.launch()
            let purchase = story.pay(bought)
            story.complete(purchase)
            story.tell(purchase)
            story.deliver(delivered)
            story.finish(purchase)
            story.end()
        }.findings
        #expect(findings.violations.map(\.rule) == [.wrongProduct])
        #expect(findings.violations.map(\.finding) == [.mixedUp(with: delivered)])
        #expect(findings.violations.map(\.product) == [bought])
    }

    // The answer to a payment was lost: an app that grants what its receipt lists grants it while it hears of something else.
    @Test func paidEntitlementMayComeFromTheReceiptFirst() {
        let findings = Story { story in
            story.launch()
            let paid = story.pay(Story.maps)
            story.complete(paid)
            let lives = story.pay(Story.lives)
            story.complete(lives)
            story.tell(lives)
            story.deliver(Story.maps)
            story.finish(lives)
            story.tell(paid)
            story.finish(paid)
            story.end()
        }.findings
        #expect(!findings.violations.contains { $0.rule == .wrongProduct }, "\(findings.violations)")
        #expect(findings.violations.contains { $0.rule == .lostPurchase && $0.product == Story.lives })
    }

    // Two products at once, each delivered in place of the other: the goods agree in number, not in order.
    @Test func concurrentPurchasesMayBeDeliveredInAnyOrder() {
        #expect(
            rules { story in
                story.launch()
                let lives = story.pay(Story.lives)
                let powers = story.pay(Story.powers)
                for purchase in [lives, powers] { story.complete(purchase) }
                for purchase in [lives, powers] { story.tell(purchase) }
                for purchase in [powers, lives] {
                    story.deliver(purchase.product)
                    story.finish(purchase)
                }
                story.end()
            }.isEmpty)
    }
}
