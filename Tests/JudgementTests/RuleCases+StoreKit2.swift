// What only apps of StoreKit 2 can do: a story that breaks each rule, and a story that just does not.
// Values; any thread.

import Judgement
import Simulation

extension RuleCase {
    static let storeKit2 = [
        // Granted although nothing showed that it was paid for; against: it came verified as well.
        RuleCase(rule: .unverifiedDelivery) { story in
            story.usesStoreKit2 = true
            story.launch()
            let lives = story.pay(Story.lives)
            story.complete(lives)
            story.note(.unverifiedDelivered(lives.note(.purchased)))
            story.deliver(Story.lives)
            story.tell(lives)
            story.finish(lives)
            story.end()
        } nearMiss: { story in
            story.usesStoreKit2 = true
            story.launch()
            let lives = story.pay(Story.lives)
            story.complete(lives)
            story.note(.unverifiedDelivered(lives.note(.purchased)))
            story.tell(lives)
            story.deliver(Story.lives)
            story.finish(lives)
            story.end()
        },
        // Forged, and finished; against: it is left as it is.
        RuleCase(rule: .finishedUnverified) { story in
            story.usesStoreKit2 = true
            story.launch()
            let forged = story.arrival(.forged(1), Story.maps)
            story.note(.unverifiedDelivered(forged.note(.purchased)))
            story.note(.finishCalled(forged.note(.purchased)))
            story.end()
        } nearMiss: { story in
            story.usesStoreKit2 = true
            story.launch()
            let forged = story.arrival(.forged(1), Story.maps)
            story.note(.unverifiedDelivered(forged.note(.purchased)))
            story.end()
        },
        // The loop ends while the app is in use; against: one begins anew before a second is over.
        RuleCase(rule: .deafListener) { story in
            story.usesStoreKit2 = true
            story.launch()
            story.note(.observerRemoved(left: 0))
            story.note(.updatesUnread(hadReader: true))
            story.pass(.seconds(2))
            story.note(.updatesRead)
            story.end()
        } nearMiss: { story in
            story.usesStoreKit2 = true
            story.launch()
            story.note(.observerRemoved(left: 0))
            story.note(.updatesUnread(hadReader: true))
            story.note(.updatesRead)
            story.pass(.seconds(2))
            story.end()
        },
        // Taken away, and back at the next launch; against: back in the same one.
        RuleCase(rule: .withheldEntitlement) { story in
            story.usesStoreKit2 = true
            story.launch()
            story.buy(Story.maps)
            story.pass(.seconds(10))
            story.deliver(Story.maps, -1)
            story.pass(.seconds(10))
            story.terminate()
            story.launch()
            story.deliver(Story.maps)
            story.end()
        } nearMiss: { story in
            story.usesStoreKit2 = true
            story.launch()
            story.buy(Story.maps)
            story.pass(.seconds(10))
            story.deliver(Story.maps, -1)
            story.pass(.seconds(10))
            story.deliver(Story.maps)
            story.terminate()
            story.launch()
            story.end()
        },
    ]
}
