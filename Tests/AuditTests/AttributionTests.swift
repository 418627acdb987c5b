// What nobody can attribute is nobody's breach, and what looks like it and is not stays one.

import Audit
import Simulation
import Testing

@Suite struct AttributionTests {
    private func rules(_ write: (inout Story) -> Void) -> [AuditRule] { Story(write).findings.violations.map(\.rule) }

    // MARK: Restores

    // The restore tells of what was taken back while it ran; the account owns another one, on another device.
    @Test(arguments: [true, false])
    func restoreNeedNotBringWhatWasTakenBackMeanwhile(isTakenBack: Bool) {
        let found = rules { story in
            story.ownedElsewhere = [Story.maps]
            story.launch()
            let maps = story.own(Story.maps)
            let request = story.ask(.restoreAsked)
            story.note(.restoreCalled)
            if isTakenBack { story.revoke(maps) }
            let restored = story.arrival(TransactionID(number: 9_000), Story.maps)
            story.tell(restored, .restored)
            story.finish(restored, .restored)
            story.note(.restoreFinishedTold)
            story.answer(.restoreAnswered, request, .restored, shown: 1)
            story.end()
        }
        #expect(found.contains(.restoreIncomplete) == !isTakenBack, "\(found)")
    }

    // Bought in the very instant in which the user asked; against: a moment before.
    @Test(arguments: [true, false])
    func receiptOfTheVeryInstantMayHoldNothing(isInstant: Bool) {
        let found = rules { story in
            story.launch()
            _ = story.ask(.fetchAsked)
            let maps = story.pay(Story.maps, isOwnIdea: true)
            var request: Int64 = 0
            if isInstant {
                story.inOneInstant {
                    request = $0.ask(.restoreAsked)
                    $0.complete(maps)
                }
            } else {
                story.complete(maps)
                request = story.ask(.restoreAsked)
            }
            story.note(.receiptRefreshStarted)
            story.note(.receiptRefreshTold)
            story.answer(.restoreAnswered, request, .nothingToRestore)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isInstant, "\(found)")
    }

    // The receipt is the other account's, which has bought nothing.
    @Test(arguments: [true, false])
    func receiptIsOfTheAccountThatIsSignedIn(hasSwitched: Bool) {
        let found = rules { story in
            story.launch()
            _ = story.own(Story.maps)
            if hasSwitched {
                story.terminate()
                story.note(.accountSwitched)
                story.launch()
            }
            let request = story.ask(.restoreAsked)
            story.note(.receiptRefreshStarted)
            story.note(.receiptRefreshTold)
            story.answer(.restoreAnswered, request, .nothingToRestore)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !hasSwitched, "\(found)")
    }

    // MARK: Payments

