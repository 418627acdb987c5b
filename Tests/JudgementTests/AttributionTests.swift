// What nobody can attribute is nobody's breach, and what looks like it and is not stays one.

import Judgement
import Simulation
import Testing

@Suite struct AttributionTests {
    // MARK: Restores

    // The restore tells of what was taken back while it ran; the account owns another one, on another device.
    @Test(arguments: [true, false])
    func restoreNeedNotBringARevokedPurchase(isTakenBack: Bool) {
        let found = rules { story in
            story.ownedElsewhere = [Story.maps]
            story.launch()
            let maps = story.own(Story.maps)
            let request = story.ask(.restore)
            story.note(.restoreCalled)
            if isTakenBack { story.revoke(maps) }
            let restored = story.arrival(TransactionID(number: 9_000), Story.maps)
            story.tell(restored, .restored)
            story.finish(restored, .restored)
            story.note(.restoreFinished)
            story.answer(.restore, request, .restored, shown: 1)
            story.end()
        }
        #expect(found.contains(.restoreIncomplete) == !isTakenBack, "\(found)")
    }

    // Bought in the very instant in which the user asked; against: a moment before.
    @Test(arguments: [true, false])
    func receiptMayMissAPurchaseOfTheSameInstant(isInstant: Bool) {
        let found = rules { story in
            story.launch()
            _ = story.ask(.fetch)
            let maps = story.pay(Story.maps, isOwnIdea: true)
            var request: Int32 = 0
            if isInstant {
                story.inOneInstant {
                    request = $0.ask(.restore)
                    $0.complete(maps)
                }
            } else {
                story.complete(maps)
                request = story.ask(.restore)
            }
            story.note(.receiptRefreshStarted(request: 1))
            story.note(.receiptRefreshed(request: 1, writtenAt: nil))
            story.answer(.restore, request, .nothingToRestore)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isInstant, "\(found)")
    }

    // The receipt is the other account's, which has bought nothing.
    @Test(arguments: [true, false])
    func restoreIsJudgedByTheSignedInAccountsReceipt(hasSwitched: Bool) {
        let found = rules { story in
            story.launch()
            _ = story.own(Story.maps)
            if hasSwitched {
                story.terminate()
                story.note(.accountSwitched)
                story.launch()
            }
            let request = story.ask(.restore)
            story.note(.receiptRefreshStarted(request: 1))
            story.note(.receiptRefreshed(request: 1, writtenAt: nil))
            story.answer(.restore, request, .nothingToRestore)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !hasSwitched, "\(found)")
    }

    // MARK: Tasks

    // The first one's task lives on, and pays for the second.
    @Test(arguments: [true, false])
    func taskMayOutliveItsRequest(isPaidFor: Bool) {
        let found = rules { story in
            story.launch()
            let first = story.ask(.purchase, Story.powers)
            story.fail(story.pay(Story.powers, for: first), .paymentCancelled)
            story.answer(.purchase, first, .cancelled)
            let second = story.ask(.purchase, Story.lives)
            if isPaidFor { story.bring(story.pay(Story.lives, for: first)) }
            story.answer(.purchase, second, .purchased)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isPaidFor, "\(found)")
    }

    // The user asks twice. The first request's task synchronises again, and is answered by how that ends.
    @Test(arguments: [true, false])
    func synchronisationBelongsToItsRequest(isKnown: Bool) {
        let found = rules { story in
            story.launch()
            let first = story.ask(.restore)
            let second = story.ask(.restore)
            story.note(.syncCalled(asked: first))
            story.note(.syncCalled(asked: second))
            story.note(.restoreFailed(.store(.paymentCancelled)))
            story.answer(.restore, second, .cancelled)
            story.note(.syncCalled(asked: isKnown ? first : nil))
            story.note(.restoreFinished)
            story.answer(.restore, first, .nothingToRestore)
            story.end()
        }
        #expect(found.isEmpty == isKnown, "\(found)")
    }

