// A scenario in which every key, every kind of value and every word of a list stands at least once.
// Constants; any thread.

import Foundation
import Scenario
import Simulation
import Text

enum SchemaSample {
    static let context: ScenarioContext = {
        let code = CatalogOffer(
            referenceName: "poster", paymentMode: .freeTrial, price: 0, period: CalendarPeriod(count: 1, unit: .month),
            eligibility: [.new])
        let kinds: [(String, ProductKind)] = [
            ("lives", .consumable), ("maps", .nonConsumable), ("gold", .autoRenewableSubscription),
        ]
        let products = kinds.enumerated().map { place, entry in
            CatalogProduct(
                index: place, identifier: "shop.\(entry.0)", kind: entry.1, referenceName: entry.0, price: 1,
                isFamilyShareable: entry.1 == .nonConsumable, localizations: [],
                subscription: entry.1 == .autoRenewableSubscription
                    ? .init(
                        groupIdentifier: "group", level: 1, period: CalendarPeriod(count: 1, unit: .month),
                        codeOffers: [code]) : nil)
        }
        let catalog = Catalog(products: products, storefront: .unitedStates, locale: "en_US")
        return ScenarioContext(
            clients: [
                "reference": [:], "iap-manager": ["verify": ["false", "true"], "retries": ["0", "3", "many"]],
            ],
            rules: ["lost-purchase", "double-grant", "unasked-restore"], toleratedRules: ["unasked-restore"]
        ) { _ in .success(catalog) }
    }()

    static let schema = ScenarioSchema(
        clients: context.clients, rules: context.rules, toleratedRules: context.toleratedRules)

    static func problems(_ text: String) -> [Problem] {
        do {
            _ = try ScenarioFile.parse(text: Array(text.utf8), file: "x.yml", directory: "", context: context)
            return []
        } catch {
            return error.problems
        }
    }

    /// Together they have everything; each is valid.
    static let texts = [everything, other]

