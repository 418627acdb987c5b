// One slot for each answer, and the product that was asked for last: each flaw must be told for what it is.

import Engine
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@testable import ClientKit
@testable import Specimens

@Suite struct PayAPITests {
    /// Everything but the handler that a termination finds on the queue, which every launch of this client leaves there.
    private func violations(_ result: RunResult) -> [AuditRule: Int] {
        result.violations.filter { $0.key != .observerLeak && $0.key != .observerLeft }
    }

    private func run(
        _ steps: [String], sections: [String] = [], change: (inout Scenario) -> Void = { _ in }
    ) throws -> RunResult {
        try journey(PayAPIClient.self, steps, sections: sections, change: change)
    }

    // MARK: Buying

    @Test func payAPIDeliversBeforeTheFinish() throws {
        let result = try run([
            "launch", "fetch_products", "buy: extra_lives", "expect: {answered: purchased, holds: {extra_lives: 1}}",
            "use: all", "think: 1s", "buy: unlock_maps", "expect: {answered: purchased, owns: unlock_maps}",
            "buy: {unknown_product: com.appcoda.fakegame.retired}", "expect: {answered: refused}", "terminate",
        ])
        #expect(violations(result).isEmpty, "\(result.story)")
        #expect(result.meetsAllExpectations)
    }

    @Test func payAPIDeliversTheLastRequestedOfOverlappingPurchases() throws {
        let result = try run([
            "launch", "fetch_products", "together: [{buy: extra_lives}, {buy: superpowers}]", "think: 2s", "terminate",
        ])
        #expect(result.violations[.wrongProduct] == 20)
        #expect(result.sentences(.wrongProduct).allSatisfy { $0.contains("granted superpowers instead") })
        // The second call took the slot of the first.
        #expect(result.violations[.unansweredRequest] == 20)
        #expect(result.violations[.answeredTwice] == 20)
    }

    @Test func payAPIPaysForOneWhateverTheQuantity() throws {
        let result = try run([
            "launch", "fetch_products", "buy: {product: superpowers, quantity: 4}", "expect: {holds: {superpowers: 1}}",
        ])
        // The payment is for one: less than was wished for, and what was paid for.
        #expect(violations(result).isEmpty, "\(result.story)")
        #expect(result.meetsAllExpectations)
    }

    @Test func payAPIRefusesDisabledPayments() throws {
        let result = try run(
            ["launch", "fetch_products", "buy: extra_lives", "expect: {answered: refused}"],
            sections: ["buyers: {payments_disallowed: 100%}"])
        #expect(violations(result).isEmpty && result.meetsAllExpectations, "\(result.story)")
    }

    @Test(arguments: [(StoreErrorCode.paymentCancelled, "cancelled"), (.paymentInvalid, "failed")])
    func payAPIShowsAMessageUnlessTheBuyerCancelled(error: StoreErrorCode, answer: String) throws {
        let result = try run(["launch", "fetch_products", "buy: extra_lives", "expect: {answered: \(answer)}"]) {
            $0.store.conditions.errors.purchase = [.init(error: .store(error), share: .all)]
        }
        #expect(violations(result).isEmpty && result.meetsAllExpectations, "\(result.story)")
    }

    // MARK: Without a completion

    @Test func payAPILosesARedeliveryAtLaunch() throws {
        let result = try run(
            ["launch", "think: 1s", "terminate"],
            sections: ["population: {users: 20, unfinished_at_start: {extra_lives: 100%}}"])
        #expect(violations(result) == [.lostPurchase: 20])
        #expect(result.sentences(.lostPurchase).allSatisfy { $0.contains("no request for it was pending") })
    }

    @Test func payAPILosesThePurchaseIfItCrashesAfterTheCharge() throws {
        let result = try run(
            ["launch", "fetch_products", "buy: extra_lives", "think: 1s"],
            sections: ["faults: {crash: {share: 100%, at: after_charge}}"])
        #expect(violations(result) == [.lostPurchase: 20])
    }

    // The goods are there; that the redelivery finds nobody is luck for once.
    @Test func payAPILosesNothingInACrashBeforeTheFinish() throws {
        let result = try run(
            ["launch", "fetch_products", "buy: extra_lives", "think: 1s"],
            sections: ["faults: {crash: {share: 100%, at: before_finish}}"])
        #expect(result.count(.crashes) >= 20)
        #expect(violations(result).isEmpty, "\(result.story)")
    }

