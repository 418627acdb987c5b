// Whose products a products request brought, where the app asked for them outside its user's calls.

import Judgement
import Simulation
import Testing

@Suite struct ProductsAttributionTests {
    // Two products requests of the app's own queue: which of them hung cannot be known.
    @Test(arguments: [true, false])
    func appQueueProductsRequestsAreInterchangeable(areTogether: Bool) {
        let found = rules { story in
            story.launch()
            story.ask(.purchase, Story.lives)
            if !areTogether { story.note(.productsStarted(request: 1, asked: nil)) }
            let two = story.ask(.purchase, Story.powers)
            story.note(.productsStarted(request: areTogether ? 1 : 2, asked: nil))
            if areTogether { story.note(.productsStarted(request: 2, asked: nil)) }
            // As the events have it, the first request's products.
            story.note(.productsDelivered(.init(areTogether ? 2 : 1, found: 1)))
            let powers = story.pay(Story.powers)
            story.bring(powers)
            story.answer(.purchase, two, .purchased)
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !areTogether, "\(found)")
    }

    // The payment that the third request's products led to is credited to the second, whose own never came.
    @Test(arguments: [true, false])
    func paymentMayBeCreditedToAnEqualRequest(isGuess: Bool) {
        let found = rules { story in
            story.launch()
            let one = story.ask(.purchase, Story.powers)
            if !isGuess { story.answer(.purchase, one, .refused) }
            story.ask(.purchase, Story.lives)
            story.note(.productsStarted(request: 1, asked: nil))
            if isGuess { story.note(.productsStarted(request: 2, asked: nil)) }
            story.note(.productsDelivered(.init(1, found: 1)))
            if isGuess { story.answer(.purchase, one, .refused) }
            let three = story.ask(.purchase, Story.lives)
            story.note(.productsStarted(request: 3, asked: three))
            story.note(.productsDelivered(.init(3, found: 1)))
            _ = story.pay(Story.lives)
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !isGuess, "\(found)")
    }

    // The app fetches at launch, and has whoever asks meanwhile wait for that.
    @Test(arguments: [true, false])
    func fetchMayWaitForTheProductsRequestUnderWay(hangs: Bool) {
        let found = rules { story in
            story.launch()
            story.note(.productsStarted(request: 1, asked: nil))
            story.ask(.fetch)
            if !hangs { story.note(.productsDelivered(.init(1, found: 3))) }
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !hangs, "\(found)")
    }

    @Test(arguments: [true, false])
    func purchaseMayFailWithTheFetchUnderWay(wasUnderWay: Bool) {
        let found = rules { story in
            story.launch()
            story.seeProducts()
            if wasUnderWay { story.note(.productsStarted(request: 9, asked: nil)) }
            let request = story.ask(.purchase, Story.lives)
            if wasUnderWay { story.note(.productsFailed(request: 9, .store(.unknown), isHeard: true)) }
            story.answer(.purchase, request, .failed)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !wasUnderWay, "\(found)")
    }

    /// When the store stopped selling what the app shows.
    enum Withdrawal: CaseIterable { case justNow, beforeItWasTold, whileThatWasOnItsWay, beforeTheLaunch, longAgo }

    @Test(arguments: Withdrawal.allCases)
    func appMayShowAProductWithdrawnJustNow(withdrawal: Withdrawal) {
        let found = rules { story in
            if withdrawal == .beforeTheLaunch { story.withdrawn[Story.powers] = story.now }
            // What StoreKit tells of is another one, which went before.
            if withdrawal == .whileThatWasOnItsWay { story.withdrawn[Story.maps] = story.now }
            story.launch()
            story.seeProducts()
            if withdrawal != .beforeTheLaunch { story.withdrawn[Story.powers] = story.now }
            let request = story.ask(.fetch)
            if withdrawal == .beforeItWasTold || withdrawal == .whileThatWasOnItsWay {
                story.note(.productsStarted(request: 9, asked: request))
                story.note(.productsDelivered(.init(9, found: 2, unsold: 1)))
            }
            if withdrawal == .longAgo { story.pass(.hours(2)) }
            story.answer(.fetch, request, .fetched, shown: 3, unsold: 1)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == ![.justNow, .whileThatWasOnItsWay].contains(withdrawal), "\(found)")
    }

    /// What became of the products request that the audit credits to the paid request.
    enum OtherFetch: CaseIterable { case isOpen, hasFailed, hasSucceeded }

