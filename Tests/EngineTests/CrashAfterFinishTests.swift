// A crash between a finish and the goods: the sentence and the drawing say so, whatever the transaction came from.

import ClientKit
import Engine
import Foundation
import Judgement
import ReportModel
import Reporting
import RunSupport
import Scenario
import Simulation
import StoreKit
import Testing

/// Finishes what it is told of, and grants it a turn of its main queue later.
class HastyClient: CarelessClient {
    override class var name: String { "hasty" }
    var delay: Double { 0 }

    override func handle(_ transaction: SKPaymentTransaction) {
        let identifier = transaction.payment.productIdentifier
        let quantity = transaction.payment.quantity
        SKPaymentQueue.default().finishTransaction(transaction)
        environment.main.asyncAfter(seconds: delay) { [self] in
            if environment.durableInteger(identifier) == 0 || identifier != Shop.maps { grant(identifier, quantity) }
            answer(identifier, .purchased)
        }
    }
}

/// Grants it so much later that a restore has ended by then.
final class SlowClient: HastyClient {
    override class var name: String { "slow" }
    override var delay: Double { 0.2 }
}

@Suite struct CrashAfterFinishTests {
    private static let scenario = """
        name: Left unfinished, then a crash
        store: {catalog: shop.storekit}
        network: {latency: {median: 30ms, p99: 60ms}}
        population: {users: 300, unfinished_at_start: {extra_lives: 50%}, owns: {unlock_maps: 100%}}
        load: [{journey: a, executor: at-once}]
        journeys: {a: [reinstall, launch, {think: 2s}, restore, {think: 2s}, terminate]}
        faults: {crash: {share: 40%, at: any_effect}}
        """

    private static func found(_ rule: AuditRule, _ client: any StoreClient.Type) throws -> Evidence {
        let result = run(try Scenario.text(scenario, naming: client), client)
        return try #require(result.collector.evidence(of: rule).first, "\(result.story)").evidence
    }

    @Test func lostPurchaseNamesTheCrashBetweenFinishAndGoods() throws {
        let sentence = try Self.found(.lostPurchase, HastyClient.self).sentence
        #expect(
            sentence.contains(
                #/delivered it in launch 1 at (\S+); the app finished it at \1 without granting it; the app crashed at \1, just before a write to storage; 0/#
            ),
            "\(sentence)")
    }

    @Test func incompleteRestoreNamesTheCrashBetweenFinishAndGoods() throws {
        let sentence = try Self.found(.restoreIncomplete, SlowClient.self).sentence
        #expect(
            sentence.contains(
                #/finished it at \S+ without granting it; the app crashed at \S+, just before a write to storage; unlock_maps is not/#
            ),
            "\(sentence)")
    }

    // What is cut to a few lines still has the finish and the crash.
    @Test(arguments: [(AuditRule.lostPurchase, HastyClient.self), (.restoreIncomplete, SlowClient.self)])
    func shortTimelineMarksFinishAndCrash(rule: AuditRule, client: any StoreClient.Type) throws {
        let timeline = try Self.found(rule, client).timeline
        let marked = timeline.places.map { timeline.lines[$0] }
        let finish = try #require(marked.firstIndex { $0.text.hasPrefix("the app finishes transaction") })
        #expect(marked[(finish + 1)...].contains { $0.kind == .crash }, "\(marked.map(\.text))")
    }
}
