// Which payment an answer is held against, and what counts as true.

import Judgement
import Simulation
import Testing

@Suite struct AnswerTests {
    /// How StoreKit ended a payment, what the app said of it, and whether that was true.
    struct Saying: Sendable, CustomTestStringConvertible {
        var testDescription: String { "\(answer) after \(ending)" }
        let ending: Ending
        let answer: AnswerCode
        let expected: [AuditRule]

        enum Ending: Sendable { case purchased, repeated, failed, cancelled, undecided }

        static let all: [Saying] = [
            Saying(ending: .purchased, answer: .purchased, expected: []),
            Saying(ending: .purchased, answer: .failed, expected: [.wrongAnswer]),
            Saying(ending: .purchased, answer: .cancelled, expected: [.wrongAnswer]),
            Saying(ending: .purchased, answer: .refused, expected: [.wrongAnswer]),
            Saying(ending: .repeated, answer: .purchased, expected: []),
            // Nothing was charged: "failed" is poor manners, and no lie about money.
            Saying(ending: .repeated, answer: .failed, expected: []),
            Saying(ending: .failed, answer: .purchased, expected: [.wrongAnswer]),
            Saying(ending: .failed, answer: .failed, expected: []),
            // Nobody cancelled it.
            Saying(ending: .failed, answer: .cancelled, expected: [.wrongAnswer]),
            Saying(ending: .cancelled, answer: .cancelled, expected: []),
            Saying(ending: .cancelled, answer: .failed, expected: [.cancelAsError]),
            Saying(ending: .cancelled, answer: .purchased, expected: [.wrongAnswer]),
            Saying(ending: .undecided, answer: .purchased, expected: [.wrongAnswer]),
            Saying(ending: .undecided, answer: .deferred, expected: []),
        ]
    }

