// What a deletion of the app makes of goods and purchases.

import Judgement
import Testing

@testable import Simulation

@Suite struct ReinstalledGoodsTests {
    @Test func deletedGoodsOfAFinishedPurchaseAreNotLost() {
        #expect(
            rules { story in
                story.launch()
                story.buy(Story.lives)
                story.reinstall()
                story.launch()
                story.end()
            }.isEmpty)
    }

    @Test func lossBeforeAReinstallIsStillALoss() {
        #expect(
            rules { story in
                story.launch()
                let purchase = story.pay(Story.lives)
                story.complete(purchase)
                story.tell(purchase)
                story.finish(purchase)
                story.reinstall()
                story.launch()
                story.end()
            } == [.lostPurchase])
    }

    // Deleted twice without a launch in between: what the keychain has kept is explained all the same.
    @Test(arguments: [(1, []), (2, [AuditRule.duplicateDelivery])])
    func keptGoodsOutliveTwoDeletions(kept: Int, expected: [AuditRule]) {
        #expect(
            rules { story in
                story.launch()
                story.buy(Story.lives)
                story.reinstall()
                story.note(.reinstalled)
                story.launch()
                story.note(.kept(Story.lives, count: kept))
                story.held[Story.lives] = kept
                story.end()
            } == expected)
    }

    // What was unfinished at the deletion comes back, and belongs to the time after it.
    @Test(arguments: [(true, []), (false, [AuditRule.lostPurchase])])
    func unfinishedPurchaseIsOwedAfterTheReinstall(isDelivered: Bool, expected: [AuditRule]) {
        #expect(
            rules { story in
                story.launch()
                let purchase = story.pay(Story.lives)
                story.complete(purchase)
                story.tell(purchase)
                story.deliver(Story.lives)
                story.reinstall()
                story.launch()
                let again = story.arrival(purchase.id, Story.lives)
                story.tell(again)
                if isDelivered { story.deliver(Story.lives) }
                story.finish(again)
                story.end()
            } == expected)
    }

    // Two unfinished purchases come back together: the goods of the one are not taken for the other's.
    @Test func unfinishedPurchasesAreDeliveredAnewAfterTheReinstall() {
        #expect(
            rules { story in
                story.launch()
                let lives = story.own(Story.lives, isFinished: false)
                let maps = story.own(Story.maps, isFinished: false)
                story.tell(lives)
                story.deliver(Story.lives)
                story.use(Story.lives)
                story.reinstall()
                story.launch()
                for purchase in [lives, maps] { story.tell(purchase) }
                for purchase in [lives, maps] {
                    story.deliver(purchase.product)
                    story.finish(purchase)
                }
                story.end()
            }.isEmpty)
    }

    @Test func reinstalledEntitlementNeedsARestore() {
        #expect(
            rules { story in
                story.launch()
                let maps = story.buy(Story.maps)
                story.reinstall()
                story.launch()
                story.restore([maps], credits: [(Story.maps, 1)])
                story.end()
            }.isEmpty)
        #expect(
            rules { story in
                story.launch()
                let maps = story.buy(Story.maps)
                story.reinstall()
                story.launch()
                story.restore([maps])
                story.end()
            } == [.restoreIncomplete])
    }
}
