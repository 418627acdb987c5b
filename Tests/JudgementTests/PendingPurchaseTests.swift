// Apps that pay for one thing after the other, or tell their users to wait first.

import Judgement
import Simulation
import Testing

@Suite struct PendingPurchaseTests {
    // StoreKit has not said how the first one ended, and an app may wait for that.
    @Test func purchaseQueuedBehindAnOpenOneIsNotUnanswered() {
        let story = Story { story in
            story.launch()
            _ = story.ask(.purchase, Story.lives)
            _ = story.pay(Story.lives)
            _ = story.ask(.purchase, Story.powers)
            story.terminate()
            story.launch()
            story.end()
        }
        #expect(!story.findings.violations.contains { $0.rule == .unansweredRequest })
    }

    @Test func deferredPurchaseMayBePaidLater() {
        let story = Story { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            story.answer(.purchase, request, .deferred)
            let purchase = story.pay(Story.lives, isOwnIdea: true)
            story.bring(purchase)
            story.end()
        }
        #expect(!story.findings.violations.contains { $0.rule == .unaskedCharge })
    }
}