    @Test(arguments: Saying.all)
    func answerIsJudgedAgainstStoreKitsCallback(saying: Saying) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchase, Story.maps)
            let purchase = story.pay(Story.maps)
            switch saying.ending {
            case .purchased, .repeated:
                if saying.ending == .repeated { _ = story.own(Story.maps) }
                story.complete(purchase, isCharged: saying.ending == .purchased)
                story.tell(purchase)
                story.deliver(Story.maps)
                story.finish(purchase)
            case .failed: story.fail(purchase, .paymentInvalid)
            case .cancelled: story.fail(purchase, .paymentCancelled)
            case .undecided: break
            }
            story.answer(.purchase, request, saying.answer)
            story.end()
        }
        #expect(found == saying.expected)
    }

    // The answer was lost on the way after the charge: StoreKit itself told of a failure, and so may the app.
    @Test func failedAnswerIsRightIfStoreKitReportedAFailure() {
        #expect(
            rules { story in
                story.launch()
                let request = story.ask(.purchase, Story.lives)
                let purchase = story.pay(Story.lives)
                story.complete(purchase)
                story.tell(purchase, .failed)
                story.note(.failureDelivered(payment: purchase.payment, .network(code: -1001)))
                story.finish(purchase, .failed)
                story.answer(.purchase, request, .failed)
                let late = story.arrival(purchase.id, Story.lives)
                story.tell(late)
                story.deliver(Story.lives)
                story.finish(late)
                story.end()
            }.isEmpty)
    }

    // The app's server may say that a purchase was given back, before StoreKit does.
    @Test(arguments: [(true, []), (false, [AuditRule.wrongAnswer])])
    func failedAnswerIsRightIfThePurchaseWasTakenBack(isTakenBack: Bool, expected: [AuditRule]) {
        #expect(
            rules { story in
                story.launch()
                let request = story.ask(.purchase, Story.lives)
                let purchase = story.pay(Story.lives)
                story.complete(purchase)
                if isTakenBack { story.statement.transactions[0].revokedAt = story.now }
                story.tell(purchase)
                if !isTakenBack { story.deliver(Story.lives) }
                story.finish(purchase)
                story.answer(.purchase, request, .failed)
                story.end()
            } == expected)
    }

    // The app had waited for long, and gave that up in the instant in which it came to the end of the purchase.
    @Test(arguments: [(true, []), (false, [AuditRule.wrongAnswer])])
    func deferredAnswerIsRightForAnAppThatHasWaited(hasWaited: Bool, expected: [AuditRule]) {
        #expect(
            rules { story in
                story.launch()
                let request = story.ask(.purchase, Story.lives)
                let purchase = story.pay(Story.lives)
                story.complete(purchase)
                story.tell(purchase)
                story.deliver(Story.lives)
                if hasWaited { story.pass(.seconds(30)) }
                story.inOneInstant { story in
                    story.finish(purchase)
                    story.answer(.purchase, request, .deferred)
                }
                story.end()
            } == expected)
    }

    // A timer may say "deferred" while the hop that handles the failure is still under way; what answers and finishes in
    // one instant has handled it.
    @Test(arguments: [(true, [.wrongAnswer]), (false, [])] as [(Bool, [AuditRule])])
    func deferredAnswerIsRightWhileAFailureIsHandled(isOneInstant: Bool, expected: [AuditRule]) {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchase, Story.maps)
            let purchase = story.pay(Story.maps)
            story.attempt(purchase, .refused(.store(.unknown)))
            story.tell(purchase, .failed)
            story.note(.failureDelivered(payment: purchase.payment, .store(.unknown)))
            let handle = { (story: inout Story) in
                story.answer(.purchase, request, .deferred)
                story.finish(purchase, .failed)
            }
            if isOneInstant { story.inOneInstant(handle) } else { handle(&story) }
            story.end()
        }
        #expect(found == expected)
    }

    @Test func deferredAnswerIsWrongAfterAFinishedFailure() {
        let found = rules { story in
            story.launch()
            let request = story.ask(.purchase, Story.maps)
            story.fail(story.pay(Story.maps), .paymentInvalid)
            story.answer(.purchase, request, .deferred)
            story.end()
        }
        #expect(found == [.wrongAnswer])
    }

    // A cancel that StoreKit never told of is not the app's to know.
    @Test func failedAnswerIsRightIfNoCancelWasReported() {
        #expect(
            rules { story in
                story.launch()
                let request = story.ask(.purchase, Story.lives)
                let purchase = story.pay(Story.lives)
                story.attempt(purchase, .cancelled)
                story.tell(purchase, .failed)
                story.note(.failureDelivered(payment: purchase.payment, .network(code: -1001)))
                story.finish(purchase, .failed)
                story.answer(.purchase, request, .failed)
                story.end()
            }.isEmpty)
    }

    // MARK: Attribution

    // The second request is answered first; each is held against its own payment.
    @Test(arguments: [false, true])
    func everyAnswerIsJudgedByItsOwnPayment(areSwapped: Bool) {
        let found = rules { story in
            story.launch()
            let lives = story.ask(.purchase, Story.lives)
            let livesPayment = story.pay(Story.lives)
            let powers = story.ask(.purchase, Story.powers)
            let powersPayment = story.pay(Story.powers)
            story.fail(powersPayment, .paymentInvalid)
            story.complete(livesPayment)
            story.tell(livesPayment)
            story.deliver(Story.lives)
            story.finish(livesPayment)
            story.answer(.purchase, powers, areSwapped ? .purchased : .failed)
            story.answer(.purchase, lives, areSwapped ? .failed : .purchased)
            story.end()
        }
        #expect(found == (areSwapped ? [.wrongAnswer, .wrongAnswer] : []))
    }

    // Two wishes for one product: the first still waits for its products when the second pays.
    @Test(arguments: [1, 5])
    func paymentBelongsToTheRequestThatHasItsProducts(quantity: Int) {
        #expect(
            rules { story in
                story.launch()
                let first = story.ask(.purchase, Story.lives)
                story.note(.productsStarted(request: 1, asked: nil))
                let second = story.ask(.purchase, Story.lives, quantity: quantity)
                story.note(.productsStarted(request: 2, asked: nil))
                story.note(.productsDelivered(.init(2, found: 0)))
                let purchase = story.pay(Story.lives, quantity: quantity)
                story.complete(purchase)
                story.tell(purchase)
                story.deliver(Story.lives, quantity)
                story.finish(purchase)
                story.answer(.purchase, second, .purchased)
                story.note(.productsFailed(request: 1, .store(.unknown), isHeard: true))
                story.answer(.purchase, first, .failed)
                story.end()
            }.isEmpty)
    }

    // Both begin to ask for products outside the user's call, and which began first is a guess: the first is answered with
    // its purchase before the second pays.
    @Test(arguments: [(AnswerCode.purchased, []), (.cancelled, [AuditRule.wrongAnswer])])
    func firstOfTwoEqualRequestsMayHavePaidFirst(answer: AnswerCode, expected: [AuditRule]) {
        let found = rules { story in
            story.launch()
            let first = story.ask(.purchase, Story.maps)
            let second = story.ask(.purchase, Story.maps)
            for number in [Int32(1), 2] { story.note(.productsStarted(request: number, asked: nil)) }
            story.note(.productsDelivered(.init(1, found: 1)))
            let purchase = story.pay(Story.maps)
            story.complete(purchase)
            story.tell(purchase)
            story.deliver(Story.maps)
            story.finish(purchase)
            story.answer(.purchase, first, answer)
            story.note(.productsDelivered(.init(2, found: 1)))
            story.fail(story.pay(Story.maps), .paymentInvalid)
            story.answer(.purchase, second, .failed)
            story.end()
        }
        #expect(found == expected)
    }

    @Test func paymentBelongsToTheRequestOfItsQuantity() {
        #expect(
            rules { story in
                story.launch()
                let one = story.ask(.purchase, Story.lives, quantity: 1)
                let five = story.ask(.purchase, Story.lives, quantity: 5)
                let payment = story.pay(Story.lives, quantity: 5)
                story.fail(story.pay(Story.lives, quantity: 1), .paymentInvalid)
                story.answer(.purchase, one, .failed)
                story.complete(payment)
                story.tell(payment)
                story.deliver(Story.lives, 5)
                story.finish(payment)
                story.answer(.purchase, five, .purchased)
                story.end()
            }.isEmpty)
    }

    // Both ask for products at once, so that whose came first is a guess; how many of what was wished for is not.
    @Test func quantityDecidesThePaymentsRequestBeforeProducts() {
        #expect(
            rules { story in
                story.launch()
                let one = story.ask(.purchase, Story.lives, quantity: 1)
                let five = story.ask(.purchase, Story.lives, quantity: 5)
                story.note(.productsStarted(request: 1, asked: nil))
                story.note(.productsStarted(request: 2, asked: nil))
                story.note(.productsDelivered(.init(1, found: 0)))
                let payment = story.pay(Story.lives, quantity: 1)
                story.complete(payment)
                story.tell(payment)
                story.deliver(Story.lives)
                story.finish(payment)
                story.answer(.purchase, one, .purchased)
                story.note(.productsFailed(request: 2, .store(.unknown), isHeard: true))
                story.answer(.purchase, five, .failed)
                story.end()
            }.isEmpty)
    }

    // Another request's products are no excuse to say that this one's came.
    @Test func silenceIsJudgedByTheRequestsOwnProducts() {
        func found(_ number: Int32) -> [AuditRule] {
            rules { story in
                story.launch()
                story.ask(.purchase, Story.lives)
                story.note(.productsStarted(request: 1, asked: nil))
                let fetch = story.ask(.fetch)
                story.note(.productsStarted(request: 2, asked: nil))
                story.note(.productsDelivered(.init(number, found: 0)))
                story.answer(.fetch, fetch, .fetched)
                story.end()
            }
        }
        #expect(found(2).isEmpty)
        #expect(found(1) == [.unansweredRequest])
    }

    @Test func refusedRequestTakesNoLaterPayment() {
        #expect(
            rules { story in
                story.launch()
                let refused = story.ask(.purchase, Story.lives)
                story.answer(.purchase, refused, .refused)
                story.buy(Story.lives)
                story.end()
            }.isEmpty)
    }

    @Test func paymentOfAnEarlierLaunchAnswersNoRequest() {
        #expect(
            rules { story in
                story.launch()
                story.ask(.purchase, Story.lives)
                let purchase = story.pay(Story.lives)
                story.crash()
                story.launch()
                story.complete(purchase)
                let request = story.ask(.purchase, Story.lives)
                story.tell(purchase)
                story.deliver(Story.lives)
                story.finish(purchase)
                let second = story.pay(Story.lives)
                story.fail(second, .paymentInvalid)
                story.answer(.purchase, request, .purchased)
                story.end()
            } == [.wrongAnswer])
    }

    // MARK: Silence

    // Terminating is not crashing: an orderly end does not excuse a request that StoreKit had ended.
    @Test(arguments: [(true, []), (false, [AuditRule.unansweredRequest])])
    func onlyACrashExcusesAnUnansweredRequest(crashes: Bool, expected: [AuditRule]) {
        let found = rules { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.fail(purchase, .paymentInvalid)
            if crashes { story.crash() } else { story.terminate() }
            story.launch()
            story.end()
        }
        #expect(found == expected)
    }

    @Test func unansweredRequestIsFineIfStoreKitStayedSilent() {
        #expect(
            rules { story in
                story.launch()
                story.ask(.purchase, Story.lives)
                _ = story.pay(Story.lives)
                story.end()
            }.isEmpty)
    }

    @Test(arguments: [AnswerCode.restored, .nothingToRestore, .failed])
    func restoreAnswerMustMatchTheRestoredGoods(answer: AnswerCode) {
        func found(_ brings: Bool) -> [AuditRule] {
            rules { story in
                story.launch()
                let maps = story.own(Story.maps)
                story.deliver(Story.maps)
                let request = story.ask(.restore)
                story.note(.restoreCalled)
                if brings {
                    let restored = story.arrival(TransactionID(number: 9_000), maps.product)
                    story.tell(restored, .restored)
                    story.finish(restored, .restored)
                }
                story.note(.restoreFinished)
                story.answer(.restore, request, answer)
                story.end()
            }
        }
        #expect(found(true) == (answer == .restored ? [] : [.wrongAnswer]))
        // The receipt lists what is owned, and an app may go by that.
        #expect(found(false) == (answer == .failed ? [.wrongAnswer] : []))
    }

    // The second one waits for the first: it need not ask StoreKit itself, and must be told when that is.
    @Test(arguments: [(false, [AuditRule]()), (true, [.restoreUnreported, .restoreUnreported])])
    func restoreMayWaitForARunningRestore(hasEnded: Bool, expected: [AuditRule]) {
        #expect(
            rules { story in
                story.launch()
                _ = story.ask(.restore)
                story.note(.restoreCalled)
                _ = story.ask(.restore)
                if hasEnded { story.note(.restoreFinished) }
                story.end()
            } == expected)
    }
}
