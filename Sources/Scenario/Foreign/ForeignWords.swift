// Words of other tools, and ours. Hints, `stampede list foreign-words` and the guide are made from these tables.
// Constants; any thread. A test types each word at each place that has a hint for it, and what the hint names.

package enum ForeignWords {
    /// Keys and steps.
    package static let keys = load + sections + steps

    // MARK: Entries of the load

    private static let load: [ForeignWord] = [
        ForeignWord(
            [
                "vus", "users", "virtual_users", "num_users", "concurrency", "concurrent_users", "threads",
                "num_threads",
                "number_of_threads",
            ], of: .k6, .locust, .jmeter,
            is: "users", "max_users", .init("stages", note: stagesToLevels), "to", "population: {users: 1_000}"),
        ForeignWord(
            ["maxVUs", "maxVusers"], of: .k6, .artillery, is: "max_users", "users", .init("stages", note: peak)),
        ForeignWord(
            ["preAllocatedVUs"], of: .k6,
            is: .init("max_users", note: "all users exist from the start"), "users",
            .init("stages", note: peak)),
        ForeignWord(["startVUs"], of: .k6, is: "start_users", "users", rampingUsers),
        ForeignWord(
            ["spawn_rate", "hatch_rate"], of: .locust, is: .init("stages", note: stagesToLevels),
            .init("over", note: howLong), rampingUsers),
        ForeignWord(
            ["ramp_up", "ramp_time", "ramp_up_period", "ramp_up_time"], of: .jmeter,
            is: .init("stages", note: stagesToLevels), "over", rampingUsers, "load"),
        ForeignWord(["rampTo"], of: .artillery, is: .init("stages", note: stagesToLevels), "to", rampingRate),
        ForeignWord(["gracefulStop"], of: .k6, is: "graceful_stop", gracefully),
        ForeignWord(
            ["gracefulRampDown"], of: .k6,
            is: .init("graceful_stop", note: "in a ramp, users end their journey before they leave"), gracefully),
        ForeignWord(
            ["rate", "arrivalRate", "usersPerSec", "rps", "throughput", "target_rps"], of: .k6, .artillery, .gatling,
            .jmeter, is: "rate", "start_rate", "to", constantRate, "load"),
        ForeignWord(
            ["startRate"], of: .k6, is: "start_rate", "rate", rampingRate),
        ForeignWord(
            ["timeUnit"], of: .k6,
            is: .init("rate", note: "the unit is part of the rate: 30/m"),
            .init("start_rate", note: "the unit is part of each rate: 30/m"),
            .init("to", note: "the unit is part of each rate: 30/m"), constantRate),
        ForeignWord(
            ["arrivalCount"], of: .artillery, is: "iterations", "users", "rate", .init("stages", note: stagesToLevels)),
        ForeignWord(
            ["duration", "run_time", "hold_for", "test_duration"], of: .k6, .locust, .artillery, .jmeter,
            is: "for", "max_duration", "over", .init("stages", note: "each stage has its length: over: 2m"),
            constantUsers, "load"),
        ForeignWord(["maxDuration"], of: .k6, is: "max_duration", "for", .init("stages", note: eachOver), manyTimes),
        ForeignWord(
            ["startTime", "startup_delay", "nothingFor"], of: .k6, .jmeter, .gatling, is: "start_after", "at"),
        ForeignWord(["stages"], of: .k6, is: rampingUsers, "load"),
        ForeignWord(["target", "peak"], of: .k6, is: "to", .init("stages", note: stagesToLevels), rampingUsers),
        ForeignWord(["target", "host", "base_url"], of: .artillery, .locust, is: "http", "url"),
        ForeignWord(
            ["iterations", "loops", "loop_count"], of: .k6, .jmeter, is: "iterations", manyTimes, "times", "repeat",
            "load"),
        ForeignWord(
            ["exec", "scenario", "task", "tasks", "task_set", "flow"], of: .k6, .locust, .artillery, .gatling,
            is: "journey", "steps", "journeys"),
        ForeignWord(
            ["weight"], of: .locust, .artillery,
            is: .init("users", note: eachANumber), .init("rate", note: eachANumber),
            .init("stages", note: eachANumber)),
        ForeignWord(["labels"], of: .k6, is: "tags"),
        ForeignWord(["depends_on"], of: .k6, is: "after"),
    ]

    /// Entries that are all right as they stand.
    private static let constantUsers: ForeignWord.Target = "executor: constant-users, for: 1m"
    private static let rampingUsers: ForeignWord.Target =
        "executor: ramping-users, stages: [{over: 1m, to: 100}, {over: 5m, to: 100}]"
    private static let constantRate: ForeignWord.Target = "executor: constant-arrival-rate, rate: 20/s, for: 1m"
    private static let rampingRate: ForeignWord.Target =
        "executor: ramping-arrival-rate, stages: [{over: 1m, to: 20/s}, {over: 5m, to: 20/s}]"
    private static let manyTimes: ForeignWord.Target =
        "executor: per-user-iterations, iterations: 10, max_duration: 10m"
    private static let gracefully: ForeignWord.Target =
        "executor: per-user-iterations, max_duration: 10m, graceful_stop: 30s"

    private static let stagesToLevels = "each stage reaches a number of users, or a rate, over a time"
    private static let howLong = "a stage has a length, not a speed"
    private static let peak = "the largest number of users in the stages is the limit"
    private static let eachOver = "each stage has its length"
    private static let eachANumber = "an entry has a number of users or a rate, not a weight"

    // MARK: Sections

    private static let sections: [ForeignWord] = [
        ForeignWord(["scenarios", "options", "execution", "setUp"], of: .k6, .gatling, is: "load"),
        ForeignWord(["phases", "config", "thread_group", "thread_groups"], of: .artillery, .jmeter, is: "load"),
        ForeignWord(["scenarios"], of: .artillery, is: "journeys"),
        ForeignWord(
            ["ensure", "assertions", "sla", "pass_fail"], of: .artillery, .gatling, is: "thresholds"),
        ForeignWord(["abortOnFail"], of: .k6, is: "abort_on_fail"),
        ForeignWord(["delayAbortEval"], of: .k6, is: "delay_abort_eval"),
        ForeignWord(["probability", "fraction", "ratio"], of: .artillery, .gatling, is: "share", "weight"),
        ForeignWord(["average", "avg"], of: .k6, .jmeter, is: "mean"),
        ForeignWord(["p50", "med"], of: .k6, .artillery, is: "median"),
        ForeignWord(["askToBuyEnabled"], of: .storeKitTest, is: "ask_to_buy", "buyers: {ask_to_buy: {share: 100%}}"),
        ForeignWord(
            ["interruptedPurchasesEnabled"], of: .storeKitTest, is: "interrupted",
            "buyers: {interrupted: {share: 100%}}"),
        ForeignWord(["disableDialogs"], of: .storeKitTest, is: "decide_after", "buyers: {decide_after: 0s}"),
        ForeignWord(
            ["failTransactionsEnabled", "failureError", "setSimulatedError"], of: .storeKitTest,
            is: "errors", .init("store", note: "errors is a key of store")),
        ForeignWord(["timeRate"], of: .storeKitTest, is: .init("store", note: "time_rate is a key of store")),
        ForeignWord(["billingGracePeriodIsEnabled"], of: .storeKitTest, is: "grace_period", "subscriptions"),
        ForeignWord(
            ["configuration_file", "storekit_configuration"], of: .storeKitTest, is: "catalog",
            .init("store", note: "catalog is a key of store")),
    ]

    // MARK: Steps

    private static let steps: [ForeignWord] = [
        ForeignWord(
            ["sleep", "pause", "delay", "wait", "think_time", "wait_time", "pace", "constant_timer", "random_timer"],
            of: .k6, .locust, .artillery, .gatling, .jmeter,
            is: "think", "start_after", "decide_after"),
        ForeignWord(
            ["loop", "foreach", "during", "loop_controller", "count"], of: .artillery, .gatling, .jmeter,
            is: "repeat", "times"),
        ForeignWord(
            ["randomSwitch", "uniformRandomSwitch", "random_controller"], of: .gatling, .jmeter, is: "choose"),
        ForeignWord(["parallel", "batch", "parallel_controller"], of: .k6, .artillery, .jmeter, is: "together"),
        ForeignWord(
            ["check", "checks", "expect", "assert", "response_assertion"], of: .k6, .artillery, .gatling, .jmeter,
            is: "expect", "thresholds"),
        ForeignWord(["purchase", "addPayment"], of: .storeKit, is: "buy"),
        ForeignWord(
            ["restorePurchases", "restoreCompletedTransactions", "sync"], of: .storeKit, is: "restore"),
        ForeignWord(["products", "requestProducts", "loadProducts"], of: .storeKit, is: "fetch_products"),
        ForeignWord(["buyProduct"], of: .storeKitTest, is: "buy_outside"),
        ForeignWord(["refundTransaction", "beginRefundRequest"], of: .storeKit, .storeKitTest, is: "refund"),
        ForeignWord(
            ["disableAutoRenewForTransaction", "expireSubscription"], of: .storeKitTest, is: "cancel_subscription"),
        ForeignWord(["storefront"], of: .storeKitTest, is: "change_storefront"),
    ]
}