    // Taken back before the app answers: nothing was bought, either.
    @Test(arguments: [true, false])
    func revokedPurchaseMayBeAnsweredAsFailed(isRevoked: Bool) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            story.tell(purchase)
            if isRevoked { story.revoke(purchase) }
            story.finish(purchase)
            story.answer(.purchase, request, .failed)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isRevoked, "\(found)")
    }

    // MARK: Payments

    // The answer to the payment was lost: the purchase comes by itself, and the app knows it by its user name.
    @Test(arguments: [true, false])
    func unpromptedPurchaseAnswersItsRequest(hasCome: Bool) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            let arrival = story.arrival(purchase.id, Story.lives)
            if !hasCome { story.answer(.purchase, request, .purchased) }
            story.tell(arrival)
            story.deliver(Story.lives)
            story.finish(arrival)
            if hasCome { story.answer(.purchase, request, .purchased) }
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !hasCome, "\(found)")
    }

    // A promoted payment for the same fails beside the user's own: whose failure it is the app cannot tell.
    @Test(arguments: [true, false])
    func failedAnswerMayReportThePromotedPaymentsFailure(hasFailed: Bool) {
        let found = rules { story in
            story.launch()
            let promoted = story.pay(Story.lives)
            let request = story.ask(.purchase, Story.lives)
            let own = story.pay(Story.lives)
            if hasFailed { story.fail(promoted, .paymentInvalid) } else { story.bring(promoted) }
            story.answer(.purchase, request, .failed)
            story.bring(own)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !hasFailed, "\(found)")
    }

    // R22: the store answers both payments with one purchase, and the app takes it for the promoted one's; against: each
    // with a purchase of its own.
    @Test(arguments: [true, false])
    func sharedPurchaseMayCountForThePromotedPayment(isShared: Bool) {
        let found = rules { story in
            story.launch()
            let promoted = story.pay(Story.lives)
            let request = story.ask(.purchase, Story.lives)
            let own = story.pay(Story.lives)
            story.bring(own)
            if isShared { story.attempt(promoted, .existing(own.id)) } else { story.bring(promoted) }
            story.answer(.purchase, request, .failed)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isShared, "\(found)")
    }

    // Approved in the instant in which it was put off, or while what the app says of that is on its way, and handled before
    // that is told; against: long after.
    @Test(arguments: [(nil, true), (.zero, true), (.minutes(1), false)] as [(Span?, Bool)])
    func deferredAnswerIsRightIfApprovalCameTogether(delay: Span?, isRight: Bool) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.tell(purchase, .deferred)
            story.complete(purchase)
            func goOn(_ story: inout Story) {
                story.tell(purchase)
                story.deliver(Story.lives)
                story.finish(purchase)
                story.answer(.purchase, request, .deferred)
            }
            if let delay {
                story.pass(delay)
                goOn(&story)
            } else {
                story.inOneInstant(goOn)
            }
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isRight, "\(found)")
    }

    // Refused, and handled by the app, while its answer about the deferral is on its way; against: long after.
    @Test(arguments: [(.zero, true), (.minutes(1), false)] as [(Span, Bool)])
    func deferredAnswerIsRightIfTheRefusalCameTogether(delay: Span, isRight: Bool) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.tell(purchase, .deferred)
            story.pass(delay)
            story.fail(purchase, .paymentCancelled)
            story.answer(.purchase, request, .deferred)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !isRight, "\(found)")
    }

    // Both payments are credited to the request that is still open; one is the other's, unless the app gave that up.
    @Test(arguments: [AnswerCode.purchased, .failed])
    func secondPaymentMayBelongToAnEqualRequest(answer: AnswerCode) {
        let found = rules { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let two = story.ask(.purchase, Story.lives)
            let first = story.pay(Story.lives)
            story.bring(first)
            story.answer(.purchase, two, answer)
            story.bring(story.pay(Story.lives))
            story.end()
        }
        #expect(found.contains(.unaskedCharge) == (answer == .failed), "\(found)")
    }

    // An answer that the user had stands for the alike one that is missing, whatever came of its own products.
    @Test(arguments: [AnswerCode.purchased, .failed])
    func answerOfAnEqualRequestCoversTheMissingOne(answer: AnswerCode) {
        let found = rules { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let two = story.ask(.purchase, Story.lives)
            story.note(.productsStarted(request: 9, asked: two))
            story.bring(story.pay(Story.lives))
            story.note(.productsFailed(request: 9, .store(.unknown), isHeard: true))
            story.answer(.purchase, two, answer)
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == (answer == .failed), "\(found)")
    }

    // The launch in which a restore ended crashed, and the app is deleted in the next; against: it went on.
    @Test(arguments: [true, false])
    func restoreThatEndedInACrashIsNotOwed(hasCrashed: Bool) {
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

    // The app is deleted in the instant in which the restore ends; against: it had a moment.
    @Test(arguments: [true, false])
    func restoreThatEndedAsTheAppWasDeletedIsNotOwed(hadNoTime: Bool) {
        let found = rules { story in
            story.launch()
            let maps = story.buy(Story.maps)
            story.reinstall()
            story.launch()
            let request = story.ask(.restore)
            story.note(.restoreCalled)
            story.inOneInstant { story in
                story.tell(maps, .restored)
                story.note(.restoreFinished)
                story.answer(.restore, request, .restored)
                if hadNoTime { story.reinstall() }
            }
            if !hadNoTime { story.reinstall() }
            story.launch()
            story.end()
        }
        #expect(found == (hadNoTime ? [] : [.restoreIncomplete]))
    }

    // The store had heard of an earlier finish; against: it stays on the queue.
    @Test(arguments: [true, false])
    func transactionRemovedByTheStoreIsNotStuck(leaves: Bool) {
        let found = rules { story in
            story.launch()
            let maps = story.own(Story.maps)
            story.deliver(Story.maps)
            let again = story.arrival(TransactionID(number: maps.id.number + 1_000), Story.maps)
            story.tell(again, .restored)
            if leaves { story.note(.removalDelivered(again.note(.restored))) }
            story.end()
        }
        #expect(found.contains(.stuckTransaction) == !leaves, "\(found)")
    }

    // R23: told as restored, and a purchase in the store's books, which have its finish; against: they have none.
    @Test(arguments: [true, false])
    func freeRepurchaseIsStuckOnlyIfUnfinishedInTheBooks(isFinished: Bool) {
        let found = rules { story in
            story.launch()
            let maps = story.own(Story.maps, isFinished: isFinished)
            story.deliver(Story.maps)
            story.tell(maps, .restored)
            story.crash()
            story.launch()
            story.end()
        }
        #expect(found.contains(.stuckTransaction) == !isFinished, "\(found)")
    }

    // A task that was made for one request works for others later; against: the user did not ask to buy.
    @Test(arguments: [true, false])
    func taskOfAnotherRequestPaysForTheOpenOne(isAsked: Bool) {
        let found = rules { story in
            story.launch()
            let fetch = story.ask(.fetch)
            story.answer(.fetch, fetch, .fetched)
            let request = isAsked ? story.ask(.purchase, Story.lives) : nil
            let purchase = story.pay(Story.lives, isOwnIdea: true, for: fetch)
            story.bring(purchase)
            if let request { story.answer(.purchase, request, .purchased) }
            story.end()
        }
        #expect(found.contains(.unaskedCharge) == !isAsked, "\(found)")
        if isAsked { #expect(found.isEmpty, "\(found)") }
    }
}