    // The slot still holds the completion of the last purchase, which answers for whatever arrives.
    @Test func payAPIDeliversALateApprovalAsTheLatestPurchase() throws {
        let result = try run(
            [
                "launch", "fetch_products", "buy: {product: extra_lives, wait: false}", "think: 1s",
                "buy: {product: superpowers, wait: false}", "think: 20s", "terminate",
            ],
            sections: [
                "buyers: {decide_after: 200ms, ask_to_buy: {share: 100%, approve: 100%, decline: 0%, answer_after: 5s}}"
            ])
        #expect(result.violations[.wrongProduct] == 20, "\(result.story)")
        #expect(result.sentences(.wrongProduct).allSatisfy { $0.contains("extra_lives") })
    }

    // MARK: Fetching

    @Test func payAPINeverAnswersAFailedFetch() throws {
        let steps = ["launch", "fetch_products", "think: 1s", "terminate"]
        let failing = try run(steps) { $0.store.conditions.errors.products = .all }
        #expect(violations(failing) == [.unansweredRequest: 20])
        #expect(violations(try run(steps)).isEmpty)
    }

    @Test func payAPIAnswersAnEmptyProductList() throws {
        let result = try run(["launch", "fetch_products: [com.appcoda.fakegame.retired]", "think: 1s", "terminate"])
        #expect(violations(result).isEmpty, "\(result.story)")
    }

    @Test func payAPIsSecondFetchReplacesTheFirstsCompletion() throws {
        let steps = ["launch", "together: [fetch_products, fetch_products]", "think: 1s", "terminate"]
        // Both requests are answered, and both to the second.
        #expect(violations(try run(steps)) == [.unansweredRequest: 20, .answeredTwice: 20])
        let freeing = try run(steps) { $0.store.behaviour.unheldRequest = .freed }
        #expect(violations(freeing) == [.unansweredRequest: 20])
    }

    // MARK: Restoring

    private static let restore = [
        "launch", "fetch_products", "restore", "think: 1s", "buy: extra_lives", "think: 1s", "terminate",
    ]
    private static let owners = "population: {users: 20, owns: {unlock_maps: 100%}}"

    @Test func payAPIAddsItsObserverAgainForARestore() throws {
        let result = try run(Self.restore, sections: [Self.owners])
        #expect(result.sentences(.observerLeak).allSatisfy { $0.contains("the same observer for the 2nd time") })
        // Added again, and left there by the launch.
        #expect(result.violations[.observerLeak] == 20 && result.violations[.observerLeft] == 20)
        // A queue that tells each observer once does no harm.
        #expect(result.violations[.duplicateDelivery] == nil && result.violations[.answeredTwice] == nil)
    }

    @Test func payAPIDeliversTwiceIfItsObserverIsCalledPerAddition() throws {
        let result = try run(Self.restore, sections: [Self.owners]) {
            $0.store.behaviour.duplicateObserver = .perAddition
        }
        #expect(result.violations[.duplicateDelivery] == 20)
        // The purchase and the restore.
        #expect(result.violations[.answeredTwice] == 40)
    }

    // The first restored transaction is told as the end of the restore, and each further one as its end again.
    @Test func payAPIAnswersEachRestoredTransaction() throws {
        let books = ["one", "two", "three"].map { "com.example.\($0)" }
        let result = try journey(
            PayAPIClient.self, ["launch", "restore", "think: 1s", "terminate"],
            sections: ["population: {users: 20, owns: {one: 100%, two: 100%, three: 100%}}"],
            catalog: Shop.catalog(books.map { ($0, .nonConsumable) }))
        #expect(result.violations[.answeredTwice] == 20)
        #expect(result.sentences(.answeredTwice).allSatisfy { $0.contains(" 3 times: ") })
        #expect(result.violations[.restoreIncomplete] == nil)
    }

    @Test func payAPINeverAnswersARestoreOfNothing() throws {
        let result = try run(["launch", "restore", "think: 1s", "terminate"])
        #expect(violations(result) == [.restoreUnreported: 20])
    }

    // One that fails after some of it has come was announced as done by then.
    @Test(arguments: [(0, AuditRule.restoreUnreported), (100, .wrongAnswer)])
    func payAPINeverAnswersAFailedRestore(owners: Int, rule: AuditRule) throws {
        let result = try run(
            ["launch", "restore", "think: 1s", "terminate"],
            sections: ["population: {users: 20, owns: {unlock_maps: \(owners)%}}"]
        ) { $0.store.conditions.errors.restore = .all }
        #expect(violations(result) == [rule: 20])
    }
}
