// What one mistake did is one violation.

import Judgement
import Testing

@testable import Simulation

@Suite struct OneFindingPerMistakeTests {
    private func findings(_ write: (inout Story) -> Void) -> [Violation] {
        Story(write).findings.violations.filter { $0.rule.severity == .critical }
    }

    // Delivered before anybody had approved it, and finished when it came: bought once, and held once.
    @Test func goodsGrantedTooEarlyAreNotLostToo() {
        let found = findings { story in
            story.launch()
            let purchase = story.pay(Story.lives)
            story.tell(purchase, .deferred)
            story.deliver(Story.lives)
            story.complete(purchase)
            story.tell(purchase)
            story.finish(purchase)
            story.end()
        }
        #expect(found.map(\.rule) == [.unpaidDelivery])
        #expect(found.map(\.finding) == [.goods(expected: 1, held: 1)])
    }

    // One twice, the other never: the sum is right, and the first is the mistake.
    @Test func doubleDeliveryInPlaceOfAnotherIsOneViolation() {
        let story = Story { story in
            story.launch()
            let twice = story.pay(Story.lives)
            story.complete(twice)
            story.tell(twice)
            story.deliver(Story.lives)
            story.tell(twice)
            story.deliver(Story.lives)
            story.finish(twice)
            let never = story.pay(Story.lives)
            story.complete(never)
            story.tell(never)
            story.finish(never)
            story.end()
        }
        let found = story.findings.violations
        #expect(found.map(\.rule) == [.duplicateDelivery])
        #expect(found.map(\.transaction) == [TransactionID(number: 100)])
        let sentence = story.sentences(.duplicateDelivery).first ?? ""
        #expect(sentence.contains("the store charged for 2, but goods arrived that no charge explains"), "\(sentence)")
        #expect(sentence.contains("Transaction 101: ") && sentence.contains("without granting it"), "\(sentence)")
    }

    // Told in one launch, and delivered in the next as something else.
    @Test(arguments: [(Story.lives, Story.powers, [AuditRule.wrongProduct]), (Story.lives, Story.lives, [])])
    func anotherProductsGoodsInALaterLaunchAreOneViolation(
        bought: ProductIndex, delivered: ProductIndex, rules: [AuditRule]
    ) {
        let found = findings { story in
            story.launch()
            let purchase = story.pay(bought)
            story.complete(purchase)
            story.tell(purchase)
            story.finish(purchase)
            story.terminate()
            story.launch()
            story.deliver(delivered)
            story.end()
        }
        #expect(found.map(\.rule) == rules)
    }

    // Goods of another product that were there before have nothing to do with it.
    @Test func anotherProductsEarlierGoodsAreNoMixUp() {
        let found = findings { story in
            story.launch()
            story.deliver(Story.powers)
            story.terminate()
            story.launch()
            let purchase = story.pay(Story.lives)
            story.complete(purchase)
            story.tell(purchase)
            story.finish(purchase)
            story.end()
        }
        #expect(Set(found.map(\.rule)) == [.unpaidDelivery, .lostPurchase])
    }

    // Both told in one call; the first is delivered twice, and the app crashes before the second.
    @Test func doubleDeliveryBeforeACrashIsNoMixUp() {
        let found = findings { story in
            story.launch()
            let first = story.pay(Story.lives)
            let second = story.pay(Story.powers)
            for purchase in [first, second] { story.complete(purchase) }
            for purchase in [first, second] { story.tell(purchase) }
            story.deliver(Story.lives)
            story.deliver(Story.lives)
            story.finish(first)
            story.finish(second)
            story.end()
        }
        #expect(found.map(\.rule) == [.duplicateDelivery, .lostPurchase])
    }

    // Told only after the first had its goods: what comes then is delivered for it.
    @Test func goodsRepeatedForAnotherPurchaseAreAMixUp() {
        let found = findings { story in
            story.launch()
            let first = story.pay(Story.lives)
            let second = story.pay(Story.powers)
            for purchase in [first, second] { story.complete(purchase) }
            story.tell(first)
            story.deliver(Story.lives)
            story.tell(second)
            story.deliver(Story.lives)
            story.finish(first)
            story.finish(second)
            story.end()
        }
        #expect(found.map(\.rule) == [.wrongProduct])
    }
}
