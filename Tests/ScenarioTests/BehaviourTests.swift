// Knobs of the store and habits of its buyers, from the file to the values.

import DeviceSupport
import Foundation
import Simulation
import Testing

@testable import Scenario

@Suite struct BehaviourTests {
    private func behaviour(_ text: String) throws -> StoreBehaviour {
        try scenario(with(store: "behaviour: {\(text)}")).store.behaviour
    }

    private func with(store: String = "", buyers: String = "{}") -> String {
        """
        name: Small
        store: {catalog: a.storekit\(store.isEmpty ? "" : ", " + store)}
        buyers: \(buyers)
        population: {users: 10}
        load: [{journey: j, executor: at-once}]
        journeys: {j: [launch]}
        """
    }

    // One name for a knob, in code and in files.
    @Test func everyBehaviourKnobHasAKey() {
        let knobs = StoreBehaviour().knobs.map(\.key)
        #expect(knobs.count > 20)
        #expect(Set(knobs) == Set(KeySection.behaviour.keys.map(\.name)))
    }

    @Test func readerReadsEveryBehaviourKnob() throws {
        let read = try behaviour(
            """
            callback_queue: random, duplicate_observer: per_addition, callback_after_removal: delivered, \
            quantity_above_ten: accepted, finish_deferred: removed, cancelled_restore: finished, \
            username_persistence: uuid_only, owned_repurchase: restored, unfinished_repurchase: silence, \
            restore_filters_username: true, declined_approval: failed, approval_expires_after: 2h, \
            deferred_redelivery: false, interruption_error: unknown, interruption_failure: with_resolution, \
            active_subscription: current_transaction, downgrade: current_transaction, renewal_original: set, \
            refund_update: updated, other_devices: delivered, second_restore: joined, restore_in_parts: one_by_one, \
            unheld_request: freed, restored_original: missing, refund_at_launch: emitted, upgrade_emits_old: true, \
            consumable_history: true, entitlements_offline: empty, interrupted_purchase: cancelled, \
            owned_repurchase2: new, sync_offline: network_error, updates_at_launch: nothing, purchase_echo: once, \
            updates_on_foreground: true, concurrent_purchase: unknown_error, sync_emits_unfinished: true, \
            updates_replay: each_iterator, unfinished_lag: 2s, finish_returns: confirmed, status_at_start: emitted, \
            queue_purchase_updates: emitted, purchase_on_queue: emitted
            """)
        for (set, usual) in zip(read.knobs, StoreBehaviour().knobs) {
            #expect(set.value != usual.value, "\(set.key)")
        }
    }

    // A knob is there because the documentation is silent, and the rule says where.
    @Test func everyBehaviourKnobNamesItsRule() {
        #expect(KeySection.behaviour.facts.keys.allSatisfy { $0.rule?.wholeMatch(of: #/[RS]\d+/#) != nil })
    }

    @Test func readerReadsTheBundleIdentifier() throws {
        #expect(try scenario(with()).store.conditions.app.bundleIdentifier == "com.example.app")
        let file = with(store: "bundle_id: org.other.shop-2")
        #expect(try scenario(file).store.conditions.app.bundleIdentifier == "org.other.shop-2")
    }

    @Test(arguments: ["a shop", "", "com.example.caf\u{e9}"])
    func readerRefusesAnInvalidBundleIdentifier(_ text: String) {
        #expect(
            brief(problems(with(store: "bundle_id: '\(text)'"))) == [
                "2:41: '\(text)' is not a bundle identifier | letters, digits, dots and hyphens, such as com.example.app"
            ])
    }

    @Test func readerReadsBuyerHabits() throws {
        let buyers = try scenario(
            with(
                buyers: """
                    {ask_to_buy: {share: 8%, approve: 75%, decline: 15%, answer_after: 20s..3h}, \
                    interrupted: {share: 4%, resolve: 90%, resolve_after: 5s}}
                    """)
        ).buyers
        #expect(
            buyers.askToBuy
                == AskToBuy(
                    share: .percent(8), approve: .percent(75), decline: .percent(15),
                    answerAfter: .spans(.seconds(20), .hours(3))))
        #expect(
            buyers.interrupted
                == Interruption(
                    share: .percent(4), resolve: .percent(90),
                    resolveAfter: .constant(Span.seconds(5).nanoseconds)))
    }

    // Approved unless told otherwise, mended unless told otherwise.
    @Test func buyerHabitsHaveDefaults() throws {
        let buyers = try scenario(
            with(buyers: "{ask_to_buy: {share: 8%, decline: 10%}, interrupted: {share: 4%}}")
        ).buyers
        #expect(buyers.askToBuy?.approve == .percent(90))
        #expect(buyers.interrupted?.resolve == .all)
    }

    @Test(arguments: [
        (
            "{ask_to_buy: {share: 8%, approve: 80%, decline: 30%}}",
            """
            3:22: 'approve' and 'decline' in buyers.ask_to_buy sum to more than 100% | the rest up to 100% is never answered
            """
        ),
        ("{ask_to_buy: {approve: 80%}}", "3:22: missing key 'share' in buyers.ask_to_buy | add 'share: 1%'"),
        (
            "{interrupted: {share: 8%, resolves: 1%}}",
            "3:35: unknown key 'resolves' in buyers.interrupted | did you mean 'resolve'?"
        ),
    ])
    func readerReportsImpossibleBuyerHabits(_ buyers: String, _ problem: String) {
        #expect(brief(problems(with(buyers: buyers))) == [problem])
    }
}