    static let everything = """
        name: Everything
        description: Every key once.
        clock: virtual
        seed: 42
        client: {name: iap-manager, options: {verify: true, retries: 3}}
        store:
          catalog: shop.storekit
          bundle_id: com.example.app
          capacity: {workers: 400, service_time: {mean: 40ms}, queue: 20_000}
          outages: [{at: 4m, for: 30s, answer: slow, by: 2s}, {at: 9m, for: 1s, answer: timeout}, {at: 1h, for: 1s, answer: error}]
          errors: {products: 0.5%, restore: 1%, receipt: 0.1, purchase: {payment_invalid: 0.1%, no_error: 0.4%}}
          behaviour:
            callback_queue: random
            duplicate_observer: once
            callback_after_removal: dropped
            quantity_above_ten: failed
            finish_deferred: ignored
            cancelled_restore: failed
            username_persistence: always
            refund_at_launch: emitted
            upgrade_emits_old: true
            consumable_history: true
            entitlements_offline: empty
            updates_replay: each_iterator
            unfinished_lag: 90s
            finish_returns: confirmed
            status_at_start: emitted
            interrupted_purchase: pending
            owned_repurchase2: new
            sync_offline: network_error
            updates_at_launch: unfinished
            purchase_echo: repeated
            updates_on_foreground: false
            concurrent_purchase: serial
            sync_emits_unfinished: true
            queue_purchase_updates: emitted
            purchase_on_queue: emitted
            owned_repurchase: purchased
            unfinished_repurchase: silence
            restore_filters_username: true
            declined_approval: silence
            approval_expires_after: 24h
            deferred_redelivery: false
            interruption_error: unknown
            interruption_failure: at_once
            active_subscription: failed
            downgrade: silence
            renewal_original: set
            refund_update: none
            other_devices: silence
            second_restore: cancelled
            restored_original: missing
            restore_in_parts: one_by_one
            unheld_request: random
          time_rate: 1h = 30d
          subscriptions: {grace_period: true, price_increase_at: 6h}
          withdraw: [{product: lives, at: 30s}]
        validator: {latency: 50ms..2s, outages: [{at: 1m, for: 20s, answer: slow}], errors: 1.5%}
        http:
          - {url: "https://api.example.com/verify", method: POST, body: '{"status": 0}', latency: 50ms, errors: 1%}
          - url: https://api.example.com/*
            status: 404
            content_type: text/plain
            outages: [{at: 1m, for: 20s, answer: timeout}]
        network:
          latency: {median: 80ms, p99: 1.2s}
          lose_request: 0.3%
          lose_answer: 0.3%
          reset: 0.3%
          offline: {share: 2%, for: {10s: 80%, 3m: 20%}}
          request_timeout: 30s
        buyers:
          decide_after: 800ms..9s
          cancel: 6%
          cancel_restore: 1%
          payments_disallowed: 1%
          ask_to_buy: {share: 8%, approve: 75%, decline: 15%, answer_after: 20s..3h}
          interrupted: {share: 4%, resolve: 90%, resolve_after: 5s..10m}
          subscriptions: {cancel: 1%, billing_failure: 1%, recover: 50%, recover_after: 1d..20d, consent: 90%}
          refunds: {share: 1%, after: 1s..5s}
        population:
          users: 100_000
          devices_per_user: {1: 80%, 2: 20%}
          owns: {maps: 40%}
          unfinished_at_start: {lives: 2%}
        app: {flush_delay: 10ms, relaunch_after: 1s..2s, patience: 2m, main_queue_limit: 80ms, hang_limit: 9s, memory_limit: 64MiB, crash_limit: 7}
        warm_up: 10s
        audit: {tolerate: [unasked-restore], stale_after: 1h}
        explore: {interleavings: 50ms}
        load:
        - {name: crowd, journey: j, executor: at-once, users: 10, start_after: 1s, tags: {region: north}}
        - {name: a, after: crowd, journey: j, executor: per-user-iterations, users: 10, iterations: 3, max_duration: 5m, graceful_stop: 1m}
        - {name: b, journey: j, executor: shared-iterations, users: 10, iterations: 30, max_duration: 5m}
        - {name: c, journey: j, executor: constant-users, users: 10, for: 10m}
        - {name: d, journey: j, executor: ramping-users, start_users: 5, stages: [{over: 1m, to: 50}]}
        - {name: e, journey: j, executor: constant-arrival-rate, rate: 50/s, for: 2m, max_users: 500}
        - {name: f, journey: j, executor: ramping-arrival-rate, start_rate: 50/s, stages: [{over: 2m, to: 0/s}], max_users: 500}
        - {name: g, journey: j, executor: per-user-rate, users: 10, rate: 6/m, for: 2m}
        journeys:
          j:
          - launch
          - terminate
          - fetch_products
          - fetch_products: [lives, other]
          - fetch_products: {products: [lives], wait: false}
          - restore: {wait: false}
          - wait_for: {outcome: restore, at_most: 10s}
          - background: 1m..10m
          - think: 1s..5s
          - buy: lives
          - buy: {choose: {lives: 70%, maps: 30%}, quantity: 1..3, wait: true}
          - buy: {product: lives, quantity: {1: 1, 2: 2}}
          - buy: {unknown_product: raw.id}
          - use: all
          - expect: {owns: maps, not_owns: [gold], holds: {lives: 2}, answered: restored}
          - repeat: {times: 1..4, steps: [{think: 2s}]}
          - repeat: {times: {mean: 3}, steps: [crash]}
          - repeat: {times: {median: 3, p99: 9}, steps: [reinstall]}
          - update_app: reference
          - repeat: {times: {3: 1, 4: 2}, steps: [switch_account]}
          - choose: [{weight: 70%, steps: [launch]}, {weight: 30%, steps: [restore]}]
          - together: [{buy: lives}, restore, {fetch_products: [maps]}, {use: lives}]
          - on_other_device: [launch]
          - promoted_purchase: maps
          - buy_outside: maps
          - redeem_offer: gold
          - redeem_offer: {product: gold, offer: poster}
          - change_subscription: gold
          - cancel_subscription: gold
          - refund: maps
          - family_shares: maps
          - family_stops_sharing: maps
          - change_storefront: DEU
        faults:
          crash: [{share: 3%, at: any_effect}, {share: 1%, at: {effect: 17}}]
          delivery:
            batches: merged
            order: random
            duplicate: 1%
            finish_delay: 1s
            finish_fails: 1%
            unanswered: 1%
            receipt_lag: 1s
          verification: {fails: 1%, reason: invalid_signature, forged: 0.1%}
        thresholds:
          violations: [count == 0]
          violations{rule:lost-purchase}: count == 0
          violations{rule:double-grant}: []
          purchase_duration{region:north}: [{threshold: p(95) < 6s, abort_on_fail: true, delay_abort_eval: 1m, window: 2m..8m}]
          purchase_duration{outcome:success, answer:served}: p(95) < 6s
          purchases_failed{code:URLError.timedOut,stage:receiving}: count < 10
          approval_wait: {threshold: max < 1h}
          purchases: [{threshold: count > 1, window: 2m..8m}]
          requests: {threshold: count > 1}
          purchase_success: {threshold: rate > 95%, window: 2m..8m}
          expectations: {threshold: rate == 1}
          users_active: {threshold: max < 1_000}
          memory_per_user: {threshold: max < 8KiB}

        """

    /// What a scenario can have only one of.
    static let other = """
        name: Other
        client: {name: reference, options: {}}
        store: {catalog: shop.storekit}
        population: {users: 10, devices_per_user: 2}
        explore: interleavings
        load: [{journey: j, executor: at-once}]
        journeys: {j: [launch]}
        faults: {crash: {share: 3%, at: before_finish}}

        """

    /// A client without options is a word.
    static let brief = other.replacing("{name: reference, options: {}}", with: "reference")
}
