// Small scenarios on which the reference client was once accused, or the harness trapped: each is clean for a reason.

import Engine
import Judgement
import Metrics
import RunSupport
import Scenario
import Simulation
import Testing

@Suite struct RegressionCaseTests {
    static let names = [
        "01-reinstall-finish-delay", "03-promoted-beside-own", "04-settling-two-accounts", "05-wrong-product",
        "05b-wrong-product-downgrade", "06-callback-then-terminated", "07-reference-loses", "07b-reference-stale",
        "08-harness-trap", "09-taken-back-after-a-switch", "10-payments-in-another-order", "11-alike-in-one-instant",
        "12-declined-before-the-answer", "13-receipt-after-the-last-launch",
        "14-handed-out-again-to-a-new-installation",
        "15-restores-that-share-an-end", "16-finished-on-the-other-device",
        "17-restored-in-the-instant-it-was-bought", "18-alike-one-cancelled", "19-subscribed-on-two-accounts",
        "20-seen-late", "21-deleted-before-it-was-told",
        "22-a-repurchase-beside-a-restore", "23-a-finish-that-failed-after-a-reinstall",
        "24-broken-off-while-accounts-change", "25-grace-in-the-instant-of-a-launch",
        "26-removed-before-it-was-finished", "27-a-restore-that-nobody-heard-of", "28-grace-before-the-receipt-knows",
        "29-told-before-the-app-paid",
    ]

    private static func result(_ name: String) throws -> RunResult {
        run(try Scenario.file("Tests/EngineTests/Cases/\(name).yml"))
    }

    @Test(arguments: names)
    func referencePassesEveryCase(name: String) throws {
        let result = try Self.result(name)
        #expect(result.violations.isEmpty && result.collector.faultCount == 0, "\(result.story)")
        #expect(result.unjudgedUsers == 0)
    }

    // For the right reason: the goods came again, and were owed again.
    @Test func reinstalledAppIsOwedRedeliveredGoodsAgain() throws {
        let result = try Self.result("01-reinstall-finish-delay")
        #expect(result.count(.redeliveries) > 0)
        #expect(result.count(.deliveries) > result.count(.purchases))
    }

    // Each promotion is paid for beside the user's own purchase.
    @Test func promotedPaymentIsChargedBesideTheUsersOwn() throws {
        let result = try Self.result("03-promoted-beside-own")
        // The second of the two payments finds the first one's purchase unfinished.
        #expect(result.collector.chargesToDeliver == 100 && result.violations.isEmpty, "\(result.story)")
    }

    // The approval came while the first account was signed in, and its goods with it.
    @Test func settlingWaitsForTheFirstAccountsApproval() throws {
        let result = try Self.result("04-settling-two-accounts")
        #expect(result.collector.chargesToDeliver == 1 && result.count(.deliveries) == 1)
    }
}
