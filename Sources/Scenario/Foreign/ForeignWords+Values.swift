// Words of other tools that are values: executors, and the parts of thresholds.
// Part of `ForeignWords`; constants.

extension ForeignWords {
    package static let executors: [ForeignWord] = [
        ForeignWord(["constant-vus", "constantConcurrentUsers"], of: .k6, .gatling, is: "constant-users"),
        ForeignWord(
            [
                "ramping-vus", "rampConcurrentUsers", "incrementConcurrentUsers", "ultimate_thread_group",
                "stepping_thread_group", "concurrency_thread_group", "LoadTestShape",
            ], of: .k6, .gatling, .jmeter, .locust, is: "ramping-users"),
        ForeignWord(["per-vu-iterations", "thread_group"], of: .k6, .jmeter, is: "per-user-iterations"),
        ForeignWord(["atOnceUsers"], of: .gatling, is: "at-once"),
        ForeignWord(["constantUsersPerSec", "rampUsers"], of: .gatling, is: "constant-arrival-rate"),
        ForeignWord(
            ["rampUsersPerSec", "incrementUsersPerSec", "stressPeakUsers", "heavisideUsers"], of: .gatling,
            is: "ramping-arrival-rate"),
        ForeignWord(
            ["arrivals_thread_group", "open_model_thread_group"], of: .jmeter, is: "ramping-arrival-rate"),
        ForeignWord(["constant_throughput", "constant_pacing"], of: .locust, is: "per-user-rate"),
    ]

    package static let metrics: [ForeignWord] = [
        ForeignWord(
            [
                "http_req_duration", "iteration_duration", "group_duration", "http.response_time", "response_time",
                "elapsed",
            ],
            of: .k6, .artillery, .locust, .gatling, .jmeter, is: "purchase_duration"),
        ForeignWord(["http_req_sending"], of: .k6, is: "purchase_sending"),
        ForeignWord(["http_req_waiting", "Latency"], of: .k6, .jmeter, is: "purchase_processing"),
        ForeignWord(["http_req_receiving"], of: .k6, is: "purchase_receiving"),
        ForeignWord(
            ["http_req_failed", "fail_ratio", "error_rate"], of: .k6, .locust, .artillery,
            is: .init("purchase_success", note: "it is the share of successes: rate > 99%")),
        ForeignWord(["successfulRequests"], of: .gatling, is: "purchase_success"),
        ForeignWord(["failedRequests", "errors"], of: .gatling, .artillery, is: "requests_failed"),
        ForeignWord(
            ["http_reqs", "http.requests", "requestsPerSec", "allRequests"], of: .k6, .artillery, .gatling,
            is: "requests"),
        ForeignWord(["checks"], of: .k6, is: "expectations"),
        ForeignWord(["vus", "vus_max", "user_count"], of: .k6, .locust, is: "users_active"),
        ForeignWord(["vusers.created"], of: .artillery, is: "iterations"),
        ForeignWord(["vusers.skipped"], of: .artillery, is: "dropped_iterations"),
        ForeignWord(["vusers.failed"], of: .artillery, is: "interrupted_iterations"),
    ]

    /// Of metrics, as thresholds select by them.
    package static let tags: [ForeignWord] = [
        ForeignWord(["scenario"], of: .k6, is: "phase"),
        ForeignWord(["group", "name"], of: .k6, is: "journey"),
        ForeignWord(["status", "error_code"], of: .k6, is: "code"),
        ForeignWord(["expected_response"], of: .k6, is: "outcome"),
    ]

    package static let aggregates: [ForeignWord] =
        [
            ForeignWord(["mean", "average"], of: .artillery, .gatling, .jmeter, is: "avg"),
            ForeignWord(["median"], of: .artillery, .locust, .jmeter, is: "med"),
            ForeignWord(["minimum"], of: .jmeter, is: "min"),
            ForeignWord(["maximum"], of: .jmeter, is: "max"),
            ForeignWord(["p999"], of: .artillery, is: "p(99.9)"),
        ]
        + [50, 75, 90, 95, 99].map { rank in ForeignWord(["p\(rank)"], of: .artillery, is: .init("p(\(rank))")) }
}
