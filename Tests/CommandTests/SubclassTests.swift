// A client of which only a subclass has what StoreKit, or the harness, calls by a protocol's default.

import Foundation
import ReportModel
import Reporting
import Testing

@Suite struct SubclassTests {
    private func scenario(_ place: Workplace, _ steps: String, store: String = "") throws -> String {
        try place.write(
            """
            name: Restore once
            store: {catalog: FakeGame.storekit\(store)}
            network: {latency: 20ms..80ms}
            population: {users: 20, owns: {unlock_maps: 100%}}
            load: [{journey: a, executor: at-once}]
            journeys: {a: [\(steps)]}

            """, to: "restore.yml")
        return "restore.yml"
    }

    private func words(_ outcome: Outcome) -> String {
        outcome.all.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func runDoesNotJudgeTheRestoreOfASubclassedObserver() throws {
        let place = try Workplace(hasSources: false)
        let file = try scenario(place, "reinstall, launch, restore, {expect: {owns: unlock_maps}}, terminate")
        let outcome = try place.run(Workplace.faultyTool, ["run", file, "--client", "subclassed"])
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        let text = words(outcome)
        #expect(!text.contains("restore-unreported") && !text.contains("unanswered-request"), "\(text)")
        let method = "`RestoringObserver.paymentQueueRestoreCompletedTransactionsFinished(_:)`"
        #expect(text.contains("20 times StoreKit did not call an optional method that only a subclass has: \(method)"))
        #expect(text.contains("Implement it in `CentralObserver`, and write `override` in the subclass."), "\(text)")
        #expect(text.contains("could not call an optional method that only a subclass has (20 times)"), "\(text)")
    }

    // What no call was due for stands in nothing's way.
    @Test func runJudgesThePurchaseOfASubclassedObserver() throws {
        let place = try Workplace(hasSources: false)
        let outcome = try place.run(
            Workplace.faultyTool,
            ["run", try scenario(place, "launch, {buy: extra_lives}, terminate"), "--client", "subclassed"])
        #expect(outcome.isStatus(.passed), "\(outcome)")
    }

    // Of a final class an optimised build leaves no trace: its sources show the method.
    @Test(arguments: [true, false])
    func methodOfAFinalClassIsFoundInItsSources(areThere: Bool) throws {
        let place = try Workplace(hasSources: false)
        if areThere {
            try FileManager.default.createDirectory(
                at: place.folder.appendingPathComponent("Sources"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: Workplace.package.appendingPathComponent("Tests/Tools/FaultyTool/Subclassed.swift"),
                to: place.folder.appendingPathComponent("Sources/Subclassed.swift"))
        }
        let file = try scenario(
            place, "reinstall, launch, restore, terminate", store: ", errors: {restore: 100%}")
        let outcome = try place.run(
            Workplace.faultyTool, ["run", file, "--client", "subclassed", "--client-option", "which=final"])
        let text = words(outcome)
        #expect(text.contains("restore-unreported") == !areThere, "\(text)")
        #expect(text.contains("(Sources/Subclassed.swift:44)") == areThere, "\(text)")
    }

    @Test func runRefusesAClientWhoseSubclassAloneLaunches() throws {
        let place = try Workplace(hasSources: false)
        let outcome = try place.run(
            Workplace.faultyTool, ["run", try scenario(place, "launch"), "--client", "launching"])
        #expect(outcome.isStatus(.invalidInput), "\(outcome)")
        #expect(
            outcome.errors.contains("LaunchingClient implements `launch()`, but its superclass CommonClient"),
            "\(outcome)")
        #expect(outcome.errors.contains("implement it in CommonClient, and write `override` in LaunchingClient"))
    }

    // Without the sources, by what ten users met.
    @Test func doctorNamesTheMethodThatStoreKitCouldNotCall() throws {
        let place = try Workplace(hasSources: false)
        let outcome = try place.run(
            Workplace.faultyTool, ["doctor", "--client", "subclassed", "--catalog", "FakeGame.storekit"])
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        let text = words(outcome)
        #expect(text.contains("✗") && text.contains("StoreKit did not call an optional method"), "\(text)")
        #expect(text.contains("RestoringObserver.paymentQueueRestoreCompletedTransactionsFinished(_:)"), "\(text)")
        #expect(!text.contains("Nothing prevents a verdict"), "\(text)")
    }

    @Test func doctorNamesTheMethodAndItsLine() throws {
        let place = try Workplace(hasSources: false)
        try place.write(
            """
            class Base: NSObject, StoreKit.SKPaymentTransactionObserver {
                func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {}
                func paymentQueue(_ queue: SKPaymentQueue, removedTransactions: [SKPaymentTransaction]) {}
            }
            class Middle: Base {}
            final class Shop: Middle {
                override func paymentQueue(_ queue: SKPaymentQueue, removedTransactions: [SKPaymentTransaction]) {}
            }
            extension Shop {
                // The last of all callbacks.
                func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) { print("}") }
            }

            """, to: "Shop.swift")
        let outcome = try place.stampede("doctor", "--sources", "Shop.swift")
        #expect(outcome.isStatus(.unknown), "\(outcome)")
        let text = words(outcome)
        let method = "paymentQueueRestoreCompletedTransactionsFinished(_:)"
        #expect(text.contains("✗ Shop.swift:11: only the subclass Shop has \(method)"), "\(text)")
        #expect(text.contains("implement \(method) in Base, and write `override` in Shop"), "\(text)")
        #expect(text.contains("1 thing to fix"), "\(text)")
    }
}
