// Sentences name what made the app act: what reached it in the instant in which it did.

import Judgement
import ReportModel
import Reporting
import Simulation
import Testing

@Suite struct TriggerSentenceTests {
    private func sentence(_ rule: AuditRule, _ write: (inout Story) -> Void) throws -> String {
        try #require(Story(write).sentences(rule).first)
    }

    // A client that finishes whatever is on the queue before it pays.
    @Test func illegalFinishOfADeferredPaymentNamesTheTap() throws {
        let sentence = try sentence(.illegalFinish) { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.tell(purchase, .deferred)
            story.inOneInstant {
                $0.ask(.purchase, Story.maps)
                $0.finish(purchase, .deferred)
            }
            story.end()
        }
        #expect(
            sentence.contains(
                #/, when the user asked to buy 1 × .*, on payment 1 \(extra_lives\), which had been deferred since \S+$/#
            ))
    }

    @Test func illegalFinishOfAForeignTransactionHasNoName() throws {
        let sentence = try sentence(.illegalFinish) { story in
            story.launch()
            story.note(.foreignFinish)
            story.end()
        }
        #expect(sentence.hasSuffix("on a transaction that is not on its queue"))
    }

    @Test func crashInAFinishNamesTheUsersRequest() throws {
        let sentence = try sentence(.clientCrash) { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.inOneInstant {
                $0.ask(.restore)
                $0.finish(purchase, .purchasing)
                $0.note(.raised(.finishedPurchasing))
            }
            story.crash()
            story.launch()
            story.end()
        }
        #expect(
            sentence.contains(
                ", when the user asked to restore (request 2): the app finished payment 1 (extra_lives), "))
    }

    @Test func unaskedChargeNamesTheCallbackBefore() throws {
        let sentence = try sentence(.unaskedCharge) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            story.bring(story.pay(Story.lives))
            story.answer(.purchase, request, .purchased)
            story.inOneInstant {
                $0.note(.restoreFinished)
                _ = $0.pay(Story.lives, isOwnIdea: true)
            }
            story.complete(
                Story.Purchase(
                    id: TransactionID(number: 101), handle: 2, payment: 2, product: Story.lives, quantity: 1))
            story.end()
        }
        #expect(sentence.contains(", when StoreKit reported: the restore is finished, "))
    }

    // Of something that is owned a second payment may cost nothing: what was charged stands in the books.
    @Test(arguments: [(true, "both were charged"), (false, "payment 1 was charged")])
    func askedAgainNamesTheChargedPayments(isSecondCharged: Bool, ending: String) throws {
        let sentence = try sentence(.askedAgain) { story in
            story.launch()
            _ = story.ask(.purchase, Story.lives)
            let first = story.pay(Story.lives)
            let second = story.pay(Story.lives)
            story.bring(first)
            if isSecondCharged { story.bring(second) } else { story.fail(second, .paymentCancelled) }
            story.end()
        }
        #expect(sentence.hasSuffix("the user had asked only once (request 1); " + ending), "\(sentence)")
    }

    @Test func lateGoodsNameTheCallbackBefore() throws {
        let sentence = try sentence(.finishedBeforeDelivery) { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            story.tell(purchase)
            story.finish(purchase)
            story.inOneInstant {
                $0.note(.willTerminate)
                $0.deliver(Story.lives)
            }
            story.end()
        }
        #expect(
            sentence.contains(", when the system had announced that it would terminate the app: a crash before that"))
    }

    // A second delivery to which nothing led, against one for a second telling.
    @Test(arguments: [true, false])
    func doubleDeliveryWithoutACallbackIsReportedAsSuch(isTold: Bool) throws {
        let sentence = try sentence(.duplicateDelivery) { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.bring(purchase)
            if isTold { story.tell(purchase) }
            let other = story.ask(.purchase, Story.powers)
            story.inOneInstant {
                $0.deliver(Story.lives)
                $0.answer(.purchase, other, .failed)
            }
            story.end()
        }
        if isTold {
            #expect(sentence.contains(#/; its goods arrived at \S+ and \S+$/#))
        } else {
            #expect(
                sentence.contains(
                    #/; its goods arrived at \S+; more goods arrived at \S+, without a delivery by StoreKit/#))
            #expect(sentence.hasSuffix(#"with its answer "failed" to request 2"#))
        }
    }

    @Test func doubleDeliveryNamesTheForeground() throws {
        let sentence = try sentence(.duplicateDelivery) { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            story.bring(story.pay(Story.lives))
            story.note(.backgrounded)
            story.inOneInstant {
                $0.deliver(Story.lives)
                $0.note(.foregrounded)
            }
            story.end()
        }
        #expect(sentence.hasSuffix(" as the app entered the foreground"))
    }

    @Test func lostPurchaseNamesTheValidatorsAnswer() throws {
        let sentence = try sentence(.lostPurchase) { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            story.tell(purchase)
            story.inOneInstant {
                $0.note(.postAnswered($0.postToValidator(), .failed(code: -1001)))
                $0.finish(purchase)
            }
            story.end()
        }
        #expect(
            sentence.contains(" without granting it, just after the validator had not answered: NSURLError -1001; "))
    }

    // MARK: What was told, and when

    @Test func unansweredRequestNamesAnOldTransaction() throws {
        let sentence = try sentence(.unansweredRequest) { story in
            story.launch()
            let first = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.bring(purchase)
            story.answer(.purchase, first, .purchased)
            story.ask(.purchase, Story.lives)
            let again = story.pay(Story.lives)
            story.note(
                .delivered(
                    .init(
                        purchase.id, handle: again.handle, payment: again.payment, product: Story.lives,
                        state: .purchased)))
            story.note(.backgrounded)
            story.end()
        }
        #expect(
            sentence.contains(
                #/payment 2 as purchased at \S+, as transaction 100, which StoreKit had delivered for payment 1 at \S+ and the store charged at \S+, \S+ s before this request$/#
            ))
    }

    // What a later launch was told nobody waited for.
    @Test func unansweredRequestNamesOnlyItsOwnLaunch() throws {
        let sentence = try sentence(.unansweredRequest) { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.note(.backgrounded)
            story.tell(purchase, .deferred)
            story.terminate()
            story.launch()
            story.complete(purchase)
            story.tell(purchase)
            story.deliver(Story.lives)
            story.finish(purchase)
            story.end()
        }
        #expect(sentence.contains(#/payment 1 as deferred at \S+; the app had entered the background at \S+$/#))
    }

    @Test func incompleteRestoreNamesItsTransaction() throws {
        let sentence = try sentence(.restoreIncomplete) { story in
            story.launch()
            let maps = story.buy(Story.maps)
            story.reinstall()
            story.launch()
            story.restore([maps])
            story.end()
        }
        #expect(
            sentence.contains(
                #/as restored in launch 2 at \S+ for the restore requested at \S+; the app finished it at \S+ without /#
            )
        )
    }

    @Test func wrongAnswerNamesTheFailedFetch() throws {
        let sentence = try sentence(.wrongAnswer) { story in
            story.launch()
            story.seeProducts()
            let fetch = story.ask(.fetch)
            story.note(.productsStarted(request: 9, asked: fetch))
            story.note(.productsFailed(request: 9, .network(code: -1001), isHeard: true))
            story.answer(.fetch, fetch, .failed)
            let request = story.ask(.purchase, Story.lives)
            story.answer(.purchase, request, .failed)
            story.end()
        }
        #expect(
            sentence.contains(#/; its last products request had failed at \S+ \(NSURLError -1001\), and the app had /#))
    }

    // MARK: The lines

    // Whoever has the report sees what the app did in that instant, and what had reached it.
    @Test func timelineMarksTheLinesOfTheInstant() throws {
        let story = Story { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.tell(purchase, .deferred)
            story.inOneInstant {
                $0.ask(.purchase, Story.maps)
                $0.finish(purchase, .deferred)
            }
            story.end()
        }
        let violation = try #require(story.findings.violations.first { $0.rule == .illegalFinish })
        let narrator = Narrator(UserStory(of: story.input))
        let marked = narrator.timeline(about: violation).places.map { narrator.timeline[$0].text }
        #expect(
            marked.contains { $0.hasPrefix("the user buys 1 × ") } && marked.contains { $0.hasPrefix("the app fin") })
    }

    // What the app did too often is named if most of its calls were that.
    @Test(arguments: [(600, true), (400, false)])
    func livelockNamesWhatIsRepeated(times: Int, isNamed: Bool) throws {
        let sentence = try #require(
            Story { story in
                story.launch()
                for _ in 0..<times { story.note(.restoreCalled) }
                story.note(.overworked(asked: 1_000, done: 1_500))
                story.crash()
                story.launch()
                story.end()
            }.sentences(.clientLivelock).first)
        #expect(sentence.contains(", most often this: the app restores") == isNamed, "\(sentence)")
    }
}