    // The audit credits the second request with the products that the first is paid with. The app asks once more for the
    // second, and hangs; against: its own products came, and the app forgets it.
    @Test(arguments: OtherFetch.allCases)
    func paymentShowsWhoseProductsCame(other: OtherFetch) {
        let isGuess = other != .hasSucceeded
        let found = rules { story in
            story.launch()
            let one = story.ask(.purchase, Story.lives, quantity: 2)
            let two = story.ask(.purchase, Story.lives)
            story.note(.productsStarted(request: 1, asked: isGuess ? nil : two))
            story.note(.productsStarted(request: 2, asked: isGuess ? nil : one))
            if other == .hasFailed { story.note(.productsFailed(request: 2, .store(.unknown), isHeard: true)) }
            story.note(.productsDelivered(.init(1, found: 1)))
            if other == .hasSucceeded { story.note(.productsDelivered(.init(2, found: 1))) }
            let paid = story.pay(Story.lives, quantity: 2)
            if other == .isOpen { story.note(.productsFailed(request: 2, .store(.unknown), isHeard: true)) }
            if isGuess { story.note(.productsStarted(request: 3, asked: nil)) }
            story.bring(paid, 2)
            story.answer(.purchase, one, .purchased)
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !isGuess, "\(found)")
    }

    // A payment is for the request whose products came, not for the older one whose products failed; against: both came.
    @Test(arguments: [true, false])
    func paymentIsForTheRequestWithProducts(hasFailed: Bool) {
        let found = rules { story in
            story.launch()
            let one = story.ask(.purchase, Story.lives)
            let two = story.ask(.purchase, Story.lives)
            story.note(.productsStarted(request: 1, asked: one))
            story.note(.productsStarted(request: 2, asked: two))
            story.note(.productsDelivered(.init(2, found: 1)))
            if hasFailed {
                story.note(.productsFailed(request: 1, .store(.unknown), isHeard: true))
            } else {
                story.note(.productsDelivered(.init(1, found: 1)))
            }
            let paid = story.pay(Story.lives)
            story.complete(paid)
            story.answer(.purchase, one, .failed)
            story.tell(paid)
            story.deliver(Story.lives)
            story.finish(paid)
            story.answer(.purchase, two, .purchased)
            story.end()
        }
        #expect(found.contains(.wrongAnswer) == !hasFailed, "\(found)")
    }

    // The third request's products came, and the app pays with them for the second too, as that one's own fail. The first
    // waits for its own; against: the app does nothing for the second.
    @Test(arguments: [true, false])
    func paymentAfterAFailureIsForTheRequestThatFailed(isPaid: Bool) {
        let found = rules { story in
            story.launch()
            let requests = (1...3).map { _ in story.ask(.purchase, Story.lives) }
            for request in requests { story.note(.productsStarted(request: request, asked: request)) }
            story.note(.productsDelivered(.init(requests[2], found: 1)))
            _ = story.pay(Story.lives)
            story.note(.productsFailed(request: requests[1], .store(.unknown), isHeard: true))
            if isPaid { _ = story.pay(Story.lives) }
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !isPaid, "\(found)")
    }

    // The first request's products failed, and the app says so. The payment is the third's, and the store is silent.
    @Test(arguments: [true, false])
    func paymentOfAnEqualRequestMayBeOfTheUnansweredOne(isGuess: Bool) {
        let found = rules { story in
            story.launch()
            let one = story.ask(.purchase, Story.lives)
            let two = story.ask(.purchase, Story.powers)
            let three = story.ask(.purchase, Story.lives)
            for (fetch, asked) in [(Int32(1), three), (2, two), (3, one)] {
                story.note(.productsStarted(request: fetch, asked: isGuess ? nil : asked))
            }
            story.note(.productsFailed(request: 1, .store(.unknown), isHeard: true))
            for fetch in [Int32(2), 3] { story.note(.productsDelivered(.init(fetch, found: 1))) }
            story.bring(story.pay(Story.powers))
            story.answer(.purchase, two, .purchased)
            _ = story.pay(Story.lives, for: isGuess ? nil : one)
            story.answer(.purchase, one, .failed)
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !isGuess, "\(found)")
    }

    // The app answers the first request with what the audit credits to the second. It asks once more for the second, and
    // hangs; against: the first's own products came, and the app forgets it.
    @Test(arguments: [true, false])
    func answerShowsWhoseProductsCame(isGuess: Bool) {
        let found = rules { story in
            story.launch()
            let one = story.ask(.purchase, Story.powers)
            let two = story.ask(.fetch)
            story.note(.productsStarted(request: 1, asked: isGuess ? nil : two))
            story.note(.productsStarted(request: 2, asked: isGuess ? nil : one))
            story.note(.productsDelivered(.init(1, found: 0)))
            if !isGuess { story.note(.productsDelivered(.init(2, found: 0))) }
            story.answer(.purchase, isGuess ? one : two, isGuess ? .refused : .fetched)
            if isGuess {
                story.note(.productsFailed(request: 2, .store(.unknown), isHeard: true))
                story.note(.productsStarted(request: 3, asked: nil))
            }
            story.end()
        }
        #expect(found.contains(.unansweredRequest) == !isGuess, "\(found)")
    }
}
