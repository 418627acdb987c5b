// For every rule a story that breaks it and a near miss that does not.
// Values; any thread.

import Judgement
import Simulation
import Testing

struct RuleCase: Sendable, CustomTestStringConvertible {
    let rule: AuditRule
    let breach: @Sendable (inout Story) -> Void
    let nearMiss: @Sendable (inout Story) -> Void

    var testDescription: String { rule.rawValue }

    static let all = goods + transactions + answers + restores + conduct + attention + storeKit2

    private static let goods = [
        // Redelivered after a crash, finished, and never delivered; against: delivered then.
        RuleCase(rule: .lostPurchase) { story in
            let purchase = crashAfterCharge(&story)
            story.tell(purchase)
            story.finish(purchase)
            story.end()
        } nearMiss: { story in
            let purchase = crashAfterCharge(&story)
            story.tell(purchase)
            story.deliver(Story.lives)
            story.finish(purchase)
            story.end()
        },
        // A crash between goods and finish, and goods again; against: a second purchase.
        RuleCase(rule: .duplicateDelivery) { story in
            story.launch()
            let purchase = story.own(Story.lives, isFinished: false)
            story.tell(purchase)
            story.deliver(Story.lives)
            story.crash()
            story.launch()
            story.tell(purchase)
            story.deliver(Story.lives)
            story.finish(purchase)
            story.end()
        } nearMiss: { story in
            story.launch()
            story.buy(Story.lives)
            story.buy(Story.lives)
            story.end()
        },
        // Goods for a failed payment; against: the failed payment alone.
        RuleCase(rule: .unpaidDelivery) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.fail(purchase, .paymentInvalid)
            story.deliver(Story.lives)
            story.answer(.purchase, request, .failed)
            story.end()
        } nearMiss: { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.fail(purchase, .paymentInvalid)
            story.answer(.purchase, request, .failed)
            story.end()
        },
        // Powers for lives; against: both bought.
        RuleCase(rule: .wrongProduct) { story in
            story.launch()
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            story.tell(purchase)
            story.deliver(Story.powers)
            story.finish(purchase)
            story.end()
        } nearMiss: { story in
            story.launch()
            story.buy(Story.lives)
            story.buy(Story.powers)
            story.end()
        },
    ]

    private static let transactions = [
        // Against: both in the same order of the boundary, goods a millisecond earlier.
        RuleCase(rule: .finishedBeforeDelivery) { story in
            story.launch()
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            story.tell(purchase)
            story.finish(purchase)
            story.deliver(Story.lives)
            story.end()
        } nearMiss: { story in
            story.launch()
            story.buy(Story.lives)
            story.end()
        },
        // Against: finished by the final launch only.
        RuleCase(rule: .stuckTransaction) { story in
            story.launch()
            let purchase = story.own(Story.lives, isFinished: false)
            story.tell(purchase)
            story.deliver(Story.lives)
            story.end()
        } nearMiss: { story in
            story.launch()
            let purchase = story.own(Story.lives, isFinished: false)
            story.tell(purchase)
            story.deliver(Story.lives)
            story.end()
            story.tell(purchase)
            story.finish(purchase)
        },
        // A transaction of no queue; against: one that failed.
        RuleCase(rule: .illegalFinish) { story in
            story.launch()
            story.note(.foreignFinish)
            story.end()
        } nearMiss: { story in
            story.launch()
            let purchase = story.pay(Story.lives)
            story.fail(purchase, .paymentInvalid)
            story.end()
        },
    ]

    private static let answers = [
        // The app never got as far as StoreKit; against: its process crashed first.
        RuleCase(rule: .unansweredRequest) { story in
            story.launch()
            story.ask(.fetch)
            story.end()
        } nearMiss: { story in
            story.launch()
            story.ask(.fetch)
            story.crash()
            story.launch()
            story.end()
        },
        RuleCase(rule: .answeredTwice) { story in
            story.launch()
            let request = story.ask(.fetch)
            story.answer(.fetch, request, .fetched)
            story.answer(.fetch, request, .fetched)
            story.end()
        } nearMiss: { story in
            story.launch()
            for _ in 0..<2 {
                let request = story.ask(.fetch)
                story.answer(.fetch, request, .fetched)
            }
            story.end()
        },
        // "Purchased" before StoreKit says so; against: deferred, which is true as long as nothing is decided.
        RuleCase(rule: .wrongAnswer) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.answer(.purchase, request, .purchased)
            story.fail(purchase, .paymentInvalid)
            story.end()
        } nearMiss: { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.tell(purchase, .deferred)
            story.answer(.purchase, request, .deferred)
            story.complete(purchase)
            story.tell(purchase)
            story.deliver(Story.lives)
            story.finish(purchase)
            story.end()
        },
        // Against: a failure that was none of the buyer's doing.
        RuleCase(rule: .cancelAsError) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.fail(purchase, .paymentCancelled)
            story.answer(.purchase, request, .failed)
            story.end()
        } nearMiss: { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let purchase = story.pay(Story.lives)
            story.fail(purchase, .unknown)
            story.answer(.purchase, request, .failed)
            story.end()
        },
    ]

    private static let restores = [
        // Told as restored and not held; against: held.
        RuleCase(rule: .restoreIncomplete) { story in
            story.launch()
            let maps = story.own(Story.maps)
            story.restore([maps])
            story.end()
        } nearMiss: { story in
            story.launch()
            let maps = story.own(Story.maps)
            story.restore([maps], credits: [(Story.maps, 1)])
            story.end()
        },
        // Refunded, told, and still there; against: taken back.
        RuleCase(rule: .staleEntitlement) { story in
            story.launch()
            let maps = story.buy(Story.maps)
            story.revoke(maps)
            story.end()
        } nearMiss: { story in
            story.launch()
            let maps = story.buy(Story.maps)
            story.revoke(maps)
            story.deliver(Story.maps, -1)
            story.end()
        },
        // Lives from nowhere; against: lives that were bought, held all along.
        RuleCase(rule: .restoreOverreach) { story in
            story.launch()
            let maps = story.own(Story.maps)
            story.restore([maps], credits: [(Story.maps, 1), (Story.lives, 1)])
            story.end()
        } nearMiss: { story in
            story.launch()
            story.buy(Story.lives)
            let maps = story.own(Story.maps)
            story.restore([maps], credits: [(Story.maps, 1)])
            story.end()
        },
        // Against: StoreKit never ended it, and the user cannot be told.
        RuleCase(rule: .restoreUnreported) { story in
            story.launch()
            story.ask(.restore)
            story.note(.restoreCalled)
            story.note(.restoreFailed(.store(.unknown)))
            story.end()
        } nearMiss: { story in
            story.launch()
            story.ask(.restore)
            story.note(.restoreCalled)
            story.end()
        },
    ]

    private static let conduct = [
        // Against: the first addition, of each launch.
        RuleCase(rule: .observerLeak) { story in
            story.launch()
            story.note(.observerAdded(times: 1))
            story.note(.observerAdded(times: 2))
            story.end()
        } nearMiss: { story in
            story.launch()
            story.note(.observerAdded(times: 1))
            story.crash()
            story.launch()
            story.note(.observerAdded(times: 1))
            story.end()
        },
        // Against: an observer that joined others.
        RuleCase(rule: .unobservedLaunch) { story in
            story.launch()
            story.end()
            story.note(.launchReturned(observers: 0))
        } nearMiss: { story in
            story.launch()
            story.note(.launchReturned(observers: 2))
            story.end()
        },
        // Still there when the app is terminated; against: a crash takes everything with it.
        RuleCase(rule: .observerLeft) { story in
            story.launch()
            story.note(.willTerminate)
            story.note(.terminated(underWay: 0))
            story.launch()
            story.end()
        } nearMiss: { story in
            story.launch()
            story.crash()
            story.launch()
            story.end()
        },
        RuleCase(rule: .clientMemory) { story in
            story.launch()
            story.note(.died(DeathNote(call: .launch, .memory(over: 1 << 30))))
            story.crash()
            story.launch()
            story.end()
        } nearMiss: { story in
            story.launch()
            story.crash()
            story.launch()
            story.end()
        },
        RuleCase(rule: .clientExit) { story in
            story.launch()
            story.note(.died(DeathNote(call: .launch, .exit)))
            story.crash()
            story.launch()
            story.end()
        } nearMiss: { story in
            story.launch()
            story.terminate()
            story.launch()
            story.end()
        },
        RuleCase(rule: .clientCrash) { story in
            story.launch()
            story.note(.raised(.failedAssertion))
            story.crash()
            story.launch()
            story.end()
        } nearMiss: { story in
            story.launch()
            story.crash()
            story.launch()
            story.end()
        },
        // Against: the app crashed meanwhile, and nothing was held any more.
        RuleCase(rule: .mainQueueBlocked) { story in
            story.launch()
            story.note(.mainQueueHeld(.milliseconds(300), limit: .milliseconds(250), .observer))
            story.end()
        } nearMiss: { story in
            story.launch()
            story.crash()
            story.launch()
            story.end()
        },
        // Whatever was under way is not judged: it never came to its end.
        RuleCase(rule: .clientHang) { story in
            story.launch()
            story.note(.hung(.seconds(30), .launch, .unknown))
        } nearMiss: { story in
            story.launch()
            story.end()
        },
        RuleCase(rule: .leftItsQueue) { story in
            story.launch()
            story.note(.calledOffLane)
            story.end()
        } nearMiss: { story in
            story.launch()
            story.end()
        },
    ]

    /// Charged, crashed before the app heard of it, launched again.
    private static func crashAfterCharge(_ story: inout Story) -> Story.Purchase {
        story.launch()
        story.ask(.purchase, Story.lives)
        let purchase = story.pay(Story.lives)
        story.complete(purchase)
        story.crash()
        story.launch()
        return purchase
    }
}
