// Stories about what an app does unasked, and about what it does not hear.
// Values; any thread.

import Judgement
import Simulation

extension RuleCase {
    static let attention = [
        // A second payment for one tap; against: the same once more, because the first had failed.
        RuleCase(rule: .unaskedCharge) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            for _ in 0..<2 {
                let purchase = story.pay(Story.lives)
                story.bring(purchase)
            }
            story.answer(.purchase, request, .purchased)
            story.end()
        } nearMiss: { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            story.fail(story.pay(Story.lives), .unknown)
            let purchase = story.pay(Story.lives)
            story.bring(purchase)
            story.answer(.purchase, request, .purchased)
            story.end()
        },
        // Two for one tap; against: the second once the first had failed.
        RuleCase(rule: .askedAgain) { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            let first = story.pay(Story.lives)
            let second = story.pay(Story.lives)
            story.fail(second, .paymentCancelled)
            story.bring(first)
            story.answer(.purchase, request, .purchased)
            story.end()
        } nearMiss: { story in
            story.launch()
            let request = story.ask(.purchase, Story.lives)
            story.fail(story.pay(Story.lives), .unknown)
            let second = story.pay(Story.lives)
            story.bring(second)
            story.answer(.purchase, request, .purchased)
            story.end()
        },
        // "Not now", and never again; against: later, in the same launch.
        RuleCase(rule: .ignoredPromotion) { story in
            story.launch()
            story.seeProducts()
            story.note(.promotionTapped(Story.lives))
            story.note(.promotionAsked(Story.lives, .notNow))
            story.end()
        } nearMiss: { story in
            story.launch()
            story.seeProducts()
            story.note(.promotionTapped(Story.lives))
            story.note(.promotionAsked(Story.lives, .notNow))
            let purchase = story.pay(Story.lives)
            story.bring(purchase)
            story.end()
        },
        // At launch; against: when the user asks.
        RuleCase(rule: .unaskedRestore) { story in
            story.launch()
            story.note(.restoreCalled)
            story.note(.restoreFinished)
            story.end()
        } nearMiss: { story in
            story.launch()
            story.restore()
            story.end()
        },
        // Against: put back a moment later, by a block of the app's own.
        RuleCase(rule: .deafAfterBackground) { story in
            story.launch()
            story.note(.observerRemoved(left: 0))
            story.note(.backgrounded)
            story.note(.foregrounded)
            story.pass(.seconds(2))
            story.note(.observerAdded(times: 1))
            story.end()
        } nearMiss: { story in
            story.launch()
            story.note(.observerRemoved(left: 0))
            story.note(.backgrounded)
            story.note(.foregrounded)
            story.note(.observerAdded(times: 1))
            story.pass(.seconds(2))
            story.end()
        },
        // Against: a crash of another kind.
        RuleCase(rule: .clientLivelock) { story in
            story.launch()
            story.note(.overworked(asked: 1_001, done: 1_500))
            story.crash()
            story.launch()
            story.end()
        } nearMiss: { story in
            story.launch()
            story.crash()
            story.launch()
            story.end()
        },
    ]
}
