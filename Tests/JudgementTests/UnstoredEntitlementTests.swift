// An app of StoreKit 2 need not store what it reads again at each launch (S25).

import Judgement
import Simulation
import Testing

@Suite struct UnstoredEntitlementTests {
    /// An entitlement that the app holds only after it has finished it, and only in memory.
    private func story(readsEntitlements: Bool, _ end: (inout Story) -> Void) -> [AuditRule] {
        rules { story in
            story.usesStoreKit2 = true
            story.launch()
            if readsEntitlements { story.note(.entitlementsRead(areVerified: true, asOf: .start)) }
            let request = story.ask(.purchase, Story.maps)
            let purchase = story.pay(Story.maps)
            story.complete(purchase)
            story.tell(purchase)
            story.finish(purchase)
            story.seeGoods(Story.maps, 1)
            story.answer(.purchase, request, .purchased)
            end(&story)
        }
    }

    @Test(arguments: [(true, []), (false, [.finishedBeforeDelivery])] as [(Bool, [AuditRule])])
    func entitlementThatIsReadAgainMayBeFinishedFirst(readsEntitlements: Bool, expected: [AuditRule]) {
        #expect(story(readsEntitlements: readsEntitlements) { $0.end() } == expected)
    }

    // The app is launched, has yet to read them, and is deleted.
    @Test(arguments: [(true, false), (false, true)])
    func entitlementMayBeUnreadWhenTheAppIsDeleted(readsEntitlements: Bool, isLost: Bool) {
        let found = story(readsEntitlements: readsEntitlements) { story in
            story.terminate()
            story.launch()
            story.seeGoods(Story.maps, 0)
            story.reinstall()
            story.launch()
            story.seeGoods(Story.maps, 1)
            story.end()
        }
        #expect(found.contains(.lostPurchase) == isLost, "\(found)")
    }

    // Goods that came with nothing to explain them, while another purchase waited for its own.
    @Test(arguments: [(true, false), (false, true)])
    func entitlementThatIsReadAgainBelongsToItsOwnPurchase(readsEntitlements: Bool, isMixedUp: Bool) {
        let found = story(readsEntitlements: readsEntitlements) { story in
            story.terminate()
            story.launch()
            story.seeGoods(Story.maps, 0)
            let lives = story.pay(Story.lives)
            story.complete(lives)
            story.tell(lives)
            story.finish(lives)
            story.seeGoods(Story.maps, 1)
            story.end()
        }
        #expect(found.contains(.wrongProduct) == isMixedUp, "\(found)")
    }

    // The app has read what its user owns, and holds it ten seconds later or never; against: it read it in the last second.
    @Test(arguments: [(1, 10, true), (10, 1, false)])
    func entitlementThatWasReadMustBeHeld(readAfter: Int64, goesOnFor: Int64, isWithheld: Bool) {
        let found = rules { story in
            story.usesStoreKit2 = true
            story.launch()
            story.buy(Story.maps)
            story.pass(.seconds(10))
            story.terminate()
            story.launch()
            story.seeGoods(Story.maps, 0)
            story.pass(.seconds(readAfter))
            story.note(.entitlementsRead(areVerified: true, asOf: .start))
            story.pass(.seconds(goesOnFor))
            story.terminate()
            story.launch()
            story.note(.entitlementsRead(areVerified: true, asOf: .start))
            story.seeGoods(Story.maps, 1)
            story.end()
        }
        #expect(found == (isWithheld ? [.withheldEntitlement] : []))
    }
}
