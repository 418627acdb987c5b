// What chance needs to know of single keys beyond their kind.
// Constants; any thread.

/// Keys by their paths: those of steps begin with `step`, wherever the step stands; `[]` is any item of a list.
package enum DrawnKeys {
    /// Keys that are not drawn, each with the reason.
    package static let leftOut: [String: String] = [
        "description": "for people",
        "clock": "a swarm runs under the virtual clock",
        "client": "the swarm's",
        "thresholds": "a swarm asks for violations, not for figures",
        "warm_up": "for figures",
        "audit": "what an app may decide for itself is its team's to say",
        "load[].tags": "for figures",
        "store.bundle_id": "the app's",
        "app.main_queue_limit": "of the wall clock",
        "app.hang_limit": "of the wall clock",
    ]

    static func isLeftOut(_ path: String) -> Bool { leftOut[path] != nil }

    /// Keys whose values depend on other keys, on the shop or on the number of users.
    private static let byHand: Set<String> = [
        "store.errors.purchase", "store.capacity.workers", "buyers.ask_to_buy.approve", "buyers.ask_to_buy.decline",
        "network.offline.share", "population.users", "population.owns", "population.unfinished_at_start",
        "population.devices_per_user", "step.buy.choose", "step.buy.unknown_product", "step.buy.quantity",
        "step.repeat.times", "step.redeem_offer", "step.expect", "load[].name", "load[].journey", "load[].after",
        "load[].users", "load[].max_users", "load[].iterations", "load[].stages", "load[].start_users",
        "load[].start_rate",
    ]

    static func isByHand(_ path: String) -> Bool { byHand.contains(path) }

    /// How long what the key is about lasts; for a person, unless it is known better.
    static func scale(of path: String) -> TimeScale { scales[path] ?? .pause }

    private static let scales: [String: TimeScale] = [
        "network.latency": .message, "network.request_timeout": .message, "validator.latency": .message,
        "network.offline.for": .spell, "store.capacity.service_time": .moment, "explore.interleavings": .moment,
        "app.flush_delay": .moment,
        "faults.delivery.finish_delay": .message, "faults.delivery.receipt_lag": .message,
        "buyers.ask_to_buy.answer_after": .errand, "buyers.interrupted.resolve_after": .errand,
        "buyers.refunds.after": .errand, "store.behaviour.approval_expires_after": .errand,
        "buyers.subscriptions.recover_after": .calendar, "load[].max_duration": .errand,
        "store.subscriptions.price_increase_at": .errand,
    ]

    /// In percent. What fails at every turn leaves nothing to look at.
    static func shares(of path: String) -> [Int] {
        if path.hasPrefix("faults.crash") { return [1, 3, 10, 30, 100] }
        // A finish that always fails is told again for as long as anybody waits.
        if path == "faults.delivery.finish_fails" { return [2, 10, 40] }
        if path.hasPrefix("store.errors") || path.hasPrefix("network.lose") { return [1, 5, 20, 40] }
        return [2, 10, 40, 100]
    }
}