    // The answer to the payment was lost: the purchase comes by itself, and the app knows it by its user name.
    @Test(arguments: [true, false])
    func purchaseThatComesByItselfAnswersItsRequest(hasCome: Bool) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchaseAsked, Story.lives)
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            let arrival = story.arrival(purchase.id, Story.lives)
            if !hasCome { story.answer(.purchaseAnswered, request, .purchased) }
            story.tell(arrival)
            story.deliver(Story.lives)
            story.finish(arrival)
            if hasCome { story.answer(.purchaseAnswered, request, .purchased) }
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !hasCome, "\(found)")
    }

    // A promoted payment for the same fails beside the user's own: whose failure it is the app cannot tell.
    @Test(arguments: [true, false])
    func failureMayBeThePromotedPayments(hasFailed: Bool) {
        let found = rules { story in
            story.launch()
            let promoted = story.pay(Story.lives)
            let request = story.ask(.purchaseAsked, Story.lives)
            let own = story.pay(Story.lives)
            if hasFailed { story.fail(promoted, .paymentInvalid) } else { story.bring(promoted) }
            story.answer(.purchaseAnswered, request, .failed)
            story.bring(own)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !hasFailed, "\(found)")
    }

    // Approved in the instant in which it was put off, and handled before that is told; against: a moment later.
    @Test(arguments: [true, false])
    func deferredAndPurchasedMayBeToldTogether(isInstant: Bool) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchaseAsked, Story.lives)
            let purchase = story.pay(Story.lives)
            story.tell(purchase, .deferred)
            story.complete(purchase)
            func goOn(_ story: inout Story) {
                story.tell(purchase)
                story.deliver(Story.lives)
                story.finish(purchase)
                story.answer(.purchaseAnswered, request, .deferred)
            }
            if isInstant { story.inOneInstant(goOn) } else { goOn(&story) }
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isInstant, "\(found)")
    }

    // Both payments are credited to the request that is still open; one is the other's, unless the app gave that up.
    @Test(arguments: [AnswerCode.purchased, .failed])
    func secondPaymentMayBeAnAlikeRequests(answer: AnswerCode) {
        let found = rules { story in
            story.launch()
            story.ask(.purchaseAsked, Story.lives)
            let two = story.ask(.purchaseAsked, Story.lives)
            let first = story.pay(Story.lives)
            story.bring(first)
            story.answer(.purchaseAnswered, two, answer)
            story.bring(story.pay(Story.lives))
            story.end()
        }
        #expect(found.contains(.unaskedCharge) == (answer == .failed), "\(found)")
    }

    // An answer that the user had stands for the alike one that is missing, whatever came of its own products.
    @Test(arguments: [AnswerCode.purchased, .failed])
    func answerOfAnAlikeRequestStandsForTheMissingOne(answer: AnswerCode) {
        let found = rules { story in
            story.launch()
            story.ask(.purchaseAsked, Story.lives)
            let two = story.ask(.purchaseAsked, Story.lives)
            story.note(.productsStarted, number: 9, other: two)
            story.bring(story.pay(Story.lives))
            story.note(.productsFailedTold, number: 9)
            story.answer(.purchaseAnswered, two, answer)
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == (answer == .failed), "\(found)")
    }

    // MARK: Products

    // Two products requests of the app's own queue: the one that hung may be that of the request with no answer.
    @Test(arguments: [true, false])
    func productsRequestsOfTheAppsOwnQueueCannotBeToldApart(areTogether: Bool) {
        let found = rules { story in
            story.launch()
            story.ask(.purchaseAsked, Story.lives)
            if !areTogether { story.note(.productsStarted, number: 1) }
            let two = story.ask(.purchaseAsked, Story.powers)
            story.note(.productsStarted, number: areTogether ? 1 : 2)
            if areTogether { story.note(.productsStarted, number: 2) }
            // As the history has it, the first request's products.
            story.note(.productsTold, number: areTogether ? 2 : 1, code: 1)
            let powers = story.pay(Story.powers)
            story.bring(powers)
            story.answer(.purchaseAnswered, two, .purchased)
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !areTogether, "\(found)")
    }

    // The payment that the third request's products led to is credited to the second, whose own never came.
    @Test(arguments: [true, false])
    func paymentMayBeTakenForAnAlikeRequests(isGuess: Bool) {
        let found = rules { story in
            story.launch()
            let one = story.ask(.purchaseAsked, Story.powers)
            if !isGuess { story.answer(.purchaseAnswered, one, .refused) }
            story.ask(.purchaseAsked, Story.lives)
            story.note(.productsStarted, number: 1)
            if isGuess { story.note(.productsStarted, number: 2) }
            story.note(.productsTold, number: 1, code: 1)
            if isGuess { story.answer(.purchaseAnswered, one, .refused) }
            let three = story.ask(.purchaseAsked, Story.lives)
            story.note(.productsStarted, number: 3, other: three)
            story.note(.productsTold, number: 3, code: 1)
            _ = story.pay(Story.lives)
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !isGuess, "\(found)")
    }

    // The app fetches at launch, and has whoever asks meanwhile wait for that.
    @Test(arguments: [true, false])
    func questionMayWaitForTheFetchUnderWay(hangs: Bool) {
        let found = rules { story in
            story.launch()
            story.note(.productsStarted, number: 1)
            story.ask(.fetchAsked)
            if !hangs { story.note(.productsTold, number: 1, code: 3) }
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !hangs, "\(found)")
    }

    @Test(arguments: [true, false])
    func purchaseMayFailWithTheFetchThatWasUnderWay(wasUnderWay: Bool) {
        let found = rules { story in
            story.launch()
            story.seeProducts()
            if wasUnderWay { story.note(.productsStarted, number: 9) }
            let request = story.ask(.purchaseAsked, Story.lives)
            if wasUnderWay { story.note(.productsFailedTold, number: 9) }
            story.answer(.purchaseAnswered, request, .failed)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !wasUnderWay, "\(found)")
    }

    /// When the store stopped selling what the app shows.
    enum Withdrawal: CaseIterable { case justNow, beforeItWasTold, beforeTheLaunch, longAgo }

    @Test(arguments: Withdrawal.allCases)
    func appMayShowWhatItCannotKnowToBeWithdrawn(withdrawal: Withdrawal) {
        let found = rules { story in
            if withdrawal == .beforeTheLaunch { story.withdrawn[Story.powers] = story.now }
            story.launch()
            story.seeProducts()
            if withdrawal != .beforeTheLaunch { story.withdrawn[Story.powers] = story.now }
            let request = story.ask(.fetchAsked)
            if withdrawal == .beforeItWasTold {
                story.note(.productsStarted, number: 9, other: request)
                story.note(.productsTold, number: 9, payment: 1, code: 2)
            }
            if withdrawal == .longAgo { story.pass(.hours(2)) }
            story.answer(.fetchAnswered, request, .fetched, shown: 3, unsold: 1)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == (withdrawal != .justNow), "\(found)")
    }

    // The launch in which a restore ended crashed, and the app is deleted in the next; against: it went on.
    @Test(arguments: [true, false])
    func restoreThatNobodyHeardOfIsNotOwed(hasCrashed: Bool) {
        let found = rules { story in
            story.launch()
            let maps = story.buy(Story.maps)
            story.reinstall()
            story.launch()
            story.restore([maps])
            if hasCrashed { story.crash() } else { story.terminate() }
            story.launch()
            story.reinstall()
            story.launch()
            story.end()
        }
        #expect(found == (hasCrashed ? [] : [.restoreIncomplete]))
    }

    // The store had heard of an earlier finish; against: it stays on the queue.
    @Test(arguments: [true, false])
    func whatLeavesTheQueueByItselfIsNotStuck(leaves: Bool) {
        let found = rules { story in
            story.launch()
            let maps = story.own(Story.maps)
            story.deliver(Story.maps)
            let again = story.arrival(TransactionID(number: maps.id.number + 1_000), Story.maps)
            story.tell(again, .restored)
            if leaves { story.note(.removedTold, number: again.handle, other: again.id.number) }
            story.end()
        }
        #expect(found.contains(.stuckTransaction) == !leaves, "\(found)")
    }
}
