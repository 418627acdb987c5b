// What has run out may not be granted anew, whatever the next launch makes of it.

import Judgement
import Simulation
import Testing

@Suite struct LateGrantTests {
    /// A membership that ran out in an earlier launch is granted again by a restore, and the launch goes on for so long.
    private func rules(
        for time: Span, _ change: (inout Story) -> Void = { _ in }, receiptsLag: Bool = false,
        isTakenBack: Bool = true, usesStoreKit2: Bool = false
    ) -> [AuditRule] {
        let story = Story { story in
            story.usesStoreKit2 = usesStoreKit2
            let membership = story.own(Story.maps)
            story.statement.transactions[0].expiresAt = .start + .milliseconds(1)
            story.launch()
            let request = story.ask(.restore)
            story.note(.restoreCalled)
            let restored = story.arrival(TransactionID(number: 9_000), membership.product)
            story.tell(restored, .restored)
            story.deliver(Story.maps)
            story.finish(restored, .restored)
            story.note(.restoreFinished)
            story.answer(.restore, request, .restored, shown: 1)
            change(&story)
            story.pass(time)
            story.terminate()
            story.note(.settlingBegan)
            story.launch()
            if isTakenBack { story.deliver(Story.maps, -story.held[Story.maps]) }
            story.note(.settled(.init()))
        }
        var input = story.input
        input.notesReceipts = receiptsLag
        var auditor = Auditor()
        return auditor.audit(input).violations.map(\.rule)
    }

    @Test func expiredEntitlementGrantedAnewIsStale() {
        #expect(rules(for: .seconds(10)) == [.staleEntitlement])
    }

