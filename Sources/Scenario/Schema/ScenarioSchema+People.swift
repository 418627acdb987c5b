// The people, their devices, their links and their apps.
// Pure; any thread.

import Simulation

extension ScenarioSchema {
    static let network: SchemaValue = {
        let standard = LinkConditions()
        return .object([
            times("latency", "One way between a device and a server.", default: standard.latency),
            share("lose_request", "Of the requests, those that never arrive.", default: standard.loseRequest),
            share(
                "lose_answer", "Of the answers, those that never come back although the request took effect.",
                default: standard.loseAnswer),
            SchemaValue.optional(
                "offline",
                .object([
                    requiredShare("share", "Of the time, that in which a device is offline. Less than 100%."),
                    requiredTimes("for", "How long a device stays offline."),
                ]), "Stretches without a network. Without it: none."),
            time(
                "request_timeout", "How long a device waits for an answer that does not come.",
                default: standard.requestTimeout, zero: .refused),
        ])
    }()

    static let app: SchemaValue = {
        let standard = AppConditions()
        return .object([
            time(
                "flush_delay", "How long a write to the defaults may be lost by a crash.", default: standard.flushDelay),
            times(
                "relaunch_after", "From a crash to the user's next launch.", default: standard.relaunchAfter),
            time(
                "patience", "How long a user waits for the app before doing something else.",
                default: standard.patience, zero: .refused),
            time(
                "main_queue_limit", "On the wall clock: how long one call into the client may hold the main queue.",
                default: standard.mainQueueLimit, zero: .refused),
            time(
                "hang_limit", "In real time: a call into the client that lasts longer hangs, and ends the run.",
                default: standard.hangLimit, zero: .refused),
        ])
    }()

    static let population = SchemaValue.object([
        SchemaValue.field(
            "users", whole(1...Int64(ScenarioLimits.usersMax)), "How many people there are. A count, such as 10_000."),
        SchemaValue.optional(
            "devices_per_user", wholes(ScenarioLimits.devicesPerUser, bounded: true),
            "Devices on one account: 2, 1..3, or weights such as {1: 80%, 2: 20%}. Default: 1."),
        SchemaValue.optional(
            "owns", .reference("shares_of_products"),
            "Bought before the run starts, by product: the share of the users, as in {unlock_maps: 40%}."),
        SchemaValue.optional(
            "unfinished_at_start", .reference("shares_of_products"),
            "Charged and delivered before the run and never finished, by product: the share of the users."),
    ])

    // MARK: Buyers

    static let buyers: SchemaValue = {
        let standard = BuyerBehaviour()
        return .object([
            times("decide_after", "From the payment sheet to the tap.", default: standard.decideAfter),
            share("cancel", "Of the payment sheets, those that are cancelled.", default: standard.cancel),
            share(
                "cancel_restore", "Of the restores, those whose password prompt is cancelled.",
                default: standard.cancelRestore),
            share(
                "payments_disallowed", "Of the accounts, those that may not pay at all.",
                default: standard.paymentsDisallowed),
            SchemaValue.optional("ask_to_buy", askToBuy, "Purchases that somebody else has to approve."),
            SchemaValue.optional("interrupted", interrupted, "Purchases before which the account has to be mended."),
            SchemaValue.optional("subscriptions", habits, "What becomes of subscriptions. Times are the store's."),
            SchemaValue.optional("refunds", refunds, "Purchases that are given back."),
        ])
    }()

    private static let askToBuy = SchemaValue.object([
        requiredShare("share", "Of the accounts, those that have to ask."),
        SchemaValue.optional(
            "approve", .reference("share"), "Of the requests, those approved. Default: all that are not declined."),
        share("decline", "Of the requests, those declined. What is neither is never answered."),
        times("answer_after", "From the request to its answer.", default: .constant(0)),
    ])

    private static let interrupted = SchemaValue.object([
        requiredShare("share", "Of the purchases, those that are interrupted."),
        share("resolve", "Of these, those whose buyer mends the account.", default: .all),
        times("resolve_after", "From the interruption to that.", default: .constant(0)),
    ])

    private static let habits: SchemaValue = {
        let standard = SubscriptionHabits()
        return .object([
            share("cancel", "Of the periods, those in which renewal is turned off.", default: standard.cancel),
            share(
                "billing_failure", "Of the renewals, those that cannot be paid.", default: standard.billingFailure),
            share("recover", "Of these, those that are paid in the end.", default: standard.recover),
            times("recover_after", "From the failure to that, in the store's time.", default: standard.recoverAfter),
            share("consent", "Of the members, those who agree to a higher price.", default: standard.consent),
        ])
    }()

    private static let refunds = SchemaValue.object([
        requiredShare("share", "Of the purchases, those given back."),
        times("after", "From the purchase to that.", default: .constant(0)),
    ])
}
