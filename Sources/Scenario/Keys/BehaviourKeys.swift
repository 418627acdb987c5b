// `store.behaviour`: what the store does where StoreKit's documentation is silent.
// Constants; any thread.

import Simulation

extension KeySection<StoreBehaviour> {
    static let behaviour = KeySection(
        "store.behaviour", StoreBehaviour(),
        [
            .choice(
                "callback_queue", \.callbackQueue, "The queue on which StoreKit calls observers and request delegates.",
                rule: "R7"),
            .choice(
                "duplicate_observer", \.duplicateObserver, "How often StoreKit calls an observer that was added twice.",
                rule: "R6"),
            .choice(
                "callback_after_removal", \.callbackAfterRemoval,
                "What happens to a pending callback when its observer is removed.", rule: "R9"),
            .choice(
                "quantity_above_ten", \.quantityAboveTen, "The result of a payment with a quantity above ten.",
                rule: "R11"),
            .choice(
                "finish_deferred", \.finishDeferred, "The effect of finishing a deferred transaction.", rule: "R19"),
            .choice(
                "owned_repurchase", \.ownedRepurchase, "How a second purchase of an owned product arrives.",
                rule: "R23"),
            .choice(
                "unfinished_repurchase", \.unfinishedRepurchase,
                "The result of buying a consumable again while its purchase is unfinished.", rule: "R24"),
            .choice(
                "active_subscription", \.activeSubscription, "The result of buying an active subscription again.",
                rule: "R25"),
            .choice(
                "restored_original", \.restoredOriginal, "Whether the `original` of a restored transaction is set.",
                rule: "R27"),
            .choice("restore_in_parts", \.restoreInParts, "How the transactions of a restore arrive.", rule: "R28"),
            .choice(
                "cancelled_restore", \.cancelledRestore, "How a restore ends if its prompt is cancelled.", rule: "R29"),
            .choice(
                "second_restore", \.secondRestore, "The result of a restore that starts while another restore runs.",
                rule: "R30"),
            .flag(
                "restore_filters_username", \.restoreFiltersUsername,
                "Whether a restore with a user name returns only that user's purchases.", rule: "R31"),
            .choice(
                "declined_approval", \.declinedApproval, "The result of a declined Ask to Buy request.", rule: "R37"),
            .duration(
                "approval_expires_after", \.approvalExpiresAfter, "When an unanswered Ask to Buy request expires.",
                zero: .refused, rule: "R36", drawing: .lasting(.errand)),
            .flag(
                "deferred_redelivery", \.deferredRedelivery,
                "Whether a launch delivers transactions that are still deferred.",
                rule: "R38"),
            .choice(
                "interruption_error", \.interruptionError, "The error of an interrupted purchase.", rule: "R40"),
            .choice(
                "interruption_failure", \.interruptionFailure,
                "When StoreKit reports an interrupted purchase as failed.", rule: "R40"),
            .choice(
                "other_devices", \.otherDevices,
                "Whether an unfinished purchase also arrives on the account's other devices, if a restore would return it.",
                rule: "R45"),
            .choice("renewal_original", \.renewalOriginal, "Whether a renewal's `original` is set.", rule: "R46"),
            .choice(
                "downgrade", \.downgrade, "The immediate result of a change that starts with the next period.",
                rule: "R47"),
            .choice(
                "refund_update", \.refundUpdate, "Whether a refund also calls updatedTransactions.", rule: "R49"),
            .choice(
                "unheld_request", \.unheldRequest, "What happens to a started request that the app does not retain.",
                rule: "R53"),
            .choice(
                "username_persistence", \.usernamePersistence, "Which user names come back with transactions.",
                rule: "R59"),
            .choice(
                "updates_at_launch", \.updatesAtLaunch, "What `Transaction.updates` begins a launch with.", rule: "S2"),
            .choice(
                "updates_replay", \.updatesReplay,
                "Which iterators of `Transaction.updates` begin with what is unfinished.", rule: "S4"),
            .choice(
                "purchase_echo", \.purchaseEcho,
                "How often `Transaction.updates` repeats, seconds later, what `Product.purchase` has returned.",
                rule: "S6"
            ),
            .flag(
                "updates_on_foreground", \.updatesOnForeground,
                "Whether `Transaction.updates` repeats in the foreground what is unfinished.", rule: "S11"),
            .duration(
                "unfinished_lag", \.unfinishedLag,
                "For how long `Transaction.unfinished` does not know of a purchase or of a finish.", rule: "S21",
                drawing: .lasting(.message)),
            .choice(
                "finish_returns", \.finishReturns, "When `Transaction.finish` returns.", rule: "S42"),
            .choice(
                "status_at_start", \.statusAtStart,
                "Whether the first iterator of `Status.updates` begins with the statuses as they are.", rule: "S64"),
            .choice(
                "concurrent_purchase", \.concurrentPurchase,
                "The result of a `Product.purchase` while another one is under way.", rule: "S59"),
            .flag(
                "sync_emits_unfinished", \.syncEmitsUnfinished,
                "Whether `AppStore.sync` makes `Transaction.updates` repeat what is unfinished.", rule: "S82"),
            .choice(
                "refund_at_launch", \.refundAtLaunch,
                "Whether `Transaction.updates` emits at the launch a refund that happened while the app was closed.",
                rule: "S12"),
            .flag(
                "upgrade_emits_old", \.upgradeEmitsOld,
                "Whether `Transaction.updates` emits the transaction that an upgrade replaces.", rule: "S13"),
            .flag(
                "consumable_history", \.consumableHistory,
                "Whether `Transaction.all` lists finished consumables, as an app's Info.plist may ask for.",
                rule: "S23"),
            .choice(
                "entitlements_offline", \.entitlementsOffline,
                "What StoreKit 2 knows of the account's purchases on a device without a network.", rule: "S28"),
            .choice(
                "interrupted_purchase", \.interruptedPurchase, "The result of an interrupted `Product.purchase`.",
                rule: "S53"),
            .choice(
                "owned_repurchase2", \.ownedRepurchase2,
                "The transaction that `Product.purchase` returns for an owned product.", rule: "S56"),
            .choice(
                "queue_purchase_updates", \.queuePurchaseUpdates,
                "Whether `Transaction.updates` emits a purchase by `SKPaymentQueue` in the same launch.", rule: "S90"),
            .choice(
                "purchase_on_queue", \.purchaseOnQueue,
                "Whether observers of `SKPaymentQueue` receive a purchase by `Product.purchase` in the same launch.",
                rule: "S91"),
            .choice(
                "sync_offline", \.syncOffline, "The error of `AppStore.sync` on a device without a network.",
                rule: "S81"),
        ])
}
