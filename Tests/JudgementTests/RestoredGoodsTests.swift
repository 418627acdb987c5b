// What is owned already, bought once more or restored: goods without a charge.

import Judgement
import Testing

@testable import Simulation

@Suite struct RestoredGoodsTests {
    // MARK: Free repeats

    // R23: what is owned is bought again without a charge; one entitlement is held, not two.
    @Test(arguments: [true, false])
    func freeRepurchaseNeedsNoNewGoods(isHeldAlready: Bool) {
        #expect(
            rules { story in
                story.launch()
                _ = story.own(Story.maps)
                if isHeldAlready { story.deliver(Story.maps) }
                let again = story.pay(Story.maps)
                story.complete(again, isCharged: false)
                story.tell(again)
                if !isHeldAlready { story.deliver(Story.maps) }
                story.finish(again)
                story.end()
            }.isEmpty)
    }

    @Test func freeRepurchaseThatBringsNothingIsLost() {
        #expect(
            rules { story in
                story.launch()
                _ = story.own(Story.maps)
                let again = story.pay(Story.maps)
                story.complete(again, isCharged: false)
                story.tell(again)
                story.finish(again)
                story.end()
            } == [.lostPurchase])
    }

    // R22: a consumable that is still unfinished is handed out again under a second handle, for no second charge.
    @Test(arguments: [(1, []), (2, [AuditRule.duplicateDelivery])])
    func redeliveredTransactionIsOwedOnce(times: Int, expected: [AuditRule]) {
        #expect(
            rules { story in
                story.launch()
                let first = story.pay(Story.lives)
                story.complete(first)
                story.tell(first)
                story.deliver(Story.lives)
                let second = story.pay(Story.lives)
                story.attempt(second, .existing(first.id))
                var again = story.arrival(first.id, Story.lives)
                again.state = .purchased
                story.tell(again)
                if times == 2 { story.deliver(Story.lives) }
                story.finish(again)
                story.end()
            } == expected)
    }

    // MARK: Restores

    @Test func restoreOfUnownedGoodsIsAnOverreach() {
        for credited in [Story.lives, Story.maps] {
            #expect(
                rules { story in
                    story.launch()
                    story.restore([], credits: [(credited, 1)])
                    story.end()
                } == [.restoreOverreach], "product \(credited)")
        }
    }

    // The goods of the restore are not those of the purchase that was lost in the same launch.
    @Test func lossBesideARestoreIsNoMixUp() {
        #expect(
            rules { story in
                story.launch()
                let maps = story.own(Story.maps)
                let lives = story.pay(Story.lives)
                story.complete(lives)
                story.tell(lives)
                story.finish(lives)
                story.restore([maps], credits: [(Story.maps, 1)])
                story.end()
            } == [.lostPurchase])
    }

    @Test func purchaseDuringARestoreIsNoOverreach() {
        #expect(
            rules { story in
                story.launch()
                let maps = story.own(Story.maps)
                let request = story.ask(.restore)
                story.note(.restoreCalled)
                story.buy(Story.lives)
                let restored = story.arrival(TransactionID(number: 9_000), Story.maps)
                story.tell(restored, .restored)
                story.deliver(maps.product)
                story.finish(restored, .restored)
                story.note(.restoreFinished)
                story.answer(.restore, request, .restored)
                story.end()
            }.isEmpty)
    }

    // Once the user has been told how the restore ended, goods too many are somebody else's doing.
    @Test(arguments: [true, false])
    func surplusAfterARestoreIsADoubleDelivery(isRelaunched: Bool) {
        #expect(
            rules { story in
                story.launch()
                story.restore()
                if isRelaunched {
                    story.crash()
                    story.launch()
                }
                let purchase = story.pay(Story.lives)
                story.complete(purchase)
                story.tell(purchase)
                story.deliver(Story.lives, 2)
                story.finish(purchase)
                story.end()
            } == [.duplicateDelivery])
    }

    // An alike purchase was told again while the restore ran: what it brings twice is not the restore's doing.
    @Test func purchaseDeliveredTwiceDuringARestoreIsADoubleDelivery() {
        #expect(
            rules { story in
                story.launch()
                let purchase = story.buy(Story.lives)
                let request = story.ask(.restore)
                story.note(.restoreCalled)
                story.tell(purchase)
                story.deliver(Story.lives)
                story.finish(purchase)
                story.note(.restoreFinished)
                story.answer(.restore, request, .nothingToRestore)
                story.end()
            } == [.duplicateDelivery])
    }
}