    @Test func expiredEntitlementMayBeHeldForThreeSeconds() { #expect(rules(for: .seconds(3)).isEmpty) }

    // Time in the background does not count: the app cannot look then.
    @Test func expiredEntitlementMayBeHeldInTheBackground() {
        let sleep = { (story: inout Story) in
            story.note(.backgrounded)
            story.pass(.minutes(10))
            story.note(.foregrounded)
        }
        #expect(rules(for: .seconds(3), sleep).isEmpty)
        #expect(rules(for: .seconds(10), sleep) == [.staleEntitlement])
    }

    // StoreKit 2's record comes when the store has answered.
    @Test(arguments: [(.minutes(4), []), (.minutes(6), [.staleEntitlement])] as [(Span, [AuditRule])])
    func appMayWaitForItsRecord(time: Span, expected: [AuditRule]) {
        #expect(rules(for: time, usesStoreKit2: true) == expected)
    }

    // AppStore.sync() has brought the record up to date: nothing is left to wait for.
    // Against: the membership ran out after the synchronisation, or the goods came before it.
    @Test(arguments: [(1, true, true), (2_000, true, false), (1, false, false)])
    func synchronisedAppHasNothingToWaitFor(milliseconds: Int64, syncsFirst: Bool, isStale: Bool) {
        let story = Story { story in
            story.usesStoreKit2 = true
            _ = story.own(Story.maps)
            story.statement.transactions[0].expiresAt = .start + .milliseconds(milliseconds)
            story.launch()
            let request = story.ask(.restore)
            story.note(.syncCalled(asked: request))
            story.pass(.seconds(1))
            if syncsFirst { story.note(.restoreFinished) }
            story.pass(.seconds(2))
            story.deliver(Story.maps)
            if !syncsFirst { story.note(.restoreFinished) }
            story.answer(.restore, request, .restored, shown: 1)
            story.pass(.seconds(10))
            story.terminate()
            story.note(.settlingBegan)
            story.launch()
            story.deliver(Story.maps, -1)
            story.note(.settled(.init()))
        }
        var auditor = Auditor()
        #expect(auditor.audit(story.input).violations.map(\.rule) == (isStale ? [.staleEntitlement] : []))
    }

    @Test func laggingReceiptExcusesTheGrant() { #expect(rules(for: .seconds(10), receiptsLag: true).isEmpty) }

    @Test func grantThatTheAppTakesBackIsNoViolation() {
        #expect(rules(for: .seconds(10), { $0.deliver(Story.maps, -1) }).isEmpty)
    }

    // The charge failed at first; against: the renewal came when the app had had time to look.
    @Test(arguments: [(.seconds(3), false), (.seconds(10), true)] as [(Span, Bool)])
    func renewalMayFollowTheGrant(time: Span, isStale: Bool) {
        let found = rules(
            for: .seconds(10),
            { story in
                story.pass(time)
                let renewal = story.pay(Story.maps, isOwnIdea: true)
                story.complete(renewal)
                let place = story.statement.transactions.count - 1
                story.statement.transactions[place].expiresAt = story.now + .hours(1)
                story.tell(renewal)
                story.finish(renewal)
            }, isTakenBack: false)
        #expect(found.contains(.staleEntitlement) == isStale, "\(found)")
    }

    @Test func grantOfARenewedEntitlementIsNoViolation() {
        let renew = { (story: inout Story) in story.statement.transactions[0].expiresAt = .start + .minutes(1) }
        #expect(rules(for: .seconds(10), renew, isTakenBack: false).isEmpty)
    }

    /// StoreKit tells the running app that its user's only purchase was taken back, and the launch goes on for so long.
    private func rulesAfterRevocation(
        for time: Span, isCrash: Bool = false, _ change: (inout Story, Story.Purchase) -> Void = { _, _ in }
    ) -> [AuditRule] {
        let story = Story { story in
            story.usesStoreKit2 = true
            let purchase = story.own(Story.maps)
            story.launch()
            story.deliver(Story.maps)
            story.revoke(purchase)
            change(&story, purchase)
            story.pass(time)
            if isCrash { story.crash() } else { story.terminate() }
            story.note(.settlingBegan)
            story.launch()
            if story.held[Story.maps] > 0 { story.deliver(Story.maps, -1) }
            story.note(.settled(.init()))
        }
        var auditor = Auditor()
        return auditor.audit(story.input).violations.map(\.rule)
    }

    // S12: the next launch may be days away.
    @Test(arguments: [(.minutes(4), []), (.minutes(6), [.staleEntitlement])] as [(Span, [AuditRule])])
    func revokedEntitlementMayBeHeldForFiveMinutes(time: Span, expected: [AuditRule]) {
        #expect(rulesAfterRevocation(for: time) == expected)
    }

    // It may have let go of it in memory, where a crash is not looked for; against: it stores what it holds.
    @Test(arguments: [true, false])
    func crashHidesWhatWasHeldInMemory(isInMemory: Bool) {
        let found = rulesAfterRevocation(for: .minutes(6), isCrash: true) { story, _ in
            if isInMemory { story.note(.entitlementsRead(areVerified: true, asOf: story.now)) }
        }
        #expect(found == (isInMemory ? [] : [.staleEntitlement]))
    }

    @Test func appThatTakesRevokedEntitlementAwayIsNoViolation() {
        #expect(rulesAfterRevocation(for: .minutes(6)) { story, _ in story.deliver(Story.maps, -1) }.isEmpty)
    }

    @Test func anotherPurchaseEntitlesAfterRevocation() {
        #expect(rulesAfterRevocation(for: .minutes(6)) { story, _ in _ = story.own(Story.maps) }.isEmpty)
    }

    // The receipt shows it until it runs out, whatever took its place.
    @Test(arguments: [(Span.hours(1), []), (.zero, [.staleEntitlement])] as [(Span, [AuditRule])])
    func replacedPurchaseEntitlesUntilItRunsOut(time: Span, expected: [AuditRule]) {
        let found = rulesAfterRevocation(for: .minutes(6)) { story, _ in
            _ = story.own(Story.maps)
            story.statement.transactions[1].expiresAt = .start + time
            story.statement.transactions[1].upgradedAt = .start
        }
        #expect(found == expected)
    }
}
