// What StoreKit 2 shows an app or keeps from it, alone and beside the original API.

import Judgement
import Simulation
import Testing

@Suite struct StoreKit2AttributionTests {
    // MARK: A hidden record

    // S28: StoreKit hides what the account owns, the app takes it away, and is deleted.
    @Test(arguments: [true, false])
    func hiddenEntitlementsMayBeTakenAway(isHidden: Bool) {
        let found = rules { story in
            story.launch()
            story.buy(Story.maps)
            if isHidden { story.note(.recordRead(isHidden: true)) }
            story.deliver(Story.maps, -1)
            story.reinstall()
            story.launch()
            story.end()
        }
        #expect(found.contains(.lostPurchase) == !isHidden, "\(found)")
    }

    // What the app took away comes back as StoreKit delivers it again, beside a purchase that brings nothing new.
    @Test func returningEntitlementIsNotAnotherPurchasesGoods() {
        let found = rules { story in
            story.launch()
            let maps = story.buy(Story.maps)
            story.note(.recordRead(isHidden: true))
            story.deliver(Story.maps, -1)
            story.note(.recordRead(isHidden: false))
            let request = story.ask(.purchase, Story.lives)
            let lives = story.pay(Story.lives)
            story.complete(lives)
            story.tell(lives)
            story.tell(maps)
            story.deliver(Story.maps)
            story.deliver(Story.lives)
            story.finish(lives)
            story.answer(.purchase, request, .purchased)
            story.end()
        }
        #expect(found.isEmpty, "\(found)")
    }

    /// When a purchase is taken back, and the app told.
    enum Revocation: CaseIterable { case later, untold, told }

    // S73: the app reads again what StoreKit could not verify before; a revocation of which it has not been told changes
    // nothing about that; against: it has been told.
    @Test(arguments: Revocation.allCases)
    func entitlementReadAgainBeforeItsRevocationIsNotAnotherPurchasesGoods(revocation: Revocation) {
        let found = rules { story in
            story.launch()
            let maps = story.buy(Story.maps)
            story.note(.entitlementsRead(areVerified: false, asOf: story.now))
            story.deliver(Story.maps, -1)
            if revocation == .untold { story.statement.transactions[0].revokedAt = story.now }
            if revocation == .told { story.revoke(maps) }
            let lives = story.pay(Story.lives, isOwnIdea: true)
            story.complete(lives)
            story.tell(lives)
            story.note(.entitlementsRead(areVerified: true, asOf: story.now))
            story.deliver(Story.maps)
            story.finish(lives)
            if revocation != .told { story.revoke(maps) }
            story.deliver(Story.maps, -1)
            story.end()
        }
        #expect(found.contains(.wrongProduct) == (revocation == .told), "\(found)")
    }

    // S25: what a family member shares, and another device has finished, comes with the record; against: the app reads none.
    @Test(arguments: [true, false])
    func sharedEntitlementInTheRecordIsNotAnotherPurchasesGoods(isRead: Bool) {
        let found = rules { story in
            story.launch()
            story.statement.transactions.append(
                StoreTransaction(
                    id: TransactionID(number: 1), original: nil, originalDate: nil, product: Story.maps, quantity: 1,
                    at: story.now, origin: .familySharing, payment: nil, applicationUsername: nil, isCharged: false,
                    finishedAt: story.now))
            let lives = story.pay(Story.lives, isOwnIdea: true)
            story.complete(lives)
            story.tell(lives)
            if isRead { story.note(.entitlementsRead(areVerified: true, asOf: story.now)) }
            story.deliver(Story.maps)
            story.finish(lives)
            story.end()
        }
        #expect(found.contains(.wrongProduct) == !isRead, "\(found)")
    }

    /// Why StoreKit 2 shows less than the account owns.
    enum Cover: CaseIterable { case noNetwork, unverified, bothInTurn, lifted }

    // S28, S73: the app took away what it could not see, and finishes the purchase; against: it could see it again.
    @Test(arguments: Cover.allCases)
    func finishNeedsNoGoodsThatStoreKitHides(cover: Cover) {
        let found = rules { story in
            story.launch()
            let maps = story.own(Story.maps, isFinished: false)
            story.tell(maps)
            if cover != .unverified { story.note(.recordRead(isHidden: true)) }
            if cover == .unverified || cover == .bothInTurn {
                story.note(.entitlementsRead(areVerified: false, asOf: .start))
            }
            if cover == .bothInTurn { story.note(.entitlementsRead(areVerified: true, asOf: .start)) }
            if cover == .lifted { story.note(.recordRead(isHidden: false)) }
            story.finish(maps)
            story.deliver(Story.maps)
            story.end()
        }
        #expect(found.contains(.finishedBeforeDelivery) == (cover == .lifted), "\(found)")
    }

    // Goods that are used up are not in the record: nothing hides them.
    @Test func finishOfAConsumableNeedsItsGoodsAllTheSame() {
        let found = rules { story in
            story.launch()
            let lives = story.own(Story.lives, isFinished: false)
            story.tell(lives)
            story.note(.recordRead(isHidden: true))
            story.finish(lives)
            story.deliver(Story.lives)
            story.end()
        }
        #expect(found.contains(.finishedBeforeDelivery), "\(found)")
    }

    // R47: nothing is lost of what another level has replaced; against: it still ran when the app finished it.
    @Test(arguments: [true, false])
    func finishNeedsNoGoodsOfWhatIsReplaced(isReplaced: Bool) {
        let found = rules { story in
            story.launch()
            let maps = story.own(Story.maps, isFinished: false)
            story.statement.transactions[0].expiresAt = .start + .hours(1)
            if isReplaced { story.statement.transactions[0].upgradedAt = story.now }
            story.tell(maps)
            story.finish(maps)
            if !isReplaced { story.statement.transactions[0].upgradedAt = story.now }
            story.deliver(Story.maps)
            story.end()
        }
        #expect(found.contains(.finishedBeforeDelivery) == !isReplaced, "\(found)")
    }

    // MARK: Two APIs, each at its own pace

    /// What the queue tells after StoreKit 2 has told of a purchase.
    enum Late: CaseIterable { case purchasing, deferred, restored, failed }

    // Against: nothing makes a purchase fail; and one API keeps the order.
    @Test(arguments: Late.allCases, [true, false])
    func queueMayLagBehindStoreKit2(late: Late, usesStoreKit2: Bool) {
        let findings = Story { story in
            story.usesStoreKit2 = usesStoreKit2
            story.launch()
            let request = story.ask(.purchase, Story.maps)
            let purchase = story.pay(Story.maps)
            story.complete(purchase)
            story.tell(purchase)
            story.deliver(Story.maps)
            let state: TransactionState =
                switch late {
                case .purchasing: .purchasing
                case .deferred: .deferred
                case .restored: .restored
                case .failed: .failed
                }
            story.note(.delivered(purchase.note(state)))
            story.finish(purchase)
            story.answer(.purchase, request, .purchased)
            story.end()
        }.findings
        #expect(findings.faults.isEmpty == (usesStoreKit2 && late != .failed), "\(findings.faults)")
        if usesStoreKit2, late != .failed { #expect(findings.violations.isEmpty, "\(findings.violations)") }
    }
}
