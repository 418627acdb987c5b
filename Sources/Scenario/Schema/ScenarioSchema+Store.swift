// The store and the validator: what they sell, what they can do, how they fail and how they behave.
// Pure; any thread.

import Simulation

extension ScenarioSchema {
    static let store = SchemaValue.object([
        SchemaValue.field(
            "catalog", .scalar(SchemaScalar(kinds: [.string])),
            "An Xcode StoreKit configuration file, relative to the scenario."),
        SchemaValue.optional(
            "bundle_id", .scalar(SchemaScalar(kinds: [.string, .integer], pattern: "^[A-Za-z0-9.-]+$")),
            """
            The app, as the signatures of its promotional offers name it. \
            Default: \(StoreConditions.standardBundleIdentifier).
            """),
        SchemaValue.optional("capacity", capacity, "How much the store can do at a time. Without it: everything."),
        SchemaValue.optional("outages", .reference("outages"), "When the store fails, from the start of the run."),
        SchemaValue.optional("errors", errors, "Requests that the store fails, whoever asks."),
        SchemaValue.optional("behaviour", behaviour, "What the store does where the documentation is silent."),
        SchemaValue.optional(
            "time_rate", .reference("time_rate"),
            """
            How fast subscriptions age: 1h = 30d makes an hour of the run thirty days of the store's calendar. \
            Default: the catalog's.
            """),
        SchemaValue.optional("subscriptions", subscriptions, "Grace and prices of subscriptions."),
        SchemaValue.optional("withdraw", withdrawals, "Products that the store stops selling during the run."),
    ])

    private static let withdrawals = SchemaValue.list(
        of: .object([
            SchemaValue.field(
                "product", .reference("product"), "What is no longer sold; what was bought stays bought."),
            requiredTime("at", "From when on, from the start of the run."),
        ]), count: 1...ScenarioLimits.withdrawalsMax)

    static let validator = SchemaValue.object([
        times("latency", "How long it takes to answer.", default: ValidatorConditions().latency),
        SchemaValue.optional("outages", .reference("outages"), "When it fails, from the start of the run."),
        share("errors", "Of the requests, those it fails.", default: ValidatorConditions().errors),
    ])

    // MARK: Conditions

    private static let capacity = SchemaValue.object([
        SchemaValue.field("workers", whole(1...ScenarioLimits.workersMax), "Requests served at the same time."),
        requiredTimes("service_time", "How long a request occupies a worker."),
        SchemaValue.field(
            "queue", whole(0...ScenarioLimits.queueMax), "Requests that may wait for a worker; more are refused."),
    ])

    static let outages = SchemaValue.list(
        of: .variants(
            by: SchemaValue.field(
                "answer", .string(among: ["error", "timeout", "slow"]),
                "error: every request fails; timeout: none is answered; slow: answers come later, by `by`."),
            common: [
                requiredTime("at", "When it begins, from the start of the run."),
                requiredTime("for", "How long it lasts.", zero: .refused),
            ],
            cases: [
                SchemaValue.Variant(name: "error", fields: []), SchemaValue.Variant(name: "timeout", fields: []),
                SchemaValue.Variant(
                    name: "slow",
                    fields: [time("by", "How much later answers come.", default: .seconds(5), zero: .refused)]),
            ]), count: 1...ScenarioLimits.outagesMax)

    private static let errors = SchemaValue.object([
        share("products", "Of the product requests, those that fail."),
        share("restore", "Of the restores, those that fail, half-way."),
        share("receipt", "Of the refreshes of the receipt, those that fail."),
        SchemaValue.optional(
            "purchase", .object(purchaseErrors), "Of the purchases, those that fail, by error: at most 100% together."),
    ])

    private static let purchaseErrors = StoreFailure.named.keys.sorted().map {
        SchemaValue.optional($0, .reference("share"), "Of the purchases, those that fail with this error.")
    }

    private static let subscriptions = SchemaValue.object([
        SchemaValue.optional(
            "grace_period", .boolean,
            "Whether a renewal that cannot be paid leaves the subscription as it is for a while. Default: the catalog's."
        ),
        time("price_increase_at", "When subscribers are asked to agree to a higher price. Without it: never."),
    ])

    // MARK: Behaviour

    private static let behaviour = SchemaValue.object(
        behaviourOfQueue + behaviourOfPurchases + behaviourOfSubscriptions)

    private static let standard = StoreBehaviour()

    private static let behaviourOfQueue = [
        setting("callback_queue", standard.callbackQueue, "Where observers and request delegates are called."),
        setting(
            "duplicate_observer", standard.duplicateObserver, "How often an observer that was added twice is told."),
        setting(
            "callback_after_removal", standard.callbackAfterRemoval,
            "What becomes of a callback under way when its observer is removed."),
        setting("finish_deferred", standard.finishDeferred, "What finishing a deferred transaction does."),
        setting("cancelled_restore", standard.cancelledRestore, "How a restore ends whose prompt was cancelled."),
        setting(
            "second_restore", standard.secondRestore, "What becomes of a restore that is asked for while one runs."),
        setting(
            "unheld_request", standard.unheldRequest, "What becomes of a started request that nobody holds."),
        setting(
            "restore_filters_username", standard.restoreFiltersUsername,
            "Whether a restore with a user name brings only that user's purchases."),
        setting(
            "username_persistence", standard.usernamePersistence, "Which user names come back with transactions."),
        setting(
            "other_devices", standard.otherDevices,
            "Whether an unfinished purchase arrives on the account's other devices too."),
    ]

    private static let behaviourOfPurchases = [
        setting("quantity_above_ten", standard.quantityAboveTen, "What a payment for more than ten leads to."),
        setting("owned_repurchase", standard.ownedRepurchase, "How a second purchase of something owned arrives."),
        setting(
            "unfinished_repurchase", standard.unfinishedRepurchase,
            "What buying a consumable again does while it is unfinished."),
        setting("declined_approval", standard.declinedApproval, "What a declined Ask to Buy request leads to."),
        time(
            "approval_expires_after", "When a request that nobody answers is dropped.",
            default: standard.approvalExpiresAfter, zero: .refused),
        setting(
            "deferred_redelivery", standard.deferredRedelivery, "Whether a launch delivers what is still deferred."),
        setting("interruption_error", standard.interruptionError, "The error of an interrupted purchase."),
        setting("interruption_failure", standard.interruptionFailure, "When that failure is told."),
        setting("refund_update", standard.refundUpdate, "Whether a refund also calls updatedTransactions."),
    ]

    private static let behaviourOfSubscriptions = [
        setting(
            "active_subscription", standard.activeSubscription, "What buying an active subscription again does."),
        setting("downgrade", standard.downgrade, "What a change that begins with the next period leads to at once."),
        setting("renewal_original", standard.renewalOriginal, "Whether a renewal's `original` is set."),
    ]
}
