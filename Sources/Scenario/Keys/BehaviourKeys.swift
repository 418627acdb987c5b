// `store.behaviour`: what the store does where StoreKit's documentation is silent.
// Constants; any thread.

import Simulation

extension KeySection<StoreBehaviour> {
    static let behaviour = KeySection(
        "store.behaviour", StoreBehaviour(),
        [
            .choice(
                "callback_queue", \.callbackQueue, "Where observers and request delegates are called.", rule: "R7"),
            .choice(
                "duplicate_observer", \.duplicateObserver, "How often an observer that was added twice is told.",
                rule: "R6"),
            .choice(
                "callback_after_removal", \.callbackAfterRemoval,
                "What becomes of a callback under way when its observer is removed.", rule: "R9"),
            .choice(
                "quantity_above_ten", \.quantityAboveTen, "What a payment for more than ten leads to.", rule: "R11"),
            .choice("finish_deferred", \.finishDeferred, "What finishing a deferred transaction does.", rule: "R19"),
            .choice(
                "owned_repurchase", \.ownedRepurchase, "How a second purchase of something owned arrives.",
                rule: "R23"),
            .choice(
                "unfinished_repurchase", \.unfinishedRepurchase,
                "What buying a consumable again does while it is unfinished.", rule: "R24"),
            .choice(
                "active_subscription", \.activeSubscription, "What buying an active subscription again does.",
                rule: "R25"),
            .choice(
                "restored_original", \.restoredOriginal, "Whether the `original` of a restored transaction is set.",
                rule: "R27"),
            .choice("restore_in_parts", \.restoreInParts, "How the transactions of a restore arrive.", rule: "R28"),
            .choice(
                "cancelled_restore", \.cancelledRestore, "How a restore ends whose prompt was cancelled.", rule: "R29"),
            .choice(
                "second_restore", \.secondRestore, "What becomes of a restore that is asked for while one runs.",
                rule: "R30"),
            .flag(
                "restore_filters_username", \.restoreFiltersUsername,
                "Whether a restore with a user name brings only that user's purchases.", rule: "R31"),
            .choice(
                "declined_approval", \.declinedApproval, "What a declined Ask to Buy request leads to.", rule: "R37"),
            .duration(
                "approval_expires_after", \.approvalExpiresAfter, "When a request that nobody answers is dropped.",
                zero: .refused, rule: "R36", drawing: .lasting(.errand)),
            .flag(
                "deferred_redelivery", \.deferredRedelivery, "Whether a launch delivers what is still deferred.",
                rule: "R38"),
            .choice(
                "interruption_error", \.interruptionError, "The error of an interrupted purchase.", rule: "R40"),
            .choice("interruption_failure", \.interruptionFailure, "When that failure is told.", rule: "R40"),
            .choice(
                "other_devices", \.otherDevices,
                "Whether an unfinished purchase arrives on the account's other devices too, if a restore would bring it.",
                rule: "R45"),
            .choice("renewal_original", \.renewalOriginal, "Whether a renewal's `original` is set.", rule: "R46"),
            .choice(
                "downgrade", \.downgrade, "What a change that begins with the next period leads to at once.",
                rule: "R47"),
            .choice(
                "refund_update", \.refundUpdate, "Whether a refund also calls updatedTransactions.", rule: "R49"),
            .choice(
                "unheld_request", \.unheldRequest, "What becomes of a started request that nobody holds.", rule: "R53"),
            .choice(
                "username_persistence", \.usernamePersistence, "Which user names come back with transactions.",
                rule: "R59"),
        ])
}
